"""What is said of profit, in whole sentences whose figures are worked out by hand.

Of the 2 x 2 instance with 20 and 10 idle watts: a batch takes 1,500 J in 30 s, 1,380 J in 18 s or
1,404 J in 10.8 s, in parts of tasks; idle machines draw 30 W; the least energy costs 1,380.
"""

from dataclasses import replace

import numpy as np
import pytest
from bags import EVERYTHING, answered, published

from core.capabilities.profit.earn import ProfitProgress, earn
from core.capabilities.profit.settings import ProfitSettings
from core.capabilities.profit.sweep import price_steps
from core.capabilities.profit.terms import Terms
from core.capabilities.profit.told import costs_said, profit_progress, title, told
from core.engines.relaxed import trace_front
from core.vocabulary.budget import Effort
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.prices.site import Site
from core.vocabulary.system import System

RUNNING_NOTHING = (
    "Running nothing loses 30 ¤/s with the machines on, and nothing with all switched off: the "
    "best, unless an agreement asks for batches or for machines that wait."
)
CAPPED = published(1.2, cap_kw=0.04)
OFF_THE_FRONT = (
    "The best is not on the front of energy and makespan: it is slower than it could be, because "
)


def told_of(profit, settings):
    steps = price_steps(profit.system, profit.bound.terms)
    return told(profit, steps, settings, trace_front(profit.system))


def asked(system, settings):
    return told_of(answered(system, settings)[0], settings)


def figures(said):
    return {figure.label: figure.value for figure in said.figures}


@pytest.mark.parametrize(
    ("settings", "said", "remarked"),
    [
        (
            published(0.3),
            "At 0.3 times the cost of the least energy every batch costs more than it brings: "
            "running nothing is best, and loses 30 ¤/s.",
            [RUNNING_NOTHING],
        ),
        (
            published(0.8),
            "At 0.8 times the cost of the least energy every batch loses money: "
            "13.2 ¤/s with the schedule found.",
            [OFF_THE_FRONT + "it loses less the less power it draws.", RUNNING_NOTHING],
        ),
        (
            published(0.9),
            "At 0.9 times the cost of the least energy every batch loses money: 7.7 ¤/s "
            "with the schedule found.",
            [RUNNING_NOTHING],
        ),
        (
            published(1.0),
            "At 1 times the cost of the least energy you can earn 0 ¤/s; no schedule can "
            "earn more.",
            [RUNNING_NOTHING],
        ),
        (
            published(1.2),
            "At 1.2 times the cost of the least energy you can earn 21.3 ¤/s, at most 10 % "
            "below the best possible.",
            [],
        ),
        (
            CAPPED,
            "At 1.2 times the cost of the least energy every batch loses money: "
            "12.4 ¤/s with the schedule found. The cap of 40 W limits only its "
            "average power: the peak is 50 W.",
            [
                "The power cap makes all machines wait between batches: in the optimum a batch "
                "begins every 60 s.",
                "The power cap binds: one kilowatt more would earn 1,760 ¤/s at first.",
                "The power cap raises the break-even price of a batch from 1,380 ¤ to 2,400 ¤.",
                RUNNING_NOTHING,
            ],
        ),
        (
            ProfitSettings(by="bag", price=0.02, site=Site(cap_kw=0.06)),
            "At 0.02 EUR a batch (173.9 times the cost of the least energy) you can earn "
            "2.98 EUR/h; no schedule can earn more. The cap of 60 W limits only its "
            "average power: the peak is 130 W.",
            [
                OFF_THE_FRONT + "the power cap holds it back.",
                "The power cap binds: one kilowatt more would earn 59.7 EUR/h at first.",
                "The power cap raises the break-even price of a batch from 0.000115 EUR to "
                "0.00012 EUR.",
            ],
        ),
    ],
)
def test_all_that_is_said(two, settings, said, remarked):
    """Issue 33, point 17: under a power cap, the answer says the peak."""
    found = asked(two, settings)
    assert (found.lead, list(found.sentences)) == (said, remarked)


@pytest.mark.parametrize(
    ("ratio", "called"), [(0.8, "Earns −13.2 ¤/s"), (1.0, "Earns 0 ¤/s"), (1.5, "Earns 55.83 ¤/s")]
)
def test_what_a_schedule_earns_is_its_name(two, ratio, called):
    profit, _ = answered(two, published(ratio))
    assert title(profit, published(ratio).money) == called


def test_where_no_schedule_found_pays_the_most_is_told(two):
    """A batch pays in parts of tasks, and no schedule is proposed."""
    profit, _ = answered(two, published(1.2))
    assert told_of(replace(profit, earnings=None), published(1.2)).lead == (
        "At 1.2 times the cost of the least energy no schedule found earns more than running "
        "nothing; at most 23.34 ¤/s could be earned."
    )


def test_a_loss_where_something_could_be_earned(two):
    profit, _ = answered(two, published(0.8))
    assert told_of(replace(profit, most=1 / 7), published(0.8)).lead == (
        "At 0.8 times the cost of the least energy the best you can earn is 0.1429 ¤/s; the "
        "schedule found loses 13.2 ¤/s."
    )
    less = replace(profit, most=-1 / 7, earnings=replace(profit.earnings, profit=-2 / 7))
    assert told_of(less, published(0.8)).lead.endswith(
        "every batch loses money: 0.286 ¤/s with the schedule found."
    )


