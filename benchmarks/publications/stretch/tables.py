"""The tables of the simulations, and the claims that compare their rows with ours."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from benchmarks.publications.claim import Claim
from benchmarks.publications.figure import Figure, Panel, Series, Table
from benchmarks.publications.stretch.printed import SIMULATED, PublishedRow
from benchmarks.publications.stretch.scenario_runs import COMPARED, ScenarioSample
from core.capabilities.fair_shares.tasks.policies import (
    OUR_POLICIES,
    PUBLISHED_POLICIES,
    TASK_POLICIES,
)

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
