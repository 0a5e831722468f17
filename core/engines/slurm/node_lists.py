"""Lists of nodes as Slurm reads them, and which nodes a log names for the machines of a system."""

import re
from collections.abc import Iterable
from typing import Final

import numpy as np

from core.vocabulary.node_use import NodeUse
from core.vocabulary.system import System

_PLAIN: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,254}")
_NUMBERED: Final = re.compile(r"(.*?)([0-9]{1,18})")


def nodes_of_machines(use: NodeUse | None, system: System) -> tuple[tuple[str, ...], ...]:
    """The node of each machine of each type, as far as a log names them, in the order of
    `fold_nodes`; none without a log. Machines that share a node have it one after the other.
    """
    if use is None:
        return ()
    kinds = {name: kind for kind, name in enumerate(use.names)}
    found = []
    for one in system.machine_types:
        kind = kinds.get(one.name, -1)
        names = [use.node_names[place] for place in np.flatnonzero(use.node_types == kind)]
        on_each = max(round(float(use.machines[kind])), 1) if kind >= 0 else 0
        nodes = np.repeat(sorted(filter(_PLAIN.fullmatch, names), key=_by_number), on_each)
        found.append(tuple(nodes[: one.count].tolist()))
    return tuple(found)


def _by_number(name: str) -> tuple[str, int, str]:
    numbered = _NUMBERED.fullmatch(name)
    return (numbered[1], int(numbered[2]), name) if numbered else (name, -1, name)


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
