"""Replays of whole tasks are what is worked out by hand: sharing, memory, queues and plans."""

import math

import numpy as np
import pytest
from capabilities.fair_shares.made import compute_only, made

from core.capabilities.fair_shares.bags import ArrivingBags
from core.capabilities.fair_shares.tasks.in_time import IN_TIME
from core.capabilities.fair_shares.tasks.judge import task_faults
from core.capabilities.fair_shares.tasks.machine_work import MachineWork
from core.capabilities.fair_shares.tasks.outcome import TaskOutcome
from core.capabilities.fair_shares.tasks.policies import run_policy, task_policy_named
from core.capabilities.fair_shares.tasks.running import NothingMoves, OpenTasks, copied, no_plan
from core.capabilities.fair_shares.tasks.state import TaskPlan, TaskRules


def came(bags: ArrivingBags, policy: str) -> TaskOutcome:
    return run_policy(MachineWork.of(bags), task_policy_named(policy))


def test_links_share_the_bandwidth_as_evenly_as_they_can() -> None:
    """Links of 1 and 4 MB/s share 3 MB/s: 1 and 2, and when the fast one is done, 1 remains."""
    found = came(made((2,), [[1.0], [1.0]], data=4.0, links=(1, 4), bandwidth=3.0), "fifo-dd")
    assert found.arrived.tolist() == [4.0, 2.0]
    assert found.machine_type.tolist() == [0, 1]


def test_bandwidth_is_shared_anew_when_a_transfer_begins() -> None:
    """A task that is released at 1 takes half of the bandwidth from then on."""
    bags = made((1, 1), [[1, 1], [1, 1]], data=2.0, release=(0, 1), bandwidth=1.0)
    found = came(bags, "fifo-dd")
    np.testing.assert_allclose(found.arrived, [3.0, 4.0])


def test_without_limits_data_arrive_at_once() -> None:
    bags = made((2,), [[3.0]], data=5.0, links=math.inf, bandwidth=math.inf)
    for policy in ("fifo-mct", "cbs3m-edf-online", "mwma-nbt", "polished-online"):
        found = came(bags, policy)
        assert found.scores.max_stretch == pytest.approx(1)
        np.testing.assert_allclose(found.arrived, found.sent)


@pytest.mark.parametrize(("memory", "end"), [(math.inf, 7.0), (4.0, 7.0), (3.9, 9.0), (2.0, 9.0)])
def test_memory_for_one_task_keeps_the_next_from_being_sent(memory: float, end: float) -> None:
    """Three tasks of 2 MB at 1 MB/s, of a second each: one after the other, or sent ahead."""
    found = came(made((3,), [[1.0]], data=2.0, memory=memory), "fifo-rr")
    assert found.completion.tolist() == [end]
    assert task_faults(found) == []


def test_tasks_wait_their_turn_or_their_deadline() -> None:
    """While the first task runs, tasks of both bags arrive; the later ones have the earlier
    deadline.
    """
    bags = made((3, 1), [[3, 1]], data=(1, 1), release=(0, 1))
    work = MachineWork.of(bags)
    plan = no_plan(work)._replace(due=np.array([20.0, 10.0]), order=np.array([0, 1]))
    ends = []
    for by_deadline in (False, True):
        run = OpenTasks(work, TaskRules(0, IN_TIME, by_deadline, ahead=True))
        run.follow(plan)
        run.run()
        ends.append(run.outcome("by hand").completion.tolist())
    # All of bag 0 is sent before the task of bag 1, which arrives at 4 and may overtake at 4.
    assert ends == [[10.0, 11.0], [11.0, 5.0]]


def steady(bags: ArrivingBags) -> TaskOutcome:
    return came(bags, "mwma-ms")


def test_in_a_steady_state_tasks_are_given_out_one_after_the_other() -> None:
    """Two bags with equal ideal durations on one machine: half a task a second each."""
    found = steady(compute_only((2, 2)))
    np.testing.assert_allclose(found.sent, [0, 0, 2, 2])
    assert found.bag.tolist() == [0, 1, 0, 1]


