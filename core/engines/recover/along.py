"""Schedules along a front: divisible schedules at a spacing, rounded and assigned."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.engines.recover import assign, round_rows
from core.engines.recover.placing import place_within
from core.engines.relaxed import Front
from core.engines.relaxed.placements import Placements
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.budget import never
from core.vocabulary.plane.polygons import between, coarse_to_fine, fill
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System


@dataclass(frozen=True, eq=False)
class Progression:
    """The steps from points of the front to schedules: one row of (joules, seconds) for each
    schedule.

    `lower` is the point of the front, `rounded` is that of whole tasks which the machines of a type
    still share equally, `assigned` is that of the schedule.
    """

    lower: FloatArray
    rounded: FloatArray
    assigned: FloatArray


# The seconds for each integer program, and the shares of the energy limit that are tried. Set by
# judgement; `python -m benchmarks wishes` measures what wishes get.
PROGRAM_SECONDS: Final = 0.2
SHARES_OF_LIMIT: Final = (1.0, 0.9995, 0.998)

NO_PROGRESSION: Final = Progression(*(np.empty((0, 2)) for _ in range(3)))


def recover_along(
    system: System,
    points: FloatArray,
    placements: Placements,
    spacing: float,
    *,
    should_stop: Callable[[], bool] = never,
    report: Callable[[int, int], None] | None = None,
) -> tuple[list[Schedule], Progression]:
    """Schedules no further apart than `spacing`, as a share of the front's extent.

    `points` are those of `placements`, by rising energy. Points that round to the same schedule
    give one. Both ends come first; after `should_stop`, the schedules found so far are returned,
    which are further apart. `report` gets how many points were rounded, and how many there are.
    """
    left, share = fill(points, spacing)
    lower = between(points, left, share)
    rows: dict[bytes, int] = {}
    made: dict[bytes, tuple[IntArray, Schedule]] = {}
    for done, row in enumerate(coarse_to_fine(len(left))):
        if done >= 2 and should_stop():
            break
        vertex, way = int(left[row]), float(share[row])
        whole = round_rows(placements.placed(vertex, system, way), system.task_counts)
        key = whole.tobytes()
        if key not in made:
            made[key] = whole, assign(system, whole)
        rows[key] = min(row, rows.get(key, row))
        if report is not None:
            report(done + 1, len(left))
    order = sorted(rows, key=rows.__getitem__)
    schedules = [made[key][1] for key in order]
    return schedules, Progression(
        lower[[rows[key] for key in order]],
        Placements.dense([made[key][0].astype(float) for key in order]).points(system),
        points_of(schedules),
    )


def recover_within(front: Front, joules: float) -> list[Schedule]:
    """Schedules from the integer program that rounds within an energy limit, and within slightly
    lower ones, because waiting for whole tasks costs energy, too.
    """
    system = front.system
    vertex = int(np.searchsorted(front.energy, joules).clip(1, len(front)) - 1)
    waste = front.waste(front.edge(vertex))
    found = (
        place_within(system, waste, share * joules, PROGRAM_SECONDS) for share in SHARES_OF_LIMIT
    )
    return [assign(system, placed) for placed in found if placed is not None]


def points_of(schedules: list[Schedule]) -> FloatArray:
    """(joules, seconds) of each schedule."""
    pairs = [(schedule.energy, schedule.makespan) for schedule in schedules]
    return np.array(pairs, float).reshape(-1, 2)
