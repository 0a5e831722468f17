"""Days on which jobs are stopped are small here: compiling takes longer than they do."""

import pytest
from interpreted import interpreted


@pytest.fixture(autouse=True)
def at_once():
    with interpreted():
        yield
