"""Quotas of whole tasks follow the plan for tasks that can be split."""

import numpy as np
import pytest
from capabilities.fair_shares.made import made

from core.capabilities.fair_shares.scenarios import published_scenario
from core.capabilities.fair_shares.tasks.machine_work import MachineWork
from core.capabilities.fair_shares.tasks.planned import quota
from core.capabilities.fair_shares.tasks.policies import POLISH_EFFORT, PlanOfAll, task_policy_named
from core.capabilities.fair_shares.tasks.quotas import quotas
from core.capabilities.fair_shares.tasks.running import OpenTasks


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
