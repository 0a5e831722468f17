"""Figure 4.2: the profit lost between the bound and a schedule, by the size of the bag."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from benchmarks.publications.claim import UNMEASURED, Claim, percent
from benchmarks.publications.figure import Figure, Panel, Series, Table
from benchmarks.publications.phases import generator
from benchmarks.publications.profit.answers import (
    OURS,
    PHASES,
    RATIOS,
    environment,
    published_phases,
    terms_at,
)
from benchmarks.samples import resample
from core.capabilities.profit.earn import earn
from core.capabilities.profit.program import most_profit
from core.engines.relaxed import trace_front
from core.vocabulary.arrays import FloatArray
from core.vocabulary.budget import Effort

EXPERIMENT: Final = 8
TASKS_A_MACHINE: Final = (10, 30, 100)
PUBLISHED_TRIALS: Final = 100
MOST_POLISHED: Final = 20


@dataclass(frozen=True, eq=False)
class Losses:
    """How far the profit of a schedule is below its bound, as a share of the bound: [ratio, size,
    trial].

    `polished` has fewer trials than `published`.
    """

    tasks_a_machine: FloatArray
    published: FloatArray
    polished: FloatArray


def measure(
    trials: int,
    polish_seconds: float,
    say: Callable[[str], None],
    tasks_a_machine: Sequence[int] = TASKS_A_MACHINE,
) -> Losses:
    """Measure bags drawn from the environment's mix; the first of each size are also polished."""
    full = environment()
    published = np.empty((len(RATIOS), len(tasks_a_machine), trials))
    polished = np.empty((*published.shape[:2], min(trials, MOST_POLISHED)))
    for size, tasks in enumerate(tasks_a_machine):
        say(f"  {tasks} tasks a machine")
        for trial in range(trials):
            bag = resample(full, tasks * full.machines, generator(EXPERIMENT, size, trial))
            front = trace_front(bag)
            for k, ratio in enumerate(RATIOS):
                terms = terms_at(front, ratio)
                bound = most_profit(bag, terms)
                lost = bound.value - published_phases(bag, bound).profit
                published[k, size, trial] = lost / bound.value
                if trial < MOST_POLISHED:
                    found = earn(bag, terms, effort=Effort(polish_seconds))
                    polished[k, size, trial] = found.gap / found.bound.value
    return Losses(np.array(tasks_a_machine, np.float64), published, polished)


def figure(losses: Losses, polish_seconds: float) -> Figure:
    ways = {PHASES: losses.published, OURS: losses.polished}
    left = losses.polished.mean(axis=2) / _same_bags(losses).mean(axis=2)
    cause = (
        "What polish removes is most where most is lost: it leaves "
        + "; ".join(
            f"{_listed(of_ratio)} at ratio {ratio:g}"
            for ratio, of_ratio in zip(RATIOS, left, strict=True)
        )
        + " of the loss, by size."
    )
    return Figure(
        "4.2",
        "Profit lost from the bound to a schedule",
        "No idle power; bags drawn anew from the same mix of types, "
        f"{losses.published.shape[2]} of each size (the publication: {PUBLISHED_TRIALS}); ours "
        f"polished for {polish_seconds:g} s, in one thread, on the first "
        f"{losses.polished.shape[2]} of them. The table has means and standard deviations.",
        [
            _panel("(a) Published", losses.tasks_a_machine, losses.published),
            _panel("(b) Ours", losses.tasks_a_machine, losses.polished),
        ],
        [
            claim
            for name, values in ways.items()
            for claim in (
                _shrinks(name, values, cause),
                _ordered(name, values, cause),
            )
        ],
        [
            "We do not know the sizes of the publication's bags; these are our choice. "
            f"Polish leaves {percent(losses.polished.mean() / _same_bags(losses).mean())} of what "
            "the published phases lose on the same bags, on average."
        ],
        _table(losses, ways),
    )


def _table(losses: Losses, ways: Mapping[str, FloatArray]) -> Table:
    """Means and standard deviations."""
    columns = [(name, k) for name in ways for k in range(len(RATIOS))]
    return Table(
        ["tasks a machine", *(f"{name}, ratio {RATIOS[k]:g} (%)" for name, k in columns)],
        [
            [
                f"{tasks:g}",
                *(_spread(ways[name][k, size]) for name, k in columns),
            ]
            for size, tasks in enumerate(losses.tasks_a_machine.tolist())
        ],
    )


def _spread(shares: FloatArray) -> str:
    return f"{100 * shares.mean():.2f} ± {100 * shares.std():.2f}"


def _same_bags(losses: Losses) -> FloatArray:
    return losses.published[:, :, : losses.polished.shape[2]]


def _panel(title: str, tasks_a_machine: FloatArray, values: FloatArray) -> Panel:
    return Panel(
        title,
        "tasks a machine",
        "decrease of profit",
        "%",
        [
            Series(f"ratio {ratio:g}", tasks_a_machine, 100 * of_ratio)
            for ratio, of_ratio in zip(RATIOS, values, strict=True)
        ],
        "violins",
        log_y=True,
        categories=[f"{tasks:g}" for tasks in tasks_a_machine],
    )


def _shrinks(name: str, values: FloatArray, cause: str) -> Claim:
    mean = values.mean(axis=2)
    rises = int((np.diff(mean, axis=1) >= 0).sum())
    return Claim(
        f"{name.capitalize()}: the decrease shrinks with the bag (read: the mean, from each size "
        "to the next, for every ratio)",
        _said("shrinks", name),
        "; ".join(
            f"ratio {ratio:g}: {_listed(of_ratio)}"
            for ratio, of_ratio in zip(RATIOS, mean, strict=True)
        ),
        rises == 0,
        UNMEASURED if rises == 0 else f"rises at {rises} steps",
        cause=cause,
        ours=name != PHASES,
    )


def _ordered(name: str, values: FloatArray, cause: str) -> Claim:
    mean = values.mean(axis=2)
    smallest = mean.argmin(axis=0) == 0
    return Claim(
        f"{name.capitalize()}: it is smallest for the smallest ratio (read: the mean, at every "
        "size)",
        _said("smallest", name),
        f"{_listed(mean[0])} against at least {_listed(mean[1:].min(axis=0))}",
        bool(smallest.all()),
        UNMEASURED if smallest.all() else f"not at {int((~smallest).sum())} sizes",
        cause=cause,
        ours=name != PHASES,
    )


def _said(word: str, name: str) -> str:
    return word if name == PHASES else f"{word}, of the published phases"


def _listed(shares: FloatArray) -> str:
    return ", ".join(percent(share, 2) for share in shares.tolist())
