"""A cross-encoder small enough for a test: its score counts the words that a text shares with the question."""

from __future__ import annotations

import json
from pathlib import Path

import onnx
from onnx import TensorProto, helper
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.normalizers import Lowercase
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")


def build(folder: Path, words: str) -> Path:
    """Writes the model and its tokenizer, which knows these words, into a folder, in the layout of published ones."""
    (folder / "onnx").mkdir(parents=True)
    onnx.save(_model(), str(folder / "onnx" / "model.onnx"))
    vocabulary = {word: number for number, word in enumerate((*SPECIAL, *dict.fromkeys(words.lower().split())))}
    tokenizer = Tokenizer(WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = Lowercase()
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "tokenizer_config.json").write_text(json.dumps({"model_max_length": 64, "pad_token": "[PAD]"}))
    (folder / "config.json").write_text(json.dumps({"pad_token_id": 0}))
    (folder / "special_tokens_map.json").write_text(json.dumps({"pad_token": "[PAD]", "unk_token": "[UNK]"}))
    return folder


def _model() -> onnx.ModelProto:
    """Every pair of a token of the text and one of the question that are the same known word counts for one."""
    integers, floats = TensorProto.INT64, TensorProto.FLOAT
    sides = ["batch", "length"]
    steps = [
        ("Greater", ["input_ids", "last_special"], ["known"], {}),
        ("Cast", ["known"], ["is_word"], {"to": floats}),
        ("Cast", ["token_type_ids"], ["in_text"], {"to": floats}),
        ("Sub", ["one", "in_text"], ["in_question"], {}),
        ("Mul", ["is_word", "in_text"], ["text"], {}),
        ("Mul", ["is_word", "in_question"], ["question"], {}),
        ("Unsqueeze", ["input_ids", "two_axis"], ["down"], {}),
        ("Unsqueeze", ["input_ids", "one_axis"], ["across"], {}),
        ("Equal", ["down", "across"], ["alike"], {}),
        ("Cast", ["alike"], ["same"], {"to": floats}),
        ("Unsqueeze", ["text", "two_axis"], ["text_down"], {}),
        ("Unsqueeze", ["question", "one_axis"], ["question_across"], {}),
        ("Mul", ["same", "text_down"], ["half"], {}),
        ("Mul", ["half", "question_across"], ["pairs"], {}),
        ("ReduceSum", ["pairs", "pair_axes"], ["count"], {"keepdims": 0}),
        ("Unsqueeze", ["count", "one_axis"], ["logits"], {}),
    ]
    graph = helper.make_graph(
        [helper.make_node(kind, given, made, **options) for kind, given, made, options in steps],
        "overlap",
        [helper.make_tensor_value_info(name, integers, sides) for name in ("input_ids", "token_type_ids")],
        [helper.make_tensor_value_info("logits", floats, ["batch", 1])],
        [
            helper.make_tensor("last_special", integers, [], [len(SPECIAL) - 1]),
            helper.make_tensor("one", floats, [], [1.0]),
            helper.make_tensor("one_axis", integers, [1], [1]),
            helper.make_tensor("two_axis", integers, [1], [2]),
            helper.make_tensor("pair_axes", integers, [2], [1, 2]),
        ],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
