"""The tables of the simulations, and the claims that compare their rows with ours."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np

from benchmarks.publications.claim import Claim
from benchmarks.publications.figure import Figure, Panel, Series, Table
from benchmarks.publications.stretch.scenario_runs import COMPARED, ScenarioSample
from core.capabilities.fair_shares.tasks.policies import (
    OUR_POLICIES,
    PUBLISHED_POLICIES,
    TASK_POLICIES,
)
from core.vocabulary.arrays import FloatArray
from core.vocabulary.intervals import Interval


class Judged(NamedTuple):
    """Whether a sentence `holds` for the means of a sample, and whether that is `undecided`: a
    margin may be above 0 or below it, by its interval of 95 %. `closest` is the least margin, that
    of number `at`.
    """

    holds: bool
    undecided: bool
    closest: Interval
    at: int

    @property
    def said(self) -> str:
        return f"{self.closest.mean:+.3f} ± {self.closest.half_width:.3f}"


def judged(*margins: FloatArray) -> Judged:
    """A sentence says that all of these margins are at least 0 on average; each has a value for
    every scenario.
    """
    found = [Interval.of(margin) for margin in margins]
    at = min(range(len(found)), key=lambda number: found[number].mean)
    surely = all(one.low >= 0 for one in found)
    never = any(one.high < 0 for one in found)
    return Judged(found[at].mean >= 0, not surely and not never, found[at], at)


def all_pairs(groups: Sequence[Sequence[str]]) -> list[tuple[str, str]]:
    """Each of a group with each of the next one."""
    return [
        (one, other)
        for group, following in pairwise(groups)
        for one in group
        for other in following
    ]


class PublishedRow(NamedTuple):
    """The printed results of a policy, over all scenarios; `best` in percent."""

    least: float
    mean: float
    deviation: float
    most: float
    best: float


_MAX_STRETCH: Final = {
    "fifo-rr": PublishedRow(4.55, 16.689, 7.897, 62.6, 0.0),
    "fifo-mct": PublishedRow(1.857, 6.912, 2.404, 17.9, 0.0),
    "fifo-dd": PublishedRow(4.55, 16.689, 7.897, 62.6, 0.0),
    "spt-rr": PublishedRow(1.348, 4.274, 1.771, 13.8, 0.0),
    "spt-mct": PublishedRow(1.007, 1.928, 0.61, 5.99, 1.3),
    "spt-dd": PublishedRow(1.348, 4.274, 1.771, 13.8, 0.0),
    "srpt-rr": PublishedRow(1.348, 4.121, 1.737, 13.8, 0.0),
    "srpt-mct": PublishedRow(1.007, 1.861, 0.601, 6.87, 2.2),
    "srpt-dd": PublishedRow(1.348, 4.121, 1.737, 13.8, 0.0),
    "swrpt-rr": PublishedRow(1.344, 4.119, 1.739, 13.8, 0.0),
    "swrpt-mct": PublishedRow(1.007, 1.857, 0.601, 6.87, 1.9),
    "swrpt-dd": PublishedRow(1.344, 4.119, 1.739, 13.8, 0.0),
    "mwma-nbt": PublishedRow(1.477, 3.433, 1.044, 8.49, 0.0),
    "mwma-ms": PublishedRow(2.435, 8.619, 2.42, 20.4, 0.0),
    "cbs3m-fifo-online": PublishedRow(1.003, 1.322, 0.208, 2.83, 6.9),
    "cbs3m-edf-online": PublishedRow(1.003, 1.163, 0.118, 1.93, 64.0),
    "cbs3m-fifo-offline": PublishedRow(1.022, 1.379, 0.276, 3.74, 3.8),
    "cbs3m-edf-offline": PublishedRow(1.011, 1.213, 0.125, 2.06, 26.2),
}
_SUM_STRETCH: Final = {
    "fifo-rr": PublishedRow(2.064, 6.783, 3.21, 30.7, 0.0),
    "fifo-mct": PublishedRow(1.322, 2.754, 0.67, 6.45, 0.0),
    "fifo-dd": PublishedRow(2.064, 6.783, 3.21, 30.7, 0.0),
    "spt-rr": PublishedRow(1.019, 2.942, 1.221, 10.1, 0.0),
    "spt-mct": PublishedRow(1.0, 1.182, 0.183, 2.53, 2.4),
    "spt-dd": PublishedRow(1.019, 2.942, 1.221, 10.1, 0.0),
    "srpt-rr": PublishedRow(1.007, 2.607, 1.071, 8.93, 0.0),
    "srpt-mct": PublishedRow(1.0, 1.045, 0.098, 1.92, 25.5),
    "srpt-dd": PublishedRow(1.007, 2.607, 1.071, 8.93, 0.0),
    "swrpt-rr": PublishedRow(1.0, 2.596, 1.068, 8.96, 0.1),
    "swrpt-mct": PublishedRow(1.0, 1.038, 0.098, 1.92, 60.1),
    "swrpt-dd": PublishedRow(1.0, 2.596, 1.068, 8.96, 0.1),
    "mwma-nbt": PublishedRow(1.051, 2.013, 0.644, 5.41, 0.0),
    "mwma-ms": PublishedRow(1.663, 4.183, 1.269, 11.5, 0.0),
    "cbs3m-fifo-online": PublishedRow(1.0, 1.294, 0.208, 2.16, 0.4),
    "cbs3m-edf-online": PublishedRow(1.0, 1.201, 0.19, 2.08, 20.2),
    "cbs3m-fifo-offline": PublishedRow(1.0, 1.332, 0.227, 2.57, 0.1),
    "cbs3m-edf-offline": PublishedRow(1.0, 1.272, 0.214, 2.49, 3.8),
}
_MAKESPAN: Final = {
    "fifo-rr": PublishedRow(1.343, 2.716, 0.684, 5.31, 0.0),
    "fifo-mct": PublishedRow(1.0, 1.329, 0.202, 2.11, 0.1),
    "fifo-dd": PublishedRow(1.343, 2.716, 0.684, 5.31, 0.0),
    "spt-rr": PublishedRow(1.325, 2.714, 0.685, 5.33, 0.0),
    "spt-mct": PublishedRow(1.0, 1.329, 0.202, 2.1, 0.0),
    "spt-dd": PublishedRow(1.325, 2.714, 0.685, 5.33, 0.0),
    "srpt-rr": PublishedRow(1.325, 2.714, 0.686, 5.32, 0.0),
    "srpt-mct": PublishedRow(1.0, 1.328, 0.202, 2.1, 0.0),
    "srpt-dd": PublishedRow(1.325, 2.714, 0.686, 5.32, 0.0),
    "swrpt-rr": PublishedRow(1.322, 2.715, 0.686, 5.32, 0.0),
    "swrpt-mct": PublishedRow(1.0, 1.328, 0.202, 2.1, 0.0),
    "swrpt-dd": PublishedRow(1.322, 2.715, 0.686, 5.32, 0.0),
    "mwma-nbt": PublishedRow(1.0, 1.079, 0.07, 1.45, 4.6),
    "mwma-ms": PublishedRow(1.0, 1.078, 0.067, 1.42, 2.1),
    "cbs3m-fifo-online": PublishedRow(1.0, 1.029, 0.029, 1.17, 7.5),
    "cbs3m-edf-online": PublishedRow(1.0, 1.004, 0.006, 1.05, 35.0),
    "cbs3m-fifo-offline": PublishedRow(1.0, 1.018, 0.023, 1.22, 17.6),
    "cbs3m-edf-offline": PublishedRow(1.0, 1.003, 0.006, 1.07, 53.0),
}
_MAX_FLOW: Final = {
    "fifo-rr": PublishedRow(1.146, 3.097, 1.135, 10.2, 0.0),
    "fifo-mct": PublishedRow(1.0, 1.281, 0.258, 2.83, 14.4),
    "fifo-dd": PublishedRow(1.146, 3.097, 1.135, 10.2, 0.0),
    "spt-rr": PublishedRow(1.386, 3.282, 1.222, 10.9, 0.0),
    "spt-mct": PublishedRow(1.002, 1.46, 0.287, 3.09, 0.0),
    "spt-dd": PublishedRow(1.386, 3.282, 1.222, 10.9, 0.0),
    "srpt-rr": PublishedRow(1.386, 3.289, 1.225, 10.9, 0.0),
    "srpt-mct": PublishedRow(1.003, 1.473, 0.306, 4.28, 0.0),
    "srpt-dd": PublishedRow(1.386, 3.289, 1.225, 10.9, 0.0),
    "swrpt-rr": PublishedRow(1.382, 3.291, 1.225, 10.9, 0.0),
    "swrpt-mct": PublishedRow(1.0, 1.477, 0.309, 4.28, 0.1),
    "swrpt-dd": PublishedRow(1.382, 3.291, 1.225, 10.9, 0.0),
    "mwma-nbt": PublishedRow(1.0, 1.181, 0.153, 1.99, 7.0),
    "mwma-ms": PublishedRow(1.0, 1.261, 0.189, 2.32, 1.1),
    "cbs3m-fifo-online": PublishedRow(1.0, 1.054, 0.061, 1.52, 5.8),
    "cbs3m-edf-online": PublishedRow(1.0, 1.031, 0.057, 1.48, 23.2),
    "cbs3m-fifo-offline": PublishedRow(1.0, 1.037, 0.058, 1.48, 21.6),
    "cbs3m-edf-offline": PublishedRow(1.0, 1.023, 0.055, 1.48, 48.7),
}
_SUM_FLOW: Final = {
    "fifo-rr": PublishedRow(1.644, 4.02, 1.567, 16.3, 0.0),
    "fifo-mct": PublishedRow(1.134, 1.652, 0.264, 3.33, 0.0),
    "fifo-dd": PublishedRow(1.644, 4.02, 1.567, 16.3, 0.0),
    "spt-rr": PublishedRow(1.196, 2.811, 1.081, 9.21, 0.0),
    "spt-mct": PublishedRow(1.0, 1.149, 0.171, 2.32, 3.5),
    "spt-dd": PublishedRow(1.196, 2.811, 1.081, 9.21, 0.0),
    "srpt-rr": PublishedRow(1.079, 2.704, 1.048, 9.03, 0.0),
    "srpt-mct": PublishedRow(1.0, 1.105, 0.151, 2.23, 32.1),
    "srpt-dd": PublishedRow(1.079, 2.704, 1.048, 9.03, 0.0),
    "swrpt-rr": PublishedRow(1.079, 2.706, 1.049, 9.03, 0.0),
    "swrpt-mct": PublishedRow(1.0, 1.108, 0.152, 2.23, 15.4),
    "swrpt-dd": PublishedRow(1.079, 2.706, 1.049, 9.03, 0.0),
    "mwma-nbt": PublishedRow(1.0, 1.404, 0.217, 2.29, 0.1),
    "mwma-ms": PublishedRow(1.359, 2.333, 0.355, 3.7, 0.0),
    "cbs3m-fifo-online": PublishedRow(1.0, 1.122, 0.101, 1.62, 1.4),
    "cbs3m-edf-online": PublishedRow(1.0, 1.065, 0.09, 1.53, 35.6),
    "cbs3m-fifo-offline": PublishedRow(1.0, 1.12, 0.103, 1.67, 0.3),
    "cbs3m-edf-offline": PublishedRow(1.0, 1.087, 0.101, 1.66, 18.7),
}
SIMULATED: Final[Mapping[str, Mapping[str, PublishedRow]]] = {
    "max_stretch": _MAX_STRETCH,
    "sum_stretch": _SUM_STRETCH,
    "makespan": _MAKESPAN,
    "max_flow": _MAX_FLOW,
    "sum_flow": _SUM_FLOW,
}
"""By score and policy."""

MEASURED: Final[Mapping[str, float]] = {
    "cbs3m-edf-offline": 1.28,
    "cbs3m-edf-online": 1.31,
    "cbs3m-fifo-offline": 1.35,
    "cbs3m-fifo-online": 1.38,
    "fifo-mct": 1.95,
    "fifo-rr": 4.26,
    "mwma-ms": 2.24,
    "mwma-nbt": 1.48,
    "spt-dd": 4.76,
    "spt-mct": 1.97,
    "srpt-mct": 2.0,
    "swrpt-mct": 2.03,
}
"""The mean of the worst stretch over the least possible one, of ten experiments on a cluster."""


NEAR: Final = 1.5
"""A mean is near the published one if neither is more than so many times the other."""
TITLES: Final[Mapping[str, tuple[str, str]]] = {
    "max_stretch": ("1", "Worst stretch, over the least possible one"),
    "sum_stretch": ("2", "Sum of stretches, over the best of a scenario"),
    "makespan": ("3", "Makespan, over the best of a scenario"),
    "max_flow": ("4", "Longest time from release to end, over the best of a scenario"),
    "sum_flow": ("5", "Sum of times from release to end, over the best of a scenario"),
}
PLATFORM: Final = (
    "The platform is not published (its plot is lost), nor how sizes were drawn; ours were chosen "
    "by a few other scenarios."
)
_CHOICES: Final[Mapping[str, str]] = {"rr": "In turn", "mct": "Done first", "dd": "On demand"}


def label_of(policy: str) -> str:
    return TASK_POLICIES[policy].label


def table_figure(sample: ScenarioSample, score: str, claims: Sequence[Claim]) -> Figure:
    """A table with its claims: those that are given, and one for each row."""
    number, title = TITLES[score]
    rows = [_row(sample, score, name) for name in (*PUBLISHED_POLICIES, *OUR_POLICIES)]
    head = ["policy"]
    for what in ("least", "mean", "deviation", "most", "best (%)"):
        head += [f"{what}, published", "here"]
    return Figure(
        number,
        title,
        f"{len(sample.least)} scenarios of 20 bags on 10 machines. Published are means over an "
        "unknown number of scenarios; ours are with half of their intervals of 95 %. "
        "Deviations are standard deviations over scenarios.",
        _panels(sample, score) if score == "max_stretch" else [],
        [*claims, *_row_claims(sample, score)],
        [
            "Best of a scenario are the published policies but for DD: published rows of DD are "
            "those of RR to the last digit, while a true DD, where machines ask for tasks, is "
            "another policy. So it may be better than the best."
        ],
        Table(head, rows),
        "Table",
    )


def _row(sample: ScenarioSample, score: str, name: str) -> list[str]:
    values, printed = sample.of(score, name), SIMULATED[score].get(name)
    found = sample.interval(score, name)
    least, mean, deviation, most, best = (
        ("",) * 5
        if printed is None
        else (
            f"{printed.least:.3f}",
            f"{printed.mean:.3f}",
            f"{printed.deviation:.3f}",
            f"{printed.most:.3g}",
            f"{printed.best:.1f}",
        )
    )
    return [
        label_of(name),
        *(least, f"{values.min():.3f}"),
        *(mean, f"{found.mean:.3f} ± {found.half_width:.3f}"),
        *(deviation, f"{values.std():.3f}"),
        *(most, f"{values.max():.3g}"),
        *(best, f"{100 * sample.best(score, [name]):.1f}"),
    ]


def _row_claims(sample: ScenarioSample, score: str) -> Iterator[Claim]:
    for name in COMPARED:
        printed: PublishedRow = SIMULATED[score][name]
        here = sample.interval(score, name)
        times = max(here.mean / printed.mean, printed.mean / here.mean)
        yield Claim(
            f"The mean of {label_of(name)} (read: neither is more than {NEAR:g} times the other)",
            f"{printed.mean:.3f}",
            f"{here.mean:.3f} ± {here.half_width:.3f}",
            times <= NEAR,
            f"{here.mean / printed.mean:.2f} times",
            cause=PLATFORM,
            of_row=True,
        )


def _panels(sample: ScenarioSample, score: str) -> list[Panel]:
    """Lists by their choice of machines, and what plans."""
    groups = {choice: [n for n in TASK_POLICIES if n.endswith(choice)] for choice in _CHOICES}
    groups["CBS3M"] = [n for n in TASK_POLICIES if n.startswith("cbs3m")]
    groups["MWMA, and ours"] = [n for n in TASK_POLICIES if n.startswith(("mwma", "polished"))]
    return [
        Panel(
            _CHOICES.get(title, title),
            "policy",
            "over the least possible",
            "",
            [
                Series(
                    "scenarios",
                    np.arange(len(names), dtype=float),
                    np.array([sample.of(score, name) for name in names]),
                )
            ],
            "violins",
            log_y=True,
            categories=[label_of(name).replace(" ", "\n") for name in names],
        )
        for title, names in groups.items()
    ]
