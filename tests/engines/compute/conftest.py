"""Worker processes with next to nothing loaded."""

import pytest

from core.engines.compute.workers import Workers


@pytest.fixture(scope="session")
def workers():
    workers = Workers("tasks", spare=2)
    yield workers
    workers.end()
