"""What the command says of profit, line by line, of a system whose figures never end in decimals.

Machine A draws 100,000 / 7 W at work on type 1 and 100 W on type 2, B draws 30 W and 10,000 / 7 W;
idle they draw 20 and 10 W. So A runs type 2 and B type 1: 7 x 2/3 s each, and 466.67 + 140 J.
"""

import numpy as np
import pytest
from bags import answered, published

from core.model.kinds import MachineType, TaskType
from core.model.system import System
from core.profit.answer_words import MoneyRate, gap_in_money, profit_report
from core.profit.conditions import ProfitSettings
from core.profit.prices import price_steps
from core.say.words import HOUR

A_SECOND, AN_HOUR = MoneyRate(1.0), MoneyRate(HOUR)
SIZE = "2 task types (14 tasks) on 2 machine types (2 machines)"
PROVEN = "no schedule earns more (proven)"
ON_FRONT = "on the front: no schedule is as good in both energy and makespan"
WITH_AGREEMENT = (
    "without one that asks for batches, switch all machines off, which would earn 0 a second; with "
    "one, this is the least loss found"
)
RUN = {"makespan": "4.66667 s", "energy": "606.667 J a batch", "on average": "130 W"}


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
    ("conditions", "said"),
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
                "": "thirds: a loss of 24.4 a second, the least found",
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
                "machines": "one more would earn a second at most: B −15.6, A −31.2",
            },
        ),
    ],
)
def test_every_line(thirds: System, conditions: ProfitSettings, said: dict[str, str]) -> None:
    profit, front = answered(thirds, conditions)
    steps = price_steps(thirds, conditions.terms(front))
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
