"""A change moves promises, which are measured by the baseline before it."""

import math

import numpy as np
import pytest
from capabilities.fair_shares.made import compute_only, made, random_bags
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.fair_shares.bags import ArrivingBags
from core.capabilities.fair_shares.optimum import least_stretch
from core.capabilities.fair_shares.recheck import faults
from core.capabilities.fair_shares.shares import (
    NO_CHANGE,
    BagsChange,
    MachinesAdded,
    OneMoreBag,
    changed_bags,
)
from core.vocabulary.problems import InvalidInput

F11 = made((2, 2), [[1, math.inf], [math.inf, 1], [1, 1]])


def promises(bags: ArrivingBags, change: BagsChange) -> list[float]:
    after, baseline = changed_bags(bags, change)
    found = least_stretch(after, early=False, baseline=baseline)
    assert faults(found.plan, found.plan_stretch, baseline.tolist()) == []
    assert found.proven == pytest.approx(found.stretch, rel=1e-9)
    return found.deadlines.tolist()


def test_a_shared_worker_lets_both_end_earlier_although_the_stretch_rises() -> None:
    alone = changed_bags(F11, BagsChange(machines=MachinesAdded(2, -1))).bags
    assert least_stretch(alone).stretch == pytest.approx(1.0)
    assert least_stretch(F11).stretch == pytest.approx(4 / 3)
    # Each took 2 s alone; with the shared worker all four tasks are done after 4 / 3 s.
    more = BagsChange(machines=MachinesAdded(2, 1))
    assert promises(alone, more) == pytest.approx([4 / 3, 4 / 3])


def test_twice_the_bandwidth() -> None:
    bags = made((4, 4), [[1e-3, 1e-3]] * 2, data=1, release=(0, 2))
    # At 2 MB/s over both links, 8 MB are sent by 2 + 4 S, and no bag is done below half of it.
    assert promises(bags, NO_CHANGE) == pytest.approx([6.0, 8.0])
    assert promises(bags, BagsChange(bandwidth=2.0)) == pytest.approx([2.0, 4.0], rel=1e-3)


def test_another_bag_comes_last_and_has_a_name_of_its_own() -> None:
    bags = compute_only((2, 2), (0, 1))
    after, baseline = changed_bags(bags, BagsChange(bag=OneMoreBag(0, 3, 5.0)))
    assert after.names == ("T0", "T1", "another T0")
    assert after.release.tolist() == [0, 1, 5]
    assert baseline.tolist() == [2, 2, 3]


def test_machines_that_go_may_leave_a_bag_with_none() -> None:
    bags, none_left = made((1,), [[1.0]]), BagsChange(machines=MachinesAdded(0, -1))
    with pytest.raises(InvalidInput):
        changed_bags(bags, none_left)


@examples(12)
@given(st.integers(0, 10**6))
def test_more_never_hurts_and_another_bag_never_helps(seed: int) -> None:
    bags = random_bags(seed)
    before = np.array(promises(bags, NO_CHANGE))
    more = np.array(promises(bags, BagsChange(machines=MachinesAdded(0, 2))))
    assert (more <= before * (1 + 1e-8) + 1e-8).all()
    another = np.array(promises(bags, BagsChange(bag=OneMoreBag(0, 5, float(bags.release[0])))))
    assert (another[:-1] >= before * (1 - 1e-8) - 1e-8).all()
