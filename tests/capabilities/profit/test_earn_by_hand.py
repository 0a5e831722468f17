"""What schedules earn, in which way the optimum runs, and what is looked at, worked out by hand.

Of the 2 x 2 instance with 20 and 10 idle watts: a batch takes 1,500 J in 30 s, 1,380 J in 18 s or
1,404 J in 10.8 s, in parts of tasks; idle machines draw 30 W.
"""

from dataclasses import replace

import numpy as np
import pytest
from bags import one_type

from core.capabilities.profit.earn import ProfitProgress, earn, earnings
from core.capabilities.profit.program import CapTooLow, Regime, most_profit
from core.capabilities.profit.terms import Terms
from core.engines.recover import assign
from core.engines.recover.along import recover_along
from core.engines.recover.settling import settle
from core.engines.relaxed import trace_front
from core.files.samples.named import load_sample
from core.vocabulary.budget import DEFAULT_SECONDS, USUAL_EFFORT, Effort, never
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System

ON_B = np.array([[0, 6], [0, 6]])


@pytest.mark.parametrize(
    ("terms", "period", "power", "profit"),
    [
        (Terms(1656.0), 30.0, 50.0, 1656 / 30 - 50),
        (Terms(1656.0, power_cap=60.0), 30.0, 50.0, 1656 / 30 - 50),
        (Terms(1656.0, power_cap=50.0), 30.0, 50.0, 1656 / 30 - 50),
        (Terms(1656.0, power_cap=40.0), 60.0, 40.0, 1656 / 60 - 40),
        (Terms(1656.0, power_cap=30.0), np.inf, 30.0, -30.0),
        (Terms(1656.0, pue=2.0, power_cap=80.0), 60.0, 80.0, 1656 / 60 - 80),
        (Terms(1656.0, pue=2.0, power_cap=40.0, cap_at_machines=True), 60.0, 40.0, -52.4),
        (
            Terms(1656.0, 3.0, overhead=100.0, wear=(9.0, 2.0), depreciation=(4.0, 5.0)),
            30.0,
            50.0,
            (1556 - 2 * 30) / 30 - 3 * 50 - 9,
        ),
    ],
)
def test_what_a_schedule_earns(two, terms, period, power, profit):
    """All on B: 30 s, and 600 J above idle power."""
    earned = earnings(assign(two, ON_B), terms)
    assert earned.period == pytest.approx(period)
    assert earned.energy == pytest.approx(600 + 30 * period)
    assert (earned.power, earned.profit) == pytest.approx((power, profit))


def test_without_idle_power_waiting_for_ever_takes_what_one_batch_does(two_by_two):
    earned = earnings(assign(two_by_two(), ON_B), Terms(1.0, power_cap=0.0))
    assert (earned.period, earned.energy, earned.power) == (np.inf, 900, 0)


def test_a_wait_lasts_until_the_cap_is_kept_however_little_there_is_to_spare():
    """Work draws 0.025 W more than idle machines for 20 s, and half of that may be drawn."""
    system = one_type(7.0, 7.025)
    earned = earnings(assign(system, np.array([[2]])), Terms(5.0, power_cap=7.0125))
    assert earned.period == pytest.approx(40)


@pytest.mark.parametrize(("idle", "watts"), [(0.0, 0.0), (7.0, 7.0), (7.0, 3.0)])
def test_work_that_draws_no_more_than_idleness_never_waits(idle, watts):
    system = one_type(idle, watts)
    earned = earnings(assign(system, np.array([[2]])), Terms(5.0, power_cap=idle))
    assert earned.period == 20


@pytest.mark.parametrize(
    ("cap", "wear", "period"),
    [
        (20.0, 0.0, 20.0),  # work saves 400 J, which pays: the sooner the next, the better
        (20.0, 20.0, 20.0),  # it is for nothing
        (20.0, 20.1, 40.0),  # each batch loses money, and 400 J cover 40 s of 10 W
        (10.0, 20.1, 20.0),
        (30 - 20 * (1 + 0.9e-9), 20.1, 20.0),
        (30 - 20 * (1 + 1.1e-9), 20.1, np.inf),
        (30 - 20 * (1 + 1.1e-9), 0.0, np.inf),
    ],
)
def test_a_cap_below_idle_power_is_kept_by_work(cap, wear, period):
    """A batch takes 20 s at 10 W; waiting draws 30."""
    schedule = assign(one_type(30.0, 10.0), np.array([[2]]))
    earned = earnings(schedule, Terms(0.0, power_cap=cap, wear=(wear,)))
    assert earned.period == pytest.approx(period)


