"""The largest power of a timeline, added up again, moment by moment."""

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import groupby

from core.engines.verify.recount import Groups
from core.vocabulary.schedule import Blocks


def peak_again(blocks: Blocks, groups: Groups) -> float:
    """The most watts at any moment. A machine is on, and idle where it has no task, until its last
    task ends; then it rests. Watts are added without rounding errors.
    """
    changes: list[tuple[float, Fraction]] = [
        (when, Fraction(watts)) for when, watts in _changes(blocks, groups) if math.isfinite(watts)
    ]
    changes.sort(key=lambda change: change[0])
    total, most = Fraction(0), Fraction(0)
    for _, together in groupby(changes, key=lambda change: change[0]):
        total += sum((watts for _, watts in together), Fraction(0))
        most = max(most, total)
    return float(most)


def _changes(blocks: Blocks, groups: Groups) -> Iterator[tuple[float, float]]:
    """Moments, and by how much the power rises there (a negative number if it falls)."""
    apc, machines = groups.system.apc, groups.machines.tolist()
    idle, rest = groups.idle_watts.tolist(), groups.rest_watts.tolist()
    last = [0.0] * len(machines)
    rows = zip(
        blocks.group.tolist(),
        blocks.machine_type.tolist(),
        blocks.task_type.tolist(),
        blocks.start.tolist(),
        blocks.end.tolist(),
        strict=True,
    )
    for group, kind, task, start, end in rows:
        last[group] = max(last[group], end)
        more = machines[group] * (math.nan if apc is None else float(apc[task, kind]))
        yield start, more - machines[group] * idle[group]
        yield end, machines[group] * idle[group] - more
    for group, until in enumerate(last):
        if until:
            yield 0.0, machines[group] * idle[group]
            yield until, machines[group] * (rest[group] - idle[group])
        else:
            yield 0.0, machines[group] * rest[group]
