"""Case 1: 10^8 and 10^12 tasks, compared with a heap that assigns one task at a time."""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

import statistics
from collections.abc import Mapping
from functools import partial
from typing import Any, Final

import numpy as np

from benchmarks.case import Case, Part, Section, Target
from benchmarks.report import duration, percent, table, times
from benchmarks.samples import resample
from benchmarks.timing import in_turns, timed
from core import System, load_sample, solve
from core.capabilities.makespan.methods import PHASES
from core.capabilities.makespan.solve import Solution
from core.engines.compute.compiled import Kernel
from core.engines.recover import round_rows
from core.engines.relaxed import MAKESPAN, lower_bound

OURS, FIRST, COMPILING, HEAP = "Wattfront", "first call", "first call, compiling", "heap"

SEED: Final = 8
MACHINES_A_TYPE: Final = 4000
FEW, MANY, MOST = 10**6, 10**8, 10**12
LIMIT: Final = 0.5
SAME: Final = 1.1


def nine(tasks: int) -> System:
    """Nine's types with 4,000 machines each; beyond `MANY` tasks the same mix, multiplied."""
    system = load_sample("nine")
    drawn = resample(system, min(tasks, MANY), np.random.default_rng(SEED))
    copies = max(tasks // MANY, 1)
    machines = np.full(len(system.machine_types), MACHINES_A_TYPE)
    return drawn.with_counts(drawn.task_counts * copies, machines)


def _whole(solution: Solution) -> float:
    return sum(solution.seconds.values())


def measure_first_call(_quick: bool) -> float:
    return _whole(solve(nine(MANY), method="paper"))


def measure_phases(quick: bool) -> dict[str, Any]:
    """Medians, by number of tasks."""
    calls = {str(tasks): partial(solve, nine(tasks), method="paper") for tasks in (FEW, MANY, MOST)}
    runs = in_turns(calls, 5 if quick else 500)
    return {
        tasks: {
            "seconds": statistics.median(map(_whole, solutions)),
            "best": min(map(_whole, solutions)),
            "phases": {
                phase: statistics.median(solution.seconds[phase] for solution in solutions)
                for phase in PHASES
            },
            "repetitions": len(solutions),
            "gap": solutions[0].gap,
            "makespan": solutions[0].schedule.makespan,
        }
        for tasks, solutions in runs.items()
    }


def measure_heap(quick: bool) -> dict[str, float]:
    system = nine(FEW)
    placed = round_rows(lower_bound(system, MAKESPAN).placed, system.task_counts)
    run = partial(heap_makespan, system.etc, placed, system.machine_counts)
    runs = in_turns({"heap": partial(timed, run)}, 1 if quick else 5)["heap"]
    return {
        "seconds": statistics.median(seconds for seconds, _ in runs),
        "makespan": runs[0][1],
    }


@Kernel
def heap_makespan(etc, placed, machine_counts):
    """Assigns the longest tasks first, each to the machine of its type that is free first."""
    makespan = 0.0
    for kind in range(len(machine_counts)):
        ready = np.zeros(machine_counts[kind])
        for task in np.argsort(-etc[:, kind]):
            for _ in range(placed[task, kind]):
                _sink(ready, ready[0] + etc[task, kind])
        makespan = max(makespan, ready.max())
    return makespan


@Kernel
def _sink(heap, time):
    """Replaces the least value of a heap."""
    hole, child = 0, 1
    while child < len(heap):
        if child + 1 < len(heap) and heap[child + 1] < heap[child]:
            child += 1
        if heap[child] >= time:
            break
        heap[hole] = heap[child]
        hole, child = child, 2 * child + 1
    heap[hole] = time


def tell(measured: Mapping[str, Any]) -> Section:
    runs, heap = measured[OURS], measured[HEAP]
    few, many, most = (runs[str(tasks)] for tasks in (FEW, MANY, MOST))
    at_many = heap["seconds"] * MANY / FEW
    rows = [
        [f"10^{round(np.log10(tasks))} tasks", "Wattfront"]
        + [duration(run["seconds"]), duration(run["best"])]
        + [duration(run["phases"][phase]) for phase in ("bound", "round", "assign")]
        + [percent(run["gap"])]
        for tasks, run in ((FEW, few), (MANY, many), (MOST, most))
    ]
    blank = ["", "", "", "", ""]
    rows.append(["10^6 tasks", "heap, assignment alone", duration(heap["seconds"]), *blank])
    rows.append(["10^8 tasks", "heap, extrapolated", duration(at_many), *blank])
    same = np.isclose(heap["makespan"], few["makespan"], rtol=1e-9)
    return Section(
        [
            Target(
                "10^8 tasks: bound, rounding, assignment together", many["seconds"], LIMIT, duration
            ),
            Target(
                "time of 10^12 tasks / time of 10^8", most["seconds"] / many["seconds"], SAME, times
            ),
        ],
        "\n\n".join(
            [
                "The nine environment with 4,000 machines of each of its 9 types; tasks of 30 "
                f"types, drawn from its mix. Medians of {many['repetitions']} calls that take "
                "turns, after one to warm up.",
                table(["", "", "Together", "Best", "Bound", "Round", "Assign", "Gap"], rows),
                "The rival assigns the same rounded counts one task at a time, each to the machine "
                "that is free first (a heap a machine type, compiled by numba as ours is). Its "
                f"makespan at 10^6 tasks is {'the same as' if same else '**not** that of'} ours; "
                f"at 10^8 it would take {times(at_many / many['phases']['assign'])} as long as our "
                "assignment.",
                f"The first call in a process took {duration(measured[FIRST])}; the first after "
                f"installation, which also compiles the kernels, {duration(measured[COMPILING])}.",
            ]
        ),
    )


CASE: Final = Case(
    "10^8 tasks on 36,000 machines",
    {
        COMPILING: Part(measure_first_call, compile_afresh=True),
        OURS: Part(measure_phases),
        FIRST: Part(measure_first_call),
        HEAP: Part(measure_heap, ours=False),
    },
    tell,
)