def test_in_a_steady_state_machines_get_their_shares() -> None:
    """Machines that take 1 and 2 s: of three tasks two go to the first, at 1.5 tasks a second."""
    found = steady(made((3,), [[1.0], [2.0]]))
    np.testing.assert_allclose(found.sent, [0, 2 / 3, 4 / 3])
    assert found.machine_type.tolist() == [0, 0, 1]


def in_time(work: MachineWork, **changed: object) -> TaskPlan:
    bags = len(work.counts)
    usual = no_plan(work)._replace(due=np.full(bags, 1e9), order=np.arange(bags))
    return usual._replace(**changed)


def sent_at(work: MachineWork, plan: TaskPlan) -> list[tuple[int, int, float]]:
    """Bag, machine type and time of each sending."""
    run = OpenTasks(work, TaskRules(0, IN_TIME, by_deadline=True, ahead=True))
    run.follow(plan)
    run.run()
    found = run.outcome("by hand")
    assert task_faults(found) == []
    rows = zip(found.bag.tolist(), found.machine_type.tolist(), found.sent.tolist(), strict=True)
    return sorted(rows, key=lambda row: row[2])


def test_crowding_keeps_links_from_sending() -> None:
    """Two links of 1 MB/s: one of them fills a bandwidth of 1 MB/s."""
    work = MachineWork.of(made((2,), [[1.0], [1.0]], data=2.0))
    assert [at for _, _, at in sent_at(work, in_time(work, crowding=1.0))] == [0, 2]
    assert [at for _, _, at in sent_at(work, in_time(work, crowding=1.5))] == [0, 0]


def test_backlog_keeps_tasks_from_machines() -> None:
    """Tasks of 4 s, 1 s of sending: with no backlog, a task is sent when none waits."""
    work = MachineWork.of(made((4,), [[4.0]], data=1.0))
    assert [at for _, _, at in sent_at(work, in_time(work, backlog=0.0))] == [0, 1, 5, 9]
    assert [at for _, _, at in sent_at(work, in_time(work, backlog=4.0))] == [0, 1, 2, 5]


def test_a_barred_machine_gets_nothing() -> None:
    work = MachineWork.of(made((2,), [[1.0], [1.0]]))
    barred = np.array([[True, False]])
    assert {kind for _, kind, _ in sent_at(work, in_time(work, barred=barred))} == {1}


def test_a_machine_that_is_late_is_left_to_others() -> None:
    """Bag 0 is due at 3: the slow machine is done at 5, so bag 1 gets it; the fast one takes both
    tasks of bag 0.
    """
    work = MachineWork.of(made((2, 1), [[1, 1], [5, 5]]))
    plan = in_time(work, due=np.array([3.0, 30.0]))
    assert sent_at(work, plan) == [(0, 0, 0.0), (1, 1, 0.0), (0, 0, 0.0)]


def test_a_plan_that_sends_nothing_is_an_error() -> None:
    work = MachineWork.of(compute_only((2,)))
    run = OpenTasks(work, TaskRules(0, IN_TIME, by_deadline=True, ahead=True))
    run.follow(in_time(work, barred=np.array([[True]])))
    with pytest.raises(NothingMoves, match="2 tasks wait that no plan sends"):
        run.run()


def test_a_copy_changes_on_its_own() -> None:
    work = MachineWork.of(made((3,), [[1.0]], data=2.0))
    run = OpenTasks(work, task_policy_named("fifo-rr").rules)
    run.run(2.5)
    before = copied(run.clock)
    assert before.moment.now[0] == run.now > 0
    run.run()
    assert before.moment.unfinished[0] > 0 == run.clock.moment.unfinished[0]
    copied(run.clock, before)
    assert before.moment.unfinished[0] == 0


def test_what_is_present_where() -> None:
    """At 5: of three tasks one has run, one has run by half, and the last is being sent."""
    work = MachineWork.of(made((3, 1), [[2.0, 1.0]], data=(2.0, 1.0), release=(0, 5)))
    run = OpenTasks(work, task_policy_named("fifo-rr").rules)
    run.run(5.0)
    assert run.now == 5.0
    assert run.present.tolist() == [[1.5], [0.0]]
    assert run.unsent.tolist() == [0, 1]
    assert run.unfinished.tolist() == [2, 1]
