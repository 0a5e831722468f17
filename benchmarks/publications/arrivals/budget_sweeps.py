"""Figures 28 to 30: thresholds of dropping, budgets, and filters over budgets."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from benchmarks.publications.arrivals.budget import (
    ALIKE,
    ALL,
    ALL_THRESHOLDS,
    BUDGETS,
    BY_WORTH,
    COMPARISON,
    FEW,
    LENIENCIES,
    METAHEURISTICS,
    POINTS,
    THRESHOLDS,
    USUAL,
    BudgetDays,
    about,
    ahead,
    alike,
    label,
    listed,
    said,
    signed,
    tuned,
    worth_panel,
)
from benchmarks.publications.arrivals.budget_figures import USED_UP
from benchmarks.publications.arrivals.days import Days, DaySetting
from benchmarks.publications.claim import Claim
from benchmarks.publications.figure import Figure, Panel, Table
from core.capabilities.arrivals.policies import PUBLISHED_LENIENCY
from core.engines.replay.policy import NEVER_DROPPED
from core.vocabulary.arrays import FloatArray
from core.vocabulary.intervals import Interval

PUBLISHED_GAINS: Final = {"conservative": 28, "easy": 20, "queues": 28, "random": 5}
"""What the comparison policies gain by dropping below 0.1 instead of at 0; percent or points."""
TIGHT, LOOSE, LOOSEST = 8.0, 15.0, 18.0


def figure_28(found: BudgetDays) -> Figure:
    days, usual = found.days, USUAL[FEW]
    by_drop = {name: [DaySetting(name, usual, drop) for drop in THRESHOLDS] for name in ALL}
    every = {
        name: [DaySetting(name, usual, drop) for drop in ALL_THRESHOLDS] for name in COMPARISON
    }
    return Figure(
        "28",
        "Thresholds below which jobs are dropped",
        f"As figure 25, at {usual:g} GJ and without a filter.",
        _panels(found, by_drop, THRESHOLDS, "threshold"),
        _threshold_claims(days, by_drop, every),
        table=_table(
            found,
            every
            | {name: [None, *by_drop[name][:2], None, by_drop[name][2]] for name in BY_WORTH}
            | {name: [None, *by_drop[name][:2], None, by_drop[name][2]] for name in METAHEURISTICS},
            ["none" if drop == NEVER_DROPPED else f"{drop:g}" for drop in ALL_THRESHOLDS],
        ),
    )


def _threshold_claims(
    days: Days,
    by_drop: Mapping[str, Sequence[DaySetting]],
    every: Mapping[str, Sequence[DaySetting]],
) -> list[Claim]:
    zero, tenth = THRESHOLDS.index(0.0), THRESHOLDS.index(0.1)
    ranges = {
        label(name): float(np.ptp([days.share(one).mean for one in by_drop[name]]))
        for name in (*BY_WORTH, *METAHEURISTICS)
    }
    best = {name: days.best(every[name]) for name in COMPARISON}
    most = max(days.lead(one, by_drop[name][-1]).mean for name, one in best.items())
    return [
        *(
            ahead(
                f"{label(name)} gains if jobs below 0.1 are dropped, and not only those worth "
                "nothing",
                {label(name): days.lead(by_drop[name][tenth], by_drop[name][zero])},
                gain,
                cause="Our curves fall to 0, so that few jobs are between 0 and 0.1. From "
                "no dropping to dropping at 0, it gains "
                f"{signed(days.lead(every[name][1], every[name][0]))} {POINTS}.",
            )
            for name, gain in PUBLISHED_GAINS.items()
        ),
        Claim(
            f"Policies by worth are insensitive (read: from 0 to 0.5, means differ by less "
            f"than {ALIKE:g} {POINTS})",
            "insensitive",
            listed({name: f"{apart:.1f}" for name, apart in ranges.items()}),
            max(ranges.values()) < ALIKE,
        ),
        Claim(
            "The best threshold is 0.5 (read: for each policy that does not look at worth)",
            "0.5",
            listed({label(name): f"{one.drop_below:g}" for name, one in best.items()}),
            all(one.drop_below == THRESHOLDS[-1] for one in best.values()),
            cause=f"At the best, they earn at most {most:.2f} {POINTS} more than at 0.5.",
        ),
    ]


def figure_29(found: BudgetDays) -> Figure:
    days = found.days
    by_budget = {name: [DaySetting(name, budget) for budget in BUDGETS] for name in ALL}
    loose, loosest = ({name: DaySetting(name, at) for name in ALL} for at in (LOOSE, LOOSEST))
    return Figure(
        "29",
        "Budgets without filters",
        f"As figure 25, at {', '.join(f'{budget:g}' for budget in BUDGETS)} published GJ, without "
        "filters. All policies drop jobs that cannot be worth 0.5.",
        _panels(found, by_budget, BUDGETS, "budget (published GJ)"),
        [
            *_tightest_claims(days),
            about(
                f"At {LOOSE:g} GJ, metaheuristics reach 79 %",
                79,
                {label(name): days.share(loose[name]) for name in METAHEURISTICS},
            ),
            about(
                f"At {LOOSE:g} GJ, Max UPE and Max UPR reach 74 %",
                74,
                {label(name): days.share(loose[name]) for name in ("max-upe", "max-upr")},
            ),
            ahead(
                f"At {LOOSE:g} GJ, metaheuristics are ahead of Max UPE and Max UPR",
                {
                    f"{label(name)} over {label(other)}": days.lead(loose[name], loose[other])
                    for name in METAHEURISTICS
                    for other in ("max-upe", "max-upr")
                },
                5,
            ),
            about(
                f"At {LOOSEST:g} GJ, Max Util, Max UPR and metaheuristics reach almost 80 %",
                80,
                {
                    label(name): days.share(loosest[name])
                    for name in ("max-util", "max-upr", *METAHEURISTICS)
                },
            ),
            *_how_budgets_are_used(found),
        ],
        table=_table(found, by_budget, [f"{budget:g} GJ" for budget in BUDGETS]),
    )


def _tightest_claims(days: Days) -> list[Claim]:
    tight = {name: DaySetting(name, TIGHT) for name in ALL}
    saving = ("max-upe", *METAHEURISTICS)
    others = [name for name in ALL if name not in saving]
    second = days.best([tight[name] for name in others])
    return [
        about(
            f"At {TIGHT:g} GJ, Max UPE and both metaheuristics reach 60 %",
            60,
            {label(name): days.share(tight[name]) for name in saving},
        ),
        ahead(
            f"At {TIGHT:g} GJ, they are the best",
            {
                f"{label(name)} over {label(second.policy)}": days.lead(tight[name], second)
                for name in saving
            },
        ),
    ]


def _how_budgets_are_used(found: BudgetDays) -> list[Claim]:
    """How policies by worth differ in the energy that they draw."""
    days = found.days
    tight, loosest = ({name: DaySetting(name, at) for name in ALL} for at in (TIGHT, LOOSEST))
    fall = {
        name: 100 * (1 - days.share(tight[name]).mean / days.share(loosest[name]).mean)
        for name in BY_WORTH
    }
    unused = found.used(loosest["max-upe"])
    return [
        Claim(
            f"From {LOOSEST:g} to {TIGHT:g} GJ, Max Util, Max UPT and Max UPR fall steeply "
            "(read: each loses a larger share than Max UPE, and at least a quarter)",
            "steeply",
            listed({label(name): f"{lost:.0f} % less" for name, lost in fall.items()}),
            all(fall[name] > max(fall["max-upe"], 25.0) for name in BY_WORTH[:3]),
        ),
        Claim(
            f"Max UPE does not use the whole of a loose budget (read: at {LOOSEST:g} GJ, less "
            f"than {USED_UP:g} % of it)",
            "less",
            f"{said(unused)} %",
            unused.high < USED_UP,
        ),
        Claim(
            "Without a budget, Max UPE draws less energy than Max UPR in every trial",
            "less",
            f"{signed(_energy_change(found))} %",
            bool((_energies(found, "max-upe") <= _energies(found, "max-upr")).all()),
        ),
        Claim(
            "Without a budget, Event-Based is Max UPR",
            "the same",
            "the same" if _same_without_budget(found) else "different",
            _same_without_budget(found),
            "none",
            cannot_fail=True,
        ),
    ]


def figure_30(found: BudgetDays) -> Figure:
    days = found.days
    plain = {name: [DaySetting(name, budget) for budget in BUDGETS] for name in BY_WORTH[:3]}
    filtered = {
        name: [one._replace(filter="resource") for one in settings]
        for name, settings in plain.items()
    }
    event = {"event-based": [DaySetting("event-based", budget) for budget in BUDGETS]}
    free = {name: float(_energies(found, name).mean()) / found.gigajoule for name in plain}
    best = {
        f"{budget:g} GJ": days.best(
            [
                *(DaySetting(name, budget) for name in ALL),
                *(settings[k] for settings in filtered.values()),
            ]
        )
        for k, budget in enumerate(BUDGETS)
    }
    lines = {f"{name}, filter": settings for name, settings in filtered.items()}
    return Figure(
        "30",
        "Budgets with the filter for each resource",
        "As figure 29, Max Util, Max UPT and Max UPR with the filter.",
        [
            worth_panel(
                "with the filter",
                "budget (published GJ)",
                BUDGETS,
                _shares(found, filtered | event),
            )
        ],
        [
            *_what_filters_gain(days, filtered, free),
            alike(
                "Event-Based is comparable to the best at every budget",
                {
                    at: days.lead(one, most)
                    for one, (at, most) in zip(event["event-based"], best.items(), strict=True)
                },
            ),
            _leniency(days),
        ],
        [
            "Without a budget, the policies draw (in published GJ): "
            + listed({label(name): f"{one:.1f}" for name, one in free.items()})
            + "."
        ],
        _table(found, lines | event, [f"{budget:g} GJ" for budget in BUDGETS]),
    )


def _what_filters_gain(
    days: Days, filtered: Mapping[str, Sequence[DaySetting]], free: Mapping[str, float]
) -> list[Claim]:
    """`free` is what each policy would draw without a budget, in published gigajoules."""
    binding: dict[str, Interval] = {}
    slack: dict[str, Interval] = {}
    for name, settings in filtered.items():
        for one in settings:
            where = binding if one.budget < free[name] else slack
            gain = days.lead(one, one._replace(filter=None))
            where[f"{label(name)} at {one.budget:g} GJ"] = gain
    return [
        ahead("The filter helps where a policy would draw more than the budget", binding),
        alike("It does not help where the budget is enough", slack)
        if slack
        else _never_enough(free),
    ]


def _leniency(days: Days) -> Claim:
    """What the best leniency gains over the published one, budget by budget."""
    best = {}
    for budget in BUDGETS:
        usual = DaySetting("max-upr", budget, filter="resource")
        best[budget] = days.best([usual, *(tuned(budget, leniency) for leniency in LENIENCIES)])
    here = best[USUAL[FEW]].leniency
    gains, left = {}, {}
    for budget, one in best.items():
        leniency = PUBLISHED_LENIENCY["resource"] if one.leniency is None else one.leniency
        gains[f"{budget:g} GJ ({leniency:g})"] = days.lead(one, one._replace(leniency=None))
        left[f"{budget:g} GJ"] = signed(days.lead(one, one._replace(leniency=here)))
    tight, *others = gains.values()
    return Claim(
        "Tuning the leniency pays only for very tight budgets (read: for Max UPR, the best of "
        f"{', '.join(f'{one:g}' for one in LENIENCIES)} gains at least {ALIKE:g} {POINTS} over "
        f"4 at {TIGHT:g} GJ, and less at the others)",
        "only there",
        listed({name: signed(gain) for name, gain in gains.items()}),
        tight.mean >= ALIKE and all(gain.mean < ALIKE for gain in others),
        f"{tight.mean:+.1f} and at most {max(gain.mean for gain in others):+.1f} {POINTS}",
        cause=f"There, 4 is the best at {USUAL[FEW]:g} GJ. Here, the best at each budget is in "
        f"brackets. If the best of {USUAL[FEW]:g} GJ is taken at all budgets, tuning gains no more "
        f"than this: {listed(left)}.",
    )


def _never_enough(free: Mapping[str, float]) -> Claim:
    return Claim(
        "It does not help where the budget is enough",
        "not",
        f"no budget is enough: the least need is {min(free.values()):.1f} GJ",
        False,
        cause="Without a budget, all three draw more than the largest here.",
    )


def _energies(found: BudgetDays, name: str) -> FloatArray:
    return found.days.joules(DaySetting(name))


def _energy_change(found: BudgetDays) -> Interval:
    return Interval.of(100 * (_energies(found, "max-upe") / _energies(found, "max-upr") - 1))


def _same_without_budget(found: BudgetDays) -> bool:
    event, upr = (found.days.shares(DaySetting(name)) for name in ("event-based", "max-upr"))
    same_energy = _energies(found, "event-based") == _energies(found, "max-upr")
    return bool((event == upr).all() and same_energy.all())


def _panels(
    found: BudgetDays,
    by_name: Mapping[str, Sequence[DaySetting]],
    at: Sequence[float],
    x_label: str,
) -> list[Panel]:
    """Policies by worth, beside the metaheuristics and two of the others."""
    shown = {"": BY_WORTH, " ": (*METAHEURISTICS, "conservative", "easy")}
    return [
        worth_panel(title, x_label, at, _shares(found, {name: by_name[name] for name in names}))
        for title, names in shown.items()
    ]


def _shares(
    found: BudgetDays, by_name: Mapping[str, Sequence[DaySetting]]
) -> dict[str, list[FloatArray]]:
    return {name: [found.days.shares(one) for one in each] for name, each in by_name.items()}


def _table(
    found: BudgetDays,
    by_name: Mapping[str, Sequence[DaySetting | None]],
    head: Sequence[str],
) -> Table:
    """Worth in percent of the maximum, with the share of the budget that is used; None is not
    measured.
    """
    rows = []
    for name, settings in by_name.items():
        policy = name.partition(",")[0]
        cells = [
            "" if one is None else f"{said(found.days.share(one))} ({found.used(one).mean:.0f} %)"
            for one in settings
        ]
        rows.append([label(policy) + name.removeprefix(policy), *cells])
    return Table(["policy: worth (energy used)", *head], rows)
