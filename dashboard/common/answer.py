"""What a solution means, in words and key figures."""

from dataclasses import dataclass

from core import System
from core.front.proven import share_above
from core.makespan.solve import Solution
from core.model.tolerances import SAME
from core.relaxed import met_bound
from core.say.words import Sense, amount, counted, duration, energy, share
from core.verify.verdict import Verdict


@dataclass(frozen=True, slots=True)
class KeyFigure:
    """A key figure: what it is called, its value with the unit, and what it means."""

    label: str
    value: str
    meaning: str


def sentence(makespan: float, bound: float) -> str:
    """How soon all is done, and how much sooner it could be at the very most; both in seconds."""
    done = duration(makespan, Sense.SPENT)
    gap = share_above(makespan, bound)
    if gap <= SAME:
        return f"Done in {done}, and no schedule can be faster."
    return (
        f"Done in {done}; no schedule can be faster than {duration(bound, Sense.LOWER_BOUND)}, "
        f"so this one is within {share(gap, Sense.UPPER_BOUND)} of the best there is."
    )


def figures(solution: Solution) -> tuple[KeyFigure, ...]:
    """The figures to read first, each verified."""
    verdict, system = solution.verdict, solution.schedule.system
    joules = verdict.energy
    return (
        KeyFigure(
            "Makespan",
            duration(verdict.makespan, Sense.SPENT),
            f"When the last task ends: {_seconds(verdict.makespan, Sense.SPENT)}.",
        ),
        KeyFigure(
            "Proven bound",
            duration(solution.bound.value, Sense.LOWER_BOUND),
            f"No schedule can be shorter: {_seconds(solution.bound.value, Sense.LOWER_BOUND)}, "
            "proven by linear programming duality. If every task ran on its fastest machine type, "
            f"the bound would be {_seconds(met_bound(system), Sense.LOWER_BOUND)}.",
        ),
        KeyFigure(
            "Gap to bound",
            share(solution.gap, Sense.UPPER_BOUND),
            "Makespan over proven bound, less 1: what separates this schedule from the best there "
            "could be, at most.",
        ),
        *work_figures(verdict, system),
        KeyFigure(
            "Energy",
            "unknown" if joules is None else energy(joules, Sense.SPENT),
            "Give the average watts of each pair (apc.csv) to know it."
            if joules is None
            else f"All machines from start to makespan, idle power included: "
            f"{amount(joules, Sense.SPENT, 'J', digits=6)}.",
        ),
    )


def _seconds(value: float, sense: Sense) -> str:
    """More digits than people read, to compare with other programs."""
    return amount(value, sense, "s", digits=6)


def work_figures(verdict: Verdict, system: System) -> tuple[KeyFigure, KeyFigure]:
    """How many of the machines work, and for how much of their time."""
    capacity = verdict.busy_seconds + verdict.idle_seconds
    return (
        KeyFigure(
            "Busy",
            share(verdict.busy_seconds / capacity if capacity > 0 else None, Sense.PLAIN),
            "Share of all machines' time until the makespan that is spent on tasks.",
        ),
        KeyFigure(
            "Machines at work",
            f"{verdict.machines:,}",
            f"Of {counted(system.machines, 'machine')}; they run {counted(verdict.tasks, 'task')}.",
        ),
    )
