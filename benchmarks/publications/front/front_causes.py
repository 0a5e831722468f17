"""Measurements that explain why the fronts of nine are not as published."""

import time
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from benchmarks.convex import convex_bound
from benchmarks.publications.linear import Linear, above_bound, ends_dominated, linear
from benchmarks.publications.stand_ins import CANDIDATES, drawn, stand_in
from core.engines.recover.along import points_of
from core.engines.relaxed import Front, Objective, trace_front
from core.engines.relaxed.program import DivisibleProgram
from core.engines.rivals.nsga2 import basic_seeds, last_generation, nsga2
from core.vocabulary.arrays import BoolArray, FloatArray
from core.vocabulary.budget import Budget
from core.vocabulary.plane.points import gaps, sorted_front
from core.vocabulary.system import System
from core.vocabulary.tolerances import SAME

FINER: Final = 10
MORE_TASKS: Final = 10
WITHOUT_MIN_MIN: Final = 100
"""In multiples of the generations of seeded NSGA-II."""
PUBLISHED_GAPS: Final = 53
"""The number of gaps for which the publication states the time of its convex bound."""


@dataclass(frozen=True, eq=False)
class FrontTrials:
    """For each candidate for nine (rows): by what share full allocations are longer than the optima
    they come from, by what share the least energy rises with full idle power, and whether the last
    full allocation is dominated.

    For the candidate kept: the rise if all machine types draw equally much, the first share with
    more tasks, the longest gap after finer filling, and the front if machines draw the same power
    idle or working. Seconds of the sweep's programs in the solver alone (and the share of these
    without a step of the simplex method), of tracing the exact front, and of the convex bound of
    `PUBLISHED_GAPS`.

    `missed` are the full allocations on the Pareto front for which the last generation of seeded
    NSGA-II has no schedule that is as good in both. Last, the least makespan, in seconds, of
    NSGA-II without min-min's schedule as a seed.
    """

    above: FloatArray
    rise: FloatArray
    rise_of_equal_levels: float
    dominated: tuple[bool, ...]
    above_with_more_tasks: float
    finer_gap: float
    even_front: Front
    solver_seconds: float
    without_step: float
    walk_seconds: float
    convex_seconds: float
    missed: BoolArray
    without_min_min: float


def measure(weights: int, spacing: float, generations: int) -> FrontTrials:
    """Measure all causes; seeded NSGA-II runs for so many generations."""
    nine = stand_in("nine")
    method = linear(nine, weights, spacing)
    candidates = [_candidate(drawn("nine", k), weights, spacing) for k in CANDIDATES]
    above, rise, dominated = zip(*candidates, strict=True)
    more = nine.with_counts(MORE_TASKS * nine.task_counts, nine.machine_counts)
    finer = linear(nine, weights, spacing / FINER).filled.assigned
    started = time.thread_time()
    front = trace_front(nine)
    walk_seconds = time.thread_time() - started
    return FrontTrials(
        np.array(above),
        np.array(rise),
        _rise(_of_equal_levels(nine)),
        dominated,
        above_bound(linear(more, weights, spacing).swept),
        widest(finer),
        trace_front(even(nine)),
        *_solved(nine, front, weights),
        walk_seconds,
        _convex_seconds(front),
        _missed(method, generations),
        _without_min_min(nine, generations),
    )


def _without_min_min(nine: System, generations: int) -> float:
    """The least makespan, in seconds, that NSGA-II finds from only the seed of least energy."""
    thriftiest, _ = basic_seeds(nine)
    longer = WITHOUT_MIN_MIN * generations
    found = nsga2(nine, [thriftiest], generations=longer, budget=Budget())
    return min(schedule.makespan for schedule in found)


def _missed(method: Linear, generations: int) -> BoolArray:
    seeds = method.schedules
    last = last_generation(seeds[0].system, seeds, generations=generations, budget=Budget())
    points = points_of(last) * (1 - SAME)
    beaten = [(points <= point).all(axis=1).any() for point in sorted_front(method.swept.assigned)]
    return ~np.array(beaten)


def widest(points: FloatArray) -> float:
    """The longest gap between neighbouring schedules, as a share of the front's extent."""
    return float(gaps(sorted_front(points)).max() / 2)


def even(system: System) -> System:
    """The system with each machine type always drawing its mean power, idle or working."""
    idle = system.with_idle_fraction(1.0)
    mean = [machine.idle_power for machine in idle.machine_types]
    return replace(idle, apc=np.broadcast_to(mean, system.etc.shape))


def _candidate(nine: System, weights: int, spacing: float) -> tuple[float, float, bool]:
    method = linear(nine, weights, spacing)
    return above_bound(method.swept), _rise(nine), ends_dominated(method.swept)


def _rise(system: System) -> float:
    full, none = (trace_front(system.with_idle_fraction(share)) for share in (1.0, 0.0))
    return float(full.energy[0] / none.energy[0] - 1)


def _of_equal_levels(system: System) -> System:
    """The system with the same mean power over task types for each machine type."""
    idle = system.with_idle_fraction(1.0)
    level = np.array([machine.idle_power for machine in idle.machine_types])
    powers = system.dynamic_energy / system.etc  # without idle power, all energy is dynamic
    return replace(system, apc=powers * (level.mean() / level))


def _solved(system: System, front: Front, weights: int) -> tuple[float, float]:
    """Seconds of the sweep's programs in the solver, and the share solved without a step."""
    extent = np.abs(front.points[0] - front.points[-1])
    program, steps = DivisibleProgram(system), []
    started = time.thread_time()
    for alpha in np.linspace(0.0, 1.0, weights)[1:-1].tolist():
        program.minimise(Objective(alpha / extent[0], (1 - alpha) / extent[1]))
        steps.append(program.solution.iterations)
    return time.thread_time() - started, steps.count(0) / len(steps)


def _convex_seconds(front: Front) -> float:
    """Seconds of the convex bound for `PUBLISHED_GAPS` gaps of the front, or for all if it has
    fewer.
    """
    chosen = np.linspace(0, len(front) - 1, PUBLISHED_GAPS + 1).round().astype(int)
    points = front.points[np.unique(chosen)]
    started = time.thread_time()
    convex_bound(points)
    return time.thread_time() - started
