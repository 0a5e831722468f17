"""Plans for tasks that can be split become quotas of whole tasks, what is left is planned anew, and
bags share a steady state.
"""

from dataclasses import replace

import numpy as np
import pytest
from capabilities.fair_shares.as_published import Raw, can_have, raw
from capabilities.fair_shares.made import made, random_bags
from examples import seeds

from core.capabilities.fair_shares.bags import ArrivingBags
from core.capabilities.fair_shares.optimum import least_stretch
from core.capabilities.fair_shares.tasks.machine_work import MachineWork
from core.capabilities.fair_shares.tasks.planned import quota
from core.capabilities.fair_shares.tasks.planners import (
    Remaining,
    least_remaining,
    plan_remaining,
    quotas,
    steady_rates,
)
from core.capabilities.fair_shares.tasks.policies import POLISH_EFFORT, PlanOfAll, task_policy_named
from core.capabilities.fair_shares.tasks.running import OpenTasks
from core.capabilities.fair_shares.trials import published_scenario
from core.vocabulary.arrays import FloatArray


def test_the_last_tasks_go_where_they_exceed_the_plan_least() -> None:
    """2.5 + 2.5 of 5 tasks: the half task more takes 0.5 x 4 s or 0.5 x 2 s."""
    work = MachineWork.of(made((5,), [[4.0], [2.0]]))
    sent = np.array([[[2.5], [2.5]]])
    plan = quotas(work, np.array([9.0]), sent, np.array([5]), np.array([9.0]))
    assert plan.most.tolist() == [[2, 3]]


def test_quotas_are_rounded_until_the_last_interval() -> None:
    work = MachineWork.of(made((3, 3), [[1.0, 1.0], [1.0, 1.0001]], data=1.0))
    sent = np.array([[[0.4, 0.4, 0.8], [0.6, 0.4, 0.4]], [[3.0, 0.0, 0.0], [0.0, 0.0, 0.0]]])
    dates = np.array([1.0, 2.0, 3.0])
    run = OpenTasks(work, task_policy_named("cbs3m-edf-offline").rules)
    plan = quotas(work, dates, sent, np.array([3, 3]), np.array([3.0, 1.0]))
    found = []
    for interval in range(3):
        run.clock.moment[0].interval = interval
        found.append([[int(quota(plan, run.clock, k, m)) for m in range(2)] for k in range(2)])
    assert found == [[[0, 1], [3, 0]], [[1, 1], [3, 0]], [[2, 1], [3, 0]]]


def test_machines_of_a_worker_take_turns() -> None:
    """Three machines get 2 of 5 tasks together in the first interval: one each for two of them; the
    next bag begins with the third.
    """
    bags = made((5, 5), [[1.0, 1.0]] * 3, data=1.0)
    work = MachineWork.of(bags)
    run = OpenTasks(work, task_policy_named("cbs3m-edf-offline").rules)
    sent = np.array([[[2.0, 3.0]], [[2.0, 3.0]]])
    plan = quotas(work, np.array([1.0, 2.0]), sent, np.array([5, 5]), np.array([2.0, 2.0]))
    first = [[int(quota(plan, run.clock, k, m)) for m in range(3)] for k in range(2)]
    assert first == [[1, 1, 0], [1, 0, 1]]
    assert plan.most.tolist() == [[2, 2, 1], [2, 1, 2]]


@pytest.mark.parametrize("each", [1, 7])
def test_all_tasks_are_given_to_machines(each: int) -> None:
    work = MachineWork.of(published_scenario(3, 5, 3, each=each))
    plan = PlanOfAll(work, POLISH_EFFORT, sent_early=True).plan(
        OpenTasks(work, task_policy_named("cbs3m-edf-offline").rules)
    )
    assert plan.most.sum(axis=1).tolist() == work.counts.tolist()
    given = np.array([[row[work.worker == u].sum() for u in range(3)] for row in plan.most])
    assert (np.abs(given - plan.until[:, :, -1] * each) <= each).all()


