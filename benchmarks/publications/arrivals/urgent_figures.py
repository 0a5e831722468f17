"""Figures 36 to 40: urgent jobs that arrive in bursts, and stop others."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from benchmarks.publications.arrivals.budget import (
    POINTS,
    ahead,
    alike,
    listed,
    said,
    signed,
)
from benchmarks.publications.arrivals.urgent import (
    ALL,
    BURSTS,
    BY_WORTH,
    COMPARISON,
    CURVES,
    FLAGS,
    KINDS,
    KINDS_OF_DAY,
    LABELS,
    MINUTES,
    PAIR,
    PAIRS,
    STOPPING,
    UPT,
    USUAL,
    UTIL,
    UrgentDays,
    of_burst,
    of_curves,
    of_flags,
    of_minutes,
    of_steps,
    smaller,
)
from benchmarks.publications.arrivals.urgent_claims import (
    GREEDY,
    RIVALS,
    Kinds,
    by_label,
    by_worth_ahead,
    days_of,
    falls_less,
    greedy_and_diff_alike,
    not_below_any,
    not_below_rivals,
    pair_claims,
    per_time_ahead,
    steps_said,
    straightness,
    trials_said,
)
from benchmarks.publications.claim import Claim, duration
from benchmarks.publications.figure import Figure, Panel, Series, Table
from core.capabilities.arrivals.made.synthetic import DAY
from core.capabilities.arrivals.made.urgent import UrgentSettings
from core.engines.replay.clock import EVERY
from core.vocabulary.arrays import FloatArray
from core.vocabulary.intervals import Interval

NOW: Final = f"{UPT}-now"
UP_TO_20: Final = (10.0, 30.0)
"""Percent that the best may earn more than Max UPT, to be "up to 20 %" more."""
STRAIGHT: Final = 0.98
"""The correlation of means with the share of flags from which they grow "in a line"."""
SLIGHTLY: Final = 0.25
"""The share of its worth that a policy may lose to decline "slightly"."""
LONGEST: Final = 7.0
"""Seconds that an event takes at most under all but Pair, as published."""
TOO_LONG: Final = 60.0
EVENTS: Final = round(DAY.end / EVERY)
"""Mapping events of a day and its warm-up."""


def figures(found: UrgentDays) -> list[Figure]:
    """All figures of chapter 4, and last its run times."""
    return [
        figure_36(found),
        figure_37(found),
        figure_38(found),
        figure_39(found),
        figure_40(found),
        run_times(found),
    ]


def figure_36(found: UrgentDays) -> Figure:
    kinds = {said_of: of_curves(name) for name, said_of in CURVES.items()}
    gains = {name: found.gains(kind, GREEDY, NOW) for name, kind in kinds.items()}
    steps = gains.pop(CURVES["step"])
    return Figure(
        "36",
        "Three ways in which worth falls",
        _setting(found, "Bursts of 64 jobs on average."),
        [
            _violins(
                {
                    name: [found.shares(kind, policy) for policy in (*COMPARISON, *BY_WORTH)]
                    for name, kind in kinds.items()
                },
                "worth",
                "% of the maximum",
            )
        ],
        [
            by_worth_ahead(found, kinds),
            per_time_ahead(found, kinds),
            greedy_and_diff_alike(found, kinds),
            not_below_rivals(found, kinds),
            not_below_any(found, kinds),
            *pair_claims(found, kinds, alone=False),
            ahead(
                "Steps gain the most from stopping jobs: Max UPT Greedy over Max UPT, in percent, "
                "more than with other curves",
                {f"than {name}": Interval.of(steps - gain) for name, gain in gains.items()},
            ),
        ],
        table=_table(found, kinds),
    )


def figure_37(found: UrgentDays) -> Figure:
    kinds = {f"{burst}": of_burst(burst) for burst in BURSTS}
    single, largest = of_burst(BURSTS[0]), of_burst(BURSTS[-1])
    best = found.best(largest, STOPPING)
    gain = Interval.of(found.gains(largest, best, NOW))
    falls = {
        policy: Interval.of(found.shares(single, policy) - found.shares(largest, policy))
        for policy in BY_WORTH
    }
    return Figure(
        "37",
        "Larger bursts",
        _setting(found, "20 classes of curves."),
        _lines(
            found, dict(zip(BURSTS, kinds.values(), strict=True)), "jobs in a burst", log_x=True
        ),
        [
            Claim(
                f"In bursts of {BURSTS[-1]}, the best that stops jobs earns up to 20 % more than "
                f"Max UPT (read: {UP_TO_20[0]:g} to {UP_TO_20[1]:g} % on average)",
                "up to 20 %",
                f"{LABELS[best]}: {signed(gain)} %",
                UP_TO_20[0] <= gain.mean <= UP_TO_20[1],
                f"{gain.mean - 20:+.1f} {POINTS}",
            ),
            ahead(
                f"Max Util and Max UPT fall as bursts grow from {BURSTS[0]} to {BURSTS[-1]}",
                by_label({policy: falls[policy] for policy in (f"{UTIL}-now", NOW)}),
            ),
            falls_less(falls),
            alike(
                "Without bursts, stopping jobs gains little (chapter 1: it is for jobs that may "
                "wait long for a core)",
                {
                    f"{LABELS[policy]} over {LABELS[rival]}": found.lead(single, policy, rival)
                    for policy, rival in RIVALS.items()
                },
            ),
            by_worth_ahead(found, kinds, again="36"),
            per_time_ahead(found, kinds, again="36"),
            greedy_and_diff_alike(found, kinds, again="36"),
            not_below_rivals(found, kinds, again="36"),
            *pair_claims(found, kinds),
        ],
        table=_table(found, kinds),
    )


def figure_38(found: UrgentDays) -> Figure:
    kinds = {f"{share:.0%}".replace("%", " %"): of_flags(share) for share in FLAGS}
    none, every = of_flags(FLAGS[0]), of_flags(FLAGS[-1])
    stopping = (*STOPPING, *PAIRS)
    pairs = [(days_of(none, policy), policy) for policy in stopping]
    equal = all(
        (found.shares(kind, policy) == found.shares(kind, f"{_measure(policy)}-now")).all()
        for kind, policy in pairs
    )
    rise = {policy: straightness(found, kinds.values(), policy) for policy in stopping}
    pair = rise.pop(f"{UPT}-{PAIR}")
    rise.pop(f"{UTIL}-{PAIR}")
    least = {
        LABELS[policy]: min(
            (
                Interval.of(found.shares(every, policy) - found.shares(kind, policy))
                for kind in kinds.values()
                if kind != every
            ),
            key=lambda one: one.mean,
        )
        for policy in STOPPING
    }
    return Figure(
        "38",
        "More jobs that may stop others, and be stopped",
        _setting(found, "Bursts of 64 jobs on average, 20 classes of curves."),
        _lines(
            found, {100 * share: of_flags(share) for share in FLAGS}, "each flag is true for (%)"
        ),
        [
            Claim(
                "If no job may stop another one, policies that stop jobs earn the same as those "
                "that do not",
                "the same",
                "the same in all trials" if equal else "not the same",
                equal,
                "none" if equal else "some",
                cannot_fail=True,
            ),
            Claim(
                "With more flags, Greedy and Diff earn more, about in a line (read: the "
                f"correlation of the means with the share is at least {STRAIGHT:g})",
                "about in a line",
                listed({LABELS[name]: f"{one:.3f}" for name, one in rise.items()}),
                min(rise.values()) >= STRAIGHT,
                cause="The first fifth adds the most. What each adds to the worth, in "
                f"{POINTS}: {steps_said(found, tuple(rise))}. The classes are ours; with steps in "
                f"their place, on {trials_said(found.tried)}, the correlation is "
                + listed(
                    {
                        LABELS[name]: f"{straightness(found, map(of_steps, FLAGS), name):.3f}"
                        for name in rise
                    }
                )
                + ".",
            ),
            Claim(
                "Max UPT Pair does not (read: below that correlation)",
                "not in a line",
                f"{pair:.3f}",
                pair < STRAIGHT,
                cause=f"It has {trials_said(found.trials_of_pair)}. What each share adds to its "
                f"worth, in {POINTS}: {steps_said(found, PAIRS[1:])}.",
            ),
            Claim(
                "All flags for all jobs earn no less than fewer flags (read: no interval of the "
                "paired difference lies below 0)",
                "not less",
                listed({name: signed(one) for name, one in least.items()}),
                all(one.high >= 0 for one in least.values()),
                f"at least {min(one.mean for one in least.values()):+.1f} {POINTS}",
            ),
            *pair_claims(found, {name: kind for name, kind in kinds.items() if kind != none}),
        ],
        table=_table(found, kinds),
    )


def figure_39(found: UrgentDays) -> Figure:
    kinds = {f"{minutes:g} min": of_minutes(minutes) for minutes in MINUTES}
    first, last = of_minutes(MINUTES[0]), of_minutes(MINUTES[-1])
    lost = {
        policy: 1
        - found.share(days_of(last, policy), policy).mean
        / found.share(days_of(first, policy), policy).mean
        for policy in (*BY_WORTH, *PAIRS)
    }
    worst = {
        name: min(
            (found.lead(kind, GREEDY, other) for other in (*COMPARISON, f"{UTIL}-now", NOW)),
            key=lambda one: one.low,
        )
        for name, kind in kinds.items()
    }
    return Figure(
        "39",
        "Critical jobs that take longer",
        _setting(found, "Bursts of 64 jobs on average, 20 classes of curves."),
        _lines(
            found,
            {minutes: of_minutes(minutes) for minutes in MINUTES},
            "mean time of critical jobs (min)",
        ),
        [
            Claim(
                f"From {MINUTES[0]:g} to {MINUTES[-1]:g} min, all decline slightly (read: each "
                f"loses more than nothing, and at most {SLIGHTLY:.0%} of its worth)".replace(
                    "%", " %"
                ),
                "slightly",
                listed({LABELS[name]: f"{100 * one:.0f} %" for name, one in lost.items()}),
                all(0 < one <= SLIGHTLY for one in lost.values()),
                cause="The classes, and how long they keep a worth, are ours. With critical jobs "
                f"of {MINUTES[-1]:g} min, the load is "
                f"{_load(MINUTES[-1]):.2f} times what the cores can do, after "
                f"{_load(MINUTES[0]):.2f} times.",
            ),
            ahead("Max UPT Greedy stays ahead of all that stop no job", worst),
            *pair_claims(found, kinds),
        ],
        table=_table(found, kinds),
    )


def figure_40(found: UrgentDays) -> Figure:
    done = {policy: found.completed(days_of(USUAL, policy), policy) for policy in ALL}
    by_worth = min(BY_WORTH, key=lambda one: done[one].mean())
    compared = max(COMPARISON, key=lambda one: done[one].mean())
    return Figure(
        "40",
        "Jobs that are done",
        _setting(found, "Bursts of 64 jobs on average, 20 classes of curves."),
        [_violins({"": [done[one] for one in (*COMPARISON, *BY_WORTH)]}, "jobs done", "% of all")],
        [
            ahead(
                "Max UPT and its kin do more jobs than Max Util and its kin",
                {
                    f"{LABELS[f'{UPT}-{kind}']} over {LABELS[f'{UTIL}-{kind}']}": Interval.of(
                        done[f"{UPT}-{kind}"] - done[f"{UTIL}-{kind}"]
                    )
                    for kind in KINDS
                },
            ),
            ahead(
                "Policies by worth do more jobs than those that do not look at it: the least of "
                "these over the most of those",
                {
                    f"{LABELS[by_worth]} over {LABELS[compared]}": Interval.of(
                        done[by_worth] - done[compared]
                    )
                },
                cause="Jobs that no longer can be worth anything never start under the former. "
                "Both sides do what fits into the same hours of the cores; which jobs these are "
                "depends on how long classes keep a worth, and that is ours.",
            ),
        ],
        table=Table(
            ["policy", "jobs done (% of all)"],
            [[_named(one), said(Interval.of(values))] for one, values in done.items()],
        ),
    )


def run_times(found: UrgentDays) -> Figure:
    """What a whole day takes here, beside what its longest event took there."""
    days = {
        policy: max(
            float(found.seconds(days_of(kind, policy), policy).max()) for kind in KINDS_OF_DAY
        )
        for policy in ALL
    }
    slowest = max(days[policy] for policy in (*COMPARISON, *BY_WORTH))
    pair = max(days[policy] for policy in PAIRS)
    return Figure(
        "E",
        "Run times of a mapping event",
        "Not a figure of the publication, but claims of its text. Processor time here, on one "
        f"core, of whole days of {EVENTS:,} events: the longest of all. There, of the longest "
        "event, on another computer.",
        [],
        [
            Claim(
                f"An event takes at most {LONGEST:g} s under all but Pair (read: a whole day takes "
                "no longer)",
                f"{LONGEST:g} s",
                f"a whole day: {duration(slowest)}",
                slowest <= LONGEST,
                f"{LONGEST / slowest:,.1f} times as fast",
            ),
            Claim(
                f"An event takes more than {TOO_LONG:g} s under Pair, too long for events each "
                "minute (read: on average)",
                f"more than {TOO_LONG:g} s",
                f"{duration(pair / EVENTS)}, and a whole smaller day {duration(pair)}",
                pair / EVENTS > TOO_LONG,
                cause="These days have an eighth of the jobs and cores, and equal jobs that wait "
                "are one line here, so that a burst costs what a job costs. A day of the published "
                "size is in `benchmarks/RESULTS.md`.",
            ),
        ],
        table=Table(
            ["policy", "the longest day"],
            [[_named(one), duration(took)] for one, took in days.items()],
        ),
    )


def _load(minutes: float) -> float:
    share, others = USUAL.critical_share, 50.0
    mean = share * minutes + (1 - share) * others
    return USUAL.a_day * mean / (USUAL.cores * 24 * 60)


def _measure(policy: str) -> str:
    return policy.partition("-")[0]


def _named(policy: str) -> str:
    return f"{LABELS[policy]}, smaller days" if policy in PAIRS else LABELS[policy]


def _setting(found: UrgentDays, more: str) -> str:
    return (
        "60,000 jobs a day on 800 cores in five clusters, a fifth of them critical. "
        f"{more} {trials_said(found.trials)}. Pair, which takes long, has "
        f"{trials_said(found.trials_of_pair)} on smaller days, beside the others: an eighth of the "
        "cores, the jobs and the jobs in a burst. Worth in percent of the published maximum."
    )


def _violins(shares: Mapping[str, Sequence[FloatArray]], quantity: str, unit: str) -> Panel:
    """A group for each policy but Pair, which has too few trials, and in it a violin for each
    kind of days.
    """
    names = [LABELS[one].removeprefix("Max ") for one in (*COMPARISON, *BY_WORTH)]
    x = np.arange(len(names), dtype=float)
    series = [Series(name, x, np.array(each)) for name, each in shares.items()]
    return Panel("", "policy", quantity, unit, series, "violins", categories=names)


def _lines(
    found: UrgentDays, kinds: Mapping[float, UrgentSettings], x_label: str, *, log_x: bool = False
) -> list[Panel]:
    """Max Util, beside it Max UPT, each with what stops jobs, and Pair on smaller days."""
    x, names = np.array([*kinds]), ("stops none", "Greedy", "Diff")
    panels = {
        f"Max {said_of}": {
            name: [found.shares(of, f"{measure}-{kind}") for of in kinds.values()]
            for kind, name in zip(KINDS, names, strict=True)
        }
        for measure, said_of in ((UTIL, "Util"), (UPT, "UPT"))
    }
    panels["smaller days"] = {
        LABELS[policy].removeprefix("Max "): [
            found.shares(smaller(of), policy) for of in kinds.values()
        ]
        for policy in (*PAIRS, GREEDY)
    }
    return [
        Panel(
            title,
            x_label,
            "worth",
            "% of the maximum",
            [Series(name, x, np.array(values)) for name, values in lines.items()],
            "lines",
            log_x=log_x,
        )
        for title, lines in panels.items()
    ]


def _table(found: UrgentDays, kinds: Kinds) -> Table:
    return Table(
        ["policy: worth (% of the maximum)", *kinds],
        [
            [
                _named(policy),
                *(said(found.share(days_of(kind, policy), policy)) for kind in kinds.values()),
            ]
            for policy in ALL
        ],
    )
