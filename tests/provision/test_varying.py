"""Kinds of operations are chosen by how well they explain the times of a plan."""

from dataclasses import replace

import numpy as np
import pytest
from provision.plans import e1

from core.provision.plan import MachineOffer, Plan, PlanLimits, TaskDemand
from core.provision.reproduce.kinds import squared_error
from core.provision.varying import choose_operations, try_kinds
from core.samples.named import E2_SECONDS, E3_SECONDS


def plan_of(seconds, powers=None) -> Plan:
    tasks, types = seconds.shape
    return Plan(
        tuple(TaskDemand(f"T{i}", 1.0, 1.0) for i in range(tasks)),
        tuple(MachineOffer(f"M{j}", 1.0) for j in range(types)),
        seconds,
        PlanLimits(1.0),
        powers,
    )


@pytest.mark.parametrize(
    ("seconds", "kinds", "on_average", "by_squares"),
    [(E2_SECONDS, 2, 0.0051, 0.0016), (E3_SECONDS, 3, 0.0035, 0.0021)],
)
def test_errors_fall_with_kinds_and_are_as_small_as_published(
    seconds, kinds, on_average, by_squares
) -> None:
    tried = try_kinds(plan_of(seconds), most=3)
    assert [one.kinds for one in tried] == [1, 2, 3]
    errors = [one.mean_error for one in tried]
    assert errors == sorted(errors, reverse=True)
    chosen = tried[kinds - 1]
    assert chosen.mean_error <= on_average
    assert squared_error(seconds, chosen.operations.times) <= by_squares
    assert chosen.mean_error <= chosen.worst_error
    assert chosen.errors == pytest.approx((chosen.operations.times / seconds - 1).ravel())


def test_the_fewest_kinds_are_chosen_that_are_near_enough() -> None:
    plan = plan_of(E2_SECONDS)
    tried = try_kinds(plan, most=3)
    assert choose_operations(plan, 0.25, tried).operations is tried[1].operations
    assert choose_operations(plan, 0.25, tried, 3).operations is tried[2].operations
    assert choose_operations(plan, 0.25, tried[:1]).operations is tried[0].operations


def test_there_are_no_more_kinds_than_types() -> None:
    assert [one.kinds for one in try_kinds(e1())] == [1, 2]
    assert [one.kinds for one in try_kinds(plan_of(E3_SECONDS), most=2)] == [1, 2]


def test_one_kind_varies_as_times_do() -> None:
    plan = plan_of(np.outer([1.0, 2.0, 5.0], [3.0, 1.0]))
    (exact, *_) = try_kinds(plan)
    assert exact.worst_error < 1e-9
    chosen = choose_operations(plan, 0.3, [exact])
    assert chosen.covs == pytest.approx(np.full((1, 2), 0.3))
    assert chosen.joules is None


def test_joules_are_those_of_the_powers() -> None:
    seconds = np.outer([1.0, 2.0, 5.0], [3.0, 1.0])
    plan = plan_of(seconds, np.tile([40.0, 90.0], (3, 1)))
    chosen = choose_operations(plan, 0.3, try_kinds(plan, most=1))
    joules = chosen.operations.per_task @ chosen.joules
    assert joules == pytest.approx(seconds * [40.0, 90.0])


def test_pairs_that_cannot_run_are_no_errors() -> None:
    seconds = np.outer([1.0, 2.0, 5.0], [3.0, 1.0, 2.0])
    seconds[0, 1] = np.inf
    seconds[:, 2] = np.inf
    plan = replace(plan_of(seconds), powers=np.where(np.isinf(seconds), np.nan, 50.0))
    (one, *_) = try_kinds(plan, most=1)
    assert one.errors.shape == (5,)
    assert one.worst_error < 1e-9
    chosen = choose_operations(plan, 0.2, [one])
    assert chosen.covs[0, :2] == pytest.approx(0.2)
    assert chosen.covs[0, 2] == 0
