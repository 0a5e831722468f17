"""NSGA-II (Deb et al. 2002) on energy and makespan, the metaheuristic of the publication.

It finds schedules between its seeds; `core.engines.rivals.evolution` describes a generation.
"""

import time
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from core.engines.recover import assign
from core.engines.recover.along import points_of
from core.engines.relaxed import ENERGY
from core.engines.rivals.evolution import EvolutionProblem, Genes, Pool, evolve
from core.engines.rivals.heuristics import min_min
from core.engines.rivals.rival import schedule_of_machines
from core.vocabulary.budget import Budget, NoScheduleFound
from core.vocabulary.plane.points import non_dominated
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System
from core.vocabulary.tolerances import INSTANT

# Chromosomes x (tasks + machines); with the children, this many take about a gigabyte.
MOST_GENES: Final = 100_000_000
LONGEST_STEP_SECONDS: Final = 0.05


def nsga2(
    system: System,
    seeds: Sequence[Schedule],
    *,
    generations: int,
    population: int = 100,
    budget: Budget,
    seed: int = 0,
    report: Callable[[int, int], None] | None = None,
) -> list[Schedule]:
    """The non-dominated schedules among `seeds` and the last generation, by rising energy.

    The first generation is all `seeds`, and random schedules to fill up `population`; if there are
    more seeds, the population is as large. For each seed, some returned schedule is as good in both
    objectives. When the budget is spent it ends early, with the current generation. `report` gets
    the generations done, and how many there will be.

    Raises `NoScheduleFound` if the chromosomes would need too much memory.
    """
    last = last_generation(
        system,
        seeds,
        generations=generations,
        population=population,
        budget=budget,
        seed=seed,
        report=report,
    )
    found = [*seeds, *last]
    points = points_of(found)
    best = np.flatnonzero(non_dominated(points))
    return [found[place] for place in best[np.argsort(points[best, 0])]]


def last_generation(
    system: System,
    seeds: Sequence[Schedule],
    *,
    generations: int,
    population: int = 100,
    budget: Budget,
    seed: int = 0,
    report: Callable[[int, int], None] | None = None,
) -> list[Schedule]:
    """The non-dominated schedules of the last generation, which may be worse than a seed."""
    if any(given.system != system for given in seeds):
        raise ValueError("a seed is a schedule of another system")
    size = max(population, len(seeds), 2)
    size += size % 2
    genes = size * (system.tasks + system.machines)
    if genes > MOST_GENES:
        raise NoScheduleFound(
            f"NSGA-II keeps a number for each of {system.tasks:,} tasks and {system.machines:,} "
            f"machines in each of {size:,} chromosomes: {genes:,}, where {MOST_GENES:,} are the "
            "limit; choose a smaller population, or another method"
        )
    random = np.random.default_rng(seed)
    problem = EvolutionProblem.of(system)
    pool = Pool.begun(problem, seeds, size, random)
    evolve(random, problem, pool, 0)  # compiles, which must not count as a slow pace
    _evolve_within(budget, generations, random, problem, pool, report)
    slots = pool.population
    slots = slots[non_dominated(np.column_stack([pool.energy[slots], pool.makespan[slots]]))]
    return [_schedule(system, chromosome) for chromosome in pool.genes[slots]]


def _evolve_within(
    budget: Budget,
    generations: int,
    random: np.random.Generator,
    problem: EvolutionProblem,
    pool: Pool,
    report: Callable[[int, int], None] | None,
) -> None:
    """Evolve for so many generations, or until the budget is spent, in steps so short that a
    request to stop is soon heard.
    """
    done, step = 0, 1
    while done < generations and budget.left and not budget.should_stop():
        step = min(step, generations - done)
        started = time.perf_counter()
        evolve(random, problem, pool, step)
        took = time.perf_counter() - started
        done += step
        step = max(1, int(step * min(2.0, LONGEST_STEP_SECONDS / 2 / max(took, INSTANT))))
        if report is not None:
            report(done, generations)


def basic_seeds(system: System, budget: Budget | None = None) -> list[Schedule]:
    """The published seeds: the schedule of least energy without idle power, and min-min's."""
    thriftiest = ENERGY.work_costs(system).argmin(axis=1)
    placed = np.zeros(system.etc.shape, np.int64)
    placed[np.arange(len(thriftiest)), thriftiest] = system.task_counts
    return [assign(system, placed), min_min(system, budget or Budget())]


def _schedule(system: System, chromosome: Genes) -> Schedule:
    tasks = np.zeros((system.machines, len(system.task_types)), np.int64)
    task_type = np.repeat(np.arange(len(system.task_types)), system.task_counts)
    np.add.at(tasks, (chromosome, task_type), 1)
    return schedule_of_machines(system, tasks)
