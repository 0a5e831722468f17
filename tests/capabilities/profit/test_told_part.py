"""What is said of the tasks to accept and of the start of a batch, with figures that never end."""

from dataclasses import replace

import numpy as np
import pytest

from core.capabilities.profit.accept import accept
from core.capabilities.profit.day import Start, day_of
from core.capabilities.profit.settings import ProfitSettings
from core.capabilities.profit.terms import Terms
from core.capabilities.profit.told import told_of_day, told_of_part
from core.engines.recover import assign
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.prices.day import DayTariff
from core.vocabulary.say.words import HOUR
from core.vocabulary.system import System

MONEY = ProfitSettings().money


def accepted(system, cap, period=7.0):
    return accept(system, Terms(0.0, power_cap=cap), np.array([300.0, 350.0]), period)


def figures(said):
    return {figure.label: figure.value for figure in said.figures}


def test_every_figure(two):
    """Type 1 takes 80 J on A and 40 on B; 7 s have room for 210 J above idle power: 80 + 3 x 40."""
    part = accepted(two, 60.0)
    data = dict(told_of_part(part, 7.0, MONEY).data)
    assert data.pop("accepted") == {"1": 4, "2": 0}
    # At most: all on B, 3.5 s of it; then A, as far as the cap lets it.
    assert data.pop("upper_bound") == pytest.approx(459_000)
    assert data == pytest.approx(
        {
            "profit": 3600 * (1000 / 7 - 30),
            "gap": 459_000 - 3600 * (1000 / 7 - 30),
            "deadline": 7.0,
            "earns": 1000 - 210,
            "energy": 380.0,
            "makespan": 6.0,
            "average_power": 30 + 200 / 7,
            "peak_power": 130.0,
            "cap_price": 9900.0,
            "verified": True,
            "unit": "money per hour",
            "tasks": 12,
            "machines": 2,
        }
    )


def test_all_that_is_said(two):
    """Issue 33, point 17: under a cap, the lead says the peak."""
    said = told_of_part(accepted(two, 60.0), 7.0, MONEY)
    assert said.lead == (
        "Accept 4 of 12 tasks. This earns 790 EUR within 7 s, at most 11.5 % below the best. The "
        "cap of 60 W limits only its average power: the peak is 130 W."
    )
    assert said.sentences == (
        "The power cap binds: one kilowatt more would earn 9,900,000 EUR/h at first.",
    )
    assert figures(said) == {
        "Upper bound": "459,001 EUR/h",
        "Found": "406,285 EUR/h",
        "Makespan": "6 s",
        "Energy": "380 J",
        "Average power": "58.58 W",
        "Peak power": "130 W",
    }
    assert said.figures[1].meaning.endswith("at most 52,715 EUR/h more.")
    (table,) = said.tables
    assert table.rows == (("1", "4", "6"),)
    assert table.note == "None of 1 other task type."


def test_power_that_keeps_the_cap_is_not_said_above_it(two):
    said = told_of_part(accepted(two, 58.57143), 7.0, MONEY)
    assert figures(said)["Average power"] == "58.57143 W"


def test_nothing_to_accept(two):
    said = told_of_part(accepted(two, np.inf, period=0.9), 0.9, MONEY)
    assert said.lead == (
        "Accept no tasks: no task earns money within 900 ms, and idle machines cost 27 EUR."
    )
    assert (said.data["energy"], said.data["makespan"], said.data["average_power"]) == (
        None,
        None,
        30.0,
    )
    assert said.tables == said.sentences == ()
    assert list(figures(said)) == ["Upper bound", "Found", "Average power", "Peak power"]


@pytest.mark.parametrize(
    ("types", "note"),
    [
        (20, ""),
        (21, "Some of 1 more task type (see --json)."),
        (22, "Some of 2 more task types (see --json)."),
    ],
)
def test_twenty_task_types_are_listed_the_most_accepted_first(types, note):
    system = System(
        tuple(TaskType(f"T{k}", 1000 + k) for k in range(types)),
        (MachineType("M", 1, 0.0),),
        np.full((types, 1), 1e-3),
        np.ones((types, 1)),
    )
    (table,) = told_of_part(accept(system, Terms(0.0), np.ones(types), 1e3), 1e3, MONEY).tables
    listed = [(f"T{k}", f"{1000 + k:,}", f"{1000 + k:,}") for k in reversed(range(types))]
    assert (table.rows, table.note) == (tuple(listed[:20]), note)


@pytest.mark.parametrize(
    ("profit", "most", "said"),
    [
        (99.996, 100.014345, "earns 99.99 EUR within 3 min 20 s, at most 0.019 % below the best."),
        (
            -99.996,
            -50.004,
            "loses 100 EUR within 3 min 20 s; no choice can earn more than −50 EUR.",
        ),
    ],
)
def test_what_is_earned_is_rounded_down_what_is_lost_and_the_bound_up(
    two_by_two, profit, most, said
):
    part = accept(two_by_two(), Terms(0.0), np.array([300.0, 350.0]), 200.0)
    bound = replace(part.bound, value=most / 200)
    part = replace(part, profit=profit / 200, bound=bound)
    assert told_of_part(part, 200.0, MONEY).lead == f"Accept all 12 tasks. This {said}"


@pytest.fixture
def a_day(two_by_two):
    """All on B: 30 s at 50 W; a joule costs 1/7 by day and 1/70 at night."""
    schedule = assign(two_by_two(20, 10), np.array([[0, 6], [0, 6]]))
    tariff = DayTariff.of_day([(0, 1 / 7), (20, 1 / 70)])
    return day_of(schedule, Terms(300.0), tariff)


def test_when_to_begin_is_told_with_what_other_starts_cost(a_day):
    assert told_of_day(a_day, a_day.best, MONEY).lead == (
        "Start at 20:00: electricity then costs 21.43 EUR, and the batch earns 278.5 EUR. A start "
        "at 00:00 would cost 192.9 EUR more."
    )
    noon = told_of_day(a_day, a_day.at(12 * HOUR), MONEY)
    assert noon.lead == (
        "Start at 12:00: electricity then costs 214.3 EUR, and the batch earns 85.71 EUR. A start "
        "at 20:00 would cost 192.9 EUR less."
    )
    assert noon.data["day"] == {
        "start": pytest.approx({"second": 43_200, "electricity": 1500 / 7, "profit": 600 / 7}),
        "best": pytest.approx({"second": 72_000, "electricity": 150 / 7, "profit": 1950 / 7}),
        "worst": pytest.approx({"second": 0, "electricity": 1500 / 7, "profit": 600 / 7}),
    }


@pytest.mark.parametrize(("share", "cheaper"), [(0.9e-9, False), (1.1e-9, True)])
def test_a_start_is_dearer_by_more_than_rounding(a_day, share, cheaper):
    lead = told_of_day(a_day, Start(7.0, a_day.best.cost * (1 + share)), MONEY).lead
    assert ("would cost 0.0000000" in lead) == cheaper
