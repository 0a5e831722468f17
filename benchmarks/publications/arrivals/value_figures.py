"""Figures 7 and 8: jobs in several sizes on clusters with more and more cores, or memory."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from benchmarks.publications.arrivals import value, value_testbed
from benchmarks.publications.arrivals.budget import said
from benchmarks.publications.arrivals.urgent_claims import trials_said
from benchmarks.publications.arrivals.value import (
    ALL,
    BY_CORES,
    BY_MEMORY,
    HALVES,
    KINDS_OF_DAY,
    LABELS,
    OURS,
    SIMPLE,
    SIMPLE_DP,
    VARIANTS,
    VPTR,
    ValueDays,
)
from benchmarks.publications.arrivals.value_claims import (
    Environments,
    bound_claim,
    lead_claim,
    named,
    order_claims,
    ours_ahead,
    ours_where_scarce,
    reached_claim,
    variants_claim,
)
from benchmarks.publications.arrivals.value_testbed import BedRuns, figure_12_to_17
from benchmarks.publications.claim import Claim, duration
from benchmarks.publications.figure import Figure, Panel, Series, Table
from core.capabilities.arrivals.made.value import CORES, MEMORY, ValueSettings
from core.engines.compute.executors import Engine
from core.vocabulary.intervals import Interval

SHORT: Final[Mapping[str, str]] = {
    "max-value": "value",
    "max-vpt": "per s",
    "max-vpc": "per core",
    "max-vpm": "per GB",
    SIMPLE: "neither",
    "simple-d": "drops",
    "simple-p": "holds",
}
"""What pictures call policies, if not by their `LABELS`."""
LONGEST: Final = 0.5
"""Seconds that a day is to take at most under a policy."""
LONGEST_BOUND: Final = 10.0
"""Seconds that its bound is to take at most."""


class ValueMeasured(NamedTuple):
    """What came of all environments, and of the testbed."""

    days: ValueDays
    bed: BedRuns


def measure(trials: int, engine: Engine, say: Callable[[str], None]) -> ValueMeasured:
    return ValueMeasured(
        value.measure(trials, engine, say), value_testbed.measure(trials, engine, say)
    )


def figures(found: ValueMeasured) -> list[Figure]:
    """The figures of chapter 2, and last the run times."""
    days, bed = found
    return [figure_7(days), figure_8(days), figure_12_to_17(bed), run_times(days)]


def figure_7(found: ValueDays) -> Figure:
    every = {named(kind): kind for kind in KINDS_OF_DAY}
    return Figure(
        "7",
        "More cores",
        _setting(found, f"{MEMORY:g} GB of memory."),
        _panels(found, BY_CORES, "cores"),
        [
            *order_claims(found, every),
            variants_claim(found, every),
            lead_claim(found),
            ours_ahead(found, every),
            ours_where_scarce(found),
            reached_claim(found, every),
            bound_claim(found, every),
        ],
        ["The claims are on all ten environments, those of figure 8 among them."],
        _table(found, {f"{cores} cores": kind for cores, kind in BY_CORES.items()}),
    )


def figure_8(found: ValueDays) -> Figure:
    kinds = {f"{memory} GB": kind for memory, kind in BY_MEMORY.items()}
    return Figure(
        "8",
        "More memory",
        _setting(found, f"{CORES} cores."),
        _panels(found, BY_MEMORY, "memory (GB)"),
        [*order_claims(found, kinds, again="7"), variants_claim(found, kinds, again="7")],
        table=_table(found, kinds),
    )


def run_times(found: ValueDays) -> Figure:
    days = {
        policy: max(float(found.seconds(kind, policy).max()) for kind in KINDS_OF_DAY)
        for policy in ALL
    }
    bounds = max(day.seconds for each in found.bounds.values() for day in each)
    return Figure(
        "F",
        "Run times of a day",
        "Not a figure of the publication, but aims of ours. Processor time, on one core: the "
        "longest of all days.",
        [],
        [
            _fast("A day under any policy", max(days.values()), LONGEST),
            _fast("Its bound", bounds, LONGEST_BOUND),
        ],
        table=Table(
            ["policy", "the longest day"],
            [
                *([LABELS[policy], duration(took)] for policy, took in days.items()),
                ["the proven bound", duration(bounds)],
            ],
        ),
    )


def _fast(what: str, took: float, most: float) -> Claim:
    return Claim(
        f"{what} takes less than {most:g} s",
        "–",
        duration(took),
        took < most,
        f"{most / took:.2g} times as fast",
        ours=True,
    )


def _setting(found: ValueDays, more: str) -> str:
    return (
        "1,300 to 1,500 jobs in 26 hours, each in one of three to eight sizes of its type, on one "
        f"cluster. {more} {trials_said(found.trials)}. Value of service in percent of the "
        "published maximum, with intervals of 95 %."
    )


def _panels(found: ValueDays, kinds: Mapping[int, ValueSettings], x_label: str) -> list[Panel]:
    """The best with the bound; how else value is measured; and the ways to be simple."""
    x = np.array([*kinds], float)

    def panel(title: str, policies: Sequence[str], more: Sequence[Series] = ()) -> Panel:
        series = [
            Series(
                SHORT.get(name, LABELS[name]).removeprefix(f"{title} "),
                x,
                np.array([found.shares(kind, name) for kind in kinds.values()]),
            )
            for name in policies
        ]
        unit = "% of the maximum"
        return Panel(title, x_label, "value", unit, [*more, *series], "lines", intervals=True)

    bounds = Series("bound", x, np.array([found.bound_shares(kind) for kind in kinds.values()]))
    return [
        panel("", (OURS, VPTR, SIMPLE_DP), [bounds]),
        panel("Max", (VPTR, *VARIANTS)),
        panel("Simple", (SIMPLE_DP, *HALVES, SIMPLE)),
    ]


def _table(found: ValueDays, kinds: Environments) -> Table:
    every = kinds.values()
    rows = {
        "proven bound": [found.bound_shares(kind) for kind in every],
        **{LABELS[name]: [found.shares(kind, name) for kind in every] for name in ALL},
        "Max VPTR, % of the bound": [found.reached(kind, VPTR) for kind in every],
        "Wattfront, % of the bound": [found.reached(kind, OURS) for kind in every],
        "Max VPTR over Simple d&p (%)": [found.gains(kind, VPTR, SIMPLE_DP) for kind in every],
    }
    return Table(
        ["value (% of the maximum)", *kinds],
        [[name, *(said(Interval.of(one)) for one in row)] for name, row in rows.items()],
    )