def test_without_idle_power_not_to_run_loses_nothing(two_by_two):
    said = asked(two_by_two(), published(0.9))
    assert said.lead.endswith("is best, and loses nothing.")
    assert not said.sentences
    assert figures(said) == {
        "Machines on": "0 ¤/s",
        "Switched off": "0 ¤/s",
        "Price per batch": "810 ¤",
    }


def test_where_only_tasks_in_parts_break_even_the_schedule_loses():
    machines = (MachineType("A", 2, 50.0),)
    system = System((TaskType("1", 31),), machines, np.array([[1.0]]), np.array([[100.0]]))
    assert asked(system, published(1.0)).lead.endswith(
        "the best you can earn is nothing; the schedule found loses 3.1 ¤/s."
    )


@pytest.mark.parametrize(
    ("terms", "expected"),
    [
        (
            # 12 s and 1,400 J a batch, where tasks in parts take 10.8 s and 1,404 J.
            Terms(3000.0, pue=1.25, overhead=100.0, depreciation=(2.0, 3.0)),
            {
                "upper_bound": 3600 * ((2900 - 1.25 * 1404) / 10.8 - 5),
                "profit": 3600 * ((2900 - 1.25 * 1400) / 12 - 5),
                "gap": 3600 * ((2900 - 1.25 * 1404) / 10.8 - (2900 - 1.25 * 1400) / 12),
                "bound_energy": 1404.0,
                "bound_makespan": 10.8,
                "energy": 1400.0,
                "makespan": 12.0,
                "average_power": 1.25 * 1400 / 12,
                "peak_power": 1.25 * 130.0,
                "on_front": True,
                "verified": True,
                "period": 12.0,
                "runs": True,
                "regime": "runs_on_front",
                "loses": False,
                "better_switched_off": False,
                "idle_profit": -3600 * (1.25 * 30 + 5),
                "off_profit": -3600 * 5,
                "price": 3000.0,
                "break_even_price": 1.25 * 1404 + 5 * 10.8 + 100,
                "thriftiest_from_price": 1.25 * 1200 + 100,
                "fastest_from_price": 1.25 * 1440 + 100,
                "cap_price": 0.0,
            },
        ),
        (
            # All on B for 600 J above idle power, of which 10 W may be spent.
            Terms(1656.0, overhead=100.0, power_cap=40.0),
            {
                "upper_bound": 3600 * ((1556 - 600) / 60 - 30),
                "profit": 3600 * ((1556 - 600) / 60 - 30),
                "gap": 0.0,
                "bound_energy": 2400.0,
                "bound_makespan": 60.0,
                "energy": 2400.0,
                "makespan": 30.0,
                "average_power": 40.0,
                "peak_power": 50.0,
                "on_front": False,
                "verified": True,
                "period": 60.0,
                "runs": True,
                "regime": "throttled",
                "loses": True,
                "better_switched_off": True,
                "idle_profit": -3600 * 30,
                "off_profit": 0.0,
                "price": 1656.0,
                "break_even_price": 2500.0,
                "thriftiest_from_price": 1300.0,
                "fastest_from_price": 1540.0,
                "cap_price": 3600 * (1556 - 600) / 600,
            },
        ),
        (
            Terms(414.0, pue=2.0, power_cap=80.0, cap_at_machines=True),
            {
                "upper_bound": -3600 * 60,
                "profit": -3600 * 60,
                "gap": 0.0,
                "bound_energy": None,
                "bound_makespan": None,
                "energy": None,
                "makespan": None,
                "average_power": 30.0,
                "peak_power": 30.0,
                "on_front": False,
                "verified": True,
                "period": None,
                "runs": False,
                "regime": "does_not_run",
                "loses": True,
                "better_switched_off": True,
                "idle_profit": -3600 * 60,
                "off_profit": 0.0,
                "price": 414.0,
                "break_even_price": 2760.0,
                "thriftiest_from_price": 2400.0,
                "fastest_from_price": 2880.0,
                "cap_price": 0.0,
            },
        ),
    ],
)
def test_every_figure(two, terms, expected):
    profit = earn(two, terms, effort=Effort(seconds=0))
    data = dict(told_of(profit, ProfitSettings()).data)
    values = data.pop("machine_values")
    assert values == pytest.approx(
        dict(zip("AB", (3600 * profit.machine_values).tolist(), strict=True))
    )
    counts = {"unit": "money per hour", "tasks": 12, "machines": 2}
    assert data == pytest.approx(expected | counts, abs=1e-6)


