"""The front of the worst stretch against energy, as data and in words."""

from collections.abc import Sequence

from core.capabilities.fair_shares.energy import EnergyFront
from core.vocabulary.say.columns import exact_energy, table
from core.vocabulary.say.words import Sense, amount, counted, duration, energy, share
from core.vocabulary.tolerances import CERTIFIED


def front_as_data(front: EnergyFront, faults: Sequence[str]) -> dict[str, object]:
    """Its vertices by rising stretch, in joules."""
    return {
        "vertices": [
            {"stretch": stretch, "energy": joules, "proven": proven}
            for (stretch, joules), proven in zip(
                front.points.tolist(), front.proven.tolist(), strict=True
            )
        ],
        "exact": front.exact,
        "gap": front.gap,
        "programs": front.programs,
        "verified": not faults,
    }


def front_report(front: EnergyFront, faults: Sequence[str], seconds: float) -> str:
    """How much energy a larger worst stretch saves."""
    first, last = front.points[0], front.points[-1]
    number = len(front.points)
    saved = (first[1] - last[1]) / abs(first[1]) if first[1] else 0.0
    less = f", {share(saved, Sense.EARNED)} less" if number > 1 else ""
    stretch = amount(float(last[0]), Sense.PLAIN)
    rows = [
        ("energy", f"{exact_energy(float(first[1]), Sense.SPENT)} at the least worst stretch"),
        ("least energy", f"{exact_energy(float(last[1]), Sense.SPENT)}{less}, from {stretch} on"),
        ("front", f"{number:,} {'vertex' if number == 1 else 'vertices'}; {_proof(front)}"),
        ("plans", "keep all limits (verified)" if not faults else "; ".join(faults)),
        ("took", f"{duration(seconds, Sense.PLAIN)}, {counted(front.programs, 'linear program')}"),
    ]
    if not front.complete:
        reached = f"it was stopped, so the front ends at a worst stretch of {stretch}"
        rows[1] = ("so far", f"{exact_energy(float(last[1]), Sense.SPENT)}{less}; {reached}")
    return "\n".join([table(rows), "", *_vertices(front)])


def energy_said(front: EnergyFront) -> str:
    """What a larger worst stretch saves."""
    (first, most), (last, least) = front.points[0].tolist(), front.points[-1].tolist()
    if most - least <= front.gap * most or len(front.points) == 1:
        return f"No larger stretch saves energy: {energy(most, Sense.SPENT)} in any case."
    saved = share((most - least) / abs(most) if most else None, Sense.EARNED)
    so_far = "" if front.complete else " so far"
    return (
        f"A worst stretch of {amount(last, Sense.SPENT)} in place of {amount(first, Sense.SPENT)} "
        f"saves {saved} of {energy(most, Sense.SPENT)}{so_far}."
    )


def proof_said(front: EnergyFront) -> str:
    """How far below the front schedules can be at most."""
    if front.exact:
        return "No schedule is below the line (proven)."
    most = share(front.gap, Sense.SPENT)
    if not front.complete:
        return f"The front was not traced to its end. No schedule is {most} below it (proven)."
    return f"No schedule is more than {most} below the line (proven)."


def reached_said(stretch: float) -> str:
    """How far the front is known."""
    return f"the front is known up to a worst stretch of {amount(stretch, Sense.PLAIN)}"


def _proof(front: EnergyFront) -> str:
    if front.gap <= CERTIFIED:
        return "no schedule is below it (proven)"
    most = share(front.gap, Sense.SPENT)
    return f"schedules are at most {most} below it (proven)"


def _vertices(front: EnergyFront) -> list[str]:
    """A line for each vertex; between two, the least energy is linear."""
    rows = [("worst stretch", "least energy")] + [
        (amount(stretch, Sense.PLAIN), exact_energy(joules, Sense.SPENT))
        for stretch, joules in front.points.tolist()
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(2)]
    return [
        "  " + "  ".join(f"{cell:>{width}}" for cell, width in zip(row, widths, strict=True))
        for row in rows
    ]
