"""What the log's own jobs used, to be set beside what the derived system could have done."""

import math
from dataclasses import dataclass

import numpy as np

from core.derive.derivation import Derivation
from core.logs.store import RunStore
from core.runs.nodes import Nodes, blocks_with_nodes
from core.runs.shares import machine_seconds, machine_watts, machines_per_node


@dataclass(frozen=True, slots=True)
class Replayed:
    """The runs of a window that are used, as they ran: from the first start to the last end.

    `joules` counts each run's own energy if the log has it, else the typical power of its pair; and
    the idle power of machines while they did nothing. None where powers are unknown. `estimated` is
    the share of the runs whose energy the log does not have.
    """

    begin: float
    end: float
    runs: int
    joules: float | None
    estimated: float

    @property
    def makespan(self) -> float:
        """Seconds from the first start to the last end."""
        return self.end - self.begin


def replayed(derivation: Derivation, store: RunStore) -> Replayed | None:
    """What the used runs took; None if the log does not say when they ran."""
    system, machines, found = derivation.system, derivation.machines, derivation.found
    each = machines_per_node(machines.unit, machines.cores, machines.gpus)
    idle = system.idle_power
    knows_energy = "joules" in store.known
    begin, end, runs, without = math.inf, -math.inf, 0, 0
    dynamic = 0.0
    columns = ["start", "end", "elapsed", "cores", "gpus"]
    first = 0
    nodes = Nodes(store)
    for block in blocks_with_nodes(store, nodes, [*columns, *(["joules"] if knows_energy else [])]):
        task, machine, used = found.block(first, len(block["start"]))
        first += len(task)
        chosen = np.flatnonzero(used)
        block = {name: values[chosen] for name, values in block.items()}
        task, machine = task[chosen], machine[chosen]
        runs += len(chosen)
        begin = min(begin, float(np.nanmin(block["start"], initial=math.inf)))
        end = max(end, float(np.nanmax(block["end"], initial=-math.inf)))
        if system.apc is None:
            continue
        seconds = machine_seconds(block, machine, machines.unit, machines.cores, machines.gpus)
        usual = system.apc[task, machine]
        watts = np.full(len(usual), np.nan)
        if knows_energy:
            watts = machine_watts(block, machine, machines.unit, each)
        missing = np.isnan(watts)
        without += int(missing.sum())
        drawn = np.where(missing, usual, watts)
        dynamic += float(np.nansum(np.nan_to_num(seconds) * (drawn - idle[machine])))
    if not math.isfinite(begin) or not math.isfinite(end) or end <= begin:
        return None
    joules = None
    if system.apc is not None:
        joules = max(dynamic + system.total_idle_power * (end - begin), 0.0)
    return Replayed(begin, end, runs, joules, without / runs if runs else 0.0)
