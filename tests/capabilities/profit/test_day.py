"""One batch earns its price less what it costs, and its electricity costs what the hour says."""

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from strategies import schedules, systems

from core.capabilities.profit.day import Starts, cost_from, day_of, starts
from core.capabilities.profit.earn import earnings
from core.capabilities.profit.terms import Terms
from core.engines.recover import assign
from core.vocabulary.power import power_curve
from core.vocabulary.prices.day import DayTariff
from core.vocabulary.say.words import DAY, HOUR
from core.vocabulary.schedule import Schedule


def test_worked_out_by_hand(two):
    """12 s and 1400 J; A is busy for 10 s of them, B for 12."""
    schedule = assign(two, np.array([[6, 0], [2, 4]]))
    terms = Terms(3000.0, overhead=100.0, wear=(5.0, 1.0), depreciation=(2.0, 3.0), power_cap=30.0)
    day = day_of(schedule, terms, DayTariff.of_day([(0, 1.0), (12, 2.0)]))
    costs = 100 + 5 * 10 + 1 * 12 + 5 * 12
    assert day.before == pytest.approx(3000 - costs)
    assert day.profit(day.best) == pytest.approx(3000 - costs - 1400)
    assert day.profit(day.worst) == pytest.approx(3000 - costs - 2800)
    assert day.at(13 * 3600).cost == pytest.approx(2800)


@examples(5)
@given(st.data())
def test_at_one_price_it_is_what_batch_after_batch_earns(any_terms, data):
    schedule = data.draw(schedules(systems(dyadic=True, with_apc=True)))
    terms = data.draw(any_terms(schedule.system))
    free = Terms(terms.price, terms.energy_price, terms.pue, terms.overhead, terms.wear)
    tariff = DayTariff([0.0], [free.energy_price * free.pue])
    day = day_of(schedule, free, tariff)
    earned = earnings(schedule, free)
    scale = terms.price + terms.overhead + day.best.cost + 1
    assert day.profit(day.best) == pytest.approx(
        earned.profit * earned.period, rel=1e-9, abs=1e-9 * scale
    )
    assert day.at(1_000.0).cost == pytest.approx(
        cost_from(schedule, tariff, 1_000.0), rel=1e-9, abs=1e-9 * scale
    )


@st.composite
def tariffs(draw):
    later = sorted(draw(st.sets(st.integers(1, int(DAY) - 1), max_size=4)))
    prices = draw(st.tuples(*[st.integers(0, 9)] * (len(later) + 1)))
    return DayTariff([0, *later], prices)


def stretched(schedule, makespan):
    """The same schedule of tasks that take longer, so that it lasts so many seconds."""
    system = schedule.system
    slower = type(system)(
        system.task_types,
        system.machine_types,
        system.etc * (makespan / schedule.makespan),
        system.apc,
    )
    return Schedule(slower, schedule.machine_type, schedule.machines, schedule.tasks)


def best_start(schedule, tariff):
    return day_of(schedule, Terms(0.0), tariff).best


@given(schedules(systems(dyadic=True, with_apc=True)), st.floats(0, DAY), st.floats(0, 9))
def test_at_a_constant_price_it_costs_the_energy(schedule, second, price):
    constant = DayTariff([0.0], [price])
    assert cost_from(schedule, constant, second) == pytest.approx(
        price * schedule.energy, rel=1e-9, abs=1e-6
    )
    best = best_start(schedule, constant)
    assert (best.second, best.cost) == (0, pytest.approx(price * schedule.energy, abs=1e-9))


@given(
    schedules(systems(dyadic=True, with_apc=True)),
    tariffs(),
    st.sampled_from([0.01, 0.4, 1.0, 2.6]),
)
def test_no_start_is_cheaper(schedule, tariff, days):
    """Batches of minutes and of days, beginning at any minute of the day."""
    schedule = stretched(schedule, days * DAY)
    best, found = best_start(schedule, tariff), starts(schedule, tariff)
    for second in (0.0, 12_345.6, 80_000.0):
        exact = cost_from(schedule, tariff, second)
        between = np.interp(second, found.seconds, found.costs)
        assert between == pytest.approx(exact, rel=1e-7, abs=1e-7 * found.worst.cost)
    times, (watts,) = power_curve(schedule)
    grid = np.arange(0, DAY, 60)
    costs = np.diff(tariff.spent(grid[:, None] + times)) @ watts
    assert found.worst.cost >= costs.max() * (1 - 1e-7)
    assert best.cost <= costs.min() + 1e-7 * costs.max()
    earlier = costs[grid < best.second]
    assert (earlier >= best.cost * (1 - 1e-7)).all()


