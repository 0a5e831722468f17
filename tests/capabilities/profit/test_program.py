"""The bound on profit is the optimum of the divisible program, and no schedule earns more."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.optimize
from bags import one_type
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from strategies import schedules, systems

from core.capabilities.profit.earn import earnings
from core.capabilities.profit.program import CapTooLow, most_profit, most_profit_of_part
from core.capabilities.profit.terms import Terms, ratio_price
from core.engines.lp.program import Program, SolverFailed
from core.engines.relaxed import MAKESPAN, lower_bound, trace_front
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import NoPowerData, System
from core.vocabulary.tolerances import LEAST_COEFFICIENT, NOT_DIVISIBLE, SAME


def energy_and_period(system, bound):
    placed = np.where(bound.placed > 0, bound.placed, 0.0)
    joules = np.where(placed > 0, system.dynamic_energy, 0.0)
    return (placed * joules).sum() + system.total_idle_power / bound.rate, 1 / bound.rate


@pytest.mark.parametrize(
    ("ratio", "profit", "energy", "makespan"),
    [
        (0.0, -30, None, None),
        (0.3, -30, None, None),
        (0.5, -27, 1500, 30),
        (0.8, -13.2, 1500, 30),
        (0.86, -10.44, 1500, 30),
        (0.9, -7.666667, 1380, 18),
        (1.0, 0, 1380, 18),
        (1.01, 0.766667, 1380, 18),
        (1.05, 4.166667, 1404, 10.8),
        (1.2, 23.333333, 1404, 10.8),
        (1.5, 61.666667, 1404, 10.8),
    ],
)
def test_the_instance_worked_out_by_hand(two, ratio, profit, energy, makespan):
    bound = most_profit(two, Terms(1380 * ratio))
    assert bound.value == pytest.approx(profit, abs=1e-6)
    assert bound.runs == (makespan is not None)
    if bound.runs:
        assert energy_and_period(two, bound) == pytest.approx((energy, makespan))
        np.testing.assert_allclose(bound.placed.sum(axis=1), [6, 6])


@pytest.mark.parametrize(
    ("ratio", "profit"), [(0.9, 0), (1.01, 0.3), (1.2, 6), (1.5, 15), (2.0, 36.666667)]
)
def test_without_idle_power_there_is_no_loss(two_by_two, ratio, profit):
    bound = most_profit(two_by_two(), Terms(900 * ratio))
    assert bound.value == pytest.approx(profit, abs=1e-6)
    assert bound.runs == (ratio > 1)


@pytest.mark.parametrize(
    ("cap", "profit", "period"),
    [
        (30, -30, None),
        (40, -12.4, 60),
        (60, 9.0, 24),
        (100, 18.833333, 13.935484),
        (130, 23.333333, 10.8),
        (1e9, 23.333333, 10.8),
    ],
)
def test_power_caps_worked_out_by_hand(two, cap, profit, period):
    bound = most_profit(two, Terms(1656.0, power_cap=cap))
    assert bound.value == pytest.approx(profit, abs=1e-6)
    assert bound.runs == (period is not None)
    if period:
        assert 1 / bound.rate == pytest.approx(period)
    if cap != 130:  # where it has just begun to matter
        assert (bound.cap_price > 0) == (cap < 130)


@pytest.mark.parametrize(
    ("extensions", "profit"),
    [
        ({"overhead": 100}, 14.074074),
        ({"pue": 1.1}, 10.333333),
        ({"wear": (5, 1)}, 17.333333),
        ({"overhead": 100, "pue": 1.1, "wear": (5, 1), "depreciation": (1, 1)}, -2.555556),
    ],
)
def test_extensions_worked_out_by_hand(two, extensions, profit):
    bound = most_profit(two, Terms(1656.0, **extensions))
    assert bound.value == pytest.approx(profit, abs=1e-6)
    assert 1 / bound.rate == pytest.approx(18 if "depreciation" in extensions else 10.8)


@pytest.mark.parametrize(
    ("idle", "ratio", "cap", "profit"),
    [
        (0.0, 1.01, np.inf, 150.496),
        (0.0, 1.2, np.inf, 3814.180),
        (0.0, 1.5, np.inf, 13043.856),
        (0.05, 0.8, np.inf, -2395.857),
        (0.05, 0.9, np.inf, -1971.287),
        (0.05, 0.95, np.inf, -1102.537),
        (0.05, 1.2, np.inf, 5880.455),
        (0.05, 1.5, 23e3, 11476.64),
        (0.05, 1.5, 16e3, 7341.85),
        (0.05, 1.5, 30e3, 14358.49),
    ],
)
def test_the_nine_environment_of_the_publication(hundredfold, idle, ratio, cap, profit):
    system = hundredfold.with_idle_fraction(idle)
    price = ratio_price(trace_front(system), ratio, 1.0)
    bound = most_profit(system, Terms(price, power_cap=cap))
    assert bound.value == pytest.approx(profit, abs=6e-3 if profit > 7000 else 6e-4)
    assert bound.runs == (ratio > 0.8)


@given(st.data())
def test_cvxpy_finds_the_same(any_terms, optimum_by_cvxpy, data):
    system = data.draw(systems(dyadic=True, with_apc=True))
    terms = data.draw(any_terms(system))
    bound = most_profit(system, terms)
    scale = bound.standing_costs + terms.price * bound.rate + 1
    assert bound.value == pytest.approx(optimum_by_cvxpy(system, terms), abs=1e-6 * scale)


@examples(4)
@given(st.data())
def test_cvxpy_accepts_the_same_tasks(any_terms, any_rewards, optimum_by_cvxpy, data):
    system = data.draw(systems(dyadic=True, with_apc=True))
    terms = data.draw(any_terms(system))
    rewards = data.draw(any_rewards(system))
    period = data.draw(st.floats(0.1, 100))
    bound = most_profit_of_part(system, terms, rewards, period)
    scale = bound.standing_costs + (terms.price + rewards @ system.task_counts) / period + 1
    expected = optimum_by_cvxpy(system, terms, rewards, period)
    assert bound.value == pytest.approx(expected, abs=1e-6 * scale)
    assert (bound.placed.sum(axis=1) <= system.task_counts * (1 + 1e-9)).all()


@examples(4)
@given(st.data())
def test_so_does_the_iteration_of_dinkelbach(any_terms, data):
    system = data.draw(systems(dyadic=True, with_apc=True))
    terms = data.draw(any_terms(system))
    bound = most_profit(system, terms)
    scale = bound.standing_costs + terms.price * bound.rate + 1
    profit = optimum_by_dinkelbach(system, terms) - terms.standing_costs(system)
    assert bound.value == pytest.approx(profit, abs=1e-6 * scale)


def test_a_surplus_next_to_nothing_ends_the_iteration():
    """In 20 s two tasks save two joules, each for the least money that there is: no float is a
    tenth of that, so that no guess comes nearer.
    """
    system, terms = one_type(1.0, 0.9), Terms(0.0, 5e-324)
    assert optimum_by_dinkelbach(system, terms) == 0
    assert most_profit(system, terms).value == pytest.approx(0, abs=1e-9)


def optimum_by_dinkelbach(system, terms):
    """The most that a batch brings a second, by guessing it and looking for what brings more.

    Periods are as long as the machines and the cap need them to be.
    """
    task, machine = np.nonzero(system.can_run & (system.task_counts > 0)[:, None])
    cells = np.arange(len(task))
    costs = terms.task_costs(system)[task, machine]
    done = np.zeros((len(system.task_types), len(cells) + 1))
    done[task, cells] = 1.0
    limits = np.zeros((len(system.machine_types), len(cells) + 1))
    limits[machine, cells] = system.etc[task, machine]
    limits[:, -1] = -system.machine_counts
    if np.isfinite(terms.cap):
        draw = np.append(system.dynamic_energy[task, machine], -terms.spare_power(system))
        limits = np.vstack([limits, draw])
    guess = 0.0
    for _ in range(50):
        found = scipy.optimize.linprog(
            np.append(costs, guess),
            A_eq=done,
            b_eq=system.task_counts,
            A_ub=limits,
            b_ub=np.zeros(len(limits)),
        )
        if found.status == 2:  # nothing may draw more than idle machines
            return 0.0
        assert found.status == 0
        surplus = terms.revenue - found.fun
        # Next to nothing, neither a billionth nor the part of a second is a float.
        least = NOT_DIVISIBLE + 1e-9 * (abs(terms.revenue) + abs(costs) @ found.x[:-1])
        if surplus <= least:
            return guess
        guess += surplus / found.x[-1]
    raise AssertionError("no end in 50 guesses")


@examples(12)
@given(st.data())
def test_no_schedule_of_any_system_earns_more(any_terms, data):
    schedule = data.draw(schedules(systems(with_apc=True)))
    terms = data.draw(any_terms(schedule.system))
    try:
        bound = most_profit(schedule.system, terms)
    except SolverFailed:
        there = schedule.system.etc[schedule.system.task_counts > 0]
        seconds = there[np.isfinite(there)]
        assert seconds.max() > seconds.min() / LEAST_COEFFICIENT, "only such a range is refused"
        return
    assert earnings(schedule, terms).profit <= bound.value
    assert -terms.standing_costs(schedule.system) <= bound.value
    assert (bound.machine_prices >= 0).all()
    assert bound.cap_price >= 0
    assert (bound.placed >= 0).all()
    assert not bound.placed[~schedule.system.can_run].any()
    if bound.runs:
        done = bound.placed.sum(axis=1)
        np.testing.assert_allclose(done, schedule.system.task_counts, rtol=1e-12)


def test_batches_of_long_tasks_are_complete():
    """A batch a year is next to nothing beside the second that the other tasks take."""
    system = System(
        (TaskType("long", 1), TaskType("short", 3), TaskType("shorter", 1)),
        (MachineType("A", 2, 1e12), MachineType("B", 1, 1.0)),
        np.array([[1e15, 1e6], [np.inf, 1e6], [7.0, 3.0]]),
        np.array([[0.0, 1e12], [np.nan, 1e-12], [0.0, 0.0]]),
    )
    terms = Terms(123.0, energy_price=0.3, pue=3.0, wear=(0.0, 1.0))
    bound = most_profit(system, terms)
    assert bound.rate == pytest.approx(2e-15)
    np.testing.assert_allclose(bound.placed, [[1, 0], [0, 3], [1, 0]], atol=1e-9)
    assert bound.value == pytest.approx(0, abs=10)


def test_costs_next_to_nothing_and_short_tasks_leave_the_program_bounded():
    """The least share of a machine's time is 1e-9 of a batch's, and the only cost 1e-118."""
    system = System(
        (TaskType("1", 18), TaskType("2", 85459), TaskType("3", 13)),
        (MachineType("A", 165922), MachineType("B", 4), MachineType("C", 1)),
        np.array([[8.98e7, 1.9e12, 99.0], [np.inf, 0.375, 7.9e14], [0.125, 10.0, 40.0]]),
        np.array([[0.0, 1.0, 0.0], [np.nan, 0.0, 0.0], [0.0, 0.0, 0.0]]),
    )
    bound = most_profit(system, Terms(1.0, energy_price=3e-132))
    assert bound.value == pytest.approx(1 / lower_bound(system, MAKESPAN).value, rel=1e-4)


def test_a_cap_of_just_what_idle_machines_draw_leaves_nothing_to_run(two):
    for price in (0.0, 1656.0, 1e9):
        bound = most_profit(two, Terms(price, power_cap=30))
        assert not bound.runs
        assert bound.value == pytest.approx(-30, abs=1e-9 + 1e-12 * price)


def test_unless_work_draws_no_more_than_idleness(two_by_two):
    """B draws 30 W, idle or not."""
    bound = most_profit(two_by_two(0, 30), Terms(1656.0, power_cap=30))
    np.testing.assert_allclose(bound.placed, [[0, 6], [0, 6]], atol=1e-6)
    assert bound.value == pytest.approx(1656 / 30 - 30, rel=1e-6)


def test_work_that_draws_less_than_idleness_pays_by_itself(two_by_two):
    """On B, 2 s save 120 J and 3 s 180 J, while A does the rest for nothing: so B is always busy.

    The overhead, next to nothing, must not be taken for the measure of all things.
    """
    system = two_by_two(100, 90)
    bound = most_profit(system, Terms(0.0, overhead=1e-7))
    assert bound.value == pytest.approx(-190 + 60, rel=1e-6)
    np.testing.assert_allclose(bound.machine_prices, [0, 60], atol=1e-4)


def test_what_costs_nothing_is_run_as_fast_as_can_be(hundredfold):
    bound = most_profit(hundredfold, Terms(1.0, energy_price=0.0))
    fastest = lower_bound(hundredfold, MAKESPAN).value
    assert bound.value == pytest.approx(1 / fastest)
    assert 1 / bound.rate == pytest.approx(fastest)


def test_power_must_be_known(two_by_two):
    system = two_by_two()
    unknown = type(system)(system.task_types, system.machine_types, system.etc)
    with pytest.raises(NoPowerData):
        most_profit(unknown, Terms(1.0))


@examples(5)
@given(st.data())
def test_a_watt_more_never_earns_more_than_its_price(any_terms, data):
    """Profit is concave in the cap."""
    system = data.draw(systems(dyadic=True, with_apc=True))
    earns_no_more_with_a_watt_more(system, data.draw(any_terms(system)))


def test_a_watt_that_comes_to_those_that_are_only_rounding():
    """A billionth of idle power is spare, which is taken for nothing: the next watt brings both."""
    earns_no_more_with_a_watt_more(
        one_type(14.0, 15.0, 1, 10), Terms(30.0, 0.0, power_cap=140.00000014)
    )


def earns_no_more_with_a_watt_more(system, terms):
    more = replace(terms, power_cap=terms.power_cap + 1)
    here, beyond = most_profit(system, terms), most_profit(system, more)
    scale = abs(here.value) + abs(beyond.value) + here.standing_costs + 1
    # Spare power of so little is taken for nothing, but it is worth its price.
    taken = here.cap_price * SAME * system.total_idle_power
    assert beyond.value <= here.value + here.cap_value + taken + 1e-7 * scale


def only_b(system):
    """Without a machine of the first type."""
    return system.with_counts(system.task_counts, np.array([0, 1]))


def test_busy_machines_are_worth_what_their_tasks_cost_elsewhere(two):
    """In 10.8 s, A runs type 1 and 2.4 tasks of type 2. That pays for 6 x 1 s and 6 x 2 s of A."""
    bound = most_profit(two, Terms(1656.0))
    on_a = (1656 - 6 * 80 - 6 * 160) / 18
    assert bound.machine_prices == pytest.approx([on_a, (100 + 2 * on_a) / 3])
    assert bound.placed == pytest.approx(np.array([[6, 0], [2.4, 3.6]]))
    assert (bound.rate, bound.cap_price) == (pytest.approx(1 / 10.8), 0)
    assert (bound.cap_value, bound.standing_costs) == (0, 30)
    assert bound.runs


def test_a_cap_is_worth_what_a_watt_earns(two):
    """All on B, for 600 J above idle power a batch, whose machines wait."""
    bound = most_profit(two, Terms(1656.0, pue=1.25, power_cap=50.0))
    assert bound.machine_prices == pytest.approx([0, 0], abs=1e-9)
    assert bound.placed == pytest.approx(np.array([[0, 6], [0, 6]]))
    assert (bound.rate, bound.cap_price) == pytest.approx((1 / 60, (1656 - 750) / 600))
    assert bound.cap_value == pytest.approx((1656 - 750) / 600 / 1.25)
    there = most_profit(two, Terms(1656.0, pue=1.25, power_cap=40.0, cap_at_machines=True))
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
def test_a_machine_that_is_not_there_is_worth_what_its_best_task_is(two, terms, prices):
    bound = most_profit(only_b(two), terms)
    assert bound.machine_prices == pytest.approx(prices, abs=1e-9)


def test_with_a_cap_it_is_paid_for_the_joules_that_it_saves(two):
    """A, drawing 30 W in all, takes 10 J for a task of type 1 and 20 J for one of type 2."""
    here = only_b(two)
    system = replace(here, apc=np.array([[30.0, 30.0], [30.0, 30.0]]))
    bound = most_profit(system, Terms(1656.0, power_cap=20.0))
    assert bound.cap_price == pytest.approx(1.76)
    assert bound.machine_prices == pytest.approx([30 * 2.76, 0], abs=1e-9)


def test_a_type_without_tasks_pays_for_no_machine(two):
    """Of type 2 alone: B earns (1,656 - 6 x 60) / 18 a second, A would earn less with it."""
    system = two.with_counts(np.array([0, 6]), np.array([0, 1]))
    bound = most_profit(system, Terms(1656.0))
    assert bound.machine_prices == pytest.approx([(60 + 3 * 72 - 160) / 2, 72])


def test_part_of_a_batch(two):
    """Free electricity, 6 s: three tasks of type 1 on B. On A each would bring 10 a second."""
    system = only_b(two)
    bound = most_profit_of_part(system, Terms(0.0, 0.0), np.array([10.0, 5.0]), 6.0)
    assert bound.placed == pytest.approx(np.array([[0, 3], [0, 0]]), abs=1e-9)
    assert (bound.value, bound.rate) == pytest.approx((5, 1 / 6))
    assert bound.machine_prices == pytest.approx([10, 5])
    # What is due for the batch is due whatever is accepted.
    due = most_profit_of_part(system, Terms(7.0, 0.0, 1.0, 1.0), np.array([10.0, 5.0]), 6.0)
    assert due.value == pytest.approx(6)


def test_what_is_accepted_is_as_much_as_pays(two):
    """A joule costs 1: type 1 pays on A and B, type 2 on neither."""
    bound = most_profit_of_part(two, Terms(0.0), np.array([90.0, 55.0]), 4.0)
    assert bound.placed == pytest.approx(np.array([[4, 2], [0, 0]]), abs=1e-9)
    assert bound.value == pytest.approx((4 * 10 + 2 * 50) / 4 - 30)


@pytest.mark.parametrize(
    ("system", "cap", "least"),
    [
        (one_type(30.0, 50.0), 29.0, "30 W"),
        (one_type(30.0, 50.0), 20.0, "30 W"),
        (one_type(30.0, 10.0), 9.9, "9.999 W"),
        (one_type(30.0, 10.0, machines=3), 49.0, "49.99 W"),
    ],
)
def test_a_cap_that_no_schedule_keeps_is_refused(system, cap, least):
    with pytest.raises(CapTooLow) as refused:
        most_profit(system, Terms(1.0, power_cap=cap))
    assert str(refused.value) == (
        f"on average the machines draw at least {least}, above the cap of {cap:g} W at the "
        "machines; raise the cap or switch machines off"
    )
    assert refused.value.least == pytest.approx(float(least.removesuffix(" W")), rel=1e-3)
    assert refused.value.proven


@pytest.mark.parametrize(("times", "kept"), [(0.9, True), (1.1, False)])
@pytest.mark.parametrize("pue", [1.0, 1.5])
def test_the_least_power_keeps_the_cap_but_for_rounding(times, kept, pue):
    """Two of three machines work, 50 W in all."""
    terms = Terms(1e4, pue=pue, power_cap=50 * pue * (1 - times * 1e-9))
    if kept:
        assert most_profit(one_type(30.0, 10.0, machines=3), terms).runs
        return
    with pytest.raises(CapTooLow):
        most_profit(one_type(30.0, 10.0, machines=3), terms)


@pytest.mark.parametrize(
    ("system", "cap", "least"),
    [(one_type(30.0, 50.0), 29.0, 30.0), (one_type(30.0, 10.0), 15.0, 20.0)],
)
def test_a_cap_that_no_part_of_a_batch_keeps_is_refused(system, cap, least):
    """In 40 s both tasks save 20 W for 20 s."""
    with pytest.raises(CapTooLow) as refused:
        most_profit_of_part(system, Terms(0.0, power_cap=cap), np.array([5.0]), 40.0)
    assert refused.value.least == pytest.approx(least)


def test_a_cap_that_was_not_proven_too_low_names_the_most_frugal_schedule():
    refusal = CapTooLow(Terms(1.0, pue=2.0, power_cap=39.999), 20.00001, proven=False)
    assert str(refusal) == (
        "of the schedules found, the most frugal draws 20.01 W, above the cap of 19.9995 W at the "
        "machines; raise the cap or switch machines off"
    )


@pytest.mark.parametrize(("cap", "feasible"), [(np.inf, True), (30.0, True), (20.0, False)])
def test_a_program_that_has_an_answer_is_tried_again_without_presolve(monkeypatch, cap, feasible):
    asked = []
    minimise = Program.minimise

    def minimising(program, **how):
        asked.append(how)
        return minimise(program, **how)

    monkeypatch.setattr(Program, "minimise", minimising)
    most_profit(one_type(30.0, 10.0), Terms(1.0, power_cap=cap))
    assert asked == [{"presolve": ("on", "off"), "feasible": feasible}]


def test_what_work_on_one_type_saves_another_may_spend(two_by_two):
    """The cap leaves nothing above idle power: on A a task of type 1 draws 80 J more than idleness,
    on B it saves 10 J and one of type 2 saves 15. So A runs 5/3 of type 1, and B is done in 80/3 s.
    """
    bound = most_profit(two_by_two(20, 35), Terms(800.0, 0.0, power_cap=55.0))
    assert bound.placed == pytest.approx(np.array([[5 / 3, 13 / 3], [0, 6]]), abs=1e-9)
    assert bound.value == pytest.approx(30)


def test_single_tasks_are_batches_too():
    system = one_type(0.0, 1.0).with_counts(np.array([1]), np.array([1]))
    bound = most_profit(system, Terms(30.0))
    assert (bound.value, bound.rate) == pytest.approx((2, 0.1))


@pytest.mark.parametrize(("share", "runs"), [(0.9e-9, False), (1.1e-9, True)])
def test_a_rate_that_is_only_rounding_runs_nothing(two, monkeypatch, share, runs):
    """Of at most one batch in 9 s; the solver counts in 18 s, then in the time of a batch."""
    batches = iter([share * 18 / 9, 1.0])

    class Solution:
        """What the solver left: batches and their tasks."""

        def __init__(self, program):
            self.values = np.full(5, 0.5)
            self.values[4] = next(batches)
            self.duals = np.zeros(4)

    monkeypatch.setattr(Program, "minimise", lambda program, **_: Solution(program))
    assert most_profit(two, Terms(1656.0)).runs is runs
