"""What profit says and weighs, in whole sentences and figures worked out by hand, and at limits.

Of the 2 x 2 instance with 20 and 10 idle watts: a bag takes 1,500 J in 30 s, 1,380 J in 18 s or
1,404 J in 10.8 s, in parts of tasks; idle machines draw 30 W; the least energy costs 1,380.
"""

import math
from collections.abc import Callable

import numpy as np
import pytest
from bags import answered, published

from core.model.schedule import Schedule
from core.model.system import System
from core.profit.check import holds
from core.profit.conditions import Conditions
from core.profit.terms import Terms
from core.profit.words import remarks, sentence, title
from core.profit.worth import machine_worths, price_worths
from core.relaxed import trace_front

RUNNING_NOTHING = (
    "Running nothing loses 30 ¤/s with the machines on, and nothing with all switched off: the "
    "best, unless an agreement asks for bags or for machines that wait."
)
OFF_THE_FRONT = (
    "The best is not on the front of energy and makespan: it is slower than need be, for "
)


@pytest.mark.parametrize(
    ("conditions", "said", "remarked"),
    [
        (
            published(0.3),
            "At 0.3 times the cost of the least energy every bag costs more than it brings: "
            "running nothing is best, and loses 30 ¤/s.",
            [RUNNING_NOTHING],
        ),
        (
            published(0.8),
            "At 0.8 times the cost of the least energy every bag loses money: at least 13.19 ¤/s, "
            "and 13.2 ¤/s with the schedule found.",
            [OFF_THE_FRONT + "it loses less the less power it draws.", RUNNING_NOTHING],
        ),
        (
            published(0.9),
            "At 0.9 times the cost of the least energy every bag loses money: at least 7.666 ¤/s, "
            "and 7.667 ¤/s with the schedule found.",
            [RUNNING_NOTHING],
        ),
        (
            published(1.0),
            "At 1 times the cost of the least energy the schedule found earns 0 ¤/s, and no "
            "schedule can earn more.",
            [RUNNING_NOTHING],
        ),
        (
            published(1.2),
            "At 1.2 times the cost of the least energy the best you can earn is 23.34 ¤/s; the "
            "schedule found earns 21.33 ¤/s (8.6 % less).",
            [],
        ),
        (
            published(1.2, cap_kw=0.04),
            "At 1.2 times the cost of the least energy every bag loses money: at least 12.39 ¤/s, "
            "and 12.4 ¤/s with the schedule found.",
            [
                "The power cap makes all machines wait between bags: in the optimum one begins "
                "every 60 s.",
                "The power cap binds: one kilowatt more would earn 1,760 ¤/s at first.",
                RUNNING_NOTHING,
            ],
        ),
        (
            Conditions(by="bag", price=0.02, cap_kw=0.06),
            "At 0.02 EUR a bag (173.9 times the cost of the least energy) the schedule found earns "
            "2.982 EUR/h, and no schedule can earn more.",
            [
                OFF_THE_FRONT + "the power cap holds it back.",
                "The power cap binds: one kilowatt more would earn 59.7 EUR/h at first.",
            ],
        ),
    ],
)
def test_all_that_is_said(
    two_by_two: Callable[..., System], conditions: Conditions, said: str, remarked: list[str]
) -> None:
    profit, front = answered(two_by_two(20, 10), conditions)
    assert sentence(profit, conditions, front) == said
    assert remarks(profit, conditions.money) == remarked


@pytest.mark.parametrize(
    ("ratio", "called"),
    [(0.8, "Earns −13.2 ¤/s"), (1.0, "Earns 0 ¤/s"), (1.5, "Earns 55.83 ¤/s")],
)
def test_what_a_schedule_earns_is_its_name(
    two_by_two: Callable[..., System], ratio: float, called: str
) -> None:
    profit, _ = answered(two_by_two(20, 10), published(ratio))
    assert title(profit, published(ratio).money) == called


def test_where_energy_costs_nothing_a_price_has_no_ratio(
    two_by_two: Callable[..., System],
) -> None:
    front = trace_front(two_by_two(20, 10))
    free = Conditions(by="bag", price=2.5, energy_price=0.0)
    assert free.words(free.terms(front), front) == "At 2.5 EUR a bag"


