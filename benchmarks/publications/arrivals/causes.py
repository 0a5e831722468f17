"""What figures 25 and 26 are with other pools and other curves of worth: tried on a few days, since
neither is printed.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, NamedTuple

from benchmarks.publications.arrivals.budget import (
    ABOUT,
    ALIKE,
    BY_WORTH,
    COMPARISON,
    FEW,
    FINE,
    FINE_STATES,
    MANY,
    POINTS,
    RESERVED,
    USUAL,
    BudgetDays,
    in_line,
    label,
    listed,
    measured,
)
from benchmarks.publications.arrivals.days import DaySetting
from benchmarks.publications.claim import Claim, duration
from benchmarks.publications.figure import Figure, Table
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


class TimedSetting(NamedTuple):
    """A setting on days of so many jobs with so many power states, and its published time of a
    mapping event on the computer of the publication.
    """

    a_day: int
    states: int
    setting: DaySetting
    published: str


STATES: Final = 3
_UPR, _UPE, _EVENT = FINE
TIMED: Final = (
    TimedSetting(FEW, STATES, _UPE, "0.1 s"),
    TimedSetting(FEW, FINE_STATES, _UPE, "0.3 s"),
    TimedSetting(FEW, STATES, _UPR._replace(filter="resource"), "3 s"),
    TimedSetting(FEW, STATES, _EVENT, "0.1 s"),
    TimedSetting(
        MANY, STATES, DaySetting("max-upe", USUAL[MANY], filter="resource"), "less than 2 s"
    ),
    TimedSetting(MANY, STATES, DaySetting("max-upr", USUAL[MANY], filter="resource"), "80 s"),
)


def run_times(few: BudgetDays, many: BudgetDays, fine: BudgetDays) -> Figure:
    """Ours beside theirs, for a mapping event."""
    measured = {(FEW, STATES): few, (MANY, STATES): many, (FEW, FINE_STATES): fine}
    here = [
        float(measured[one.a_day, one.states].days.seconds_per_event(one.setting).mean())
        for one in TIMED
    ]
    worst = max(here)
    return Figure(
        "D",
        "Run times of a mapping event",
        "Not a figure of the publication, but claims of its text. Processor time here, on one "
        "core; there, on another computer.",
        [],
        [
            Claim(
                "A mapping event takes no longer than published (read: the longest mean, beside "
                "the shortest published)",
                "0.1 s to 80 s",
                duration(worst),
                worst <= 0.1,
                f"at least {0.1 / worst:,.0f} times faster",
                ours=True,
            ),
            _alike_with_more_states(few, fine),
        ],
        table=Table(
            ["jobs a day", "power states", "policy", "published", "here"],
            [
                [
                    f"{one.a_day:,}",
                    f"{one.states}",
                    label(one.setting.policy)
                    + ("" if one.setting.filter is None else ", with filter"),
                    one.published,
                    duration(took),
                ]
                for one, took in zip(TIMED, here, strict=True)
            ],
        ),
    )


def _alike_with_more_states(few: BudgetDays, fine: BudgetDays) -> Claim:
    """The leads over Max UPR, with three power states and with more. (The days are others.)"""
    leads = {
        label(one.policy): [found.days.lead(one, _UPR).mean for found in (few, fine)]
        for one in (_UPE, _EVENT)
    }
    worst = max((more - usual for usual, more in leads.values()), key=abs)
    return Claim(
        f"With {FINE_STATES} power states, results are relatively the same (read: mean leads over "
        f"Max UPR at {_UPR.budget:g} GJ differ by less than {ALIKE:g} {POINTS})",
        "the same",
        listed({name: f"{usual:+.1f} and {more:+.1f}" for name, (usual, more) in leads.items()}),
        abs(worst) < ALIKE,
        f"{worst:+.1f} {POINTS}",
        cause="More states between the same two are more ways to save energy.",
    )
