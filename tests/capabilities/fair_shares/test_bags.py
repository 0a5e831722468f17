"""A bag alone has its best throughput; machines that are alike are one worker."""

import math
import re

import numpy as np
import pytest
from capabilities.fair_shares.as_published import raw
from capabilities.fair_shares.made import compute_only, f9, f10, f12, made, random_bags
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from core.capabilities.fair_shares.bags import ArrivingBags, Network
from core.capabilities.fair_shares.optimum import least_stretch
from core.capabilities.fair_shares.recheck import ideal_durations
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.problems import InvalidInput
from core.vocabulary.system import System

IDEAL = {
    "F1": (made((10,), [[2]], data=4), [40]),
    "F3": (compute_only((4, 1), (0, 1)), [4, 1]),
    "F6": (made((11,), [[1], [2]], data=1, links=(1, 0.25), bandwidth=1.1), [10]),
    "F7": (made((5, 5), [[1, 4], [4, 1]]), [4, 4]),
    "F9": (f9(), [1, 2, 1]),
    "F10": (f10(), [2, 4]),
    "F12": (f12(), [40 / 3, 4.8, 16 / 3]),
    "T1": (made((3,), [[1]], data=2), [6]),
    "T2": (made((2,), [[1], [1]], data=1), [2]),
    "T5": (made((12,), [[1], [1], [4]]), [16 / 3]),
}


@pytest.mark.parametrize(("bags", "expected"), IDEAL.values(), ids=IDEAL)
def test_examples_that_are_computed_by_hand(bags: ArrivingBags, expected: list[float]) -> None:
    assert bags.ideal == pytest.approx(expected, rel=1e-12)


@examples(16)
@given(st.integers(0, 2**32))
def test_nothing_is_faster_alone(seed: int) -> None:
    """The closed form is the optimum of the program of one bag, for each machine on its own."""
    bags = random_bags(seed)
    one = raw(bags)
    for k, ideal in enumerate(bags.ideal):
        can = np.flatnonzero(np.isfinite(one.seconds[:, k]))
        most = np.minimum(1 / one.seconds[can, k], one.links[can] / max(one.data[k], 1e-300))
        found = linprog(
            -np.ones(len(can)),
            np.full((1, len(can)), one.data[k]),
            [min(one.bandwidth, 1e9)],
            bounds=[(0, each) for each in most],
        )
        assert one.counts[k] / ideal == pytest.approx(-found.fun, rel=1e-9)
    assert bags.ideal == pytest.approx(ideal_durations(bags), rel=1e-12)


def test_machines_that_are_alike_are_one_worker() -> None:
    system = System(
        (TaskType("T", 4), TaskType("none", 0)),
        tuple(
            MachineType(name, count) for name, count in zip("ABCDE", (2, 3, 1, 0, 1), strict=True)
        ),
        np.array([[6.0, 6, 6, 6, math.inf], [1, 2, 3, 4, 5]]),
    )
    network = Network.of(system, 100.0, [7, 7, 8, 7, 7], 10.0)
    bags = ArrivingBags(system, np.array([5.0, 1.0]), np.array([1.0, 1.0]), network)
    work = bags.work
    assert bags.names == ("T",)
    assert work.machine_types == ((0, 1), (2,))
    assert work.seconds == pytest.approx(np.array([[6 / 5, 6]]))
    assert work.links == pytest.approx([35, 8])
    assert work.memory == pytest.approx([50, 10])
    assert work.release.tolist() == [0]
    assert bags.ideal == pytest.approx([4])
    optimum = least_stretch(bags)
    assert optimum.stretch == pytest.approx(1)
    assert optimum.deadlines == pytest.approx([9])


def test_all_that_is_wrong_is_said_at_once() -> None:
    system = System((TaskType("T", 1), TaskType("U", 2)), (MachineType("M", 1),), np.ones((2, 1)))
    network = Network(0.0, np.array([-1.0]), np.array([1.0, 2.0]))
    with pytest.raises(InvalidInput) as refused:
        ArrivingBags(system, np.array([0.0, math.nan]), np.array([-1.0, 1.0]), network)
    said = [re.sub(r"; give.*", "", str(problem)) for problem in refused.value.problems]
    assert said == [
        "error: tasks, row U, column release: is nan",
        "error: tasks, row T, column data: is -1",
        "error: network, column bandwidth: the bandwidth of the master is 0",
        "error: machines, row M, column link: is -1",
        "error: machines, column memory: has 2 values for 1 rows",
    ]


def test_bags_do_not_change() -> None:
    release = np.zeros(1)
    system = System((TaskType("T", 1),), (MachineType("M", 1),), np.ones((1, 1)))
    bags = ArrivingBags(system, release, np.zeros(1), Network.of(system))
    release[0] = 5
    assert bags.release[0] == 0
    with pytest.raises(ValueError, match="read-only"):
        bags.release[0] = 1


def demand_bound(ideal: list[int], release: list[float]) -> float:
    """The smallest stretch at which what is released and due between two dates fits, by halves."""

    def fits(stretch: float) -> bool:
        due = [r + stretch * d for r, d in zip(release, ideal, strict=True)]
        for begin in release:
            for end in due:
                inside = sum(
                    d
                    for r, d, e in zip(release, ideal, due, strict=True)
                    if r >= begin and e <= end
                )
                if inside > (end - begin) * (1 + 1e-12) + 1e-12 and inside:
                    return False
        return True

    low, high = 1.0, 1.0
    while not fits(high):
        low, high = high, 2 * high
    while high - low > 1e-11 * high:
        middle = (low + high) / 2
        low, high = (low, middle) if fits(middle) else (middle, high)
    return high


@pytest.mark.thorough
@pytest.mark.parametrize(
    "part", [0, 1, *(pytest.param(part, marks=pytest.mark.thorough) for part in range(2, 10))]
)
def test_a_thousand_random_cases(part: int) -> None:
    rng = np.random.default_rng(part)
    for _ in range(100):
        bags = int(rng.integers(1, 9))
        ideal = rng.integers(1, 30, bags).tolist()
        release = (rng.integers(0, 60, bags) * rng.choice([0.25, 1.0, 1.7])).tolist()
        found = least_stretch(compute_only(ideal, release), early=False)
        expected = demand_bound(ideal, release)
        assert found.stretch == pytest.approx(expected, rel=1e-8)
        assert found.proven <= expected * (1 + 1e-10)
        assert found.proven >= expected * (1 - 1e-8)
