"""Case 5: the bound of many types, against the same linear program through CVXPY and SciPy."""

import statistics
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import Any, Final

import numpy as np

from benchmarks.case import Case, Part, Section, Target
from benchmarks.report import duration, table
from benchmarks.timing import in_turns, timed
from core import System
from core.engines.relaxed import MAKESPAN, lower_bound
from core.files.samples.generate import Generation, RangeBased, Uniform, generate

LIMIT: Final = 1.0

OURS, CVXPY, SCIPY = "Wattfront", "CVXPY, on HiGHS", "SciPy's linprog, on HiGHS"

DRAWS: Final = {
    "uniform": Generation(etc=Uniform()),
    "range-based": Generation(etc=RangeBased()),
    "consistent": Generation(etc=RangeBased(), consistency="consistent"),
}


def systems(quick: bool) -> dict[str, System]:
    types = (64, 20) if quick else (512, 100)
    return {
        name: generate(
            replace(draw, task_types=types[0], machine_types=types[1], tasks=10**6, machines=10**3)
        )
        for name, draw in DRAWS.items()
    }


def measure(solver: Callable[[System], float], repetitions: int, quick: bool) -> dict[str, Any]:
    """The time from the system to the bound (s), and the bound."""
    calls = {name: partial(timed, partial(solver, s)) for name, s in systems(quick).items()}
    return {
        name: {"seconds": statistics.median(seconds for seconds, _ in runs), "bound": runs[0][1]}
        for name, runs in in_turns(calls, repetitions).items()
    }


def our_bound(system: System) -> float:
    return lower_bound(system, MAKESPAN).value


def cvxpy_bound(system: System) -> float:
    # Imported here, so that it does not count in the memory of other processes; it has few types.
    cp: Any = import_module("cvxpy")
    placed = cp.Variable(system.etc.shape, nonneg=True)
    makespan = cp.Variable()
    work = cp.sum(cp.multiply(system.etc, placed), axis=0)
    problem = cp.Problem(
        cp.Minimize(makespan),
        [
            cp.sum(placed, axis=1) == system.task_counts,
            work <= system.machine_counts * makespan,
        ],
    )
    return float(problem.solve(solver=cp.HIGHS))


def scipy_bound(system: System) -> float:
    from scipy.optimize import linprog  # here for the same reason
    from scipy.sparse import csr_array, diags_array, eye_array, hstack, kron

    tasks, machines = system.etc.shape
    every = np.ones((1, machines))
    done = hstack([kron(eye_array(tasks), every), csr_array((tasks, 1))])
    work = hstack([diags_array(row) for row in system.etc])
    within = hstack([work, csr_array(-system.machine_counts[:, None].astype(float))])
    found = linprog(
        np.append(np.zeros(tasks * machines), 1.0),
        A_ub=within,
        b_ub=np.zeros(machines),
        A_eq=done,
        b_eq=system.task_counts,
        method="highs",
    )
    return float(found.fun)


def tell(measured: Mapping[str, Any]) -> Section:
    ours = measured[OURS]
    rows = [
        [solver, *(duration(runs[draw]["seconds"]) for draw in ours)]
        for solver, runs in measured.items()
    ]
    apart = max(
        abs(runs[draw]["bound"] / ours[draw]["bound"] - 1)
        for runs in measured.values()
        for draw in ours
    )
    return Section(
        [Target("slowest bound", max(run["seconds"] for run in ours.values()), LIMIT, duration)],
        "\n\n".join(
            [
                "10^6 tasks, 1,000 machines; medians of warm calls, from the system to the bound. "
                "Ours includes the proof by weak duality. The rivals get the same linear program, "
                "as their users would state it, and solve it with HiGHS as well.",
                table(["", *ours], rows),
                f"The bounds agree to {apart:.1e}, relatively.",
            ]
        ),
    )


CASE: Final = Case(
    "Bound of 512 x 100 types",
    {
        OURS: Part(partial(measure, our_bound, 5)),
        CVXPY: Part(partial(measure, cvxpy_bound, 3), ours=False),
        SCIPY: Part(partial(measure, scipy_bound, 3), ours=False),
    },
    tell,
)
