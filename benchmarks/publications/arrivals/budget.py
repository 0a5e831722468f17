"""Days of parallel jobs under a budget of energy, for figures 25 to 30: what is replayed, what
policies are called, and what is about a number, ahead, not below, or alike.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from benchmarks.publications.arrivals.days import Days, DaySetting, DayTask, replayed
from benchmarks.publications.claim import UNMEASURED, Claim
from benchmarks.publications.figure import Panel, Series
from core.capabilities.arrivals.made.synthetic import JOBS_A_DAY, BudgetSettings, draw_budget_day
from core.capabilities.arrivals.policies import DROP_BELOW, FilterName
from core.engines.compute.executors import Engine
from core.engines.replay.policy import NEVER_DROPPED
from core.engines.replay.workload import Workload
from core.vocabulary.arrays import FloatArray
from core.vocabulary.intervals import Interval

RESERVED: Final = "-res"
"""The end of the name of a policy with reservations; without it, it has place-holders."""
_LABELS: Final[Mapping[str, str]] = {
    "random": "Random",
    "conservative": "Conservative",
    "easy": "EASY",
    "queues": "Queues",
    **{
        f"max-{short.casefold()}{ending}": f"Max {short}{said}"
        for short in ("Util", "UPT", "UPR", "UPE")
        for ending, said in (("", ""), (RESERVED, ", reservations"))
    },
    "event-based": "Event-Based",
    "task-based": "Task-Based",
}


def label(name: str) -> str:
    """What the publication calls a policy; without a word on reservations it has place-holders."""
    return _LABELS[name]


def labels(names: Sequence[str]) -> list[str]:
    return [label(name) for name in names]


def worth_panel(
    title: str,
    x_label: str,
    x: Sequence[float] | FloatArray,
    shares: Mapping[str, Sequence[FloatArray]],
) -> Panel:
    """The worth of policies along x, in percent of the maximum: for each, the trials at each x."""
    lines = [Series(label(name), np.array(x), np.array(each)) for name, each in shares.items()]
    return Panel(title, x_label, "worth", "% of the maximum", lines, "lines")


ABOUT: Final = 5.0
"""Percentage points: how far from a published number is still "about" it."""
ALIKE: Final = 2.0
"""Percentage points: what differs by less is "comparable"."""
POINTS: Final = "percentage points"


def said(interval: Interval, digits: int = 1) -> str:
    """A mean with half of the width of its interval."""
    mean = round(interval.mean, digits) + 0.0
    if np.isinf(interval.half_width):
        return f"{mean:.{digits}f}"
    return f"{mean:.{digits}f} ± {interval.half_width:.{digits}f}"


def signed(interval: Interval, digits: int = 1) -> str:
    """A difference of means, with its sign."""
    text = said(interval, digits)
    return text if text.startswith("-") else f"+{text}"


def decided(lead: Interval) -> str:
    """A difference with as many digits (at most 3) as show on which side of 0 its interval ends."""
    for digits in (1, 2):
        shown = np.round(lead.mean, digits) - np.round(lead.half_width, digits)
        if np.sign(np.round(shown, digits)) == np.sign(lead.low):
            return signed(lead, digits)
    return signed(lead, 3)


def listed(said_of: Mapping[str, str]) -> str:
    """What is said of each, by name."""
    return "; ".join(f"{name}: {text}" for name, text in said_of.items())


def about(claim: str, published: float, found: Mapping[str, Interval], cause: str = "") -> Claim:
    """Each mean is about the published percentage of the maximum."""
    worst = max((one.mean - published for one in found.values()), key=abs)
    most = "at most " if len(found) > 1 else ""
    return Claim(
        f"{claim} (read: within {ABOUT:g} {POINTS})",
        f"{published:g} %",
        listed({name: f"{said(one)} %" for name, one in found.items()}),
        abs(worst) <= ABOUT,
        f"{most}{worst:+.1f} {POINTS}",
        cause=cause,
    )


def ahead(
    claim: str,
    leads: Mapping[str, Interval],
    published: float | None = None,
    cause: str = "",
) -> Claim:
    """Each lead, in percentage points, lies above 0 with its whole interval.

    `published` is how large it is said to be.
    """
    least = min(leads.values(), key=lambda one: one.low)
    return Claim(
        f"{claim} (read: the interval of the paired difference lies above 0)",
        "more" if published is None else f"{published:g} %",
        listed({name: decided(one) for name, one in leads.items()}),
        least.low > 0,
        UNMEASURED if published is None else f"{least.mean - published:+.1f} {POINTS}",
        cause=cause,
    )


def not_below(claim: str, leads: Mapping[str, Interval], cause: str = "") -> Claim:
    """No lead, in percentage points, lies below 0 with its whole interval."""
    least = min(leads.values(), key=lambda one: one.mean)
    below = {name: one for name, one in leads.items() if one.high < 0}
    return Claim(
        f"{claim} (read: no interval of the paired difference lies below 0)",
        "never",
        listed({name: signed(one) for name, one in leads.items()}),
        not below,
        f"at least {least.mean:+.1f} {POINTS}",
        cause=f"Less in {len(below)} of {len(leads)} cases. {cause}".rstrip(),
    )


def alike(claim: str, leads: Mapping[str, Interval], cause: str = "") -> Claim:
    """No mean difference, in percentage points, is large."""
    worst = max(leads.values(), key=lambda one: abs(one.mean))
    return Claim(
        f"{claim} (read: means differ by less than {ALIKE:g} {POINTS})",
        "the same",
        listed({name: signed(one) for name, one in leads.items()}),
        abs(worst.mean) < ALIKE,
        f"{worst.mean:+.1f} {POINTS}",
        cause=cause,
    )


PUBLISHED_TRIALS: Final = 48
COMPARISON: Final = ("random", "conservative", "easy", "queues")
"""The policies that do not look at worth."""
BY_WORTH: Final = ("max-util", "max-upt", "max-upr", "max-upe")
METAHEURISTICS: Final = ("event-based", "task-based")
ALL: Final = (*COMPARISON, *BY_WORTH, *METAHEURISTICS)
KINDS_OF_FILTER: Final[tuple[FilterName | None, ...]] = (None, "resource", "task")

FEW, MANY = JOBS_A_DAY
USUAL: Final = {FEW: 12.0, MANY: 15.0}
"""The published budgets (GJ), by the number of jobs a day."""
SHARE: Final = 0.7
"""What these are of the energy of the policy below without a budget."""
WITHOUT_BUDGET: Final = {FEW: DaySetting("max-util"), MANY: DaySetting("max-upr")}
BUDGETS: Final = (8.0, 12.0, 15.0, 18.0)
"""The budgets (GJ), among the published 8 to 18, of which something is said."""
THRESHOLDS: Final = (0.0, 0.1, DROP_BELOW)
ALL_THRESHOLDS: Final = (NEVER_DROPPED, 0.0, 0.1, 0.3, DROP_BELOW)
"""Thresholds of the policies that do not look at worth; the others have `THRESHOLDS`."""

LENIENCIES: Final = (1.0, 2.0, 3.0, 6.0, 8.0)
"""Leniencies of the filter for each resource; 4 is published."""
FINE_STATES: Final = 15
FINE: Final = tuple(DaySetting(name, USUAL[FEW]) for name in ("max-upr", "max-upe", "event-based"))


@dataclass(frozen=True)
class BudgetDays:
    """What came of the days with so many jobs, by setting; and how many joules here have the share
    of all that a published gigajoule has.
    """

    days: Days
    gigajoule: float

    def used(self, setting: DaySetting) -> Interval:
        """The energy, in percent of the budget of the setting."""
        return Interval.of(100 * self.days.joules(setting) / (setting.budget * self.gigajoule))


def measure(trials: int, a_day: int, engine: Engine, say: Callable[[str], None]) -> BudgetDays:
    """All settings of the figures with so many jobs a day.

    Budgets are in published gigajoules. Our days need another energy, so that budgets are scaled:
    70 % of what the same policy draws without a budget is the same there and here.
    """
    say(f"{a_day:,} jobs a day")
    return measured(partial(drawn_day, a_day), trials, a_day, settings_of(a_day), (engine, say))


def measured(
    draw: Callable[[int], Workload],
    trials: int,
    a_day: int,
    settings: Sequence[DaySetting],
    how: tuple[Engine, Callable[[str], None]],
) -> BudgetDays:
    """What comes of the settings on days with so many jobs. They are replayed without a budget
    first, which sets the scale of budgets. `how` is by which engine, and who hears of it.
    """
    engine, say = how
    free = WITHOUT_BUDGET[a_day]
    say(f"without a budget: {trials} trials")
    without = replayed([DayTask(draw, trial, [free]) for trial in range(trials)], engine, say)
    gigajoule = float(without.joules(free).mean()) * SHARE / USUAL[a_day]
    say(f"{len(settings)} settings: {trials} trials")
    tasks = [DayTask(draw, trial, settings, gigajoule) for trial in range(trials)]
    return BudgetDays(without | replayed(tasks, engine, say), gigajoule)


def measure_fine(
    trials: int, gigajoule: float, engine: Engine, say: Callable[[str], None]
) -> BudgetDays:
    """Days with `FINE_STATES` power states in place of three, at the usual budget."""
    say(f"{FEW:,} jobs a day, {FINE_STATES} power states: {trials} trials")
    tasks = [DayTask(fine_day, trial, FINE, gigajoule) for trial in range(trials)]
    return BudgetDays(replayed(tasks, engine, say), gigajoule)


def drawn_day(a_day: int, trial: int) -> Workload:
    return draw_budget_day(BudgetSettings(a_day=a_day, seed=trial))


def fine_day(trial: int) -> Workload:
    return draw_budget_day(BudgetSettings(states=FINE_STATES, seed=trial))


def settings_of(a_day: int) -> Sequence[DaySetting]:
    """Each once; the one without a budget that sets the scale is left out."""
    found = few_jobs() if a_day == FEW else many_jobs()
    return [one for one in dict.fromkeys(found) if one != WITHOUT_BUDGET[a_day]]


def few_jobs() -> list[DaySetting]:
    """For figures 25 and 27 to 30."""
    usual = USUAL[FEW]
    found = [in_line(name, usual) for name in COMPARISON]
    found += [
        DaySetting(name + ending, usual, filter=kind)
        for name in BY_WORTH
        for ending in ("", RESERVED)
        for kind in KINDS_OF_FILTER
    ]
    found += [DaySetting(name, usual, drop) for name in ALL for drop in THRESHOLDS]
    found += [DaySetting(name, usual, drop) for name in COMPARISON for drop in ALL_THRESHOLDS]
    found += [DaySetting(name, budget) for name in ALL for budget in BUDGETS]
    found += [
        DaySetting(name, budget, filter="resource") for name in BY_WORTH[:3] for budget in BUDGETS
    ]
    found += [tuned(budget, leniency) for budget in BUDGETS for leniency in LENIENCIES]
    return found + [DaySetting(name) for name in (*BY_WORTH, *METAHEURISTICS)]


def many_jobs() -> list[DaySetting]:
    """For figure 26."""
    usual = USUAL[MANY]
    found = [in_line(name, usual) for name in COMPARISON]
    found += [
        DaySetting(name + ending, usual, filter="resource")
        for name in BY_WORTH
        for ending in ("", RESERVED)
    ]
    return [*found, DaySetting("max-upr", usual), DaySetting("event-based", usual)]


def tuned(budget: float, leniency: float) -> DaySetting:
    """Max UPR with the filter for each resource, of another leniency than the published."""
    return DaySetting("max-upr", budget, filter="resource", leniency=leniency)


def in_line(name: str, budget: float) -> DaySetting:
    """A policy that does not look at worth; in figures 25 and 26 it drops nothing."""
    return DaySetting(name, budget, NEVER_DROPPED)
