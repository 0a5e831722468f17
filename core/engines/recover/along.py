"""Schedules along a front: divisible schedules at a spacing, rounded and assigned.

Within an energy limit it is best to round all task types together, because a task that is rounded
the wrong way on one machine type can be made up for on another. That is a small integer program;
assignment and polish decide later which machine of a type runs which tasks.

    minimise    MS
    subject to  sum_j n_ij = T_i                           each task type is done
                sum_i n_ij ETC_ij <= M_j MS                each machine type
                sum_ij n_ij d_ij + idle power MS <= limit  joules
                n_ij = 0, 1, 2, ...                        tasks of type i on machine type j
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.engines.lp.program import Program
from core.engines.recover import assign, round_rows
from core.engines.relaxed import Front
from core.engines.relaxed.front import Placements
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.budget import never
from core.vocabulary.plane.polygons import between, coarse_to_fine, fill
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System

# Each task type has this many columns, the least wasteful, because more make the program slower.
# The gap is where the solver stops. Both are set by judgement; `python -m benchmarks wishes`
# measures what wishes get.
_CHOICES = 9
_RELATIVE_GAP = 1e-5
# With more tasks, rounding each type for itself is as good, and whole numbers exceed the solver's
# tolerances.
_MOST_TASKS = 10**6


def place_within(
    system: System, waste: FloatArray, energy_limit: float, seconds: float
) -> IntArray | None:
    """Tasks of each type on each machine type, of the least makespan within so many joules. The
    search ends when the answer is proven best, or after so many seconds. None if none was found.

    `waste[i, j]` is how much more a task costs there than on its best machine type, infinite where
    it cannot run. Of many pairs only the least wasteful are considered.
    """
    if system.tasks > _MOST_TASKS:
        return None
    machines = system.machine_counts
    least = np.sort(waste, axis=1)[:, : min(_CHOICES, len(machines))]
    task, machine = np.nonzero((waste <= least[:, -1:]) & np.isfinite(waste))
    joules = system.dynamic_energy[task, machine]
    most_joules = float(np.abs(joules).max(initial=0.0)) or 1.0
    unit = float(system.etc[task, machine].max())
    # Joules that all idle machines draw in the unit of time.
    idle = system.total_idle_power * unit
    load = system.etc[task, machine] / machines[machine] / unit
    counts = system.task_counts
    program = Program(time_limit=seconds, mip_rel_gap=_RELATIVE_GAP)
    done = program.add_rows(counts, counts)
    busy = program.add_rows(-np.inf, np.zeros(len(machines)))
    drawn = program.add_rows(-np.inf, energy_limit / most_joules)
    # The rows imply the bounds, but the search for whole numbers needs them explicitly.
    cells = program.add_columns(
        [
            (done[task], 1.0),
            (busy[machine], load),
            (np.full(len(task), drawn), joules / most_joules),
        ],
        upper=counts[task],
        whole=True,
    )
    program.add_columns([(busy[None, :], -1.0), (drawn[None, :], idle / most_joules)], costs=1.0)
    solution = program.search()
    if solution is None:
        return None
    placed = np.zeros(waste.shape, np.int64)
    placed[task, machine] = np.rint(solution.values[cells])
    return placed if (placed.sum(axis=1) == system.task_counts).all() else None


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