@pytest.mark.parametrize(
    ("hours", "begins", "prices", "best", "share", "other", "dearer"),
    [
        # An hour goes where it is cheap; a night lasts beyond midnight; three days are all alike.
        (1, [0, 4, 5], [3.0, 1.0, 3.0], 4, 1.0, 3.5, 2.0),
        (8, [0, 6, 22], [1.0, 3.0, 1.0], 22, 1.0, 23, 10 / 8),
        (72, [0, 6, 22], [1.0, 3.0, 1.0], 0, 56 / 24, 5, 56 / 24),
    ],
)
def test_the_start_is_where_electricity_costs_least(
    two_by_two, hours, begins, prices, best, share, other, dearer
):
    """B alone runs, at 30 W throughout."""
    schedule = stretched(assign(two_by_two(), np.array([[0, 6], [0, 6]])), hours * HOUR)
    tariff = DayTariff(np.array(begins) * HOUR, prices)
    start = best_start(schedule, tariff)
    assert (start.second, start.cost) == (best * HOUR, pytest.approx(share * schedule.energy))
    assert cost_from(schedule, tariff, other * HOUR) == pytest.approx(dearer * schedule.energy)


@pytest.mark.parametrize(
    ("begins", "price", "complaint"),
    [
        ([], [], "second 0"),
        ([1.0], [1.0], "second 0"),
        ([0.0], [1.0, 2.0], "second 0"),
        ([0.0, 5.0, 5.0], [1.0, 2.0, 3.0], "in order"),
        ([0.0, DAY], [1.0, 2.0], "within a day"),
        ([0.0], [-1.0], "0 or more"),
        ([0.0], [np.nan], "0 or more"),
    ],
)
def test_what_is_no_tariff_is_refused(begins, price, complaint):
    with pytest.raises(ValueError, match=complaint):
        DayTariff(begins, price)


def test_an_hour_has_one_price():
    with pytest.raises(ValueError, match="in order"):
        DayTariff.of_day([(7, 1.0), (7, 2.0)])


@pytest.mark.parametrize(
    ("steps", "begins", "price"),
    [
        ([(0, 3.0), (6, 1.0)], [0, 6], [3, 1]),
        ([(0, 0.0), (6, 1.0)], [0, 6], [0, 1]),
        ([(6, 0.0), (9, 1.0)], [0, 6, 9], [1, 0, 1]),
        ([(0.5, 2.0)], [0, 0.5], [2, 2]),
        ([(20, 2.0), (7, 5.0)], [0, 7, 20], [2, 5, 2]),
    ],
)
def test_a_day_begins_at_midnight(steps, begins, price):
    tariff = DayTariff.of_day(steps)
    assert (tariff.begins / HOUR).tolist() == begins
    assert tariff.price.tolist() == price


def test_starts_that_cost_the_same_but_for_rounding_are_the_same():
    """As a share of the dearest, 1e9 times as much as what they differ by."""
    seconds = np.array([0.0, 10.0, 20.0, 30.0, 40.0])
    found = Starts(seconds, np.array([1 + 0.9e-6, 1.0, 1e3 * (1 - 0.9e-9), 1e3, 1.0]))
    assert (found.best.second, found.worst.second) == (0, 20)
    found = Starts(seconds, np.array([1 + 1.1e-6, 1.0, 1e3 * (1 - 1.1e-9), 1e3, 1.0]))
    assert (found.best.second, found.worst.second) == (10, 30)
    free = Starts(seconds, np.zeros(5))
    assert (free.best.second, free.worst.second) == (0, 0)
