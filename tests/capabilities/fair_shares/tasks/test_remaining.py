"""What remains of bags is planned as well as is possible."""

from dataclasses import replace

import numpy as np
import pytest
from capabilities.fair_shares.as_published import Raw, can_have, raw
from capabilities.fair_shares.made import made, random_bags

from core.capabilities.fair_shares.bags import ArrivingBags
from core.capabilities.fair_shares.optimum import least_stretch
from core.capabilities.fair_shares.tasks.remaining import Remaining, least_remaining, plan_remaining
from core.vocabulary.arrays import FloatArray


def nothing_sent(bags: ArrivingBags) -> Remaining:
    work = bags.work
    present = np.zeros(work.seconds.shape)
    return Remaining(work, bags.ideal, 0.0, work.counts.astype(int), present)


def released_together(seed: int) -> ArrivingBags:
    bags = random_bags(seed)
    return replace(bags, release=np.zeros_like(bags.release))


@pytest.mark.parametrize("seed", range(30))
def test_if_nothing_was_sent_it_is_the_optimum(seed: int) -> None:
    bags = released_together(seed)
    found = least_remaining(nothing_sent(bags))
    assert found.stretch == pytest.approx(least_stretch(bags).stretch, rel=1e-9)
    assert found.proven == pytest.approx(found.stretch, rel=1e-9)


def half_done(seed: int) -> tuple[ArrivingBags, Remaining]:
    """At a date after some releases, tasks were sent, and parts of some are on workers that hold
    them.
    """
    bags, rng = random_bags(seed), np.random.default_rng(seed + 7)
    work = bags.work
    now = float(rng.choice(work.release)) + rng.choice([0.0, 0.5, 4.0])
    unsent = rng.integers(0, work.counts + 1)
    present = rng.choice([0.0, 0.3, 1.0, 2.0], work.seconds.shape)
    present[~np.isfinite(work.seconds) | (work.release > now)[:, None]] = 0.0
    present *= np.minimum(1, (work.counts - unsent) / np.maximum(present.sum(axis=1), 1))[:, None]
    held = work.data @ present
    room = np.divide(work.memory, held, out=np.ones_like(held), where=held > work.memory)
    present[work.data > 0] *= room
    return bags, Remaining(work, bags.ideal, now, unsent, present)


def as_published(bags: ArrivingBags, remaining: Remaining) -> Raw:
    """The same for the published program: what a worker has is evenly on its machines."""
    one, left = raw(bags), remaining.left
    worker = {j: u for u, group in enumerate(remaining.work.machine_types) for j in group}
    kinds = bags.system.machine_types
    of = [worker.get(j, -1) for j, kind in enumerate(kinds) for _ in range(kind.count)]
    none = np.zeros(len(left))
    stock = [none if u < 0 else remaining.present[left, u] / of.count(u) for u in of]
    return one._replace(
        counts=remaining.unsent[left].astype(float),
        release=remaining.work.release[left],
        data=one.data[left],
        seconds=one.seconds[:, left],
        ideal=one.ideal[left],
        start=remaining.now,
        stock=np.array(stock),
    )


@pytest.mark.parametrize("seed", range(40))
def test_it_is_the_optimum_of_the_published_program(seed: int) -> None:
    bags, remaining = half_done(seed)
    if not len(remaining.left):
        return
    one, found = as_published(bags, remaining), least_remaining(remaining)
    assert found.stretch * (1 - 1e-9) <= found.proven <= found.stretch
    assert can_have(one, found.stretch * (1 + 1e-6))
    if found.stretch > 1:
        assert not can_have(one, found.stretch * (1 - 1e-5))


@pytest.mark.parametrize(
    ("memory", "stock", "expected"),
    [
        (np.inf, 0.25, 1),  # what waits is sent until S, while the machine is busy
        (0.5, 0.0, 7 / 6),  # a quarter of the task may wait: S - 1 + S / 2 + 1 / 4 = 1
        (0.5, 0.25, 5 / 4),  # the stock leaves room for an eighth
        (0.0, 0.0, 4 / 3),  # nothing may wait: S - 1 + S / 2 = 1
    ],
)
def test_memory_is_kept(memory: float, stock: float, expected: float) -> None:
    """A task of 1 s without data is due at S, and one of 1 s and 2 MB at 2 S. A third bag of 1 MB a
    task is due long after, and takes long: what is there of it fills memory all the time.
    """
    bags = made((1, 1, 10), [[1, 1, 1000]], data=(0, 2, 1), memory=memory)
    present = np.array([[0.0], [0.0], [stock]])
    found = least_remaining(Remaining(bags.work, bags.ideal, 0.0, np.array([1, 1, 0]), present))
    assert found.stretch == pytest.approx(expected, rel=1e-8)
    assert found.proven == pytest.approx(expected, rel=1e-8)


def after(unsent: list[int], present: FloatArray, now: float) -> float:
    """The stretch of two bags of 4 and 2 tasks of a second each on one machine."""
    work = made((4, 2), [[1.0, 1.0]], release=(0, 1)).work
    remaining = Remaining(work, np.array([4.0, 2.0]), now, np.array(unsent), present)
    return least_remaining(remaining).stretch


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
    found = least_remaining(remaining).stretch
    assert found == pytest.approx(1.2, rel=1e-6)  # 12 s of 10


def test_early_plans_have_the_same_stretch() -> None:
    for seed in range(10):
        bags = released_together(seed)
        found = plan_remaining(nothing_sent(bags))
        assert found.stretch == pytest.approx(least_stretch(bags).stretch, rel=4e-6)
        assert (found.sent >= 0).all()
        np.testing.assert_allclose(found.sent.sum(axis=(1, 2)), bags.work.counts, rtol=1e-6)
        lengths = np.diff(found.dates, prepend=0.0)
        used = np.einsum("kuj,k->uj", found.sent, bags.work.data)
        assert (used.sum(axis=0) <= bags.work.bandwidth * lengths * (1 + 1e-6) + 1e-6).all()
