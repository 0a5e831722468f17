"""A part is measured in a process of its own, whose memory is its own."""

import re
from importlib.metadata import version

import numpy as np
import pytest

from benchmarks.case import CASES, WHEN_NAMED, load
from benchmarks.harness import describe_machine, measure_part


def test_a_part_runs_in_a_fresh_process_that_says_what_it_took():
    ballast = np.ones(40_000_000)  # 320 MB, which must not count for the child
    case = load("bound")
    outcome = measure_part("bound", "Wattfront", case.parts["Wattfront"], quick=True)
    assert set(outcome["measured"]) == {"uniform", "range-based", "consistent"}
    assert all(run["seconds"] > 0 for run in outcome["measured"].values())
    assert 10e6 < outcome["peak_memory"] < ballast.nbytes


@pytest.mark.parametrize("name", sorted(set(CASES) - set(WHEN_NAMED)))
def test_every_case_measures_something_of_ours(name):
    assert any(part.ours for part in load(name).parts.values())


def test_the_machine_is_described_by_its_cores_python_and_packages():
    described = describe_machine()
    assert re.match(r"\d+ cores of .+, \w+; Python 3\.\d+\.\d+\S*, ", described)
    for package in ("numpy", "highspy"):
        assert f"{package} {version(package)}" in described