def test_a_schedule_that_keeps_the_cap_wins_whatever_it_costs():
    """Of three machines that draw 30 W idle and 10 at work, two must be at work for 50 W."""
    system = one_type(30.0, 10.0, machines=3)
    terms = Terms(0.0, power_cap=50.0, wear=(1e3,))
    in_turn = Schedule(system, np.array([0, 0]), np.array([1, 2]), np.array([[2], [0]]))
    profit = earn(system, terms, effort=Effort(0), known=[in_turn])
    assert earnings(in_turn, terms).profit == -90
    assert profit.earnings.power == pytest.approx(50)
    assert profit.value == pytest.approx(-50 - 2e3)


def test_frugal_schedules_keep_caps_below_idle_power_where_not_all_can_be_tried(monkeypatch):
    """Of 28 machines A and 14 B, which draw 35 and 51 W idle, 1,694 W in all."""
    system = System(
        (TaskType("1", 26), TaskType("2", 29)),
        (MachineType("A", 28, 35.0), MachineType("B", 14, 51.0)),
        np.array([[5.0, 4.0], [5.0, 4.0]]),
        np.array([[26.0, 92.0], [92.0, 18.0]]),
    )
    assert settle(system) is None
    assert running(system, Terms(0.0, power_cap=1185.8)).value == pytest.approx(-1121.375)
    recovering_nothing(monkeypatch)
    idle = assign(system, np.array([[26, 0], [29, 0]]))
    with pytest.raises(CapTooLow) as refused:
        earn(system, Terms(0.0, power_cap=1185.8), effort=Effort(0), known=[idle])
    assert (refused.value.least, refused.value.proven) == (pytest.approx(1277.5), False)


def test_frugal_schedules_are_slower_than_the_thriftiest(two_by_two, monkeypatch):
    """B saves 5 W at work: all on B draws 50 W, 5 less than idle machines do."""
    seen = recovering_nothing(monkeypatch)
    system = two_by_two(20, 35).with_counts(np.array([60, 60]), np.array([1, 1]))
    assert running(system, Terms(0.0, power_cap=52.0)).value == pytest.approx(-50)
    ((points, placed, spacing),) = seen
    front = trace_front(system)
    np.testing.assert_array_equal(points, [*front.slower, front.points[0]])
    np.testing.assert_allclose(placed[: len(points)], points)
    assert len(front.slower) > 0
    assert len(front) > 1
    assert spacing == 0.02


def recovering_nothing(monkeypatch):
    """From now on nothing is recovered along a front, but noted: the points that are given, those
    of the placements that are, and the spacing.
    """
    seen = []

    def recovering(system, points, placements, spacing, *, should_stop):
        seen.append((points, placements.points(system), spacing))
        return [], None

    monkeypatch.setattr("core.capabilities.profit.earn.recover_along", recovering)
    return seen


def far(times):
    """Just below, or just above, the share by which divisible optima are the same one."""
    return times * 1e-7


