"""Figures 31 and 32: days of a log, on parts of the machine, and under budgets."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from benchmarks.publications.arrivals.budget import (
    ALL,
    BY_WORTH,
    COMPARISON,
    METAHEURISTICS,
    POINTS,
    ahead,
    label,
    listed,
    said,
    signed,
    worth_panel,
)
from benchmarks.publications.arrivals.days import Days, DaySetting, DayTask, replayed
from benchmarks.publications.arrivals.trace import TraceDay, chosen_workload, drawn_workload
from benchmarks.publications.claim import Claim
from benchmarks.publications.figure import Figure, Table
from core.engines.compute.executors import Engine
from core.engines.replay.workload import Workload
from core.vocabulary.intervals import Interval

SIZES: Final = tuple(percent / 100 for percent in range(10, 85, 5))
"""Shares of the machine: the 15 of the publication, from 10 to 80 %."""
LARGE: Final = SIZES[-1]
BUDGETS: Final = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
"""Shares of what Max UPR draws without a budget; published are 8 to 26 GJ."""
TIGHT: Final = BUDGETS[:3]
USUAL: Final = 0.7
_AS_MUCH: Final = 1.0
"""Percent: where all spend the whole budget, what the last job draws decides who has spent less."""
FREE: Final = tuple(DaySetting(name) for name in ALL)
SHOWN: Final = ("max-util", "max-upr", "max-upe", "easy")


@dataclass(frozen=True)
class CurieDays:
    """What came of days without a budget, by the size of the machine, and at the largest size also
    with budgets: a budget of 1 is what Max UPR draws there on average.
    """

    of: str
    by_size: dict[float, Days]
    joules: float


OURS: Final = "The trace is drawn, and days differ much: with more days, intervals are narrower."


def measure(
    trials: int, log: Sequence[TraceDay], engine: Engine, say: Callable[[str], None]
) -> CurieDays:
    """Each day of a log is a trial; if there is none, as many days are drawn as are wanted."""
    if not log:
        draw: Callable[..., Workload] = drawn_workload
        of = f"{trials} days of a trace that is drawn"
    else:
        draw, trials = partial(chosen_workload, log), len(log)
        of = f"{trials} days of the log"
    by_size: dict[float, Days] = {}
    for size in SIZES:
        say(f"{of}, on {100 * size:g} % of the machine")
        tasks = [DayTask(partial(draw, size), trial, FREE) for trial in range(trials)]
        by_size[size] = replayed(tasks, engine, say)
    joules = float(by_size[LARGE].joules(DaySetting("max-upr")).mean())
    say(f"{of}, with {len(BUDGETS)} budgets")
    within = [DaySetting(name, budget) for name in ALL for budget in BUDGETS]
    tasks = [DayTask(partial(draw, LARGE), trial, within, joules) for trial in range(trials)]
    by_size[LARGE] |= replayed(tasks, engine, say)
    return CurieDays(of, by_size, joules)


def figure_31(found: CurieDays) -> Figure:
    free = {one.policy: one for one in FREE}
    return Figure(
        "31",
        "Days of a log without a budget, by the size of the machine",
        f"{found.of[0].upper()}{found.of[1:]}. Worth in percent of the published maximum, which is "
        "no bound.",
        [
            worth_panel(
                "",
                "size (% of Curie)",
                100 * np.array(SIZES),
                {
                    name: [found.by_size[size].shares(free[name]) for size in SIZES]
                    for name in SHOWN
                },
            )
        ],
        _claims_31(found),
        table=Table(
            ["policy", *(f"{100 * size:g} %" for size in SIZES)],
            [
                [label(name), *(said(found.by_size[size].share(free[name])) for size in SIZES)]
                for name in ALL
            ],
        ),
    )


def _claims_31(found: CurieDays) -> list[Claim]:
    free = {one.policy: one for one in FREE}
    util, others = free["max-util"], {name: free[name] for name in ("max-upt", "max-upr")}
    return [
        ahead(
            "Max UPT and Max UPR earn more than Max Util, on average over the sizes",
            {label(name): _over_sizes(found, one, util) for name, one in others.items()},
        ),
        _ahead_everywhere(found, util, list(others.values())),
        Claim(
            "Metaheuristics, Max UPT and Max UPR are the highest (read: on average over the "
            "sizes, the best of them is ahead of all other policies)",
            "highest",
            _highest(found),
            _highest_is_published(found),
        ),
        ahead(
            "Max UPE is also high: ahead of the best policy that does not look at worth",
            {"Max UPE": _over_sizes(found, free["max-upe"], _best_compared(found))},
        ),
    ]


def figure_32(found: CurieDays, synthetic: Interval) -> Figure:
    """`synthetic` is the mean of Max UPE on as many synthetic days at their usual budget."""
    days = found.by_size[LARGE]
    at = {budget: {name: DaySetting(name, budget) for name in ALL} for budget in BUDGETS}
    shown = ("max-upr", "max-upe", "event-based", "easy")
    return Figure(
        "32",
        f"Days of a log under budgets, on {100 * LARGE:g} % of the machine",
        f"As figure 31. A budget of 100 % is {found.joules / 1e9:.2f} GJ a day, what Max UPR draws "
        "here without one; published are 8 to 26 GJ.",
        [
            worth_panel(
                "",
                "budget (%)",
                100 * np.array(BUDGETS),
                {name: [days.shares(at[budget][name]) for budget in BUDGETS] for name in shown},
            )
        ],
        [
            *_tight_claims(days, at),
            _draws_least(days),
            _least_energy(days, joules=found.joules),
            _wider(days.share(at[USUAL]["max-upe"]), synthetic),
        ],
        table=Table(
            ["policy", *(f"{100 * budget:g} %" for budget in BUDGETS)],
            [
                [label(name), *(said(days.share(at[budget][name])) for budget in BUDGETS)]
                for name in ALL
            ],
        ),
    )


def _tight_claims(days: Days, at: Mapping[float, Mapping[str, DaySetting]]) -> list[Claim]:
    """Which policies are ahead where the budget is tight."""
    leads = {}
    next_best = {}
    for budget in TIGHT:
        settings = at[budget]
        second = days.best([one for name, one in settings.items() if name != "max-upe"])
        leads[f"{100 * budget:g} %, over {label(second.policy)}"] = days.lead(
            settings["max-upe"], second
        )
        saving = ("max-upe", *METAHEURISTICS)
        third = days.best([one for name, one in settings.items() if name not in saving])
        next_best[f"{100 * budget:g} %, over {label(third.policy)}"] = days.lead(
            settings["event-based"], third
        )
    tightest = at[TIGHT[0]]
    compared = days.best([tightest[name] for name in COMPARISON])
    return [
        ahead("Max UPE is the best at tight budgets", leads, cause=OURS),
        ahead("Metaheuristics are next: Event-Based ahead of all others", next_best),
        ahead(
            "Then the other policies by worth: each ahead of the best that does not look at it, at "
            "the tightest budget",
            {
                f"{label(name)} over {label(compared.policy)}": days.lead(tightest[name], compared)
                for name in BY_WORTH[:3]
            },
            cause="They spend the budget early in the day, whatever they run. " + OURS,
        ),
    ]


def _draws_least(days: Days) -> Claim:
    joules = {name: days.joules(DaySetting(name)).mean() for name in ALL}
    least = min(joules, key=lambda name: joules[name])
    return Claim(
        "Max UPE draws the least energy (read: without a budget)",
        "Max UPE",
        f"{label(least)}, {joules[least] / 1e9:.2f} GJ; Max UPR: {joules['max-upr'] / 1e9:.2f} GJ",
        least == "max-upe",
    )


def _wider(here: Interval, synthetic: Interval) -> Claim:
    return Claim(
        f"Intervals are wider than on synthetic days (read: that of Max UPE, at {100 * USUAL:g} % "
        "and at the usual budget)",
        "wider",
        f"± {here.half_width:.2f} and ± {synthetic.half_width:.2f} {POINTS}",
        here.half_width > synthetic.half_width,
    )


def _ahead_everywhere(found: CurieDays, util: DaySetting, others: Sequence[DaySetting]) -> Claim:
    """Max Util behind others at each size."""
    leads = {
        (size, label(one.policy)): days.lead(one, util)
        for size, days in found.by_size.items()
        for one in others
    }
    (size, name), least = min(leads.items(), key=lambda lead: lead[1].low)
    return Claim(
        f"So they do at each of the {len(found.by_size)} sizes (read: no interval of the paired "
        "difference reaches 0)",
        "more",
        f"least: {name} at {100 * size:g} %, {signed(least)}",
        least.low > 0,
    )


def _least_energy(days: Days, joules: float) -> Claim:
    """No policy by worth draws less than Max UPE, whatever the budget."""
    used = {
        (budget, name): 100 * float(days.joules(DaySetting(name, budget)).mean()) / joules
        for budget in BUDGETS
        for name in (*BY_WORTH, *METAHEURISTICS)
    }
    over = {(budget, name): used[budget, "max-upe"] - one for (budget, name), one in used.items()}
    (budget, name), most = max(over.items(), key=lambda one: one[1])
    return Claim(
        f"So it does at each budget (read: no policy by worth draws less by more than "
        f"{_AS_MUCH:g} % of what Max UPR draws without one)",
        "Max UPE",
        "none draws less"
        if most <= 0
        else f"{label(name)} at {100 * budget:g} %: {most:.1f} % less",
        most <= _AS_MUCH,
    )


def _over_sizes(found: CurieDays, one: DaySetting, other: DaySetting) -> Interval:
    """How far one is ahead in each trial, as a mean over the sizes."""
    return Interval.of(
        np.mean([days.shares(one) - days.shares(other) for days in found.by_size.values()], axis=0)
    )


def _mean(found: CurieDays, one: DaySetting) -> float:
    return float(np.mean([days.share(one).mean for days in found.by_size.values()]))


def _best_compared(found: CurieDays) -> DaySetting:
    return max((DaySetting(name) for name in COMPARISON), key=lambda one: _mean(found, one))


def _by_mean(found: CurieDays) -> Sequence[DaySetting]:
    return sorted(FREE, key=lambda one: -_mean(found, one))


def _highest(found: CurieDays) -> str:
    return listed({label(one.policy): f"{_mean(found, one):.2f} %" for one in _by_mean(found)[:5]})


def _highest_is_published(found: CurieDays) -> bool:
    published = {"max-upt", "max-upr", *METAHEURISTICS}
    means = {one.policy: _mean(found, one) for one in FREE}
    best = max(means[name] for name in published)
    return best > max(mean for name, mean in means.items() if name not in published)
