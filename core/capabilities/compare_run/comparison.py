"""A schedule beside what happened: by machine, by pair, in total."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import chain
from typing import Any, Final, Self

import numpy as np

from core.capabilities.compare_run.recorded import RAN, RecordedPart, RecordedRun, RunRecords
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray
from core.vocabulary.budget import never
from core.vocabulary.system import System

_TIMES: Final = ("planned", "measured", "began", "waited")
_COUNTS: Final = ("tasks", "ran", "failed", "missing", "again", "overlapping", "elsewhere")


@dataclass(frozen=True, eq=False, slots=True)
class MachineRuns:
    """Each machine that has tasks, in the order of the schedule; machine 1 is the first of its
    type.

    Of its `tasks`, some `ran` (completed), some `failed` (ended, but never completed), and the
    others are `missing`. `again` of them started more than once. `planned` and `measured` are when
    it finished, `began` when it started (s from the first start of all; NaN if nothing ran).
    `waited` is the time between its tasks in which it did nothing (s). `overlapping` starts are
    before an earlier task has ended. `in_order` says that no block started before the one before
    it; `elsewhere` counts starts on other nodes than most.
    """

    machine_type: IntArray
    machine: IntArray
    tasks: IntArray
    ran: IntArray
    failed: IntArray
    again: IntArray
    planned: FloatArray
    measured: FloatArray
    began: FloatArray
    waited: FloatArray
    overlapping: IntArray
    in_order: BoolArray
    elsewhere: IntArray
    nodes: tuple[tuple[str, ...], ...]
    """Where it ran, the node with most starts first."""

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        columns: dict[str, Any] = {
            one.name: np.concatenate([getattr(part, one.name) for part in parts])
            for one in fields(cls)
            if one.name != "nodes"
        }
        return cls(**columns, nodes=tuple(chain.from_iterable(part.nodes for part in parts)))

    def __len__(self) -> int:
        return len(self.machine)

    @property
    def missing(self) -> IntArray:
        return self.tasks - self.ran - self.failed

    @property
    def later(self) -> FloatArray:
        """By how much each finished later than planned (s)."""
        return self.measured - self.planned

    @property
    def amiss(self) -> BoolArray:
        """Which machines did not run their tasks once each, in order, on one node."""
        counts = self.missing + self.failed + self.again + self.overlapping + self.elsewhere
        return (counts > 0) | ~self.in_order

    def most_deviating(self) -> IntArray:
        """Positions of all machines: where something is amiss first, then by how much later or
        earlier than planned they finished.
        """
        off = np.nan_to_num(np.abs(self.later), nan=np.inf)
        return np.lexsort((-off, ~self.amiss))

    def records(self, system: System) -> Iterator[dict[str, Any]]:
        """What is known of each machine, by names; times that are unknown are None."""
        names = [*_TIMES, *_COUNTS, "in_order"]
        columns = zip(*(getattr(self, name).tolist() for name in names), strict=True)
        places = zip(self.machine_type.tolist(), self.machine.tolist(), self.nodes, strict=True)
        for (kind, number, nodes), values in zip(places, columns, strict=True):
            place = {"machine_type": system.machine_names[kind], "machine": number}
            known = (None if value != value else value for value in values)  # NaN
            yield {**place, "nodes": list(nodes), **dict(zip(names, known, strict=True))}


@dataclass(frozen=True, eq=False, slots=True)
class PairRuns:
    """Pairs of which tasks ran: planned seconds of one task, and the median of those that ran."""

    task_type: IntArray
    machine_type: IntArray
    planned: FloatArray
    measured: FloatArray
    ran: IntArray

    def __len__(self) -> int:
        return len(self.ran)


@dataclass(frozen=True, slots=True)
class EnergyRuns:
    """The energy of the `tasks` that ran and whose energy the log has (J). `planned` is that of the
    same tasks, None without APC.
    """

    planned: float | None
    measured: float
    tasks: int


@dataclass(frozen=True, eq=False, slots=True)
class RunComparison:
    """What was planned and what a log says happened; `makespan` is from the first start to the last
    end (s; None if nothing ended). `energy` is None if the log has none.
    """

    system: System
    run: str
    runs: tuple[str, ...]
    planned: float
    makespan: float | None
    machines: MachineRuns
    pairs: PairRuns
    energy: EnergyRuns | None
    running: int
    others: int
    knows_states: bool

    @property
    def tasks(self) -> int:
        return int(self.machines.tasks.sum())

    @property
    def ran(self) -> int:
        return int(self.machines.ran.sum())

    @property
    def failed(self) -> int:
        return int(self.machines.failed.sum())

    @property
    def missing(self) -> int:
        return self.tasks - self.ran - self.failed


def compare_run(recorded: RecordedRun, should_stop: Callable[[], bool] = never) -> RunComparison:
    """Planned and measured of one run of a schedule. Raises `Stopped`."""
    compared = [_part(recorded, part) for part in recorded.parts(should_stop=should_stop)]
    of_machines, times, energies, running = zip(*compared, strict=True)
    machines = MachineRuns.joined(of_machines)
    end = machines.measured[np.isfinite(machines.measured)]
    return RunComparison(
        recorded.arrays.system,
        recorded.run,
        recorded.runs,
        float(recorded.arrays.blocks.end.max(initial=0.0)),
        float(end.max()) if len(end) else None,
        machines,
        _pairs(times, recorded.arrays.system),
        _total(energies),
        sum(running),
        recorded.others,
        recorded.knows_states,
    )


@dataclass(frozen=True, eq=False, slots=True)
class _PairTimes:
    """How many tasks of a pair took how long (s): by pair and time, each once."""

    pair: IntArray
    seconds: FloatArray
    ran: IntArray

    @classmethod
    def counted(cls, pair: IntArray, seconds: FloatArray, ran: IntArray) -> Self:
        order = np.lexsort((seconds, pair))
        pair, seconds = pair[order], seconds[order]
        another = np.ones(len(pair), bool)
        another[1:] = (np.diff(pair) != 0) | (np.diff(seconds) != 0)
        first = np.flatnonzero(another)
        return cls(pair[first], seconds[first], np.add.reduceat(ran[order], first))


def _part(
    recorded: RecordedRun, part: RecordedPart
) -> tuple[MachineRuns, _PairTimes, EnergyRuns | None, int]:
    """What a part of the machines adds: these, the times of pairs, energy, and tasks that run."""
    ended = part.ended
    ran = ended.chosen(ended.state == RAN)
    _, last = np.unique(ran.task[::-1], return_index=True)
    once = ran.chosen(len(ran) - 1 - last)
    running = len(np.setdiff1d(part.records.task, ended.task))
    return (
        _machines(recorded, part, ended, once),
        _times(recorded, once),
        _energy(recorded, once),
        running,
    )


def _machines(
    recorded: RecordedRun, part: RecordedPart, ended: RunRecords, once: RunRecords
) -> MachineRuns:
    """`ended` are the records of the tasks that ended; `once` has one for each task that ran."""
    blocks, of_row = recorded.arrays.blocks, recorded.tasks.machine
    machines = part.end - part.first
    low, high = np.searchsorted(of_row, [part.first, part.end])
    mine = of_row[low:high] - part.first
    first = low + np.searchsorted(mine, np.arange(machines))
    tasks = np.zeros(machines, np.int64)
    np.add.at(tasks, mine, blocks.count[low:high])
    planned, measured = np.zeros(machines), np.full(machines, -np.inf)
    np.maximum.at(planned, mine, blocks.end[low:high])
    np.maximum.at(measured, ended.machine, ended.end)
    began = np.full(machines, np.inf)
    np.minimum.at(began, ended.machine, ended.start)
    different, starts = np.unique(ended.task, return_counts=True)
    of_ended = of_row[recorded.tasks.rows(different)] - part.first
    ran = np.bincount(once.machine, minlength=machines)
    waited, overlapping, disordered = _gaps(ended, machines)
    nodes, elsewhere = _nodes(ended, recorded.nodes, machines)
    return MachineRuns(
        blocks.machine_type[first],
        blocks.first_machine[first],
        tasks,
        ran,
        np.bincount(of_ended, minlength=machines) - ran,
        np.bincount(of_ended[starts > 1], minlength=machines),
        planned,
        np.where(np.isfinite(measured), measured, np.nan),
        np.where(np.isfinite(began), began, np.nan),
        waited,
        overlapping,
        disordered == 0,
        elsewhere,
        nodes,
    )


def _gaps(records: RunRecords, machines: int) -> tuple[FloatArray, IntArray, IntArray]:
    """For each machine the seconds between its tasks, the starts before an earlier end, and the
    starts after that of a later block.
    """
    same = np.flatnonzero(np.diff(records.machine) == 0)
    # Machines follow each other far apart in time, so that the latest end so far is their own.
    # Rounding keeps the order, so no start looks earlier than it is.
    apart = records.machine * (float(records.end.max(initial=0.0)) + 1.0)
    latest = np.maximum.accumulate(records.end + apart)[same]
    gap = (records.start + apart)[same + 1] - latest
    of = records.machine[same]
    return (
        np.bincount(of, np.maximum(gap, 0.0), machines).astype(np.float64),
        np.bincount(of[gap < 0], minlength=machines).astype(np.int64),
        np.bincount(of[np.diff(records.row)[same] < 0], minlength=machines).astype(np.int64),
    )


def _nodes(
    records: RunRecords, names: tuple[str, ...], machines: int
) -> tuple[tuple[tuple[str, ...], ...], IntArray]:
    """The nodes of each machine, and its starts on others than the first of them. Unknown nodes,
    whose names are blank, do not count.
    """
    known = np.array([bool(name) for name in names])[records.node]
    pairs, starts = np.unique(
        np.column_stack([records.machine[known], records.node[known]]), axis=0, return_counts=True
    )
    order = np.lexsort((pairs[:, 1], -starts, pairs[:, 0]))
    machine, node, starts = pairs[order, 0], pairs[order, 1], starts[order]
    begins = np.searchsorted(machine, np.arange(machines + 1))
    main = np.ones(len(machine), bool)
    main[1:] = np.diff(machine) != 0
    elsewhere = np.bincount(machine[~main], starts[~main], machines).astype(np.int64)
    said = [names[k] for k in node.tolist()]
    nodes = tuple(
        tuple(said[low:high])
        for low, high in zip(begins[:-1].tolist(), begins[1:].tolist(), strict=True)
    )
    return nodes, elsewhere


def _times(recorded: RecordedRun, once: RunRecords) -> _PairTimes:
    blocks, types = recorded.arrays.blocks, len(recorded.arrays.system.machine_types)
    pair = blocks.task_type[once.row] * types + blocks.machine_type[once.row]
    return _PairTimes.counted(pair, once.end - once.start, np.ones(len(once), np.int64))


def _pairs(parts: Sequence[_PairTimes], system: System) -> PairRuns:
    times = _PairTimes.counted(
        *(np.concatenate([getattr(part, name) for part in parts]) for name in _PairTimes.__slots__)
    )
    found, first = np.unique(times.pair, return_index=True)
    ran = np.add.reduceat(times.ran, first)
    # The tasks of all pairs, sorted by pair and time, have the numbers from 0 on.
    ends = np.cumsum(times.ran)
    begin = np.cumsum(ran) - ran
    middle = [
        times.seconds[np.searchsorted(ends, begin + rank, "right")]
        for rank in ((ran - 1) // 2, ran // 2)
    ]
    task_type, machine_type = np.divmod(found, len(system.machine_types))
    return PairRuns(
        task_type,
        machine_type,
        system.etc[task_type, machine_type],
        (middle[0] + middle[1]) / 2,
        ran,
    )


def _energy(recorded: RecordedRun, once: RunRecords) -> EnergyRuns | None:
    blocks, system = recorded.arrays.blocks, recorded.arrays.system
    known = once.chosen(np.isfinite(once.joules))
    if not len(known):
        return None
    task, machine = blocks.task_type[known.row], blocks.machine_type[known.row]
    planned = None
    if system.apc is not None:
        planned = float((system.etc[task, machine] * system.apc[task, machine]).sum())
    return EnergyRuns(planned, float(known.joules.sum()), len(known))


def _total(parts: Sequence[EnergyRuns | None]) -> EnergyRuns | None:
    known = [part for part in parts if part is not None]
    if not known:
        return None
    planned = [part.planned for part in known if part.planned is not None]
    return EnergyRuns(
        sum(planned) if planned else None,
        sum(part.measured for part in known),
        sum(part.tasks for part in known),
    )
