"""The program's figures, worked out by hand: prices, rates, what is placed, and what is refused.

Of the 2 x 2 instance with 20 and 10 idle watts: a task of type 1 takes 1 s and 80 J above idle
power on A, 2 s and 40 J on B; of type 2 it is 2 s and 160 J, or 3 s and 60 J. Each has six.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from core.capabilities.profit.program import (
    CapTooLow,
    ProfitBound,
    most_profit,
    most_profit_of_part,
)
from core.capabilities.profit.terms import Terms
from core.engines.lp.program import Program
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System


def one(idle: float, watts: float, machines: int = 1) -> System:
    """Two tasks of 10 s, each on a machine that draws so many watts at work."""
    return System(
        (TaskType("task", 2),),
        (MachineType("machine", machines, idle),),
        np.array([[10.0]]),
        np.array([[watts]]),
    )


def only_b(system: System) -> System:
    """Without a machine of the first type."""
    return system.with_counts(system.task_counts, np.array([0, 1]))


def test_busy_machines_are_worth_what_their_tasks_cost_elsewhere(
    two_by_two: Callable[..., System],
) -> None:
    """In 10.8 s, A runs type 1 and 2.4 tasks of type 2. That pays for 6 x 1 s and 6 x 2 s of A."""
    bound = most_profit(two_by_two(20, 10), Terms(1656.0))
    on_a = (1656 - 6 * 80 - 6 * 160) / 18
    assert bound.machine_prices == pytest.approx([on_a, (100 + 2 * on_a) / 3])
    assert bound.placed == pytest.approx(np.array([[6, 0], [2.4, 3.6]]))
    assert (bound.rate, bound.cap_price) == (pytest.approx(1 / 10.8), 0)
    assert (bound.cap_value, bound.standing_costs) == (0, 30)
    assert bound.runs


def test_a_cap_is_worth_what_a_watt_earns(two_by_two: Callable[..., System]) -> None:
    """All on B, for 600 J above idle power a batch, whose machines wait."""
    bound = most_profit(two_by_two(20, 10), Terms(1656.0, pue=1.25, power_cap=50.0))
    assert bound.machine_prices == pytest.approx([0, 0], abs=1e-9)
    assert bound.placed == pytest.approx(np.array([[0, 6], [0, 6]]))
    assert (bound.rate, bound.cap_price) == pytest.approx((1 / 60, (1656 - 750) / 600))
    assert bound.cap_value == pytest.approx((1656 - 750) / 600 / 1.25)
    there = most_profit(
        two_by_two(20, 10), Terms(1656.0, pue=1.25, power_cap=40.0, cap_at_machines=True)
    )
    assert there.cap_value == there.cap_price == pytest.approx(bound.cap_price)


@pytest.mark.parametrize(
    ("terms", "prices"),
    [
        # B runs all in 30 s; A would be paid for type 1, which costs 40 and two seconds of B.
        (Terms(1656.0), [40 + 2 * 35.2 - 80, 35.2]),
        # At work for type 2 it would wear out.
        (Terms(1656.0, wear=(31.0, 0.0)), [0.0, 35.2]),
        # Each joule above idle power earns 1.76 besides: A draws twice as much.
        (Terms(1656.0, power_cap=20.0), [0.0, 0.0]),
    ],
)
def test_a_machine_that_is_not_there_is_worth_what_its_best_task_is(
    two_by_two: Callable[..., System], terms: Terms, prices: list[float]
) -> None:
    bound = most_profit(only_b(two_by_two(20, 10)), terms)
    assert bound.machine_prices == pytest.approx(prices, abs=1e-9)


def test_with_a_cap_it_is_paid_for_the_joules_that_it_saves(
    two_by_two: Callable[..., System],
) -> None:
    """A, drawing 30 W in all, takes 10 J for a task of type 1 and 20 J for one of type 2."""
    here = only_b(two_by_two(20, 10))
    system = replace(here, apc=np.array([[30.0, 30.0], [30.0, 30.0]]))
    bound = most_profit(system, Terms(1656.0, power_cap=20.0))
    assert bound.cap_price == pytest.approx(1.76)
    assert bound.machine_prices == pytest.approx([30 * 2.76, 0], abs=1e-9)


def test_a_type_without_tasks_pays_for_no_machine(two_by_two: Callable[..., System]) -> None:
    """Of type 2 alone: B earns (1,656 - 6 x 60) / 18 a second, A would earn less with it."""
    system = two_by_two(20, 10).with_counts(np.array([0, 6]), np.array([0, 1]))
    bound = most_profit(system, Terms(1656.0))
    assert bound.machine_prices == pytest.approx([(60 + 3 * 72 - 160) / 2, 72])


def test_part_of_a_batch(two_by_two: Callable[..., System]) -> None:
    """Free electricity, 6 s: three tasks of type 1 on B. On A each would bring 10 a second."""
    system = only_b(two_by_two(20, 10))
    bound = most_profit_of_part(system, Terms(0.0, 0.0), np.array([10.0, 5.0]), 6.0)
    assert bound.placed == pytest.approx(np.array([[0, 3], [0, 0]]), abs=1e-9)
    assert (bound.value, bound.rate) == pytest.approx((5, 1 / 6))
    assert bound.machine_prices == pytest.approx([10, 5])
    # What is due for the batch is due whatever is accepted.
    due = most_profit_of_part(system, Terms(7.0, 0.0, 1.0, 1.0), np.array([10.0, 5.0]), 6.0)
    assert due.value == pytest.approx(6)


def test_what_is_accepted_is_as_much_as_pays(two_by_two: Callable[..., System]) -> None:
    """A joule costs 1: type 1 pays on A and B, type 2 on neither."""
    system = two_by_two(20, 10)
    bound = most_profit_of_part(system, Terms(0.0), np.array([90.0, 55.0]), 4.0)
    assert bound.placed == pytest.approx(np.array([[4, 2], [0, 0]]), abs=1e-9)
    assert bound.value == pytest.approx((4 * 10 + 2 * 50) / 4 - 30)


@pytest.mark.parametrize(
    ("system", "cap", "least"),
    [
        (one(30.0, 50.0), 29.0, "30 W"),
        (one(30.0, 10.0), 9.9, "9.999 W"),
        (one(30.0, 10.0, machines=3), 49.0, "49.99 W"),
    ],
)
def test_a_cap_that_no_schedule_keeps_is_refused(system: System, cap: float, least: str) -> None:
    with pytest.raises(CapTooLow) as refused:
        most_profit(system, Terms(1.0, power_cap=cap))
    assert str(refused.value) == (
        f"on average the machines draw at least {least}, above the cap of {cap:g} W at the "
        "machines; raise the cap or switch machines off"
    )
    assert refused.value.least == pytest.approx(float(least.removesuffix(" W")), rel=1e-3)
    assert refused.value.proven


@pytest.mark.parametrize(("times", "kept"), [(0.9, True), (1.1, False)])
def test_the_least_power_keeps_the_cap_but_for_rounding(times: float, kept: bool) -> None:
    """Two of three machines work, 50 W in all."""
    terms = Terms(1e4, power_cap=50 * (1 - times * 1e-9))
    if kept:
        assert most_profit(one(30.0, 10.0, machines=3), terms).runs
        return
    with pytest.raises(CapTooLow):
        most_profit(one(30.0, 10.0, machines=3), terms)


@pytest.mark.parametrize(
    ("system", "cap", "least"), [(one(30.0, 50.0), 29.0, 30.0), (one(30.0, 10.0), 15.0, 20.0)]
)
def test_a_cap_that_no_part_of_a_batch_keeps_is_refused(
    system: System, cap: float, least: float
) -> None:
    """In 40 s both tasks save 20 W for 20 s."""
    with pytest.raises(CapTooLow) as refused:
        most_profit_of_part(system, Terms(0.0, power_cap=cap), np.array([5.0]), 40.0)
    assert refused.value.least == pytest.approx(least)


def test_a_cap_that_was_not_proven_too_low_names_the_most_frugal_schedule() -> None:
    refusal = CapTooLow(Terms(1.0, pue=2.0, power_cap=39.999), 20.00001, proven=False)
    assert str(refusal) == (
        "of the schedules found, the most frugal draws 20.01 W, above the cap of 19.9995 W at the "
        "machines; raise the cap or switch machines off"
    )


@pytest.mark.parametrize(("cap", "feasible"), [(np.inf, True), (30.0, True), (20.0, False)])
def test_a_program_that_has_an_answer_is_tried_again_without_presolve(
    monkeypatch: pytest.MonkeyPatch, cap: float, feasible: bool
) -> None:
    asked: list[dict[str, Any]] = []
    minimise = Program.minimise

    def minimising(program: Program, **how: Any) -> Any:
        asked.append(how)
        return minimise(program, **how)

    monkeypatch.setattr(Program, "minimise", minimising)
    most_profit(one(30.0, 10.0), Terms(1.0, power_cap=cap))
    assert asked == [{"presolve": ("on", "off"), "feasible": feasible}]


def test_what_work_on_one_type_saves_another_may_spend(
    two_by_two: Callable[..., System],
) -> None:
    """The cap leaves nothing above idle power: on A a task of type 1 draws 80 J more than idleness,
    on B it saves 10 J and one of type 2 saves 15. So A runs 5/3 of type 1, and B is done in 80/3 s.
    """
    bound = most_profit(two_by_two(20, 35), Terms(800.0, 0.0, power_cap=55.0))
    assert bound.placed == pytest.approx(np.array([[5 / 3, 13 / 3], [0, 6]]), abs=1e-9)
    assert bound.value == pytest.approx(30)


def test_single_tasks_are_batches_too() -> None:
    system = one(0.0, 1.0).with_counts(np.array([1]), np.array([1]))
    bound = most_profit(system, Terms(30.0))
    assert (bound.value, bound.rate) == pytest.approx((2, 0.1))


def bound_of(rate: float) -> ProfitBound:
    none = np.zeros((1, 1))
    return ProfitBound(Terms(1.0), 0.0, rate, none, none[0], 0.0, 0.0)


def test_a_bound_of_no_batches_runs_nothing() -> None:
    assert bound_of(1e-300).runs
    assert not bound_of(0.0).runs


@pytest.mark.parametrize(("share", "runs"), [(0.9e-9, False), (1.1e-9, True)])
def test_a_rate_that_is_only_rounding_runs_nothing(
    two_by_two: Callable[..., System],
    monkeypatch: pytest.MonkeyPatch,
    share: float,
    runs: bool,
) -> None:
    """Of at most one batch in 9 s; the solver counts in 18 s."""

    class Solution:
        """What the solver left: batches and their tasks."""

        def __init__(self, program: Program) -> None:
            self.values = np.full(5, 0.5)
            self.values[4] = share * 18 / 9
            self.duals = np.zeros(4)

    monkeypatch.setattr(Program, "minimise", lambda program, **_: Solution(program))
    assert most_profit(two_by_two(20, 10), Terms(1656.0)).runs is runs
