"""The system that a log shows: from runs to task types, machine types, times and powers."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from core.engines.logs.metered.measuring_watts import MeteredWatts, measured_watts
from core.engines.logs.metered.power_samples import PowerSamples
from core.engines.logs.metered.sample_files import require_power_samples
from core.engines.logs.pairs.machines import MachinesSeen, find_machines, usual_unit
from core.engines.logs.pairs.measuring import PairMeasurements, measure
from core.engines.logs.pairs.needs import Misfit, misfits
from core.engines.logs.reading.logs import LogProgress, read_logs
from core.engines.logs.reading.recognising import LogFormat
from core.engines.logs.reading.rejections import JOB_STEP
from core.engines.logs.reading.store import RunStore
from core.engines.logs.types.accepting import Reasons, accept
from core.engines.logs.types.choosing import choose_machine_rule, choose_task_types
from core.engines.logs.types.classifying import Classified, TaskTypes, classify, without_types
from core.engines.logs.types.node_table import NodeTable, read_node_table
from core.engines.logs.types.nodes import Nodes
from core.engines.logs.types.rule_parts import Rule, RuleRefused
from core.engines.logs.types.settings import ANY, RunSettings
from core.engines.operations.estimates import PairEstimates, estimate_pairs
from core.files.findings import Unreadable, shown, shown_list
from core.files.samples.named import with_sample_log
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray
from core.vocabulary.budget import never
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.problems import InvalidInput, refuse, refusing
from core.vocabulary.ranges import ETC, MACHINE_COUNT
from core.vocabulary.system import System

_SHOWN: Final = 4
"""Reasons that a message names."""


@dataclass(frozen=True)
class Derivation:
    """A system, and what it was derived from.

    `settings` have the rules that were used, also those that Wattfront chose. Of the `rows` of the
    log, `jobs` (runs, of a table) were read; `steps` belong to jobs, and `unread` counts all others
    by reason. `left_out` counts jobs by reason: `jobs` = `used` + all of them.

    `measured` marks the pairs whose time is from at least `settings.min_runs` runs; the times of
    the others are estimates, or they cannot run. `misfits` says why a pair without runs cannot.
    """

    system: System
    classified: Classified
    machines: MachinesSeen
    runs: PairMeasurements
    measured: BoolArray
    settings: RunSettings
    rows: int
    steps: int
    unread: Mapping[str, int]
    jobs: int
    used: int
    left_out: Mapping[str, int]
    misfits: Mapping[tuple[int, int], Misfit]
    estimates: PairEstimates | None
    power_source: str
    """Where powers are from, `samples`, `runs` and `table`, with `and` between; "" if they are
    unknown.
    """
    gathered: int
    """How many task types are not kept apart although they are frequent, as there are too many."""
    of_slurm: bool
    """Whether a log is of Slurm, which measures the power of whole nodes."""

    is_table: bool
    """Whether the log is a table, of runs and not of jobs."""

    table: NodeTable
    """What a person or Slurm said of machines."""

    metered: MeteredWatts
    """What samples of monitoring say; nothing without samples."""

    @property
    def rejected(self) -> dict[str, int]:
        """Rows and jobs that are not used, by reason: `rows` = `steps` + `used` + all of them."""
        return {**self.unread, **self.left_out}

    @property
    def pairs(self) -> dict[str, int]:
        possible = np.isfinite(self.system.etc)
        measured = int(self.measured.sum())
        estimated = int(possible.sum()) - measured
        return {
            "measured": measured,
            "estimated": estimated,
            "impossible": possible.size - measured - estimated,
        }

    @property
    def unconnected(self) -> int:
        """How many pairs could not be estimated, because nothing connects their types."""
        return 0 if self.estimates is None else int(self.estimates.unconnected.sum())

    @property
    def held_out_error(self) -> float | None:
        """The median relative error of estimates of measured pairs that were held out."""
        if self.estimates is None or self.estimates.held_out is None:
            return None
        return self.estimates.held_out.kinds[self.estimates.kinds - 1].median


@dataclass(frozen=True)
class RulesInForce:
    """The rules in force for a log, and the types that they give."""

    settings: RunSettings
    reasons: Reasons
    types: TaskTypes
    machines: Rule
    nodes: Nodes


def choose(store: RunStore, settings: RunSettings, table: NodeTable) -> RulesInForce:
    """The rules that were asked for; where none was, a sensible one. Raises `InvalidInput`."""
    nodes = Nodes(store)
    settings = replace(settings, machine=settings.machine or usual_unit(store, nodes))
    given = table if table.has_nodes else None
    try:
        reasons = accept(store, settings)
        machines = choose_machine_rule(store, settings, reasons, nodes, given)
        types = choose_task_types(store, settings, reasons, machines)
    except RuleRefused as refusal:
        raise InvalidInput.of(str(refusal)) from refusal
    chosen = replace(
        settings, task_type=types.rule.text, machine_type=machines.text, rare_below=types.rare_below
    )
    return RulesInForce(chosen, reasons, types, machines, nodes)


def derive(
    store: RunStore,
    settings: RunSettings | None = None,
    table: NodeTable | None = None,
    *,
    samples: PowerSamples | None = None,
    estimates: bool = True,
    should_stop: Callable[[], bool] = never,
) -> Derivation:
    """The system that the runs show, with the watts of `samples` where there are enough of them.
    Without `estimates`, pairs never measured are impossible.

    Raises `InvalidInput` if a rule cannot be used, or if no pair has enough runs; and `Stopped`.
    """
    table = table or NodeTable()
    store = store.until(should_stop)
    choice = choose(store, settings or RunSettings(), table)
    seen = _seen(store, choice, table)
    metered = MeteredWatts()
    if samples is not None:
        metered = measured_watts(samples, store, seen.classified, choice.nodes, seen.machines)
        watts = {**seen.runs.watts, **metered.of_machines(seen.machines)}
        seen = seen._replace(runs=PairMeasurements(seen.runs.seconds, watts))
    classified = seen.classified
    barred = {
        (i, j): why
        for (i, j), why in misfits(store, classified, choice.nodes, seen.machines, table).items()
        if not is_allowed(seen.settings, classified.task_names[i], classified.machine_names[j])
    }
    pairs = _pairs(seen, table, metered)
    for pair in barred:
        pairs.times[pair] = np.inf
    each = range(len(classified.machine_names))
    filled = (
        estimate_pairs(pairs.times, pairs.powers, should_stop=should_stop) if estimates else None
    )
    return Derivation(
        _system(seen, pairs, filled, [_idle_watts(seen, table, metered, j) for j in each]),
        *seen,
        store.rows,
        store.rejected.get(JOB_STEP, 0),
        {reason: count for reason, count in store.rejected.items() if reason != JOB_STEP},
        len(store),
        classified.used,
        classified.reasons.counts(),
        barred,
        filled,
        pairs.power_source,
        choice.types.frequent - choice.types.kept,
        any(log.format == "sacct" for log in store.logs),
        store.is_table,
        table,
        metered,
    )


class _Seen(NamedTuple):
    """What the runs of a log show: the types that have a measured pair, their machines and runs,
    which pairs are measured, and the settings with the runs that this takes.
    """

    classified: Classified
    machines: MachinesSeen
    runs: PairMeasurements
    measured: BoolArray
    settings: RunSettings


def _seen(store: RunStore, choice: RulesInForce, table: NodeTable) -> _Seen:
    settings, nodes = choice.settings, choice.nodes
    classified = classify(store, choice.types, choice.machines, choice.reasons, settings)
    if not classified.used:
        raise InvalidInput.of(_why_nothing(classified.reasons))
    machines = find_machines(store, classified, nodes, table, settings.machine or "job")
    runs = measure(store, classified, nodes, machines, settings.statistic)
    counts = _runs_of_pairs(classified, runs)
    least = settings.min_runs or _usual_min_runs(counts)
    measured = np.greater_equal(counts, least)
    tasks, types = np.any(measured, axis=1), np.any(measured, axis=0)
    if not tasks.any():
        raise InvalidInput.of(
            f"no pair of task type and machine type has {least:,} runs; ask for fewer runs, or "
            "choose rules with fewer types"
        )
    if not (tasks.all() and types.all()):
        classified = without_types(classified, tasks, types)
        machines, runs = machines.only(types), runs.only(tasks, types)
        measured = measured[np.ix_(tasks, types)]
    return _Seen(classified, machines, runs, measured, replace(settings, min_runs=least))


def is_allowed(settings: RunSettings, task: str, machine: str) -> bool:
    """Whether a person lets a pair run, whatever the log says."""
    return any(a in (ANY, task) and b in (ANY, machine) for a, b in settings.allowed)


def _runs_of_pairs(classified: Classified, runs: PairMeasurements) -> IntArray:
    """How many runs each pair has; 0 if their time is too short for a system."""
    counts = np.zeros((len(classified.task_names), len(classified.machine_names)), np.int64)
    for pair, seconds in runs.seconds.items():
        counts[pair] = seconds.runs if seconds.value >= ETC.low else 0
    return counts


def _usual_min_runs(counts: IntArray) -> int:
    """3, or fewer if otherwise most runs would be of pairs that are not measured."""
    enough = (least for least in (3, 2) if 2 * counts[counts >= least].sum() >= counts.sum())
    return next(enough, 1)


class _KnownPairs(NamedTuple):
    """Times and powers of pairs, NaN where they are not measured; and where powers are from."""

    times: FloatArray
    powers: FloatArray | None
    power_source: str


def _pairs(seen: _Seen, table: NodeTable, metered: MeteredWatts) -> _KnownPairs:
    measured = seen.measured
    times, powers = np.full(measured.shape, np.nan), np.full(measured.shape, np.nan)
    for pair in zip(*np.nonzero(measured), strict=True):
        seconds, watts = seen.runs.of(*map(int, pair))
        times[pair] = min(seconds.value, ETC.high)
        powers[pair] = watts.value
    of_samples = {pair for pair in metered.busy if measured[pair]}
    sources = ["samples"] if of_samples else []
    if np.isfinite(powers).sum() > len(of_samples):
        sources.append("runs")
    each = seen.machines.per_node
    for j, name in enumerate(seen.classified.machine_names):
        busy = table.of(name).busy_watts
        if busy is not None and np.isnan(powers[:, j]).all():
            powers[:, j] = busy / each[j]
            sources = [*filter("table".__ne__, sources), "table"]
    return _KnownPairs(times, powers if sources else None, " and ".join(sources))


def _idle_watts(seen: _Seen, table: NodeTable, metered: MeteredWatts, machine: int) -> float:
    """The idle watts of a node: as a person has said them, as samples show, or 0."""
    said = table.of(seen.classified.machine_names[machine]).idle_watts
    if said is None and machine in metered.idle:
        said = metered.idle[machine].value
    return said or 0.0


def _system(
    seen: _Seen, pairs: _KnownPairs, filled: PairEstimates | None, idle_watts: Sequence[float]
) -> System:
    """The system, with estimates where there are any; idle watts are those of nodes."""
    classified, machines = seen.classified, seen.machines
    each = machines.per_node.tolist()
    times = np.where(np.isnan(pairs.times), np.inf, pairs.times)
    powers, estimated = pairs.powers, None
    if filled is not None:
        times, powers = filled.times, filled.powers
        estimated = filled.estimated | filled.estimated_powers
    if powers is not None:
        possible = np.isfinite(times)
        known = np.isfinite(powers)
        powers = None if (possible & ~known).any() else np.where(possible, powers, np.nan)
    return System(
        tuple(map(TaskType, classified.task_names, classified.tasks.tolist())),
        tuple(
            MachineType(name, min(count, int(MACHINE_COUNT.high)), idle / per_node)
            for name, count, per_node, idle in zip(
                classified.machine_names, machines.count.tolist(), each, idle_watts, strict=True
            )
        ),
        times,
        powers,
        estimated,
    )


def _why_nothing(reasons: Reasons) -> str:
    counts = reasons.counts()
    said = ", ".join(f"{count:,} {reason}" for reason, count in list(counts.items())[:_SHOWN])
    why = f"({said})" if said else "(it has none)"
    return f"no run of the log can be used {why}; choose other rules, states or a log"


class LogFiles(NamedTuple):
    """Logs of one `log_format` (None: found out from each), or the name of a sample log; what is
    known of their nodes, and samples of the power of these.
    """

    logs: Sequence[Path]
    nodes: Path | None = None
    watts: Sequence[Path] = ()
    log_format: LogFormat | None = None


class Deriving(NamedTuple):
    """A derivation, the runs that it is of, and the seconds of its phases."""

    derivation: Derivation
    store: RunStore
    seconds: dict[str, float]


@contextmanager
def deriving(
    files: LogFiles,
    settings: RunSettings,
    *,
    estimates: bool = True,
    should_stop: Callable[[], bool] = never,
    report: Callable[[LogProgress], None] | None = None,
) -> Iterator[Deriving]:
    """A derivation while its runs are there. Raises `InvalidInput` and `Stopped`."""
    logs, nodes = with_sample_log(files.logs, files.nodes)
    table = None if nodes is None else read_node_table(nodes)
    samples = require_power_samples(files.watts) if files.watts else None
    started = time.perf_counter()
    with refusing(Unreadable, of=""):
        store = read_logs(logs, files.log_format, should_stop=should_stop, report=report)
    read = time.perf_counter()
    try:
        derived = derive(
            store, settings, table, samples=samples, estimates=estimates, should_stop=should_stop
        )
        _refuse_unknown(derived)
        seconds = {"read": read - started, "derive": time.perf_counter() - read}
        yield Deriving(derived, store, seconds)
    finally:
        store.close()


def _refuse_unknown(derived: Derivation) -> None:
    """A pair that is allowed must be there: its name may be mistyped."""
    names = derived.system.task_names, derived.system.machine_names
    refuse(
        f"--allow: '{shown(name)}' is no {kind} type of this log; they are {shown_list(there, 12)}"
        for pair in derived.settings.allowed
        for name, there, kind in zip(pair, names, ("task", "machine"), strict=True)
        if name not in (ANY, *there)
    )
