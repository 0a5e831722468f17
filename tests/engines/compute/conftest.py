"""Worker processes with next to nothing loaded."""

from collections.abc import Iterator

import pytest

from core.engines.compute.workers import Workers


@pytest.fixture(scope="session")
def workers() -> Iterator[Workers]:
    workers = Workers("tasks", spare=2)
    yield workers
    workers.end()
