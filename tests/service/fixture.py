"""The fixture ``service``: import it in a conftest, or in the test module itself."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.service.server import Service, serve


@pytest.fixture
def service() -> Iterator[Service]:
    """A local model service; set its ``script``."""
    with serve() as running:
        yield running
