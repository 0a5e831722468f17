"""Whole tasks under each policy: cases that are known by hand."""

import numpy as np
import pytest
from capabilities.fair_shares.made import compute_only, f10, made

from core.capabilities.fair_shares.bags import ArrivingBags
from core.capabilities.fair_shares.tasks.machine_work import MachineWork
from core.capabilities.fair_shares.tasks.outcome import TaskOutcome
from core.capabilities.fair_shares.tasks.planners import quotas
from core.capabilities.fair_shares.tasks.policies import (
    TASK_POLICIES,
    run_policy,
    task_policy_named,
)
from core.capabilities.fair_shares.tasks.running import OpenTasks
from core.vocabulary.budget import Effort


def came(bags: ArrivingBags, policy: str) -> TaskOutcome:
    return run_policy(MachineWork.of(bags), task_policy_named(policy))


def came_without_prefetch(bags: ArrivingBags, policy: str) -> TaskOutcome:
    """Tasks are sent to idle machines only."""
    rules = task_policy_named(policy).rules._replace(ahead=False)
    run = OpenTasks(MachineWork.of(bags), rules)
    run.run()
    return run.outcome(policy)


POLICIES = ("fifo-rr", "srpt-mct", "spt-dd", "mwma-ms", "cbs3m-edf-offline", "cbs3m-fifo-online")


@pytest.mark.parametrize("policy", POLICIES)
def test_t1_sending_takes_longer_than_computing(policy: str) -> None:
    found = came(made((3,), [[1.0]], data=2.0), policy)
    np.testing.assert_allclose(found.sent, [0, 2, 4])
    np.testing.assert_allclose(found.arrived, [2, 4, 6])
    np.testing.assert_allclose(found.start, [2, 4, 6])
    np.testing.assert_allclose(found.end, [3, 5, 7])
    assert found.scores.max_stretch == pytest.approx(7 / 6)


def t2() -> ArrivingBags:
    """Two tasks; the master and the links of two machines carry 1 MB/s."""
    return made((2,), [[1.0], [1.0]], data=1.0)


@pytest.mark.parametrize("policy", TASK_POLICIES)
def test_t2_no_policy_is_done_before_3_s(policy: str) -> None:
    """The data of the last task cannot have arrived before 2 s."""
    found = run_policy(MachineWork.of(t2()), task_policy_named(policy), Effort(work=1e-4))
    assert found.completion == pytest.approx([3])
    assert found.scores.max_stretch == pytest.approx(1.5)


@pytest.mark.parametrize("policy", ["fifo-rr", "spt-dd", "cbs3m-edf-offline", "cbs3m-fifo-online"])
def test_t2_two_links_share_the_bandwidth(policy: str) -> None:
    found = came(t2(), policy)
    np.testing.assert_allclose(found.arrived, [2, 2])
    np.testing.assert_allclose(found.end, [3, 3])


@pytest.mark.parametrize("order", ["fifo", "spt", "srpt", "swrpt"])
def test_t2_the_first_machine_is_waited_for(order: str) -> None:
    """At 0 s, a second task would be done at 3 s on either machine: behind the first task, or at
    half the bandwidth. Of equal machines MCT waits for the first, and again at 1 s.
    """
    found = came(t2(), f"{order}-mct")
    assert found.machine_type.tolist() == [0, 0]
    np.testing.assert_allclose(found.sent, [0, 1])
    np.testing.assert_allclose(found.arrived, [1, 2])
    np.testing.assert_allclose(found.end, [2, 3])


@pytest.mark.parametrize("policy", ["mwma-nbt", "mwma-ms"])
def test_t2_a_task_a_second(policy: str) -> None:
    """The steady state is what the master sends, 1 task/s: half a task/s for each machine. So the
    second task is given out at 1 s, and to the other machine.
    """
    found = came(t2(), policy)
    assert found.machine_type.tolist() == [0, 1]
    np.testing.assert_allclose(found.sent, [0, 1])
    np.testing.assert_allclose(found.arrived, [1, 2])
    np.testing.assert_allclose(found.end, [2, 3])


def t3() -> ArrivingBags:
    return compute_only((4, 1), release=(0, 1))


def test_t3_first_come_first_served() -> None:
    for found in (came(t3(), "fifo-mct"), came_without_prefetch(t3(), "fifo-mct")):
        np.testing.assert_allclose(found.completion, [4, 5])
        assert found.scores.max_stretch == pytest.approx(4)
        assert found.scores.sum_flow == pytest.approx(8)


