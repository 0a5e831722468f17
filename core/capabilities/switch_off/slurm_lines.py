"""What an administrator adds to slurm.conf so that nodes sleep as is advised."""

import math
from collections.abc import Iterator
from typing import Final

import numpy as np

from core.capabilities.switch_off.advice import SleepAdvice
from core.engines.slurm.places import fold_nodes

_SLACK: Final = 2.0
"""A node that takes so many times as long as usual to start is taken to be down."""
_FIRST, _THEN = 1, 10
"""Weights: Slurm takes nodes of the least weight first."""


def slurm_lines(advice: SleepAdvice) -> str:
    """Lines to copy, each ended; empty if no node should sleep. Of each machine type, the first
    nodes by name stay awake.
    """
    if not advice.may_sleep.any():
        return ""
    lines = [
        f"SuspendTime={round(advice.plan.after)}",
        f"ResumeTimeout={math.ceil(_SLACK * advice.powers.start_seconds)}",
        *_of_nodes(advice),
    ]
    return "".join(f"{line}\n" for line in lines)


def awake_nodes(advice: SleepAdvice) -> list[tuple[list[str], list[str]]]:
    """The names of the nodes that stay awake and of those that may sleep, for each machine type;
    none where the log does not name them.
    """
    use, found = advice.use, []
    for kind, asleep in enumerate(advice.may_sleep.tolist()):
        names = sorted(use.node_names[place] for place in np.flatnonzero(use.node_types == kind))
        awake = min(int(use.nodes[kind]) - asleep, len(names))
        found.append((names[:awake], names[awake:]))
    return found


def _of_nodes(advice: SleepAdvice) -> Iterator[str]:
    if not advice.use.node_names:
        yield "# The log names no nodes. How many of each type stay awake, is in the table."
        yield "#SuspendExcNodes="
        return
    awake, asleep = (
        fold_nodes([name for both in awake_nodes(advice) for name in both[place]])
        for place in (0, 1)
    )
    if awake:
        yield f"SuspendExcNodes={awake}"
    yield "# In the lines of these nodes, so that Slurm fills the same ones first:"
    for nodes, weight in ((awake, _FIRST), (asleep, _THEN)):
        if nodes:
            yield f"NodeName={nodes} Weight={weight}"
