"""What figures 25 and 26 are with other pools and other curves of worth: tried on a few days, since
neither is printed.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from benchmarks.publications.arrivals.budget import (
    BY_WORTH,
    COMPARISON,
    FEW,
    MANY,
    RESERVED,
    USUAL,
    BudgetDays,
    in_line,
    measured,
)
from benchmarks.publications.arrivals.days import DaySetting
from benchmarks.publications.arrivals.judging import ABOUT
from core.capabilities.arrivals.made.synthetic import BudgetSettings, draw_budget_day
from core.engines.compute.executors import Engine
from core.engines.replay.workload import Workload

TRIALS: Final = 6
AS_HERE: Final = "as here"
VARIANTS: Final[Mapping[str, BudgetSettings]] = {
    AS_HERE: BudgetSettings(),
    "pools of equal size": BudgetSettings(pool_shares=(1 / 6,) * 6),
    "special pools of 32 % each": BudgetSettings(pool_shares=(0.09,) * 4 + (0.32,) * 2),
    "worth that falls in half the time": BudgetSettings(patience=0.5),
    "worth that falls in 3/4 of the time": BudgetSettings(patience=0.75),
    "worth that falls in twice the time": BudgetSettings(patience=2.0),
}
WORST: Final = DaySetting("max-util" + RESERVED, USUAL[FEW], filter="resource")
"""The policy by worth that earns the least in figure 25."""
SETTINGS: Final = {
    FEW: [
        *(in_line(name, USUAL[FEW]) for name in COMPARISON),
        WORST,
        *(DaySetting("max-upr", USUAL[FEW], filter=kind) for kind in ("resource", "task")),
    ],
    MANY: [
        *(in_line(name, USUAL[MANY]) for name in COMPARISON[1:3]),
        *(DaySetting(name, USUAL[MANY], filter="resource") for name in BY_WORTH[1:]),
    ],
}


@dataclass(frozen=True)
class Tried:
    """What came of each variant, by jobs a day."""

    days: Mapping[str, Mapping[int, BudgetDays]]

    def told(
        self,
        what: str,
        a_day: int,
        figure: Callable[[BudgetDays], float],
        unit: str = "%",
        between: tuple[float, float] | None = None,
    ) -> str:
        """A figure of each variant, and in how many of them it is between two limits."""
        found = {name: figure(of[a_day]) for name, of in self.days.items()}
        each = "; ".join(f"{name} {one:.1f} {unit}" for name, one in found.items())
        said = f"{what}, on {self._trials} days with other pools and curves of worth: {each}."
        if between is None:
            return said
        least, most = between
        often = sum(least <= one <= most for one in found.values())
        return f"{said} In {often} of these {len(found)} the claim would hold."

    def share(self, one: DaySetting, a_day: int, published: float) -> str:
        """The mean worth of a setting in each variant, which is published to be so much."""
        return self.told(
            "Its worth",
            a_day,
            lambda found: found.days.share(one).mean,
            between=(published - ABOUT, published + ABOUT),
        )

    def ahead(self, one: DaySetting, other: DaySetting, a_day: int) -> int:
        """In how many variants one earns more."""
        return sum(of[a_day].days.lead(one, other).mean > 0 for of in self.days.values())

    @property
    def _trials(self) -> int:
        first = self.days[AS_HERE][MANY].days
        return len(next(iter(first.scores.values())))


def measure(trials: int, engine: Engine, say: Callable[[str], None]) -> Tried:
    """All variants, on at most `TRIALS` days."""
    found: dict[str, dict[int, BudgetDays]] = {}
    for name, settings in VARIANTS.items():
        for a_day, tried in SETTINGS.items():
            say(f"causes: {a_day:,} jobs a day, {name}")
            draw = partial(drawn_variant, settings, a_day)
            of = measured(draw, min(trials, TRIALS), a_day, tried, (engine, say))
            found.setdefault(name, {})[a_day] = of
    return Tried(found)


def drawn_variant(settings: BudgetSettings, a_day: int, trial: int) -> Workload:
    return draw_budget_day(replace(settings, a_day=a_day, seed=trial))