@pytest.mark.parametrize("order", ["spt", "srpt", "swrpt"])
def test_t3_the_short_bag_first(order: str) -> None:
    found = came_without_prefetch(t3(), f"{order}-dd")
    np.testing.assert_allclose(found.completion, [5, 2])
    assert found.scores.max_stretch == pytest.approx(1.25)
    assert found.scores.sum_flow == pytest.approx(6)


@pytest.mark.parametrize("policy", ["spt-rr", "srpt-mct", "swrpt-dd", "cbs3m-edf-offline"])
def test_t3_what_was_sent_ahead_comes_first(policy: str) -> None:
    found = came(t3(), policy)
    np.testing.assert_allclose(found.completion, [5, 3])
    assert found.scores.max_stretch == pytest.approx(2)
    assert found.scores.sum_flow == pytest.approx(7)


@pytest.mark.parametrize(
    ("orders", "completion", "worst"),
    [(("fifo", "srpt"), (10, 14), 1.75), (("spt", "swrpt"), (14, 11), 1.4)],
)
def test_t4_nearly_done_first_or_not(
    orders: tuple[str, ...], completion: tuple[float, float], worst: float
) -> None:
    bags = compute_only((10, 4), release=(0, 7))
    for order in orders:
        found = came_without_prefetch(bags, f"{order}-mct")
        np.testing.assert_allclose(found.completion, completion)
        assert found.scores.max_stretch == pytest.approx(worst)


@pytest.mark.parametrize(("choice", "end"), [("rr", 16), ("dd", 8), ("mct", 6)])
def test_t5_choices_of_machines(choice: str, end: float) -> None:
    bags = made((12,), [[1], [1], [4]])
    assert bags.ideal == pytest.approx([16 / 3])
    found = came(bags, f"fifo-{choice}")
    assert found.completion == pytest.approx([end])
    assert found.scores.makespan == pytest.approx(end)


@pytest.mark.parametrize(
    ("policy", "completion", "worst"),
    [
        ("cbs3m-edf-offline", (2.5, 5.25), 1.3125),
        ("cbs3m-fifo-offline", (2.5, 5.25), 1.3125),
        ("fifo-mct", (2.5, 5.75), 1.4375),
    ],
)
def test_t6_two_kinds_of_bags(policy: str, completion: tuple[float, float], worst: float) -> None:
    """From another optimum, T0 ends at 3 s under CBS3M FIFO: see the next test."""
    found = came(f10(), policy)
    np.testing.assert_allclose(found.completion, completion)
    assert found.scores.max_stretch == pytest.approx(worst)


@pytest.mark.parametrize(
    ("policy", "first", "completion"),
    [
        ("cbs3m-fifo-offline", "even", (2.5, 5.25)),
        ("cbs3m-fifo-offline", "uneven", (3, 5.25)),
        ("cbs3m-edf-offline", "even", (2.5, 5.25)),
        ("cbs3m-edf-offline", "uneven", (2.5, 5.25)),
    ],
)
def test_t6_follows_from_the_optimum_that_is_taken(
    policy: str, first: str, completion: tuple[float, float]
) -> None:
    """The program has many optima, as it does not care which of two equal machines gets a task.

    At the least worst stretch, 5/4, there are two intervals, of 2.5 s. In the first, T0 has to be
    done: 4 tasks, 1 MB. What is left of 2.5 MB goes to T1: 1.5 tasks. The master is busy all the
    time, and no optimum has more. The machines have 5 s and need 4.375 s, so they may share
    this in many ways. Ours is the even one, since equal machines are one worker: 2 and 2 tasks of
    T0, 0.75 and 0.75 of T1. If one machine gets all of T1, and no pause (2.125 + 1.5 / 4 = 2.5 s),
    this is a vertex of the program with a worker for each machine. There FIFO sends a task of T1
    second on that link, as 1/1.5 of it would be sent, and 2/2.125 of T0. It arrives at 1.75 s, and
    the second task of T0 there at 2 s: done at 3 s.
    """
    amounts = {
        "even": [[[2, 0], [2, 0]], [[0.75, 1.25], [0.75, 1.25]]],
        "uneven": [[[2.125, 0], [1.875, 0]], [[1.5, 2.5], [0, 0]]],
    }
    # One link is faster than the master, so that the machines are two workers.
    bags = made((4, 4), [[1, 0.25], [1, 0.25]], data=(0.25, 1), links=(1, 2))
    work, dates = MachineWork.of(bags), np.array([2.5, 5.0])
    run = OpenTasks(work, task_policy_named(policy).rules)
    run.follow(quotas(work, dates, np.array(amounts[first], float), work.counts, dates))
    run.run()
    np.testing.assert_allclose(run.outcome(policy).completion, completion)
