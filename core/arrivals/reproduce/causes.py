"""What figures 25 and 26 are with other pools and other curves of worth: tried on a few days, since
neither is printed.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from core.arrivals.reproduce.budget import (
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
from core.arrivals.reproduce.days import DaySetting
from core.arrivals.reproduce.judging import listed
from core.arrivals.synthetic import BudgetSettings, draw_budget_day
from core.engine.executors import Engine
from core.replay.workload import Workload

TRIALS: Final = 6
AS_HERE: Final = "as here"
VARIANTS: Final[Mapping[str, BudgetSettings]] = {
    AS_HERE: BudgetSettings(),
    "pools of equal size": BudgetSettings(pool_shares=(1 / 6,) * 6),
    "special pools of 32 % each": BudgetSettings(pool_shares=(0.09,) * 4 + (0.32,) * 2),
    "worth that falls in half the time": BudgetSettings(patience=0.5),
    "in 3/4 of it": BudgetSettings(patience=0.75),
    "in twice the time": BudgetSettings(patience=2.0),
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

    def told(self, a_day: int, figure: Callable[[BudgetDays], float], unit: str = "%") -> str:
        """A figure of each variant, as a sentence."""
        said = {name: f"{figure(of[a_day]):.1f} {unit}" for name, of in self.days.items()}
        return f"Tried on {self._trials} days with other pools and curves of worth: {listed(said)}."

    def share(self, one: DaySetting, a_day: int) -> str:
        """The mean worth of a setting in each variant."""
        return self.told(a_day, lambda found: found.days.share(one).mean)

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