def test_tasks_without_data_are_sent_at_once() -> None:
    work = MachineWork.of(made((4, 1), [[1.0, 1.0]], release=(0, 1)))
    plan = PlanOfAll(work, POLISH_EFFORT, sent_early=True).plan(
        OpenTasks(work, task_policy_named("cbs3m-edf-offline").rules)
    )
    assert plan.until[:, 0].tolist() == [[4.0] * 3, [1.0] * 3]


@pytest.mark.parametrize("mode", ["online", "offline"])
@pytest.mark.parametrize(("rule", "sent"), [("edf", 1.5), ("fifo", 0.5)])
def test_machines_that_take_tasks_by_deadlines_get_them_early(mode, rule, sent) -> None:
    """The link can carry one and a half tasks until the other bag is due, of which a half runs."""
    work = MachineWork.of(made((1, 2), [[1, 1]], data=(0, 1)))
    policy = task_policy_named(f"cbs3m-{rule}-{mode}")
    plan = policy.planner(work, POLISH_EFFORT).plan(OpenTasks(work, policy.rules))
    assert plan.until[1, 0, 0] == pytest.approx(sent, abs=1e-4)


def nothing_sent(bags: ArrivingBags) -> Remaining:
    work = bags.work
    present = np.zeros(work.seconds.shape)
    return Remaining(work, bags.ideal, 0.0, work.counts.astype(int), present)


def released_together(seed: int) -> ArrivingBags:
    bags = random_bags(seed)
    return replace(bags, release=np.zeros_like(bags.release))


@pytest.mark.parametrize("seed", seeds(8, 30))
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


@pytest.mark.parametrize("seed", seeds(10, 40))
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
    """At 1 there are 3 + 2 tasks left: all are done at 6, so 6 = 4 S. At 0, the second bag is not
    known yet.
    """
    assert after([4, 2], np.zeros((2, 1)), 0.0) == pytest.approx(1)
    assert after([3, 2], np.zeros((2, 1)), 1.0) == pytest.approx(1.5, rel=1e-6)
    assert after([2, 2], np.array([[1.0], [0.0]]), 1.0) == pytest.approx(1.5, rel=1e-6)
    assert after([2, 2], np.array([[0.5], [0.0]]), 1.0) == pytest.approx(5.5 / 4, rel=1e-6)


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


@pytest.mark.parametrize("seed", seeds(6, 20))
def test_a_bag_alone_has_its_throughput(seed: int) -> None:
    work = random_bags(seed).work
    for k in range(len(work.counts)):
        alone = np.zeros(len(work.counts))
        alone[k] = 3.0
        rates = steady_rates(work, alone)
        assert rates.sum(axis=1) == pytest.approx(np.where(alone > 0, work.throughput, 0.0))


def test_bags_advance_in_proportion_to_their_weights() -> None:
    """Two bags on one machine: a + 2 b = 1 second a second."""
    work = made((5, 5), [[1.0, 2.0]]).work
    assert steady_rates(work, np.array([1.0, 1.0]))[:, 0] == pytest.approx([1 / 3, 1 / 3])
    assert steady_rates(work, np.array([2.0, 1.0]))[:, 0] == pytest.approx([1 / 2, 1 / 4])
    assert not steady_rates(work, np.zeros(2)).any()


@pytest.mark.parametrize("seed", seeds(6, 20))
def test_all_limits_are_kept(seed: int) -> None:
    work = random_bags(seed).work
    weights = np.random.default_rng(seed).uniform(0.1, 2.0, len(work.counts))
    rates = steady_rates(work, weights)
    total = rates.sum(axis=1) / weights
    assert total == pytest.approx(np.full(len(total), total[0]))
    busy = np.where(rates > 0, rates * np.where(rates > 0, work.seconds, 1.0), 0.0).sum(axis=0)
    assert (busy <= 1 + 1e-6).all()
    assert (work.data @ rates <= work.links * (1 + 1e-6)).all()
    assert float((work.data @ rates).sum()) <= work.bandwidth * (1 + 1e-6)
