"""Every notebook runs from top to bottom on the real Neo4j."""

from __future__ import annotations

import os
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from tests.conftest import TestServer

ROOT = Path(__file__).resolve().parent.parent.parent
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs_from_top_to_bottom(
    path: Path, neo4j_server: TestServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAPHMEM_NEO4J_URI", neo4j_server.uri)
    monkeypatch.setenv("GRAPHMEM_NEO4J_USER", neo4j_server.user)
    monkeypatch.setenv("GRAPHMEM_NEO4J_PASSWORD", neo4j_server.password)
    notebook = nbformat.read(path, as_version=4)
    environment = os.environ | {"PYDEVD_DISABLE_FILE_VALIDATION": "1"}
    NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(ROOT)}}).execute(
        env=environment
    )
    printed = [
        output.text
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if "text" in output
    ]
    assert printed, "its cells print something"


def test_notebooks_are_kept_without_output() -> None:
    for path in NOTEBOOKS:
        notebook = nbformat.read(path, as_version=4)
        assert not any(cell.outputs for cell in notebook.cells if cell.cell_type == "code"), (
            f"clear the output of {path.name}"
        )
