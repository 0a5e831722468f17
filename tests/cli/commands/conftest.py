"""What the tests of several commands share: a system known by hand, as a file."""

from collections.abc import Callable
from pathlib import Path

import pytest

from core.files import write_system
from core.model.system import System


@pytest.fixture(scope="session")
def idling(tmp_path_factory: pytest.TempPathFactory, two_by_two: Callable[..., System]) -> Path:
    """The 2 x 2 instance with 20 and 10 W of idle power, as a file."""
    path = tmp_path_factory.mktemp("idling") / "system.json"
    write_system(two_by_two(20, 10), path)
    return path
