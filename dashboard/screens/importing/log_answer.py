"""What a log gives with the rules that a person has chosen: computed in a worker process."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from core import InvalidInput, System, solve, study
from core.engines.compute.task import Task
from core.engines.front.methods import Lp
from core.engines.logs.derived.derivation import Derivation, derive
from core.engines.logs.derived.records import examples, provenance_text, rejected_lines
from core.engines.logs.derived.replayed import Replayed, replayed
from core.engines.logs.metered.power_samples import PowerSamples
from core.engines.logs.pairs.needs import misfit_in_words
from core.engines.logs.reading.rejections import Example
from core.engines.logs.reading.store import RunStore
from core.engines.logs.types.accepting import USED, Reasons, state_counts
from core.engines.logs.types.node_table import NodeTable
from core.engines.logs.types.settings import RunSettings
from core.shells.studies.log_seen import seen_in_log
from core.shells.studies.seen import NOTHING_SEEN, SeenInLog
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.budget import Effort, never
from core.vocabulary.problems import Problem
from dashboard.parts.opening.log_folder import LogFolder, LogUploads
from dashboard.parts.opening.log_reading import read_log_files, read_uploads
from dashboard.server.background import Job

YEAR: Final = 365 * 86400.0
"""Logs whose first moment is earlier count their seconds from their own beginning."""
LAST_DATE: Final = 8e9
"""Moments after the year 2223 are no dates."""
_BINS: Final = 120
_SPACING: Final = 0.05
MOST_REJECTED: Final = 200_000
"""Rows of the file of rows not used that the page offers; the command line writes all."""


@dataclass(frozen=True, slots=True)
class LogAsked:
    """What a person asks of a log."""

    settings: RunSettings = field(default_factory=RunSettings)
    estimates: bool = True
    table: NodeTable = field(default_factory=NodeTable)
    samples: Path | None = None
    """Samples of power, as `PowerSamples.save` wrote them."""

    def derivation(
        self, store: RunStore, *, estimates: bool, should_stop: Callable[[], bool] = never
    ) -> Derivation:
        """What was asked for, of this store. May raise `InvalidInput`."""
        samples = None if self.samples is None else PowerSamples.load(self.samples)
        return derive(
            store,
            self.settings,
            self.table,
            samples=samples,
            estimates=estimates,
            should_stop=should_stop,
        )


@dataclass(frozen=True, eq=False)
class RunsOverTime:
    """Runs that began in each of some spans of time: `edges` are seconds since 1970."""

    edges: FloatArray
    used: IntArray
    rejected: IntArray


@dataclass(frozen=True, eq=False)
class Replay:
    """What was possible for the tasks of a log: the least makespan of a schedule (s); where powers
    are known, vertices of the bound and schedules as (joules, seconds), by rising energy.
    """

    makespan: float
    bound: FloatArray
    schedules: FloatArray


@dataclass(frozen=True, eq=False)
class LogAnswer:
    """What was derived, and what pictures need beside it; without a system, the problems.

    `derived` does not have the types of each run: `task_runs` and `machine_runs` count the used
    runs of each type. `seen` is what the log says beside the system.
    """

    asked: LogAsked
    problems: tuple[Problem, ...] = ()
    derived: Derivation | None = None
    examples: Mapping[str, Sequence[Example]] = field(default_factory=dict)
    task_runs: tuple[int, ...] = ()
    machine_runs: tuple[int, ...] = ()
    timeline: RunsOverTime | None = None
    replayed: Replayed | None = None
    replay: Replay | None = None
    seen: SeenInLog = NOTHING_SEEN

    @property
    def system(self) -> System | None:
        return None if self.derived is None else self.derived.system


def cannot_run(derived: Derivation) -> dict[tuple[str, str], str]:
    """Why pairs, by the names of their types, cannot run."""
    system = derived.system
    return {
        (system.task_names[i], system.machine_names[j]): misfit_in_words(why)
        for (i, j), why in sorted(derived.misfits.items())
    }


@dataclass(frozen=True, slots=True)
class LogOverview:
    """What a person needs to choose: how many runs ended in each state, and the first and the last
    start (seconds since 1970), None where the log has no dates.
    """

    states: Mapping[str, int]
    begin: float | None
    end: float | None


def overview(folder: Path) -> LogOverview:
    store = RunStore(folder)
    begin, end = math.inf, -math.inf
    for block in store.blocks(["start"]):
        start = block["start"][np.isfinite(block["start"])]
        begin = min(begin, float(start.min(initial=math.inf)))
        end = max(end, float(start.max(initial=-math.inf)))
    if not YEAR < begin <= end < LAST_DATE:
        return LogOverview(state_counts(store), None, None)
    return LogOverview(state_counts(store), begin, end)


def answer(folder: Path, asked: LogAsked, should_stop: Callable[[], bool] = never) -> LogAnswer:
    """The answer for a store; problems that a person can mend are part of it."""
    store = RunStore(folder)
    try:
        derived = asked.derivation(store, estimates=asked.estimates, should_stop=should_stop)
    except InvalidInput as refused:
        return LogAnswer(asked, refused.problems)
    found = derived.classified
    used = found.reasons.of_run == USED
    took = replayed(derived, store)
    nothing, none = Reasons(found.reasons.of_run[:0], found.reasons.lost), found.task[:0]
    return LogAnswer(
        asked,
        (),
        replace(derived, classified=replace(found, reasons=nothing, task=none, machine=none)),
        {**store.examples, **examples(derived, store)},
        _runs_of(found.task[used], len(derived.system.task_types)),
        _runs_of(found.machine[used], len(derived.system.machine_types)),
        _timeline(store, derived),
        took,
        seen=seen_in_log(derived, store, took),
    )


def with_replay(found: LogAnswer) -> LogAnswer:
    """The answer with what was possible for the same tasks."""
    if found.system is None or found.replayed is None:
        return found
    if found.system.apc is None:
        fastest = solve(found.system, effort=Effort(0))
        nothing = np.zeros((0, 2))
        replay = Replay(fastest.schedule.makespan, nothing, nothing)
        return replace(found, replay=replay if fastest.verdict.ok else None)
    studied = study(found.system, Lp(_SPACING), effort=Effort(0))
    if not studied.verified:
        return found
    shown = studied.achieved
    return replace(found, replay=Replay(float(shown[:, 1].min()), studied.front.points, shown))


def provenance_file(folder: Path, asked: LogAsked) -> bytes:
    """The provenance of the system, as a JSON file."""
    store = RunStore(folder)
    derived = asked.derivation(store, estimates=asked.estimates)
    return provenance_text(derived, store).encode()


def rejected_file(folder: Path, asked: LogAsked) -> bytes:
    """The rows that are not used, each with its reason, as a CSV file."""
    store = RunStore(folder)
    derived = asked.derivation(store, estimates=False)
    lines: list[str] = []
    for line in rejected_lines(derived, store):
        lines.append(line)
        if len(lines) > MOST_REJECTED:
            break
    return "".join(lines).encode()


def _runs_of(numbers: IntArray, types: int) -> tuple[int, ...]:
    return tuple(np.bincount(numbers, minlength=types).tolist())


def _timeline(store: RunStore, derived: Derivation) -> RunsOverTime | None:
    start = store.column("start")
    known = np.isfinite(start)
    if not known.any():
        return None
    low, high = float(start[known].min()), float(start[known].max())
    edges = np.linspace(low, max(high, low + 1.0), _BINS + 1)
    used = derived.classified.reasons.of_run == USED
    of_used, _ = np.histogram(start[known & used], edges)
    of_rest, _ = np.histogram(start[known & ~used], edges)
    return RunsOverTime(edges, of_used, of_rest)


@dataclass(frozen=True, eq=False)
class OpenLog:
    folder: LogFolder
    store: RunStore
    overview: LogOverview

    @property
    def name(self) -> str:
        return self.store.logs[0].name


@dataclass(frozen=True, eq=False)
class WattsRead:
    """Samples of power: what tells their files from others; where they are kept, None if they
    cannot be read; and what is said of them.
    """

    file: str = ""
    path: Path | None = None
    said: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    folder: LogFolder | None = None


NO_WATTS: Final = WattsRead()


@dataclass(eq=False)
class LogDesk:
    """The log of a session, and what a person has chosen: `log` tells it from others.

    `typed` are the fields of a `Machine` that were typed in, for each machine type; the grid was
    edited `grid_edits` times. `allowed` pairs may run whatever the log says. `asked` is what was
    asked last, and `answered` the last answer; it stays until there is a new one.
    """

    log: str = ""
    opened: OpenLog | None = None
    table: NodeTable = field(default_factory=NodeTable)
    table_file: str = ""
    table_problems: tuple[Problem, ...] = ()
    watts: "WattsRead" = field(default_factory=lambda: NO_WATTS)
    typed: dict[str, dict[str, float]] = field(default_factory=dict)
    grid_edits: int = 0
    allowed: tuple[tuple[str, str], ...] = ()
    asked: LogAsked = field(default_factory=LogAsked)
    answered: LogAnswer | None = None

    def take(self, log: str) -> None:
        """Begins anew with a log, or none. What a person has said of machines stays."""
        self.log, self.opened, self.allowed, self.answered = log, None, (), None
        self.asked = LogAsked()

    @property
    def pairs_to_allow(self) -> list[tuple[str, str]]:
        """The pairs of the last answer that cannot run, or may because they are allowed."""
        if self.answered is None:
            return []
        derived, allowed = self.answered.derived, self.answered.asked.settings.allowed
        return sorted({*(cannot_run(derived) if derived else ()), *allowed})

    @property
    def table_in_force(self) -> NodeTable:
        """The uploaded table of nodes with what was typed in."""
        return self.table.with_machines(
            {
                name: replace(self.table.of(name), **_cells(typed))
                for name, typed in self.typed.items()
                if typed
            }
        )


def _cells(typed: Mapping[str, float]) -> dict[str, Any]:
    whole = ("nodes", "cores", "gpus")
    return {name: int(value) if name in whole else value for name, value in typed.items()}


def reading(folder: LogFolder, uploads: LogUploads) -> Callable[[Job[OpenLog]], None]:
    """The work of a job that reads uploads into a store."""

    def work(job: Job[OpenLog]) -> None:
        store = read_uploads(job, folder, uploads, read_log_files)
        job.show(OpenLog(folder, RunStore(store), job.compute(Task(overview, (store,)))))

    return work


def deriving(opened: OpenLog, asked: LogAsked) -> Callable[[Job[LogAnswer]], None]:
    """The work of a job that answers what was asked of a log, and then compares it with what the
    same tasks could have taken.
    """

    def work(job: Job[LogAnswer]) -> None:
        job.begin("Deriving the system")
        found = job.compute(Task(answer, (opened.store.folder, asked)))
        job.show(found)
        if found.system is not None and found.replayed is not None and not job.should_stop():
            job.begin("Comparing with what was possible")
            job.show(job.compute(Task(with_replay, (found,))))

    return work
