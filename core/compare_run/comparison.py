"""A schedule beside what happened: by machine, by pair, in total."""

from dataclasses import dataclass

import numpy as np

from core.compare_run.recorded import RAN, RecordedRun, Records
from core.model.arrays import BoolArray, FloatArray, IntArray
from core.model.system import System


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

    def __len__(self) -> int:
        return len(self.machine)

    @property
    def missing(self) -> IntArray:
        found: IntArray = self.tasks - self.ran - self.failed
        return found

    @property
    def later(self) -> FloatArray:
        """By how much each finished later than planned (s)."""
        found: FloatArray = self.measured - self.planned
        return found

    @property
    def amiss(self) -> BoolArray:
        """Which machines did not run their tasks once each, in order, on one node."""
        counts = self.missing + self.failed + self.again + self.overlapping + self.elsewhere
        found: BoolArray = (counts > 0) | ~self.in_order
        return found

    def most_deviating(self) -> IntArray:
        """Positions of all machines: where something is amiss first, then by how much later or
        earlier than planned they finished.
        """
        off = np.nan_to_num(np.abs(self.later), nan=np.inf)
        found: IntArray = np.lexsort((-off, ~self.amiss))
        return found


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


def compare_run(recorded: RecordedRun) -> RunComparison:
    """Planned and measured of one run of a schedule."""
    blocks, records = recorded.plan.blocks, recorded.records
    ran = records.chosen(records.state == RAN)
    _, last = np.unique(ran.task[::-1], return_index=True)
    once = ran.chosen(len(ran) - 1 - last)
    return RunComparison(
        recorded.plan.system,
        recorded.run,
        recorded.runs,
        float(blocks.end.max(initial=0.0)),
        float(records.end.max()) if len(records) else None,
        _machines(recorded, once),
        _pairs(recorded, once),
        _energy(recorded, once),
        recorded.running,
        recorded.others,
        recorded.knows_states,
    )


def _machines(recorded: RecordedRun, once: Records) -> MachineRuns:
    """`once` has one record for each task that ran."""
    blocks, records, of_row = recorded.plan.blocks, recorded.records, recorded.tasks.machine
    machines = int(of_row[-1]) + 1 if len(of_row) else 0
    first = np.searchsorted(of_row, np.arange(machines))
    tasks = np.zeros(machines, np.int64)
    np.add.at(tasks, of_row, blocks.count)
    planned, measured = np.zeros(machines), np.full(machines, -np.inf)
    np.maximum.at(planned, of_row, blocks.end)
    np.maximum.at(measured, records.machine, records.end)
    began = np.full(machines, np.inf)
    np.minimum.at(began, records.machine, records.start)
    ended, starts = np.unique(records.task, return_counts=True)
    of_ended = of_row[recorded.tasks.rows(ended)]
    ran = np.bincount(once.machine, minlength=machines)
    waited, overlapping, disordered = _gaps(records, machines)
    nodes, elsewhere = _nodes(recorded, machines)
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


def _gaps(records: Records, machines: int) -> tuple[FloatArray, IntArray, IntArray]:
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


def _nodes(recorded: RecordedRun, machines: int) -> tuple[tuple[tuple[str, ...], ...], IntArray]:
    """The nodes of each machine, and its starts on others than the first of them."""
    records, names = recorded.records, recorded.nodes
    known = records.node >= 0
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
        tuple(filter(None, said[low:high]))
        for low, high in zip(begins[:-1].tolist(), begins[1:].tolist(), strict=True)
    )
    return nodes, elsewhere


def _pairs(recorded: RecordedRun, once: Records) -> PairRuns:
    blocks, system = recorded.plan.blocks, recorded.plan.system
    types = len(system.machine_types)
    pair = blocks.task_type[once.row] * types + blocks.machine_type[once.row]
    seconds = once.end - once.start
    order = np.lexsort((seconds, pair))
    pair, seconds = pair[order], seconds[order]
    found, first, ran = np.unique(pair, return_index=True, return_counts=True)
    low, high = first + (ran - 1) // 2, first + ran // 2
    task_type, machine_type = np.divmod(found, types)
    return PairRuns(
        task_type,
        machine_type,
        system.etc[task_type, machine_type],
        (seconds[low] + seconds[high]) / 2,
        ran,
    )


def _energy(recorded: RecordedRun, once: Records) -> EnergyRuns | None:
    blocks, system = recorded.plan.blocks, recorded.plan.system
    known = once.chosen(np.isfinite(once.joules))
    if not len(known):
        return None
    task, machine = blocks.task_type[known.row], blocks.machine_type[known.row]
    planned = None
    if system.apc is not None:
        planned = float((system.etc[task, machine] * system.apc[task, machine]).sum())
    return EnergyRuns(planned, float(known.joules.sum()), len(known))
