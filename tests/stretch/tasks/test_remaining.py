"""What remains of bags is planned as well as is possible."""

import numpy as np
import pytest
from stretch.made import made, random_bags

from core.model.arrays import FloatArray
from core.stretch.bags import ArrivingBags
from core.stretch.optimum import least_stretch
from core.stretch.tasks.remaining import Remaining, least_remaining, plan_remaining


def nothing_sent(bags: ArrivingBags) -> Remaining:
    work = bags.work
    present = np.zeros(work.seconds.shape)
    return Remaining(work, bags.ideal, 0.0, work.counts.astype(int), present)


def released_together(seed: int) -> ArrivingBags:
    bags = random_bags(seed)
    network = bags.network
    return ArrivingBags(
        bags.system,
        np.zeros_like(bags.release),
        bags.data,
        type(network)(network.bandwidth, network.links, np.full_like(network.memory, np.inf)),
    )


@pytest.mark.parametrize("seed", range(30))
def test_if_nothing_was_sent_it_is_the_optimum(seed: int) -> None:
    bags = released_together(seed)
    found = least_remaining(nothing_sent(bags), 1.0)
    assert found == pytest.approx(least_stretch(bags).stretch, rel=3e-6)


@pytest.mark.parametrize("guess", [1.0, 1.3, 5.0, 1000.0])
def test_the_guess_does_not_matter(guess: float) -> None:
    found = least_remaining(nothing_sent(released_together(5)), guess)
    assert found == pytest.approx(least_stretch(released_together(5)).stretch, rel=3e-6)


def after(unsent: list[int], present: FloatArray, now: float) -> float:
    """The stretch of two bags of 4 and 2 tasks of a second each on one machine."""
    work = made((4, 2), [[1.0, 1.0]], release=(0, 1)).work
    remaining = Remaining(work, np.array([4.0, 2.0]), now, np.array(unsent), present)
    return least_remaining(remaining, 1.0)


def test_what_is_there_counts() -> None:
    """At 1 there are 3 + 2 tasks left: all are done at 6, so 6 = 4 S."""
    assert after([3, 2], np.zeros((2, 1)), 1.0) == pytest.approx(1.5, rel=1e-6)
    assert after([2, 2], np.array([[1.0], [0.0]]), 1.0) == pytest.approx(1.5, rel=1e-6)
    assert after([2, 2], np.array([[0.5], [0.0]]), 1.0) == pytest.approx(5.5 / 4, rel=1e-6)


def test_bags_that_are_not_known_yet_do_not_count() -> None:
    assert after([4, 2], np.zeros((2, 1)), 0.0) == pytest.approx(1)


def test_links_are_limits_too() -> None:
    """4 tasks of 2 MB at 1 MB/s; one is there and takes a second."""
    bags = made((5,), [[1.0]], data=2.0)
    remaining = Remaining(bags.work, bags.ideal, 4.0, np.array([4]), np.array([[1.0]]))
    found = least_remaining(remaining, 1.0)
    assert found == pytest.approx(1.2, rel=1e-6)  # 12 s of 10


def test_early_plans_have_the_same_stretch() -> None:
    for seed in range(10):
        bags = released_together(seed)
        found = plan_remaining(nothing_sent(bags), 1.0)
        assert found.stretch == pytest.approx(least_stretch(bags).stretch, rel=4e-6)
        assert (found.sent >= 0).all()
        np.testing.assert_allclose(found.sent.sum(axis=(1, 2)), bags.work.counts, rtol=1e-6)
        lengths = np.diff(found.dates, prepend=0.0)
        used = np.einsum("kuj,k->uj", found.sent, bags.work.data)
        assert (used.sum(axis=0) <= bags.work.bandwidth * lengths * (1 + 1e-6) + 1e-6).all()