def test_every_table_under_a_cap(two):
    """A joule costs 0.75 / 3.6e6 EUR and 1.25 times that for the site; A wears by the hour."""
    prices, worths = asked(two, EVERYTHING).tables
    assert prices.rows == (
        ("now", "0.005 EUR", "17.39"),
        ("breaks even at", "0.003443 EUR", "11.97"),
        ("the thriftiest schedule is best from", "0.003396 EUR", "11.81"),
        ("the fastest schedule is best from", "0.003875 EUR", "13.48"),
    )
    assert prices.note == "The last two are without the power cap."
    assert worths.head[1] == "The upper bound rises by (EUR/h)"
    assert worths.rows == (
        ("1 EUR more a batch", "333.3"),
        ("1 EUR more overhead a batch", "−333.3"),
        ("0.01 EUR more a kWh", "−0.001625"),
        ("0.1 more PUE", "−0.00975"),
        ("1 kW more power cap", "0"),
        ("one more B, of now 1", "0.2552"),
        ("one more A, of now 1", "0.2062"),
    )
    assert list(costs_said(EVERYTHING)) == [
        ("Electricity", "0.7 EUR/kWh"),
        ("Carbon", "0.5 kg/kWh at 0.1 EUR/kg"),
        ("PUE", "1.25"),
        ("Overhead", "0.001 EUR per batch"),
        ("Power cap", "200 W on average"),
    ]


def test_a_joule_that_costs_one_and_energy_that_costs_nothing(two):
    prices, worths = asked(two, published(0.3)).tables
    assert ("1 % more a joule", "−0.3") in worths.rows
    assert (prices.rows[0], prices.note) == (("now", "414 ¤", "0.3"), "")
    free = ProfitSettings(by="bag", price=2.0, site=Site(price=0.0))
    assert asked(two, free).tables[0].rows[0] == ("now", "2 EUR")


@pytest.mark.parametrize(("types", "note"), [(20, ""), (21, "Left out: 1 more machine type.")])
def test_twenty_machine_types_are_listed(types, note):
    """Nothing runs: each costs its idle power."""
    machines = tuple(MachineType(f"M{k}", 1, float(k + 1)) for k in range(types))
    system = System((TaskType("1", 1),), machines, np.ones((1, types)), np.full((1, types), 99.0))
    worths = asked(system, published(0.0)).tables[1]
    assert worths.note == note
    assert worths.rows[5:] == tuple((f"one more M{k}, of now 1", f"−{k + 1}") for k in range(20))


def test_what_is_taken_and_the_gap_are_rounded_up_and_what_is_earned_down(two):
    profit, _ = answered(two, published(1.5))
    earned = replace(
        profit.earnings, period=100.01, energy=100.01 * 3600, power=7.00003, profit=99.996
    )
    said = told_of(replace(profit, most=100.014345, earnings=earned), published(1.5))
    assert figures(said) == {
        "Upper bound": "100.1 ¤/s",
        "Found": "99.99 ¤/s",
        "Price per batch": "2,070 ¤",
        "Period": "100.1 s",
        "Energy per batch": "100.1 Wh",
        "Average power": "7.001 W",
        "Peak power": "130 W",
    }
    meanings = {figure.label: figure.meaning for figure in said.figures}
    assert meanings["Found"].endswith(" earns at most 0.01835 ¤/s more.")
    assert meanings["Price per batch"] == "The break-even price is 1,380 ¤."
    said = asked(two, CAPPED)
    assert said.tables[0].rows[1] == ("breaks even at", "2,400 ¤", "1.739")
    capped = {figure.label: figure.meaning for figure in said.figures}
    assert capped["Price per batch"] == (
        "The break-even price is 2,400 ¤; without the power cap it is 1,380 ¤."
    )
    assert meanings["Period"].endswith(", and a pause that the power cap requires.")


def test_power_that_keeps_the_cap_is_not_said_above_it(two):
    said = figures(asked(two, published(1.2, cap_kw=0.037)))
    assert said["Period"] == "85.72 s"  # 600 J above idle power, 7 W of it: 600 / 7 = 85.7143
    assert said["Energy per batch"] == "3.172 kJ"  # 3,171.43
    assert said["Average power"] == "37 W"
    assert said["Found"] == "−17.68 ¤/s"  # (1,656 - 600) x 7 / 600 - 30
    assert said["Upper bound"] == "−17.67 ¤/s"


@pytest.mark.parametrize(
    ("progress", "said"),
    [
        (ProfitProgress("bound"), "bound"),
        (ProfitProgress("verify", profit=0.5), "verify: 1,800 EUR/h so far"),
        (ProfitProgress("polish", 1.23, 2.0), "polish, 1.2 of 2 units"),
        (ProfitProgress("polish", 1.23, 2.0, 1 / 3), "polish, 1.2 of 2 units: 1,200 EUR/h so far"),
        (
            # What is earned is not said above itself.
            ProfitProgress("polish", 0.0, 2.0, 1e5 / 7),
            "polish, 0.0 of 2 units: 51,428,571 EUR/h so far",
        ),
    ],
)
def test_a_terminal_shows_how_far_it_is(progress, said):
    assert profit_progress(ProfitSettings().money, "units")(progress) == said


def test_seconds_are_the_usual_unit_of_polish():
    assert (
        profit_progress(published(1.0).money)(ProfitProgress("polish", 1.0, 2.0))
        == "polish, 1.0 of 2 s"
    )
