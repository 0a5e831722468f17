"""The template is a system, with a blank to show that there may be one."""

import numpy as np
import pytest

from core.files import inspect_system_bytes
from dashboard.workspace.export import SYSTEM_FORMATS, system_bytes
from dashboard.workspace.template import template


@pytest.mark.parametrize("suffix", [form.suffix for form in SYSTEM_FORMATS])
def test_it_can_be_uploaded_as_it_was_downloaded(suffix: str) -> None:
    reading = inspect_system_bytes(f"template{suffix}", system_bytes(template(), suffix))
    assert reading.system == template()
    assert reading.problems == ()


def test_it_has_an_impossible_pair() -> None:
    assert np.isinf(template().etc).sum() == 1
