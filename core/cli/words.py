"""Numbers as people say them, with their units."""

import math
from collections.abc import Sequence

_NEGLIGIBLE = 1e-9


def counted(number: int, thing: str) -> str:
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def duration(seconds: float) -> str:
    """`4,321.5 s (1 h 12 min)`."""
    said = f"{seconds:,.6g} s"
    if seconds < 60:
        return said
    hours, minutes = divmod(round(seconds / 60), 60)
    return f"{said} ({f'{hours:,} h ' if hours else ''}{minutes} min)"


def energy(joules: float) -> str:
    """`7.2e+06 J (2 kWh)`."""
    return f"{joules:,.6g} J ({joules / 3.6e6:,.4g} kWh)"


def value_of(aim: str, value: float) -> str:
    """What was minimised, in its unit."""
    return duration(value) if aim == "makespan" else energy(value)


def gap_in_words(gap: float) -> str:
    """Rounded up, so that "at most" holds."""
    if gap <= _NEGLIGIBLE:
        return "no schedule can do better (proven)"
    return (
        f"at most {math.ceil(gap * 1e4) / 100:,.2f} % above what any schedule could reach (proven)"
    )


def table(rows: Sequence[tuple[str, str]]) -> str:
    """Lines of a label and what it says, aligned."""
    width = max(len(label) for label, _ in rows)
    return "\n".join(f"  {label:<{width}}  {said}" for label, said in rows)
