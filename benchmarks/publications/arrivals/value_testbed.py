"""Figures 12 to 17: the testbed of four hosts. Its matrices are not printed; others stand in."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple

import numpy as np

from benchmarks.publications.arrivals.budget import ahead, listed, said, signed
from benchmarks.publications.arrivals.days import each_trial
from benchmarks.publications.arrivals.urgent_claims import trials_said
from benchmarks.publications.arrivals.value import LABELS, SIMPLE_DP, VPTR
from benchmarks.publications.claim import Claim
from benchmarks.publications.figure import Figure, Panel, Series, Table
from core.capabilities.arrivals.made.value_testbed import (
    HOST_CORES,
    HOST_MEMORY,
    JOBS_A_CORE,
    HostSettings,
    draw_value_testbed,
)
from core.capabilities.arrivals.policies import VALUE
from core.engines.compute.compiled import compile_from_now_on
from core.engines.compute.executors import Engine
from core.engines.replay.clock import ReplaySettings, replay
from core.engines.replay.outcome import ReplayOutcome
from core.engines.replay.workload import Workload
from core.vocabulary.arrays import FloatArray
from core.vocabulary.intervals import Interval
from core.vocabulary.say.words import HOUR

HOSTS: Final = (1, 2, 4)
WORKLOADS: Final = (1, 2)
"""The second one has all hours at the peak."""
ALL_GROWS: Final = (
    "Here jobs and memory grow with the cores, so more of all hardly changes what is chosen. It is "
    "said that few cores left little choice there; how many jobs there were is not printed."
)
GAINS: Final = {1: {1: 32.0, 2: 36.0, 4: 77.0}, 2: {4: 91.0}}
"""Percent that Max VPTR is said to earn more than Simple d&p, by workload and hosts."""


class BedKind(NamedTuple):
    """Which workload, and on how many hosts; or on one pool of all their cores and memory."""

    workload: int
    hosts: int
    pooled: bool = False


def sizes(workload: int, pooled: bool) -> list[BedKind]:
    """A workload on more and more hosts; a single one is a pool anyway."""
    return [BedKind(workload, hosts, pooled and hosts > 1) for hosts in HOSTS]


SERIES: Final = tuple((workload, pooled) for workload in WORKLOADS for pooled in (False, True))
KINDS: Final = tuple(dict.fromkeys(kind for one in SERIES for kind in sizes(*one)))


@dataclass(frozen=True)
class BedTask:
    kind: BedKind
    trial: int


class BedScore(NamedTuple):
    """Values of time and of energy, in percent of the maximum of both; the seconds and joules of
    all jobs that were done.
    """

    time: float
    energy: float
    seconds: float
    joules: float


@dataclass(frozen=True)
class BedRuns:
    """What came of Max VPTR and of Simple d&p in each trial, a row a trial, by `BedScore`."""

    scores: Mapping[BedKind, Mapping[str, FloatArray]]

    def value(self, kind: BedKind, policy: str) -> FloatArray:
        """In percent of the maximum."""
        return np.asarray(self.scores[kind][policy][:, :2].sum(axis=1))

    def figure(self, policy: str, name: str, kind: BedKind) -> FloatArray:
        return np.asarray(self.scores[kind][policy][:, BedScore._fields.index(name)])

    def lead(self, kind: BedKind) -> FloatArray:
        """By how many percentage points of the maximum Max VPTR is ahead, in each trial."""
        return self.value(kind, VPTR) - self.value(kind, SIMPLE_DP)

    @property
    def trials(self) -> int:
        return len(self.lead(KINDS[0]))


def draw_stand_in(kind: BedKind, trial: int) -> tuple[Workload, float]:
    """A workload, and what all jobs are worth together before both of their soft thresholds."""
    at_peak = kind.workload == WORKLOADS[1]
    settings = HostSettings(kind.hosts, at_peak, trial, kind.pooled, JOBS_A_CORE)
    workload, values = draw_value_testbed(settings)
    return workload, float(np.sum(values.weights.of(values.category, workload.jobs.arrival)))


def measure(trials: int, engine: Engine, say: Callable[[str], None]) -> BedRuns:
    found = {}
    for place, kind in enumerate(KINDS, start=1):
        say(f"value, testbed {place} of {len(KINDS)}: {trials} trials")
        tasks = [BedTask(kind, trial) for trial in range(trials)]
        scores = np.array(each_trial(scored_bed, tasks, engine, say))
        found[kind] = {VPTR: scores[:, 0], SIMPLE_DP: scores[:, 1]}
    return BedRuns(found)


def scored_bed(task: BedTask) -> list[BedScore]:
    """What comes of Max VPTR, then of Simple d&p."""
    compile_from_now_on()
    workload, most = draw_stand_in(task.kind, task.trial)
    settings = ReplaySettings(seed=task.trial)
    return [
        _score(replay(workload, VALUE[name].policy, settings=settings), most)
        for name in (VPTR, SIMPLE_DP)
    ]


def _score(outcome: ReplayOutcome, most: float) -> BedScore:
    added = outcome.workload.options.added[outcome.option]
    worth = outcome.job_worth
    energy = float(added[outcome.ran & (worth > 0.0)].sum())
    seconds = float((outcome.end - outcome.start)[outcome.ran].sum())
    share = 100.0 / most
    return BedScore(share * (outcome.worth - energy), share * energy, seconds, outcome.joules)


def figure_12_to_17(found: BedRuns) -> Figure:
    return Figure(
        "12 to 17",
        "The testbed, with a stand-in for its matrices",
        f"One, two and four hosts of {HOST_CORES} cores and {HOST_MEMORY:g} GB, and the same as "
        "one pool. Workload 1 has six hours, workload 2 three, which are all at the peak. "
        f"{trials_said(found.trials)}, each with other times and energies of the four types. Value "
        "in percent of what all jobs are worth together before both of their soft thresholds.",
        [_panel(found, *one) for one in SERIES],
        [
            ahead(
                "Value of service: Max VPTR earns more than Simple d&p",
                {_named(kind): Interval.of(found.lead(kind)) for kind in KINDS},
            ),
            _more(found, "time", "performance"),
            _more(found, "energy", "energy"),
            _gap_grows(found),
            _simple_falls(found),
            _less(found, "seconds", "time"),
            _less(found, "joules", "energy"),
            _seconds_grow(found),
        ],
        [
            "Signs alone are judged: the matrices are not printed, and ours say nothing of how "
            "large a gain is. Published gains of value of service: "
            + "; ".join(
                f"workload {workload}: "
                + ", ".join(
                    f"{gain:g} % on {HOST_CORES * hosts} cores" for hosts, gain in of.items()
                )
                for workload, of in GAINS.items()
            )
            + ". Simple draws a host with the size, and waits for it even if another is free. As "
            "one pool, it draws a size alone.",
        ],
        _table(found),
    )


def _named(kind: BedKind) -> str:
    cores = f"{kind.hosts * HOST_CORES} cores"
    return f"workload {kind.workload}, {cores}{' as one pool' if kind.pooled else ''}"


def _series(workload: int, pooled: bool) -> str:
    return f"workload {workload}{' as one pool' if pooled else ''}"


def _more(found: BedRuns, name: str, words: str) -> Claim:
    leads = {
        _named(kind): Interval.of(
            found.figure(VPTR, name, kind) - found.figure(SIMPLE_DP, name, kind)
        )
        for kind in KINDS
    }
    return ahead(f"The value of {words} alone is higher, too", leads)


def _from_first_to_last(of: Callable[[BedKind], FloatArray]) -> dict[str, Interval]:
    """By how much a figure grows from one host to the most, in each series."""
    found = {}
    for workload, pooled in SERIES:
        first, *_, last = sizes(workload, pooled)
        found[_series(workload, pooled)] = Interval.of(of(last) - of(first))
    return found


def _gap_grows(found: BedRuns) -> Claim:
    return ahead(
        f"The gap grows with the cores, from {HOSTS[0] * HOST_CORES} to {HOSTS[-1] * HOST_CORES}",
        _from_first_to_last(found.lead),
        cause=ALL_GROWS,
    )


def _simple_falls(found: BedRuns) -> Claim:
    return ahead(
        "The share of the maximum that Simple d&p earns falls as cores increase",
        _from_first_to_last(lambda kind: -found.value(kind, SIMPLE_DP)),
        cause=ALL_GROWS,
    )


def _less(found: BedRuns, name: str, words: str) -> Claim:
    less = {
        _named(kind): Interval.of(
            100 * (1 - found.figure(VPTR, name, kind) / found.figure(SIMPLE_DP, name, kind))
        )
        for kind in KINDS
    }
    return Claim(
        f"The {words} of all jobs that are done is less under Max VPTR (read: the interval of the "
        "difference lies above 0)",
        "less",
        listed({name: f"{signed(one)} %" for name, one in less.items()}),
        min(one.low for one in less.values()) > 0,
        cause=f"On average, it is less in {sum(one.mean > 0 for one in less.values())} of "
        f"{len(less)} cases. A policy that earns more may do more jobs, which take more together.",
    )


def _seconds_grow(found: BedRuns) -> Claim:
    grown = {
        f"{LABELS[policy]}, {name}": one.over(HOUR)
        for policy in (VPTR, SIMPLE_DP)
        for name, one in _from_first_to_last(partial(found.figure, policy, "seconds")).items()
    }
    return Claim(
        "The time of all jobs that are done grows with the cores under both, since more jobs come "
        "(read: the interval of the hours that are added lies above 0)",
        "grows",
        listed({name: f"{signed(one)} h" for name, one in grown.items()}),
        min(one.low for one in grown.values()) > 0,
    )


def _panel(found: BedRuns, workload: int, pooled: bool) -> Panel:
    x = np.array(HOSTS, float) * HOST_CORES
    series = [
        Series(
            LABELS[policy],
            x,
            np.array([found.value(kind, policy) for kind in sizes(workload, pooled)]),
        )
        for policy in (VPTR, SIMPLE_DP)
    ]
    unit = "% of the maximum"
    title = _series(workload, pooled)
    return Panel(title, "cores", "value", unit, series, "lines", intervals=True)


def _table(found: BedRuns) -> Table:
    rows = []
    for kind in KINDS:
        for policy in (VPTR, SIMPLE_DP):
            time, energy, seconds, joules = found.scores[kind][policy].T
            cells = time, energy, time + energy, seconds / HOUR, joules / 1e3
            row = [said(Interval.of(one)) for one in cells]
            rows.append([f"{_named(kind)}: {LABELS[policy]}", *row])
    head = ["value of time (%)", "of energy (%)", "of service (%)", "hours", "kJ"]
    return Table(["", *head], rows)
