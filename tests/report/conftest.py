"""What the tests of the report share: a study of a sample."""

import pytest

from core.front.study import Study, study
from core.samples.named import load_sample


@pytest.fixture(scope="session")
def nine() -> Study:
    return study(load_sample("nine"), seconds=0)
