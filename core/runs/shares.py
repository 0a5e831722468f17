"""How much of a machine a run took: what makes its duration a time on one machine.

A run on 8 of the 32 cores of a node for an hour takes a quarter of an hour of the node. Where a run
takes cores and GPUs, the larger share counts: nobody else could use the rest. A run on 4 whole
nodes for an hour takes 4 hours of one node: as a task, its work is taken to be divisible that way.
"""

import numpy as np

from core.logs.limits import NODE_WATTS, NODE_WATTS_LEAST
from core.model.arrays import FloatArray, IntArray
from core.runs.rule_parts import RunBlock
from core.runs.settings import MachineUnit


def machine_seconds(
    block: RunBlock, machines: IntArray, unit: MachineUnit, cores: FloatArray, gpus: FloatArray
) -> FloatArray:
    """The seconds that each run would take on one machine of its type; `cores` and `gpus` are those
    of one node of each machine type, 0 if unknown. NaN where the log does not say enough. `block`
    has the nodes of each run, at least 1.
    """
    elapsed = block["elapsed"]
    if unit == "job":
        return elapsed
    if unit == "core":
        return np.where(block["cores"] > 0, elapsed * block["cores"], np.nan)
    if unit == "gpu":
        return np.where(block["gpus"] > 0, elapsed * block["gpus"], np.nan)
    of_cores, of_gpus = cores[machines], gpus[machines]
    share_cores = np.where(
        (of_cores > 0) & (block["cores"] > 0), block["cores"] / _one(of_cores), 0
    )
    share_gpus = np.where((of_gpus > 0) & (block["gpus"] > 0), block["gpus"] / _one(of_gpus), 0)
    share = np.maximum(share_cores, share_gpus)
    nodes = block["nodes"]
    return elapsed * np.where(share > 0, np.minimum(share, nodes), nodes)


def node_watts(block: RunBlock) -> FloatArray:
    """The watts of one of the nodes of each run, on average; NaN where its energy is unknown or
    cannot be true. Slurm measures whole nodes: their idle power, and what else ran on them, is part
    of it.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        watts = block["joules"] / (block["elapsed"] * block["nodes"])
        sound = (watts >= NODE_WATTS_LEAST) & (watts <= NODE_WATTS)
    return np.where(sound, watts, np.nan)


def machines_per_node(unit: MachineUnit, cores: FloatArray, gpus: FloatArray) -> FloatArray:
    """How many machines one node of each type has."""
    if unit == "core":
        return np.maximum(cores, 1)
    if unit == "gpu":
        return np.maximum(gpus, 1)
    return np.ones(len(cores))


def _one(values: FloatArray) -> FloatArray:
    return np.where(values > 0, values, 1.0)