@pytest.mark.parametrize(
    ("on_a", "on_b", "rate", "regime"),
    [
        # As fast as can be, and a little later.
        ((0.0, 0.0), (0.0, 0.0), 1.0, Regime.RUNS_ON_FRONT),
        ((0.0, 0.0), (0.0, 0.0), 1 / (1 + far(0.9)), Regime.RUNS_ON_FRONT),
        ((0.0, 0.0), (0.0, 0.0), 1 / (1 + far(1.1)), Regime.THROTTLED),
        # Type 1 moves to B, which takes longer and draws less.
        ((-9 * far(0.9), 0.0), (9 * far(0.9), 0.0), 1 / (1 + far(0.9)), Regime.RUNS_ON_FRONT),
        ((-9 * far(1.1), 0.0), (9 * far(1.1), 0.0), 1 / (1 + far(1.1)), Regime.RUNS_OFF_FRONT),
        # Types change places in the same time: 40 J more for each of type 2.
        (
            (-1.5 * 34.5 * far(0.98), 34.5 * far(0.98)),
            (1.5 * 34.5 * far(0.98), -34.5 * far(0.98)),
            1.0,
            Regime.RUNS_ON_FRONT,
        ),
        (
            (-1.5 * 34.5 * far(1.02), 34.5 * far(1.02)),
            (1.5 * 34.5 * far(1.02), -34.5 * far(1.02)),
            1.0,
            Regime.RUNS_OFF_FRONT,
        ),
    ],
)
def test_the_regime_is_that_of_the_optimum_but_for_the_tolerance_of_the_solver(
    two, monkeypatch, on_a, on_b, rate, regime
):
    """The thriftiest takes 18 s: type 1 on A, for 6 s, and type 2 on B."""
    terms = Terms(1.0 + 1380)
    placed = np.column_stack([np.array([6.0, 0.0]) + on_a, np.array([0.0, 6.0]) + on_b])
    bound = replace(most_profit(two, terms), placed=placed, rate=rate / 18)
    monkeypatch.setattr("core.capabilities.profit.earn.most_profit", lambda *_: bound)
    profit = earn(two, terms, effort=Effort(0))
    assert (profit.regime, profit.on_front) == (regime, regime is Regime.RUNS_ON_FRONT)


def test_types_without_machines_or_tasks_take_no_time(two):
    system = two.with_counts(np.array([6, 0]), np.array([1, 0]))
    profit = earn(system, Terms(1e3), effort=Effort(0))
    assert (profit.bound_period, profit.bound_energy) == pytest.approx((6, 600))
    assert profit.regime is Regime.RUNS_ON_FRONT


@pytest.mark.parametrize("cap", [np.inf, 30.0])
def test_where_no_batch_pays_or_can_be_run_nothing_is_looked_for(two, cap):
    price = 414.0 if np.isinf(cap) else 1656.0
    profit = running(two, Terms(price, power_cap=cap))
    assert (profit.bound_energy, profit.bound_period) == (0, np.inf)
    assert (profit.earnings, profit.value, profit.verified) == (None, -30, True)
    assert list(profit.seconds) == ["bound"]
    assert profit.better_switched_off


@pytest.mark.parametrize(("price", "proposed"), [(1440.0, False), (1441.0, True)])
def test_what_earns_no_more_than_running_nothing_is_not_proposed(two, monkeypatch, price, proposed):
    """All on A: 1,440 J above idle power; the divisible optimum pays either way."""
    on_a = assign(two, np.array([[6, 0], [6, 0]]))
    monkeypatch.setattr("core.capabilities.profit.earn.assign", lambda *_: on_a)
    profit = running(two, Terms(price))
    assert profit.bound.runs
    assert (profit.earnings is not None) == proposed


def test_work_that_saves_counts_in_the_energy_of_the_optimum():
    profit = running(one_type(30.0, 10.0), Terms(1e3))
    assert (profit.bound_energy, profit.bound_period) == pytest.approx((200, 20))


@pytest.mark.parametrize(("seconds", "loads"), [(0.0, 0), (1.0, 1)])
def test_what_is_compiled_is_loaded_before_the_clock_starts(two, monkeypatch, seconds, loads):
    loaded = []
    monkeypatch.setattr(
        "core.capabilities.profit.earn.load_kernels", lambda: loaded.append("kernels")
    )
    monkeypatch.setattr("core.capabilities.profit.earn.polish_along", lambda *_, **__: [])
    profit = earn(two, Terms(1656.0), effort=Effort(seconds))
    assert len(loaded) == loads
    assert list(profit.seconds) == ["bound", "recover", *(["polish"] * loads), "verify"]


def running(system, terms):
    return earn(system, terms, effort=Effort(0))


def test_a_loss_of_nothing_is_none(two_by_two):
    profit = running(two_by_two(), Terms(0.0))
    assert str(profit.value) == str(profit.idle_profit) == str(profit.off_profit) == "0.0"
    assert not profit.loses
    assert not profit.better_switched_off
    assert profit.verified
    assert list(profit.seconds) == ["bound"]