@pytest.mark.parametrize(
    ("conditions", "worths"),
    [
        (
            published(0.3),
            {
                "1 ¤ more a bag": 0.0,
                "1 ¤ more overhead a bag": 0.0,
                "1 % more a joule": -0.3,
                "0.1 more PUE": -3.0,
                "1 kW more power cap": 0.0,
            },
        ),
        (
            published(1.5),
            {
                "1 ¤ more a bag": 1 / 10.8,
                "1 ¤ more overhead a bag": -1 / 10.8,
                "1 % more a joule": -1.3,
                "0.1 more PUE": -13.0,
                "1 kW more power cap": 0.0,
            },
        ),
        (
            # Waiting, a bag earns 1,656 - 600 for 600 J above idle: 1.76 a joule beside its cost.
            published(1.2, cap_kw=0.04),
            {
                "1 ¤ more a bag": 1 / 60,
                "1 ¤ more overhead a bag": -1 / 60,
                "1 % more a joule": -0.4,
                "0.1 more PUE": -0.1 * (40 + 1.76 * 40),
                "1 kW more power cap": 1760.0,
            },
        ),
        (
            Conditions(ratio=1.2),
            {
                "1 EUR more a bag": 1 / 10.8,
                "1 EUR more overhead a bag": -1 / 10.8,
                "0.01 EUR more a kWh": -130 * 0.01 / 3.6e6,
                "0.1 more PUE": -0.1 * 130 * 0.3 / 3.6e6,
                "1 kW more power cap": 0.0,
            },
        ),
    ],
)
def test_what_a_little_more_is_worth(
    two_by_two: Callable[..., System], conditions: Conditions, worths: dict[str, float]
) -> None:
    profit, _ = answered(two_by_two(20, 10), conditions)
    found = {worth.what: worth.change for worth in price_worths(profit, conditions)}
    assert found == pytest.approx(worths)


def test_a_machine_that_nobody_needs_costs_its_idle_power(
    two_by_two: Callable[..., System],
) -> None:
    profit, _ = answered(two_by_two(20, 10), published(0.3))
    worths = [(machine.name, value) for machine, value in machine_worths(profit)]
    assert worths == [("B", pytest.approx(-10)), ("A", pytest.approx(-20))]


@pytest.mark.parametrize(
    "fair",
    [
        {"price": 0.0},
        {"energy_price": 0.0},
        {"overhead": 0.0},
        {"wear": (0.0, 0.0)},
        {"pue": 1.0},
        {"power_cap": 0.0},
        {"power_cap": math.inf},
    ],
)
def test_terms_may_be_at_their_limits(fair: dict[str, float]) -> None:
    Terms(**{"price": 1.0, **fair})


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"price": -1e-300}, "prices and costs must be 0 or more, and finite"),
        ({"wear": (math.inf,)}, "prices and costs must be 0 or more, and finite"),
        ({"pue": 0.999}, "the PUE is 1 or more, not 0.999"),
        ({"pue": math.inf}, "the PUE is 1 or more, not inf"),
        ({"power_cap": -0.5}, "the power cap is 0 W or more, not -0.5"),
    ],
)
def test_terms_may_not_be_beyond_their_limits(wrong: dict[str, float], said: str) -> None:
    with pytest.raises(ValueError, match=f"^{said}$"):
        Terms(**{"price": 1.0, **wrong})


@pytest.mark.parametrize(
    ("times", "spare"),
    [(-1.1, -33e-9), (-0.9, 0.0), (0.0, 0.0), (0.9, 0.0), (1.1, 33e-9)],
)
def test_a_cap_is_what_idle_machines_draw_but_for_rounding(
    two_by_two: Callable[..., System], times: float, spare: float
) -> None:
    terms = Terms(1.0, power_cap=30 * (1 + times * 1e-9))
    assert terms.spare_power(two_by_two(20, 10)) == pytest.approx(spare, rel=1e-6)


@pytest.mark.parametrize(("times", "kept"), [(0.0, True), (0.9, True), (1.1, False)])
def test_a_cap_is_kept_but_for_rounding(times: float, kept: bool) -> None:
    terms = Terms(1.0, power_cap=50.0, pue=1.25)
    assert terms.keeps_cap(40 * 10 * (1 + times * 1e-9), 10.0) is kept
    assert terms.keeps_cap(math.inf, math.inf) is True


@pytest.mark.parametrize(
    ("period", "cap", "fit"),
    [
        (12.0, math.inf, True),
        (12.0 * (1 - 0.9e-9), math.inf, True),
        (12.0 * (1 - 1.1e-9), math.inf, False),
        (24.0, 77.5, True),
        (24.0, 77.4, False),
        (12.0, 125.0, True),
        (12.0, 124.9, False),
    ],
)
def test_a_schedule_fits_its_period_and_the_cap(
    two_by_two: Callable[..., System], period: float, cap: float, fit: bool
) -> None:
    """All of type 1 and 3 of type 2 on A, 3 of type 2 on B, which waits 3 s: 1,200 + 270 + 30 J in
    12 s, and 30 W while both wait.
    """
    schedule = Schedule(
        two_by_two(20, 10), np.array([0, 1]), np.array([1, 1]), np.array([[6, 3], [0, 3]])
    )
    assert (schedule.makespan, schedule.energy) == (12, 1500)
    assert holds(schedule, Terms(1.0, power_cap=cap), period) is fit
