"""What an administrator adds to slurm.conf so that nodes sleep as is advised."""

import math
import re
from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np

from core.capabilities.switch_off.advice import SleepAdvice

_SLACK: Final = 2.0
"""A node that takes so many times as long as usual to start is taken to be down."""
_FIRST, _THEN = 1, 10
"""Weights: Slurm takes nodes of the least weight first."""

_PLAIN: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,254}")
_NUMBERED: Final = re.compile(r"(.*?)([0-9]{1,18})")


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


def fold_nodes(names: Iterable[str]) -> str:
    """A list of nodes as Slurm reads it, sorted; each name comes once. Names that cannot stand in
    such a list, or that a line of slurm.conf could take for something else, are left out.

    >>> fold_nodes(["n10", "n9", "login", "n11"])
    'login,n[9-11]'
    """
    parts: list[str] = []
    plain = sorted(filter(_PLAIN.fullmatch, {*names}))
    numbered = [match for name in plain if (match := _NUMBERED.fullmatch(name))]
    parts += sorted({*plain} - {match[0] for match in numbered})
    heads: dict[str, list[str]] = {}
    for match in numbered:
        heads.setdefault(match[1], []).append(match[2])
    for head, digits in heads.items():
        ranges: list[list[str]] = []
        for one in sorted(digits, key=lambda text: (int(text), len(text))):
            before = ranges[-1] if ranges else None
            if before and one == f"{int(before[-1]) + 1:0{len(before[0])}}":
                before.append(one)
            else:
                ranges.append([one])
        said = [each[0] if len(each) == 1 else f"{each[0]}-{each[-1]}" for each in ranges]
        inside = ",".join(said)
        parts.append(f"{head}{inside}" if inside.isdigit() else f"{head}[{inside}]")
    return ",".join(sorted(parts))
