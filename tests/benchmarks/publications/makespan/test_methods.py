"""Figure 7: one rival that is shorter, or slow phases, and its verdicts flip."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.publications.makespan import methods
from benchmarks.publications.makespan.methods import METHODS, Systems
from benchmarks.publications.phases import Run, Runs


@pytest.fixture
def as_published():
    runs = Runs.of([[Run(100.0, 101.0, 102.0, 0.05, 0.001, 0.01)] * 4] * 3)
    longer, slower = np.full((3, 4), 110.0), np.full((3, 4), 2.0)
    enlarged = np.tile([102.0, 0.87, 110.0, 480.0], (3, 1))
    return Systems(runs, longer, 2 * longer, slower, slower, enlarged, np.array([30.0, 40.0, 35.0]))


def verdicts(systems):
    return [claim.holds for claim in methods.figure(systems).claims]


def test_all_holds_on_measurements_as_published(as_published):
    assert verdicts(as_published) == [True] * 5


def test_one_shorter_rival_is_an_exception(as_published):
    min_min = as_published.min_min.copy()
    min_min[1, 2] = 101.9
    claim = methods.figure(replace(as_published, min_min=min_min)).claims[0]
    assert not claim.holds
    assert claim.difference == "exceptions: 1"
    assert "23 of 24" in claim.here


def test_slow_phases_flip_the_claims_on_speed(as_published):
    slow = replace(as_published.lp, bound_seconds=np.full((3, 4), 0.2))
    assert verdicts(replace(as_published, lp=slow)) == [True, False, False, True, True]


def test_a_quick_min_min_flips_the_claims_on_the_enlarged_systems(as_published):
    enlarged = as_published.enlarged.copy()
    enlarged[2, 2:] = 101.0, 3.0
    quick = methods.figure(replace(as_published, enlarged=enlarged)).claims
    assert [claim.holds for claim in quick] == [True] * 3 + [False] * 2
    assert "As printed, it looks through all machines and takes 30 times to 40 times" in (
        quick[-1].cause
    )


def test_every_method_is_measured(small_systems):
    assert small_systems.lp.full.shape == (len(METHODS), 2)
    assert (small_systems.min_min >= small_systems.lp.bound).all()
    assert small_systems.printed_times.shape == (len(METHODS),)
    assert (small_systems.printed_times > 0).all()
    assert small_systems.enlarged.shape == (len(METHODS), 4)
    assert len({*small_systems.lp.bound.ravel()}) == 2 * len(METHODS)
