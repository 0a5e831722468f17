"""Kinds of operations are chosen by how well they explain the times of a plan."""

import math
from dataclasses import replace

import numpy as np
import pytest
from capabilities.provision.plans import e1

from benchmarks.publications.provision.kinds import squared_error
from benchmarks.samples import E2_SECONDS, E3_SECONDS
from core.capabilities.provision.futures.uncertainty import Variation
from core.capabilities.provision.futures.varying import (
    BY_ERROR,
    fewest_near,
    find_operations,
    try_kinds,
    varying,
)
from core.capabilities.provision.plan import MachineOffer, Plan, PlanLimits, TaskDemand

CALM = math.sqrt(((0.5**2 + 1.5**2) / 2 + (1.75 + 4.75) / 3) / 3 - 1)
"""Of a third between 0.5 and 1 of the mean, a third between 1 and 1.5, and the rest at the ends."""


def plan_of(seconds, powers=None):
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
):
    tried = try_kinds(plan_of(seconds), most=3)
    assert [one.kinds for one in tried] == [1, 2, 3]
    errors = [one.mean_error for one in tried]
    assert errors == sorted(errors, reverse=True)
    chosen = tried[kinds - 1]
    assert chosen.mean_error <= on_average
    assert squared_error(seconds, chosen.operations.times) <= by_squares
    assert chosen.mean_error <= chosen.worst_error
    assert chosen.errors == pytest.approx((chosen.operations.times / seconds - 1).ravel())


def test_the_fewest_kinds_are_chosen_that_are_near_enough():
    tried = try_kinds(plan_of(E2_SECONDS), most=3)
    assert fewest_near(tried) is tried[1]
    assert fewest_near(tried[:1]) is tried[0]


def test_the_number_of_kinds_is_chosen_by_error_or_given():
    plan = plan_of(E2_SECONDS)
    found = find_operations(plan, BY_ERROR)
    assert [one.kinds for one in found.tried] == [1, 2, 3, 4]
    assert found.by_error
    assert found.taken is found.tried[1]
    given = find_operations(plan, 3)
    assert [one.kinds for one in given.tried] == [3]
    assert not given.by_error
    assert given.taken is given.tried[0]
    assert given.taken.mean_error == found.tried[2].mean_error


def test_there_are_no_more_kinds_than_types():
    assert [one.kinds for one in try_kinds(e1())] == [1, 2]
    assert [one.kinds for one in try_kinds(plan_of(E3_SECONDS), most=2)] == [1, 2]


def test_one_kind_varies_as_times_do():
    plan = plan_of(np.outer([1.0, 2.0, 5.0], [3.0, 1.0]))
    (exact, *_) = try_kinds(plan)
    assert exact.worst_error < 1e-9
    chosen = varying(plan, exact.operations, Variation(0.3))
    assert chosen.covs == pytest.approx(np.full((1, 2), 0.3))
    assert chosen.joules is None


def test_kinds_vary_as_what_was_seen_does():
    plan = plan_of(np.outer([1.0, 2.0, 5.0], [3.0, 1.0]))
    (exact, *_) = try_kinds(plan)
    seen = Variation(law="empirical", seen=(1.0, 2.0, 3.0))
    assert varying(plan, exact.operations, seen).covs == pytest.approx(np.full((1, 2), CALM))


def test_joules_are_those_of_the_powers():
    seconds = np.outer([1.0, 2.0, 5.0], [3.0, 1.0])
    plan = plan_of(seconds, np.tile([40.0, 90.0], (3, 1)))
    chosen = varying(plan, try_kinds(plan, most=1)[0].operations, Variation(0.3))
    joules = chosen.operations.per_task @ chosen.joules
    assert joules == pytest.approx(seconds * [40.0, 90.0])


def test_pairs_that_cannot_run_are_no_errors():
    seconds = np.outer([1.0, 2.0, 5.0], [3.0, 1.0, 2.0])
    seconds[0, 1] = np.inf
    seconds[:, 2] = np.inf
    plan = replace(plan_of(seconds), powers=np.where(np.isinf(seconds), np.nan, 50.0))
    (one, *_) = try_kinds(plan, most=1)
    assert one.errors.shape == (5,)
    assert one.worst_error < 1e-9
    chosen = varying(plan, one.operations, Variation(covs=(0.2, 0.4, 0.6)))
    assert chosen.covs[0, :2] == pytest.approx([0.2, 0.4])
    assert chosen.covs[0, 2] == 0
