"""Small days, for which compiling takes longer than they do."""

from collections.abc import Iterator

import pytest
from interpreted import interpreted


@pytest.fixture
def kernels_interpreted() -> Iterator[None]:
    with interpreted():
        yield
