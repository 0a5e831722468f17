"""What profit says, in whole sentences whose figures are worked out by hand.

Of the 2 x 2 instance with 20 and 10 idle watts: a batch takes 1,500 J in 30 s, 1,380 J in 18 s or
1,404 J in 10.8 s, in parts of tasks; idle machines draw 30 W; the least energy costs 1,380.
"""

from collections.abc import Callable
from dataclasses import replace

import pytest
from bags import answered, published

from core.capabilities.profit.settings import ProfitSettings
from core.capabilities.profit.words import remarks, sentence, title
from core.vocabulary.system import System

RUNNING_NOTHING = (
    "Running nothing loses 30 ¤/s with the machines on, and nothing with all switched off: the "
    "best, unless an agreement asks for batches or for machines that wait."
)
OFF_THE_FRONT = (
    "The best is not on the front of energy and makespan: it is slower than it could be, because "
)


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
            "At 0.8 times the cost of the least energy every batch loses money: at least "
            "13.19 ¤/s, and 13.2 ¤/s with the schedule found.",
            [OFF_THE_FRONT + "it loses less the less power it draws.", RUNNING_NOTHING],
        ),
        (
            published(0.9),
            "At 0.9 times the cost of the least energy every batch loses money: at least "
            "7.666 ¤/s, and 7.667 ¤/s with the schedule found.",
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
            "At 1.2 times the cost of the least energy every batch loses money: at least "
            "12.39 ¤/s, and 12.4 ¤/s with the schedule found. The cap of 40 W limits only its "
            "average power: the peak is 50 W.",
            [
                "The power cap makes all machines wait between batches: in the optimum a batch "
                "begins every 60 s.",
                "The power cap binds: one kilowatt more would earn 1,760 ¤/s at first.",
                RUNNING_NOTHING,
            ],
        ),
        (
            ProfitSettings(by="bag", price=0.02, cap_kw=0.06),
            "At 0.02 EUR a batch (173.9 times the cost of the least energy) the schedule found "
            "earns 2.982 EUR/h, and no schedule can earn more. The cap of 60 W limits only its "
            "average power: the peak is 130 W.",
            [
                OFF_THE_FRONT + "the power cap holds it back.",
                "The power cap binds: one kilowatt more would earn 59.7 EUR/h at first.",
            ],
        ),
    ],
)
def test_all_that_is_said(
    two_by_two: Callable[..., System], settings: ProfitSettings, said: str, remarked: list[str]
) -> None:
    """Issue 33, point 17: under a power cap, the answer says the peak."""
    profit, front = answered(two_by_two(20, 10), settings)
    assert sentence(profit, settings, front) == said
    assert remarks(profit, settings.money) == remarked


@pytest.mark.parametrize(
    ("ratio", "called"),
    [(0.8, "Earns −13.2 ¤/s"), (1.0, "Earns 0 ¤/s"), (1.5, "Earns 55.83 ¤/s")],
)
def test_what_a_schedule_earns_is_its_name(
    two_by_two: Callable[..., System], ratio: float, called: str
) -> None:
    profit, _ = answered(two_by_two(20, 10), published(ratio))
    assert title(profit, published(ratio).money) == called


def test_where_no_schedule_found_pays_the_most_is_told(two_by_two: Callable[..., System]) -> None:
    """A batch pays in parts of tasks, and no schedule is proposed."""
    profit, front = answered(two_by_two(20, 10), published(1.2))
    assert sentence(replace(profit, earnings=None), published(1.2), front) == (
        "At 1.2 times the cost of the least energy no schedule found earns more than running "
        "nothing; at most 23.34 ¤/s could be earned."
    )


def test_a_loss_where_something_could_be_earned(two_by_two: Callable[..., System]) -> None:
    profit, front = answered(two_by_two(20, 10), published(0.8))
    assert sentence(replace(profit, most=1 / 7), published(0.8), front) == (
        "At 0.8 times the cost of the least energy the best you can earn is 0.1429 ¤/s; the "
        "schedule found loses 13.2 ¤/s."
    )
    less = replace(profit, most=-1 / 7, earnings=replace(profit.earnings, profit=-2 / 7))
    assert sentence(less, published(0.8), front).endswith(
        "every batch loses money: at least 0.1428 ¤/s, and 0.2858 ¤/s with the schedule found."
    )
