"""Days of urgent jobs, for figures 36 to 40: what is replayed, and what it comes to."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import numpy as np

from benchmarks.publications.arrivals.days import (
    Days,
    DaysOfKinds,
    DayTask,
    replayed,
    undropped,
)
from core.capabilities.arrivals.made.synthetic import MINUTE
from core.capabilities.arrivals.made.urgent import CurveName, UrgentSettings, draw_urgent_day
from core.capabilities.arrivals.policies import published_maximum
from core.engines.compute.executors import Engine
from core.engines.replay.workload import Workload
from core.engines.replay.worth import ALWAYS_ONE
from core.vocabulary.arrays import FloatArray

PUBLISHED_TRIALS: Final = 64
PAIR_SHARE: Final = 8
SMALLER: Final = 8
"""Pair takes up to two minutes on a day whose jobs are not alike. So it meets one day of
`PAIR_SHARE`, with fewer cores, jobs and jobs in a burst by a factor of `SMALLER`.
"""

COMPARISON: Final = ("random-now", "fcfs-now")
UTIL, UPT = "util", "upt"
KINDS: Final = ("now", "greedy", "diff")
"""How Max Util and Max UPT decide: they stop no job, or stop jobs as Greedy or Diff."""
PAIR: Final = "pair"
BY_WORTH: Final = tuple(f"{measure}-{kind}" for measure in (UTIL, UPT) for kind in KINDS)
PAIRS: Final = tuple(f"{measure}-{PAIR}" for measure in (UTIL, UPT))
STOPPING: Final = tuple(name for name in BY_WORTH if not name.endswith("-now"))
ALL: Final = (*COMPARISON, *BY_WORTH, *PAIRS)
LABELS: Final[Mapping[str, str]] = {
    "random-now": "Random",
    "fcfs-now": "FCFS",
    **{
        f"{short}-{kind}": f"Max {said}{ending}"
        for short, said in ((UTIL, "Util"), (UPT, "UPT"))
        for kind, ending in (
            ("now", ""),
            ("greedy", " Greedy"),
            ("diff", " Diff"),
            (PAIR, " Pair"),
        )
    },
}

USUAL: Final = UrgentSettings()
CURVES: Final[Mapping[CurveName, str]] = {
    "step": "step",
    "decaying": "decaying",
    "classes": "20 classes",
}
BURSTS: Final = (1, 16, 32, 64, 128)
FLAGS: Final = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
MINUTES: Final = (10.0, 30.0, 50.0)
"""What a critical job takes on average."""


def of_curves(name: CurveName) -> UrgentSettings:
    return replace(USUAL, curves=name)


def of_burst(burst: int) -> UrgentSettings:
    return replace(USUAL, burst=burst)


def of_flags(share: float) -> UrgentSettings:
    return replace(USUAL, flags=share)


def of_steps(share: float) -> UrgentSettings:
    """So many flags, with steps in place of classes."""
    return replace(USUAL, flags=share, curves="step")


def of_minutes(minutes: float) -> UrgentSettings:
    return replace(USUAL, critical_time=minutes * MINUTE)


def smaller(kind: UrgentSettings) -> UrgentSettings:
    """The days of this kind that Pair meets, which have the same load."""
    return replace(
        kind,
        a_day=kind.a_day / SMALLER,
        cores=kind.cores // SMALLER,
        burst=max(kind.burst // SMALLER, 1),
    )


KINDS_OF_DAY: Final = tuple(
    dict.fromkeys(
        [
            *map(of_curves, CURVES),
            *map(of_burst, BURSTS),
            *map(of_flags, FLAGS),
            *map(of_minutes, MINUTES),
        ]
    )
)

TRIED_KINDS: Final = tuple(map(of_steps, FLAGS[:-1]))
"""Days that are tried to find a cause; with all flags, they are among the others."""
TRIED: Final = 4
"""So many trials each."""


@dataclass(frozen=True)
class UrgentDays(DaysOfKinds[UrgentSettings]):
    """What came of each kind of days. Of its smaller days, Pair and all by worth have trials."""

    def completed(self, kind: UrgentSettings, policy: str) -> FloatArray:
        """The jobs that were done in each trial, in percent of all that arrived."""
        scores = self.days[kind].scores[undropped(policy)]
        return np.array([100 * one.score.completed / one.jobs for one in scores])

    @property
    def trials(self) -> int:
        return len(self.shares(USUAL, BY_WORTH[0]))

    @property
    def trials_of_pair(self) -> int:
        return len(self.shares(smaller(USUAL), PAIRS[0]))

    @property
    def tried(self) -> int:
        """How many days were tried to find a cause."""
        return len(self.shares(of_steps(FLAGS[1]), STOPPING[0]))


def starting_worth(workload: Workload) -> float:
    """What chapter 4 calls the maximum system utility: the worth within the horizon if every job
    began when it arrived, on its fastest pool, and then had its full worth.
    """
    jobs = replace(workload.jobs, curve=np.zeros(len(workload.jobs), np.int64))
    return published_maximum(replace(workload, jobs=jobs, curves=ALWAYS_ONE))


def drawn_day(kind: UrgentSettings, trial: int) -> Workload:
    return draw_urgent_day(replace(kind, seed=trial))


def pair_trials(trials: int) -> int:
    """How many days of a kind are replayed under Pair."""
    return max(round(trials / PAIR_SHARE), 1)


def measure(trials: int, engine: Engine, say: Callable[[str], None]) -> UrgentDays:
    """All kinds of days under all policies."""
    found = {}
    for place, kind in enumerate(KINDS_OF_DAY, start=1):
        say(f"urgent jobs, days {place} of {len(KINDS_OF_DAY)}: {trials} trials")
        found[kind] = _replayed(kind, (*COMPARISON, *BY_WORTH), trials, engine, say)
        few, names = pair_trials(trials), (*BY_WORTH, *PAIRS)
        say(f"  smaller ones, for Pair: {few} trials")
        found[smaller(kind)] = _replayed(smaller(kind), names, few, engine, say)
    say("causes: flags, with steps")
    for kind in TRIED_KINDS:
        found[kind] = _replayed(kind, STOPPING, min(trials, TRIED), engine, say)
    return UrgentDays(found)


def _replayed(
    kind: UrgentSettings,
    policies: Sequence[str],
    trials: int,
    engine: Engine,
    say: Callable[[str], None],
) -> Days:
    draw, settings = partial(drawn_day, kind), [undropped(name) for name in policies]
    tasks = [DayTask(draw, trial, settings, maximum=starting_worth) for trial in range(trials)]
    return replayed(tasks, engine, say)
