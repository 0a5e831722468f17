"""What a solution means, in words and key figures."""

import math
from dataclasses import dataclass

from core.relaxed import met_bound
from core.solve import Solution
from core.system import System
from core.verify import Verdict
from core.words import counted, duration, energy, share


@dataclass(frozen=True, slots=True)
class Figure:
    """A key figure: what it is called, its value with the unit, and what it means."""

    label: str
    value: str
    meaning: str


def sentence(makespan: float, bound: float) -> str:
    """How soon all is done, and how much sooner it could be at the very most; both in seconds."""
    done = duration(makespan, math.ceil)
    gap = makespan / bound - 1 if bound > 0 else 0.0
    if gap <= 1e-9:
        return f"Done in {done}, and no schedule can be faster."
    return (
        f"Done in {done}; no schedule can be faster than {duration(bound, math.floor)}, "
        f"so this one is within {share(gap, math.ceil)} of the best there is."
    )


def figures(solution: Solution) -> tuple[Figure, ...]:
    """The figures to read first, each verified."""
    verdict, system = solution.verdict, solution.schedule.system
    joules = verdict.energy
    return (
        Figure(
            "Makespan",
            duration(verdict.makespan, math.ceil),
            f"When the last task ends: {verdict.makespan:,.6g} s.",
        ),
        Figure(
            "Proven bound",
            duration(solution.bound.value, math.floor),
            f"No schedule can be shorter: {solution.bound.value:,.6g} s, proven by linear "
            "programming duality. If every task ran on its fastest machine type, the bound would "
            f"be {met_bound(system):,.6g} s.",
        ),
        Figure(
            "Gap to bound",
            share(solution.gap, math.ceil),
            "Makespan over proven bound, less 1: what separates this schedule from the best there "
            "could be, at most.",
        ),
        *work_figures(verdict, system),
        Figure(
            "Energy",
            "unknown" if joules is None else energy(joules),
            "Give the average watts of each pair (apc.csv) to know it."
            if joules is None
            else f"All machines from start to makespan, idle power included: {joules:,.6g} J.",
        ),
    )


def work_figures(verdict: Verdict, system: System) -> tuple[Figure, Figure]:
    """How many of the machines work, and for how much of their time."""
    capacity = verdict.busy_seconds + verdict.idle_seconds
    return (
        Figure(
            "Busy",
            share(verdict.busy_seconds / capacity if capacity > 0 else 0.0, math.floor),
            "Share of all machines' time until the makespan that is spent on tasks.",
        ),
        Figure(
            "Machines at work",
            f"{verdict.machines:,}",
            f"Of {counted(system.machines, 'machine')}; they run {counted(verdict.tasks, 'task')}.",
        ),
    )
