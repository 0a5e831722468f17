"""What the tests of the report share: a study of a sample."""

import pytest

from core.samples import load_sample
from core.study import Study, study


@pytest.fixture(scope="session")
def nine() -> Study:
    return study(load_sample("nine"), seconds=0)
