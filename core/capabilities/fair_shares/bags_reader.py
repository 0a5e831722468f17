"""Reads bags of any format: a system with releases, data, links and memory beside it.

The columns `release` (s, or a time of day: time 0 is 08:00) and `data` (MB a task) are in the list
of task types, `link` (MB/s) and `memory` (MB) of one machine in that of machine types. What the
master can send to all machines together is in the settings `network`:

```toml
bandwidth = 40           # MB/s
```

What is not there is not limited, and released at 0.
"""

import math
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from core.capabilities.fair_shares import SETTINGS
from core.capabilities.fair_shares.bags import BANDWIDTH, DATA, RELEASE, ArrivingBags, Network
from core.capabilities.fair_shares.day_clock import EXAMPLE, USUAL_CLOCK
from core.files.beside import NumberColumns, ReadParts
from core.files.findings import Findings, Reading
from core.files.headings import column_beside, columns_there
from core.files.numbers import parse_number
from core.files.schema import Column
from core.files.strict_json import Fields
from core.files.system_file import (
    inspect_parts,
    inspect_parts_bytes,
    inspect_system_bytes,
)
from core.vocabulary.ranges import Range
from core.vocabulary.system import System

MEGABYTE: Final = 1e6
"""Bytes of what people read and write."""
MASTER: Final = Range(1e-6, 1e12, "MB/s")
MEMORY: Final = Range(0.0, 1e15, "MB")
_KEYS: Final = ("bandwidth",)


def inspect_bags(path: Path, system: System) -> Reading[ArrivingBags]:
    """The bags of a system that was read from this path; and all problems, also of the system."""
    findings = Findings()
    parts = inspect_parts(path, SETTINGS, findings)
    if parts is None or parts.types is None or parts.types.etc.shape != system.etc.shape:
        # A benchmark has nothing beside it.
        bare = ArrivingBags(
            system,
            np.zeros(len(system.task_types)),
            np.zeros(len(system.task_types)),
            Network.of(system),
        )
        return Reading(bare, ())
    return Reading.found(bags_of(parts, system, findings), findings)


def inspect_bags_bytes(name: str, data: bytes) -> Reading[ArrivingBags]:
    """The system and its bags in the content of a file of this name, such as an upload."""
    reading = inspect_system_bytes(name, data)
    findings = Findings()
    parts = inspect_parts_bytes(name, data, SETTINGS, findings)
    if reading.value is None or parts is None or parts.types is None:
        return Reading(None, reading.problems or findings.problems())
    bags = bags_of(parts, reading.value, findings)
    others = (one for one in findings.problems() if one not in reading.problems)
    return Reading(bags, (*reading.problems, *others))


def says_anything(parts: ReadParts) -> bool:
    """Whether files say anything about bags or their network."""
    return parts.settings is not None or any(columns_there(SETTINGS, parts.tasks, parts.machines))


def bags_of(parts: ReadParts, system: System | None, findings: Findings) -> ArrivingBags | None:
    """The bags of a system and what its files have beside it; what is wrong is reported."""
    tasks = NumberColumns.of_tasks(parts, findings)
    machines = NumberColumns.of_machines(parts, findings)
    seconds = f"seconds, or as a time of day such as {EXAMPLE}"
    release = tasks.numbers(replace(_within("release", RELEASE), parse=_release, unit=seconds))
    data = tasks.numbers(_within("data", _in_megabytes(DATA)))
    links = machines.numbers(_within("link", _in_megabytes(BANDWIDTH)))
    memory = machines.numbers(_within("memory", MEMORY))
    bandwidth = _bandwidth(parts, findings)
    if findings.failed or system is None:
        return None
    network = Network(bandwidth * MEGABYTE, links * MEGABYTE, memory * MEGABYTE)
    return ArrivingBags(system, release, data * MEGABYTE, network)


def _within(name: str, allowed: Range) -> Column:
    return replace(column_beside(SETTINGS, name), allowed=allowed)


def _release(cell: str) -> float | None:
    """A release in seconds, also from a time of day, where time 0 is that of the usual clock."""
    try:
        return USUAL_CLOCK.typed(cell) if ":" in cell else parse_number(cell)
    except ValueError:
        return None


def _in_megabytes(allowed: Range) -> Range:
    return Range(allowed.low / MEGABYTE, allowed.high / MEGABYTE, f"M{allowed.unit}")


def _bandwidth(parts: ReadParts, findings: Findings) -> float:
    """What the master can send, in MB/s."""
    given = Fields(parts.settings or {}, parts.source.label, findings)
    given.refuse_unknown(_KEYS, "network")
    return given.number("bandwidth", MASTER) if given.has("bandwidth") else math.inf
