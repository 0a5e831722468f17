"""What the command says of profit, line by line, of a system whose figures never end in decimals.

Machine A draws 100,000 / 7 W at work on type 1 and 100 W on type 2, B draws 30 W and 10,000 / 7 W;
idle they draw 20 and 10 W. So A runs type 2 and B type 1: 7 x 2/3 s each, and 466.67 + 140 J.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from bags import answered, published

from core.capabilities.profit.answer_words import (
    MoneyRate,
    day_as_data,
    day_rows,
    gap_in_money,
    profit_as_data,
    profit_progress,
    profit_report,
)
from core.capabilities.profit.day import Day, day_of
from core.capabilities.profit.day_tariff import DayTariff, Start
from core.capabilities.profit.earn import ProfitProgress, earn
from core.capabilities.profit.prices import price_steps
from core.capabilities.profit.settings import ProfitSettings
from core.capabilities.profit.terms import Terms
from core.engines.recover import assign
from core.vocabulary.budget import Effort
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.say.words import HOUR
from core.vocabulary.system import System

A_SECOND, AN_HOUR = MoneyRate(1.0), MoneyRate(HOUR)
SIZE = "2 task types (14 tasks) on 2 machine types (2 machines)"
PROVEN = "no schedule earns more (proven)"
ON_FRONT = "on the front: no schedule is as good in both energy and makespan"
WITH_AGREEMENT = (
    "without one that asks for batches, switch all machines off, which would earn 0 a second; with "
    "one, this is the least loss found"
)
RUN = {
    "makespan": "4.66667 s",
    "energy": "606.667 J a batch",
    "on average": "130 W",
    "peak": "130 W",
}


@pytest.fixture(scope="module")
def thirds() -> System:
    return System(
        (TaskType("1", 7), TaskType("2", 7)),
        (MachineType("A", 1, 20.0), MachineType("B", 1, 10.0)),
        np.array([[1 / 3, 2 / 3], [2 / 3, 1.0]]),
        np.array([[1e5 / 7, 30.0], [100.0, 1e4 / 7]]),
    )


def lines(text: str) -> dict[str, str]:
    head, *rows = text.splitlines()
    return {"": head} | {row[2:14].strip(): row[14:] for row in rows}


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (
            published(1.5),
            {
                "": "thirds: a profit of 65 a second",
                "profit": "65 a second",
                "at most": "65.0001 a second, by any schedule",
                **RUN,
                "way": ON_FRONT,
                "price": "910 a batch",
                "break even": "at 606.667 a batch",
                "machines": "one more would earn a second at most: A 75, B −10",
            },
        ),
        (
            published(0.8),
            {
                "": "thirds: a loss of 26 a second, the least found",
                "profit": "−26 a second",
                "at most": "−25.9999 a second, by any schedule",
                **RUN,
                "way": ON_FRONT,
                "agreement": WITH_AGREEMENT,
                "price": "485.333 a batch",
                "break even": "at 606.667 a batch",
                "machines": "one more would earn a second at most: B −10, A −16",
            },
        ),
        (
            published(0.3),
            {
                "": "thirds: a loss of 30 a second, because running nothing is best",
                "profit": "−30 a second",
                "at most": "−29.9999 a second, by any schedule",
                "on average": "30 W (idle machines)",
                "way": "runs nothing: a batch costs more than it brings, however it is run",
                "agreement": "without one that keeps machines on, switch all machines off, which "
                "would earn 0 a second",
                "price": "182 a batch",
                "break even": "at 606.667 a batch",
                "machines": "one more would earn a second at most: B −10, A −20",
            },
        ),
        (
            published(1.2, cap_kw=0.04),
            {
                "": "thirds: a loss of 24.4 a second, the least found; the cap of 40 W limits "
                "only its average power: the peak is 130 W",
                "profit": "−24.4 a second",
                "at most": "−24.3999 a second, by any schedule",
                **RUN,
                "energy": "1,866.67 J a batch",
                "on average": "40 W",
                "period": "46.6667 s; the next batch waits for the cap",
                "way": "throttled: all machines wait between batches, because of the cap",
                "agreement": WITH_AGREEMENT,
                "price": "728 a batch",
                "break even": "at 606.667 a batch without the cap",
                "cap": "a kilowatt more would earn 560 a second",
                "machines": "one more would earn a second at most: B −15.59, A −31.19",
            },
        ),
    ],
)
def test_every_line(thirds: System, settings: ProfitSettings, said: dict[str, str]) -> None:
    """Issue 33, point 17: under a cap, the first line says the peak."""
    profit, front = answered(thirds, settings)
    steps = price_steps(thirds, settings.terms(front))
    told = lines(profit_report("thirds", profit, steps, A_SECOND, [], {}))
    verified = "yes: other code computed every figure again from the tables"
    every = {"system": SIZE, "gap": PROVEN, "verified": verified, "took": ""}
    assert told == every | said


@pytest.mark.parametrize(
    ("most", "gap", "words"),
    [
        (100.0, 0.0, PROVEN),
        (100.0, 1e-7, PROVEN),
        (100.0, 1.1e-7, "at most 0.00000011 a second more could be earned (proven), 0.00000012 %"),
        (3.0, 2.0, "at most 2 a second more could be earned (proven), 66.7 %"),
        (300.0, 1 / 3, "at most 0.333334 a second more could be earned (proven), 0.12 %"),
        (2.0, 2.0, "at most 2 a second more could be earned (proven)"),
        (-3.0, 2.0, "at most 2 a second more could be earned (proven)"),
        (-100.0, 1e-7, PROVEN),
        (0.0, 0.0, PROVEN),
    ],
)
def test_a_gap_is_a_share_of_what_is_positive(most: float, gap: float, words: str) -> None:
    assert gap_in_money(most, gap, A_SECOND) == words


def test_money_is_told_an_hour_or_a_second() -> None:
    assert (A_SECOND.unit, AN_HOUR.unit) == ("money per second", "money per hour")
    assert (A_SECOND.of(2.5), AN_HOUR.of(2.5)) == (2.5, 9000)
    assert gap_in_money(3.0, 2.0, AN_HOUR) == (
        "at most 7,200 an hour more could be earned (proven), 66.7 %"
    )


@pytest.mark.parametrize(
    ("terms", "told"),
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
                "break_even_price": 1480.0,
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
def test_every_figure(
    two_by_two: Callable[..., System], terms: Terms, told: dict[str, object]
) -> None:
    system = two_by_two(20, 10)
    profit = earn(system, terms, effort=Effort(seconds=0))
    data = profit_as_data(profit, price_steps(system, terms), AN_HOUR)
    values = data.pop("machine_values")
    assert values == pytest.approx(
        dict(zip("AB", (3600 * profit.machine_values).tolist(), strict=True))
    )
    counts = {"unit": "money per hour", "tasks": 12, "machines": 2}
    assert data == pytest.approx(told | counts, abs=1e-6)


def test_what_is_earned_is_rounded_down_and_what_is_taken_or_lost_up() -> None:
    """A batch takes 100.00004 s and 700.00328 J, and brings 1,234.56789."""
    system = System(
        (TaskType("T"),), (MachineType("M"),), np.array([[100.00004]]), np.array([[7.00003]])
    )
    terms = Terms(1234.56789)
    profit, steps = earn(system, terms, effort=Effort(0)), price_steps(system, terms)
    assert profit.earnings is not None
    earned = replace(profit.earnings, power=7.000003)
    told = lines(profit_report("M", replace(profit, earnings=earned), steps, A_SECOND, [], {}))
    assert told[""] == "M: a profit of 5.34564 a second"  # 5.3456443...
    assert told["profit"] == "5.34564 a second"
    assert told["makespan"] == "100.001 s"
    assert told["energy"] == "700.004 J a batch"
    assert told["on average"] == "7.00001 W"
    lost = replace(profit, earnings=replace(earned, profit=-1 / 3))
    told = lines(profit_report("M", lost, steps, A_SECOND, [], {}))
    assert told[""] == "M: a loss of 0.333334 a second, the least found"
    assert told["profit"] == "−0.333334 a second"


@pytest.mark.parametrize(("at_machines", "said"), [(False, "60 W"), (True, "30 W")])
def test_idle_power_is_that_of_the_site_or_what_the_cap_is_about(
    two_by_two: Callable[..., System], at_machines: bool, said: str
) -> None:
    system = two_by_two(20, 10)
    terms = Terms(414.0, pue=2.0, power_cap=80.0, cap_at_machines=at_machines)
    profit = earn(system, terms, effort=Effort(seconds=0))
    steps = price_steps(system, terms)
    told = lines(profit_report("it", profit, steps, AN_HOUR, [], {}))
    assert told["on average"] == f"{said} (idle machines)"


def test_overhead_the_day_and_each_phase_are_told(two_by_two: Callable[..., System]) -> None:
    system, terms = two_by_two(20, 10), Terms(1656.0, overhead=100.0)
    profit = replace(earn(system, terms, effort=Effort(seconds=0)), verified=False)
    steps = price_steps(system, terms)
    day, seconds = [("begin", "at once")], {"read": 0.5, "bound": 1.5}
    told = lines(profit_report("it", profit, steps, AN_HOUR, day, seconds))
    assert told["break even"] == "at 1,480 a batch"
    assert told["begin"] == "at once"
    assert told["verified"] == "NO: do not use this schedule"
    assert told["took"] == "read 500 ms, bound 1.5 s"


def test_where_nothing_runs_and_nothing_is_lost(two_by_two: Callable[..., System]) -> None:
    system, terms = two_by_two(), Terms(100.0)
    profit = earn(system, terms, effort=Effort(seconds=0))
    told = lines(profit_report("it", profit, price_steps(system, terms), A_SECOND, [], {}))
    assert told[""] == "it: running nothing is best"
    assert told["profit"] == "0 a second"
    assert "agreement" not in told


@pytest.mark.parametrize(
    ("types", "said"),
    [
        (5, "M4 −10, M3 −20, M2 −30, M1 −40, M0 −50"),
        (6, "M5 −10, M4 −20, M3 −30, M2 −40, M1 −50, ..."),
    ],
)
def test_five_machine_types_are_listed(types: int, said: str) -> None:
    """Nothing runs: each costs its idle power."""
    watts = [10.0 * (types - k) for k in range(types)]
    machines = tuple(MachineType(f"M{k}", 1, idle) for k, idle in enumerate(watts))
    system = System((TaskType("1", 1),), machines, np.ones((1, types)), np.full((1, types), 99.0))
    terms = Terms(0.0)
    profit = earn(system, terms, effort=Effort(seconds=0))
    told = lines(profit_report("it", profit, price_steps(system, terms), A_SECOND, [], {}))
    assert told["machines"] == f"one more would earn a second at most: {said}"


@pytest.mark.parametrize(
    ("progress", "said"),
    [
        (ProfitProgress("bound"), "bound"),
        (ProfitProgress("verify", profit=0.5), "verify: 1,800 an hour so far"),
        (ProfitProgress("polish", 1.23, 2.0), "polish, 1.2 of 2 units"),
        (
            ProfitProgress("polish", 1.23, 2.0, 1 / 3),
            "polish, 1.2 of 2 units: 1,200 an hour so far",
        ),
        (
            # What is earned is not said above itself.
            ProfitProgress("polish", 0.0, 2.0, 1e5 / 7),
            "polish, 0.0 of 2 units: 51,428,571 an hour so far",
        ),
    ],
)
def test_a_terminal_shows_how_far_it_is(progress: ProfitProgress, said: str) -> None:
    assert profit_progress(AN_HOUR, "units")(progress) == said


def test_seconds_are_the_usual_unit_of_polish() -> None:
    assert profit_progress(A_SECOND)(ProfitProgress("polish", 1.0, 2.0)) == "polish, 1.0 of 2 s"


@pytest.fixture
def a_day(two_by_two: Callable[..., System]) -> Day:
    """All on B: 30 s at 50 W; a joule costs 1/7 by day and 1/70 at night."""
    schedule = assign(two_by_two(20, 10), np.array([[0, 6], [0, 6]]))
    tariff = DayTariff.of_day([(0, 1 / 7), (20, 1 / 70)])
    return day_of(schedule, Terms(300.0), tariff)


def test_when_to_begin_is_told_with_what_other_starts_cost(a_day: Day) -> None:
    begin = "at 20:00: electricity costs 21.4286, the batch earns 278.571"
    dearest = ("dearest", "at 00:00, electricity for 214.286")
    assert day_rows(a_day, a_day.best) == [("begin", begin), dearest]
    noon = "at 12:00: electricity costs 214.286, the batch earns 85.7142"
    assert day_rows(a_day, a_day.at(12 * HOUR)) == [
        ("begin", noon),
        ("cheapest", "at 20:00, electricity for 21.4286"),
        dearest,
    ]
    assert day_as_data(a_day, a_day.at(12 * HOUR)) == {
        "start": pytest.approx({"second": 43_200, "electricity": 1500 / 7, "profit": 600 / 7}),
        "best": pytest.approx({"second": 72_000, "electricity": 150 / 7, "profit": 1950 / 7}),
        "worst": pytest.approx({"second": 0, "electricity": 1500 / 7, "profit": 600 / 7}),
    }


@pytest.mark.parametrize(("share", "rows"), [(0.9e-9, 2), (1.1e-9, 3)])
def test_a_start_is_dearer_by_more_than_rounding(a_day: Day, share: float, rows: int) -> None:
    chosen = Start(7.0, a_day.best.cost * (1 + share))
    assert len(day_rows(a_day, chosen)) == rows
