"""Short phrases that several answers use."""

import math
from typing import Final

import numpy as np

from core.vocabulary.say.words import HOUR, Sense, amount, counted, power
from core.vocabulary.system import System
from core.vocabulary.tolerances import SAME

CAPS_LIMIT_AVERAGES: Final = "power caps limit the average power, not the peak"


def peak_in_words(peak: float, cap: float) -> str:
    """A clause on the peak (W) of a schedule whose average power keeps a cap (W)."""
    limit = power(cap, Sense.TYPED)
    if peak <= cap * (1 + SAME):
        return f"its power never exceeds the cap of {limit}"
    return (
        f"the cap of {limit} limits only its average power: the peak is "
        f"{power(peak, Sense.SPENT, cap)}"
    )


def points(fraction: float) -> str:
    """A fraction in percentage points, without the unit: "78.3"."""
    return _tenths(round(1000 * fraction))


def points_up(fraction: float) -> str:
    """A fraction in percentage points, rounded up, without the unit."""
    return _tenths(math.ceil(round(1000 * fraction, 6)))


def _tenths(number: int) -> str:
    sign = "−" if number < 0 else ""
    return f"{sign}{abs(number) // 10}.{abs(number) % 10}"


def core_hours(core_seconds: float) -> str:
    """Work in core-hours: "12 core-hours"."""
    said = amount(core_seconds / HOUR, Sense.PLAIN)
    return f"{said} core-hour{'' if said == '1' else 's'}"


SIGN: Final = "≈"
"""Stands before every value of an estimated pair."""


def estimates_in_words(system: System) -> str:
    """`23 of 180 pairs are estimates`, out of the pairs that can run; empty if none is one."""
    number = system.estimated_pairs
    if not number:
        return ""
    possible = int(np.isfinite(system.etc).sum())
    able = "" if possible == system.etc.size else " that can run"
    what = "is an estimate" if number == 1 else "are estimates"
    return f"{number:,} of {counted(possible, 'pair')}{able} {what}"


def estimates_in_a_sentence(system: System) -> str:
    """`23 of 180 pairs are estimates, not measurements.`; empty if none is one."""
    said = estimates_in_words(system)
    what = "a measurement" if system.estimated_pairs == 1 else "measurements"
    return f"{said}, not {what}." if said else ""


def size_as_dict(system: System | None) -> dict[str, int | None]:
    """The size of a system: numbers of types, tasks and machines, and of estimated pairs if there
    are any; None where there is no system.
    """
    if system is None:
        return dict.fromkeys(("task_types", "machine_types", "tasks", "machines"))
    return {
        "task_types": len(system.task_types),
        "machine_types": len(system.machine_types),
        "tasks": system.tasks,
        "machines": system.machines,
        **estimates_as_dict(system),
    }


def estimates_as_dict(system: System) -> dict[str, int]:
    """The number of estimated pairs; nothing if there are none."""
    return {"estimated_pairs": system.estimated_pairs} if system.estimated_pairs else {}
