"""What the log's own jobs used, to be set beside what the derived system could have done."""

import math
from dataclasses import dataclass

import numpy as np

from core.engines.logs.derived.derivation import Derivation
from core.engines.logs.reading.store import RunStore
from core.engines.logs.types.nodes import Nodes
from core.vocabulary.arrays import FloatArray
from core.vocabulary.placement import LogPlacement


@dataclass(frozen=True, slots=True)
class Energies:
    """The energy of runs in joules: as the tables have it, and as meters `recorded` it.

    `tables` = `recorded` + `shared` + `unknown` + `typical` + `idle`. `shared` is below 0 where
    runs had parts of nodes, since a meter counts the whole node for each of them. `unknown` is that
    of runs without a recorded energy, which count with the power of their pair. `typical` is what
    the times and powers of the tables differ by from those of the runs. `idle` is what machines
    draw while they do nothing, until the last run ends.
    """

    tables: float
    recorded: float
    shared: float
    unknown: float
    typical: float
    idle: float


@dataclass(frozen=True, eq=False, slots=True)
class Replayed:
    """The runs of a window that are used, from the first start to the last end, on the machines
    on which they ran: `placement` counts them.

    `seconds` is their time on these machines, and `table_seconds` what the tables have for it: the
    same tasks placed otherwise are compared with this, and with `energies.tables`. `energies` is
    None where powers are unknown. `estimated` is the share of the runs whose energy the log does
    not have.
    """

    begin: float
    end: float
    placement: LogPlacement
    seconds: float
    table_seconds: float
    energies: Energies | None
    estimated: float

    @property
    def runs(self) -> int:
        return int(self.placement.counts.sum())

    @property
    def makespan(self) -> float:
        """Seconds from the first start to the last end."""
        return self.end - self.begin

    @property
    def joules(self) -> float | None:
        """What the runs take by the tables."""
        return None if self.energies is None else self.energies.tables


def replayed(derivation: Derivation, store: RunStore) -> Replayed | None:
    """What the used runs took; None if the log does not say when they ran."""
    system, machines, found = derivation.system, derivation.machines, derivation.classified
    knows_energy = "joules" in store.known
    times, powers = _tables(derivation)
    begin, end, without = math.inf, -math.inf, 0
    runs = np.zeros(times.shape, np.int64)
    taken = recorded = drawn = unknown = 0.0
    columns = ["start", "end", "elapsed", "cores", "gpus", *(["joules"] if knows_energy else [])]
    for block, task, machine in found.used_runs(store, Nodes(store), columns):
        np.add.at(runs, (task, machine), 1)
        begin = min(begin, float(np.nanmin(block["start"], initial=math.inf)))
        end = max(end, float(np.nanmax(block["end"], initial=-math.inf)))
        seconds = machines.seconds(block, machine)
        taken += float(seconds.sum())
        if system.apc is None:
            continue
        watts = np.full(len(seconds), np.nan)
        if knows_energy:
            watts = machines.watts(block, machine)
            recorded += float(block["joules"][np.isfinite(watts)].sum())
        missing = np.isnan(watts)
        without += int(missing.sum())
        drawn += float((seconds * watts)[~missing].sum())
        unknown += float((seconds * powers[task, machine])[missing].sum())
    if not math.isfinite(begin) or not math.isfinite(end) or end <= begin:
        return None
    at_work, total = runs * times, int(runs.sum())
    placement = LogPlacement(system.task_names, system.machine_names, runs)
    energies = None
    if system.apc is not None:
        of_tables = float((at_work * powers).sum())
        idle = system.total_idle_power * (end - begin)
        idle -= float((at_work * system.idle_power).sum())
        idle = max(idle, 0.0)  # more may have run at once than there are machines
        typical = of_tables - drawn - unknown
        energies = Energies(of_tables + idle, recorded, drawn - recorded, unknown, typical, idle)
    table_seconds = float(at_work.sum())
    return Replayed(begin, end, placement, taken, table_seconds, energies, without / max(total, 1))


def _tables(derivation: Derivation) -> tuple[FloatArray, FloatArray]:
    """Times and powers that price the runs of each pair. Pairs that ran, but too seldom to be
    measured, may have none in the system: they are what their runs say, or cost as their machine
    type does on average.
    """
    system, shape = derivation.system, derivation.system.etc.shape
    times = np.where(np.isfinite(system.etc), system.etc, 0.0)
    powers = np.full(shape, np.nan) if system.apc is None else system.apc.copy()
    for pair, seconds in derivation.runs.seconds.items():
        if not np.isfinite(system.etc[pair]):
            times[pair], powers[pair] = seconds.value, derivation.runs.of(*pair)[1].value
    known = np.isfinite(powers)
    of_types = np.where(known, powers, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    return times, np.where(known, powers, of_types)