def test_a_gap_is_never_below_nothing(two):
    profit = running(two, Terms(1656.0))
    assert profit.value == pytest.approx(256 / 12)
    assert profit.gap == pytest.approx(252 / 10.8 - 256 / 12)
    assert replace(profit, most=profit.value - 1).gap == 0
    assert list(profit.seconds) == ["bound", "recover", "verify"]


def test_flow_is_what_comes_in_at_most_and_what_is_due(two):
    """No batch takes less than 9 s: each task where it is fastest is 18 s for two machines."""
    profit = running(two, Terms(1656.0, overhead=36.0, depreciation=(2.0, 3.0)))
    assert profit.flow == pytest.approx((1656 + 36) / 9 + 35)


@pytest.mark.parametrize(
    ("terms", "values"),
    [
        (Terms(0.0, 2.0, 1.5, depreciation=(1.0, 2.0)), [-61.0, -32.0]),
        # All on B, which waits: A would only take its idle power from what may be spent.
        (Terms(1656.0, power_cap=40.0), [-20 - 1.76 * 20, -10 - 1.76 * 10]),
    ],
)
def test_a_machine_that_nobody_needs_costs_what_it_draws(two, terms, values):
    assert running(two, terms).machine_values == pytest.approx(values)


def test_the_best_by_money_is_among_those_that_are_tried(two, monkeypatch):
    """B wears out, so that the best of all schedules is neither fast nor thrifty."""
    monkeypatch.setattr("core.capabilities.profit.earn.polish_along", lambda *_, **__: [])
    system, terms = two, Terms(2000.0, wear=(0.0, 54.0))
    every = [assign(system, np.array([[a, 6 - a], [b, 6 - b]])) for a in range(7) for b in range(7)]
    best = max(earnings(each, terms).profit for each in every)
    by_energy = settle(system)
    others = [running(system, terms).earnings, *(earnings(s, terms) for s in by_energy.schedules)]
    assert max(each.profit for each in others if each is not None) < best - 3
    profit = earn(system, terms, effort=Effort(1.0))
    assert profit.value == pytest.approx(best)
    assert profit.most == pytest.approx(best), "which all schedules prove"


def test_a_schedule_that_is_known_is_taken_if_it_earns_more(two):
    """B wears out, so that the best of all schedules is neither fast nor thrifty."""
    system, terms = two, Terms(2000.0, wear=(0.0, 54.0))
    every = [assign(system, np.array([[a, 6 - a], [b, 6 - b]])) for a in range(7) for b in range(7)]
    best = max(every, key=lambda each: earnings(each, terms).profit)
    alone = running(system, terms)
    assert alone.value < earnings(best, terms).profit - 3
    known = earn(system, terms, effort=Effort(0), known=[every[0], best])
    assert known.earnings.schedule is best


class _Polish:
    """Stands in for polish: notes what it is asked, and tells of two points of 10.8 and 12 s, the
    first of which costs so much above idle power and the second 60 less.
    """

    def __init__(self, cost=1100.0):
        self.cost = cost

    def __call__(self, front, schedules, budget, *, seed, near, report):
        self.front, self.schedules, self.budget = front, schedules, budget
        self.seed, self.near = seed, near
        idle = front.system.total_idle_power
        points = [[self.cost + idle * 10.8, 10.8], [self.cost - 60 + idle * 12.0, 12.0]]
        report(0.25, np.array(points))
        return []


def polish_of(monkeypatch, system, terms, cost=1100.0, effort=USUAL_EFFORT, should_stop=never):
    polish, told = _Polish(cost), list[ProfitProgress]()
    monkeypatch.setattr("core.capabilities.profit.earn.polish_along", polish)
    earn(system, terms, report=told.append, effort=effort, should_stop=should_stop)
    return polish, told


