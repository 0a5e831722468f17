"""How much of a machine a run took: what makes its duration a time on one machine.

A run on 8 of the 32 cores of a node for an hour takes a quarter of an hour of the node. Where a run
takes cores and GPUs, the larger share counts: nobody else could use the rest. A run on 4 whole
nodes for an hour takes 4 hours of one node: as a task, its work is taken to be divisible that way.
"""

import numpy as np

from core.logs.reading.limits import NODE_WATTS, NODE_WATTS_LEAST
from core.logs.types.rule_parts import RunBlock
from core.logs.types.settings import MachineUnit
from core.model.arrays import FloatArray, IntArray


def machine_seconds(
    block: RunBlock, machines: IntArray, unit: MachineUnit, cores: FloatArray, gpus: FloatArray
) -> FloatArray:
    """The seconds that each run would take on one machine of its type; `cores` and `gpus` are those
    of one node of each machine type, 0 if unknown. `block` has the nodes of each run, at least 1. A
    run without cores or GPUs, if that is what counts as a machine, is not used (`accepting`).
    """
    elapsed = block["elapsed"]
    if unit == "job":
        return elapsed
    if unit == "core":
        return elapsed * block["cores"]
    if unit == "gpu":
        return elapsed * block["gpus"]
    share = np.maximum(
        block["cores"] / np.maximum(cores, 1)[machines],
        block["gpus"] / np.maximum(gpus, 1)[machines],
    )
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


def machine_watts(
    block: RunBlock, machines: IntArray, unit: MachineUnit, each: FloatArray
) -> FloatArray:
    """The watts of one of the machines of each run, where one node of a type has `each` machines;
    NaN as in `node_watts`. A machine that is whatever a job got has all its nodes.
    """
    watts = node_watts(block) / each[machines]
    return watts * block["nodes"] if unit == "job" else watts


def machines_per_node(unit: MachineUnit, cores: FloatArray, gpus: FloatArray) -> FloatArray:
    """How many machines one node of each type has."""
    if unit == "core":
        return np.maximum(cores, 1)
    if unit == "gpu":
        return np.maximum(gpus, 1)
    return np.ones(len(cores))
