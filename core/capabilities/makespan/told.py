"""What is said of one schedule and its lower bound."""

import math

from core import System
from core.capabilities.makespan.solve import Solution
from core.engines.front.proven import share_above
from core.engines.relaxed import met_bound
from core.engines.verify.verdict import Verdict
from core.shells.told.told import KeyFigure, Told
from core.vocabulary.say.words import Sense, amount, counted, duration, energy, share, within
from core.vocabulary.tolerances import SAME


def told(solution: Solution) -> Told:
    """All that is said of a schedule and its lower bound."""
    system = solution.system
    return Told(
        lead(solution),
        figures=figures(solution),
        data={
            "method": solution.method,
            "lower_bound": solution.bound.value,
            "makespan": solution.schedule.makespan,
            "energy": solution.schedule.energy_if_known,
            "gap": solution.gap if math.isfinite(solution.gap) else None,
            "tasks": system.tasks,
            "machines": system.machines,
        },
    )


def lead(solution: Solution) -> str:
    """What was minimised, and how much less it could be at most."""
    if solution.aim == "makespan":
        return sentence(solution.value, solution.bound.value)
    return _about(
        f"All tasks take {energy(solution.value, Sense.HEADLINE)}", "take less", solution.gap
    )


def sentence(makespan: float, bound: float) -> str:
    """When all tasks are done, and how much sooner that could be at most; both in seconds."""
    done = f"Done in {duration(makespan, Sense.HEADLINE)}"
    return _about(done, "be faster", share_above(makespan, bound))


def _about(found: str, better: str, gap: float) -> str:
    """What is found, in digits that stay when a later search finds slightly better."""
    if gap <= SAME:
        return f"{found}. No schedule can {better}."
    return f"{found}, at most {within(gap)} from the best possible."


def figures(solution: Solution) -> tuple[KeyFigure, ...]:
    """The key figures, as the judge computed them again."""
    verdict, system = solution.verdict, solution.system
    joules = verdict.energy
    return (
        KeyFigure(
            "Makespan",
            duration(verdict.makespan, Sense.SPENT),
            f"The time from the start to the end of the last task: "
            f"{_seconds(verdict.makespan, Sense.SPENT)}.",
        ),
        _least(solution),
        KeyFigure(
            "From the best, at most",
            share(solution.gap, Sense.UPPER_BOUND),
            f"How far the {solution.aim} is above the lower bound: {solution.aim} / lower bound "
            "− 1. The best schedule is nearer to this one than that, or as near.",
        ),
        *work_figures(verdict, system),
        KeyFigure(
            "Energy",
            "unknown" if joules is None else energy(joules, Sense.SPENT),
            "Unknown without the average power of each pair. Add the table apc."
            if joules is None
            else f"The energy of all machines from the start to the makespan, idle power included: "
            f"{amount(joules, Sense.SPENT, 'J', digits=6)}.",
        ),
    )


def _least(solution: Solution) -> KeyFigure:
    """The lower bound on what was minimised."""
    bound = solution.bound.value
    if solution.aim == "energy":
        exact = amount(bound, Sense.LOWER_BOUND, "J", digits=6)
        return KeyFigure(
            "Lower bound",
            energy(bound, Sense.LOWER_BOUND),
            f"No schedule can take less than {exact}. Duality of linear programming proves this.",
        )
    return KeyFigure(
        "Lower bound",
        duration(bound, Sense.LOWER_BOUND),
        f"No schedule can be shorter than {_seconds(bound, Sense.LOWER_BOUND)}. "
        "Duality of linear programming proves this. If every task ran on its fastest machine "
        "type, the bound would be "
        f"{_seconds(met_bound(solution.system), Sense.LOWER_BOUND)}.",
    )


def _seconds(value: float, sense: Sense) -> str:
    """With six digits, to compare with other programs."""
    return amount(value, sense, "s", digits=6)


def work_figures(verdict: Verdict, system: System) -> tuple[KeyFigure, KeyFigure]:
    """How many machines run tasks, and for what share of the time."""
    capacity = verdict.busy_seconds + verdict.idle_seconds
    return (
        KeyFigure(
            "Busy",
            share(verdict.busy_seconds / capacity if capacity > 0 else None, Sense.PLAIN),
            "The share of the time of all machines, from the start to the makespan, that they "
            "spend on tasks.",
        ),
        KeyFigure(
            "Machines at work",
            f"{verdict.machines:,}",
            f"Of {counted(system.machines, 'machine')}. They run {counted(verdict.tasks, 'task')}.",
        ),
    )