def test_polish_is_asked_for_what_was_asked(two, monkeypatch):
    system, terms = two, Terms(1656.0)
    usual, told = polish_of(monkeypatch, system, terms)
    assert (usual.budget.seconds, usual.budget.threads, usual.seed) == (DEFAULT_SECONDS, 1, 0)
    assert usual.near == pytest.approx(10.8)
    assert {each.system for each in usual.schedules} == {usual.front.system}
    first, recovered = earnings_of(system, usual.schedules[0], terms), usual.schedules[1:]
    assert [each.phase for each in told] == ["bound", "recover", "polish", "verify"]
    assert told[0] == ProfitProgress("bound")
    assert told[1] == ProfitProgress("recover")
    # 1,656 less 1,040 in 12 s is more than all that was found, and less than 556 in 10.8 s.
    assert told[2] == ProfitProgress("polish", 0.25, 2.0, pytest.approx(556 / 10.8 - 30))
    assert told[3] == ProfitProgress("verify", profit=first)
    assert recovered
    asked, _ = polish_of(monkeypatch, system, terms, effort=Effort(7.0, None, 3, 5))
    assert (asked.budget.seconds, asked.budget.threads, asked.seed) == (7.0, 3, 5)
    counted, told = polish_of(monkeypatch, system, terms, effort=Effort(0, 0.5, 3))
    assert (counted.budget.seconds, counted.budget.threads) == (0.5, 1)
    assert told[2].allowed == 0.5


def earnings_of(system, schedule, terms):
    same = Schedule(system, schedule.machine_type, schedule.machines, schedule.tasks)
    return earnings(same, terms).profit


def test_money_that_work_saves_is_told_too(two_by_two, monkeypatch):
    """B draws 10 W more idle than at work, so that its tasks cost less than nothing."""
    system, terms = two_by_two(20, 40), Terms(1656.0)
    polish, told = polish_of(monkeypatch, system, terms, cost=500.0, effort=Effort(1.0))
    assert polish.front.system.total_idle_power == 20
    assert told[2].profit == pytest.approx(1156 / 10.8 - 60)


def test_with_a_cap_polish_tells_what_is_known_to_be_earned(two, monkeypatch):
    """What it finds may break the cap."""
    system, terms = two, Terms(1656.0, power_cap=100.0)
    polish, told = polish_of(monkeypatch, system, terms, effort=Effort(1.0))
    first = earnings_of(system, polish.schedules[0], terms)
    assert told[2] == ProfitProgress("polish", 0.25, 1.0, first)
    costs = polish.front.system.apc[0, 0] - polish.front.system.idle_power[0]
    cap_price = most_profit(system, terms).cap_price
    assert cap_price > 0
    assert costs == pytest.approx(80 * (1 + cap_price)), "a joule costs what the cap makes of it"


def test_schedules_are_looked_for_near_the_optimum(monkeypatch):
    system = load_sample("nine").with_idle_fraction(0.1)
    terms = Terms(1.2 * float(trace_front(system).energy[0]))
    seen = recovering_nothing(monkeypatch)
    polish, _ = polish_of(monkeypatch, system, terms, effort=Effort(1.0))
    ((points, placed, spacing),) = seen
    makespan = polish.front.makespan
    near = (makespan >= 0.9 * polish.near) & (makespan <= 1.15 * polish.near)
    assert 1 < near.sum() < len(near)
    np.testing.assert_array_equal(points, polish.front.points[near])
    np.testing.assert_allclose(placed, points)
    assert spacing == 0.02


def test_asked_to_stop_it_recovers_only_both_ends_near_the_optimum(monkeypatch):
    system = load_sample("nine").with_idle_fraction(0.1)
    terms = Terms(1.2 * float(trace_front(system).energy[0]))
    whole, _ = polish_of(monkeypatch, system, terms, effort=Effort(1.0))
    stopped, _ = polish_of(monkeypatch, system, terms, effort=Effort(1.0), should_stop=lambda: True)
    assert stopped.budget.should_stop()
    # The first is the rounded optimum.
    assert len(stopped.schedules) == 1 + 2 < len(whole.schedules)


def test_asked_to_stop_it_recovers_only_both_ends_of_the_frugal_schedules(two_by_two, monkeypatch):
    recovered = []

    def recovering(*given, **named):
        schedules, progression = recover_along(*given, **named)
        recovered.append(len(schedules))
        return schedules, progression

    monkeypatch.setattr("core.capabilities.profit.earn.recover_along", recovering)
    system = two_by_two(20, 35).with_counts(np.array([60, 60]), np.array([1, 1]))
    terms = Terms(0.0, power_cap=52.0)
    for stops in (False, True):
        profit = earn(system, terms, effort=Effort(0), should_stop=lambda stops=stops: stops)
        assert profit.value == pytest.approx(-50)
    assert recovered[0] > recovered[1] == 2
