"""Figures as a terminal shows them: with more digits, and in short."""

from collections.abc import Mapping
from typing import Final

from core.vocabulary.say.phrases import estimates_in_words
from core.vocabulary.say.words import MINUTE, Sense, amount, counted, duration, energy, share, typed
from core.vocabulary.system import System
from core.vocabulary.tolerances import SAME

VERIFIED: Final = {
    True: "yes: other code computed every figure again from the tables",
    False: "NO: do not use this schedule",
}

_DIGITS: Final = 6
"""More digits than people read, so that figures can be compared."""


def exact_duration(seconds: float, sense: Sense) -> str:
    """`4,321.5 s (1 h 12 min 2 s)`: to compare, and to read."""
    said = amount(seconds, sense, "s", digits=_DIGITS)
    return said if seconds < 2 * MINUTE else f"{said} ({duration(seconds, sense)})"


def exact_energy(joules: float, sense: Sense) -> str:
    """`7,200,000 J (2 kWh)`: to compare, and to read; below a watt-hour joules alone."""
    said = amount(joules, sense, "J", digits=_DIGITS)
    in_short = energy(joules, sense)
    return f"{said} ({in_short})" if in_short.endswith("Wh") else said


def exact_money(money: float, sense: Sense) -> str:
    """`1,234.56`, without a currency."""
    return amount(money, sense, digits=_DIGITS)


def size_in_words(system: System, machines: int | None = None) -> str:
    """`30 task types (1,100 tasks) on 9 machine types (36 machines)`, and which pairs are
    estimates; perhaps with another number of machines.
    """
    machines = system.machines if machines is None else machines
    size = (
        f"{counted(len(system.task_types), 'task type')} ({counted(system.tasks, 'task')}) on "
        f"{counted(len(system.machine_types), 'machine type')} "
        f"({counted(machines, 'machine')})"
    )
    estimates = estimates_in_words(system)
    return f"{size}; {estimates}" if estimates else size


def gap_in_words(gap: float) -> str:
    """The gap: how far a schedule is above its lower bound at most."""
    if gap <= SAME:
        return "no schedule can do better (proven)"
    return f"at most {share(gap, Sense.UPPER_BOUND)} above what any schedule could reach (proven)"


def spent_of(spent: float, allowed: float, unit: str = "s") -> str:
    """`1.2 of 2 s`: how much of a budget is spent, to the tenth below."""
    return f"{int(10 * spent) / 10} of {typed(allowed)} {unit}"


def took(seconds: Mapping[str, float]) -> str:
    """The time of each phase, in their order."""
    return ", ".join(f"{phase} {duration(spent, Sense.PLAIN)}" for phase, spent in seconds.items())
