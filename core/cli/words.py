"""Figures as a terminal shows them: exact, and as people read them."""

import math
from collections.abc import Mapping, Sequence
from typing import Final

from core import words

VERIFIED: Final = {
    True: "every figure added up again from the tables, by other code",
    False: "NO: do not use this schedule",
}

_NEGLIGIBLE = 1e-9


def exact_duration(seconds: float) -> str:
    """`4,321.5 s (1 h 12 min)`: to compare, and to read."""
    said = f"{seconds:,.6g} s"
    return said if seconds < 2 * words.MINUTE else f"{said} ({words.duration(seconds)})"


def exact_energy(joules: float) -> str:
    """`7.2e+06 J (2 kWh)`: to compare, and to read."""
    return f"{joules:,.6g} J ({joules / words.JOULES_PER_KWH:,.4g} kWh)"


def exact_power(watts: float) -> str:
    """`55,200 W`."""
    return f"{watts:,.6g} W"


def value_of(aim: str, value: float) -> str:
    """What was minimised, in its unit."""
    return exact_duration(value) if aim == "makespan" else exact_energy(value)


def gap_in_words(gap: float) -> str:
    """Rounded up, so that "at most" holds."""
    if gap <= _NEGLIGIBLE:
        return "no schedule can do better (proven)"
    return (
        f"at most {math.ceil(gap * 1e4) / 100:,.2f} % above what any schedule could reach (proven)"
    )


def took(seconds: Mapping[str, float]) -> str:
    """What each phase took, in their order."""
    return ", ".join(f"{phase} {spent:.3g} s" for phase, spent in seconds.items())


def table(rows: Sequence[tuple[str, str]]) -> str:
    """Lines of a label and what it says, aligned."""
    width = max(len(label) for label, _ in rows)
    return "\n".join(f"  {label:<{width}}  {said}" for label, said in rows)
