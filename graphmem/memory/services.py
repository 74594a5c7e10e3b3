"""Which services a memory works with, by its settings. Their SDKs take a second to import, so each is imported when it is first needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast, get_args

from graphmem.errors import ConfigurationError
from graphmem.extract.protocol import Extractor
from graphmem.providers.chat import Role
from graphmem.providers.protocols import Reranker
from graphmem.settings import Settings
from graphmem.temporal import Policy

if TYPE_CHECKING:
    from graphmem.providers.local_embedder import LocalEmbedder
    from graphmem.providers.openai_chat import OpenAIChat
    from graphmem.providers.openai_embedder import OpenAIEmbedder


def chat_of(settings: Settings) -> OpenAIChat | None:
    """The chat service of the settings; None where no model is named. Raises ConfigurationError for a role that there is not."""
    if settings.chat_model is None:
        return None
    from graphmem.providers.openai_chat import ChatSettings, OpenAIChat
    from graphmem.providers.service import ServiceSettings

    service = ServiceSettings(
        base_url=settings.chat_url,
        api_key=settings.chat_key or "",
        organisation=settings.chat_organisation,
        concurrency=settings.chat_parallel,
    )
    models = _by_role(settings.chat_models)
    return OpenAIChat(
        ChatSettings(service, settings.chat_model, models, max_calls=settings.max_calls, max_cost=settings.max_cost)
    )


def embedder_of(settings: Settings, fetching: Callable[[int, int], None] | None) -> LocalEmbedder | OpenAIEmbedder:
    """The embedding model of the settings. ``fetching`` is told (bytes done, in total) while the local one is fetched for the first time.

    Raises ArtifactError or ProviderError for a local one that cannot be had, ConfigurationError for a service without a key.
    """
    if settings.embedder == "local":
        from graphmem.providers.local_embedder import LocalEmbedder

        return LocalEmbedder(settings.cache, workers=settings.embed_workers, progress=fetching)
    from graphmem.providers.openai_embedder import EmbedderSettings, OpenAIEmbedder
    from graphmem.providers.service import ServiceSettings

    service = ServiceSettings(
        base_url=settings.embed_url or settings.chat_url,
        api_key=settings.embed_key or settings.chat_key or "",
        organisation=settings.chat_organisation,
        concurrency=settings.chat_parallel,
    )
    return OpenAIEmbedder(EmbedderSettings(service, settings.embedder, settings.embed_dimensions))


def extractor_of(settings: Settings, chat: OpenAIChat | None) -> Extractor:
    """What reads the turns: the model where there is one and the settings do not say otherwise, else the rules."""
    if chat is None or settings.extractor == "rules":
        from graphmem.extract.with_rules import RuleExtractor

        return RuleExtractor(Policy.parse(settings.time_policy))
    from graphmem.extract.with_model import ModelExtractor

    return ModelExtractor(
        chat, chat.settings.model_for("extract"), settings.chat_parallel, Policy.parse(settings.time_policy)
    )


def reranker_of(settings: Settings) -> Reranker | None:
    """What puts found turns in their final order; None where nothing does.

    Raises ConfigurationError where a local model is named and the extra for it is not installed, or there is no such model.
    """
    kind = settings.reranker
    if kind == "auto":
        kind = "cohere" if settings.cohere_key else "local" if settings.rerank_model else "none"
    if kind == "cohere":
        from graphmem.providers.cohere_reranker import CohereReranker, RerankerSettings
        from graphmem.providers.service import ServiceSettings

        # Somebody waits for the search: what does not come soon is done without.
        service = ServiceSettings(
            base_url=settings.cohere_url,
            api_key=settings.cohere_key or "",
            timeout=settings.rerank_timeout,
            attempts=3,
            max_wait=settings.rerank_timeout,
            patience=settings.rerank_timeout,
        )
        return CohereReranker(RerankerSettings(service, settings.cohere_model))
    if kind == "local":
        from graphmem.providers.local_reranker import LocalReranker

        return LocalReranker(settings.rerank_model or "", settings.cache / "rerankers")
    return None


def _by_role(text: str) -> dict[Role, str]:
    found: dict[Role, str] = {}
    for pair in filter(None, (part.strip() for part in text.split(","))):
        role, equals, model = (part.strip() for part in pair.partition("="))
        if not equals or not model or role not in get_args(Role):
            raise ConfigurationError(
                f"chat_models has {pair!r}; write role=model, the role one of {', '.join(get_args(Role))}"
            )
        found[cast(Role, role)] = model
    return found
