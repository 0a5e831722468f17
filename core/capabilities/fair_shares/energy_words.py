"""The front of the worst stretch against energy, as data and in words."""

from collections.abc import Sequence

from core.capabilities.fair_shares.energy import EnergyFront
from core.shells.told.told import Told, ToldTable
from core.vocabulary.say.words import Sense, amount, energy, share


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


def told_of_front(front: EnergyFront, faults: Sequence[str]) -> Told:
    """All that is said of the front: what a larger worst stretch saves, and its vertices."""
    checked = (
        [f"NOT verified, plans of the front: {'; '.join(faults)}"]
        if faults
        else ["Checked: the plans of the front keep all limits."]
    )
    columns = {
        "Worst stretch": [amount(one, Sense.SPENT) for one in front.points[:, 0].tolist()],
        "Least energy": [energy(one, Sense.SPENT) for one in front.points[:, 1].tolist()],
    }
    return Told(
        energy_said(front),
        (proof_said(front), "Between two vertices, the least energy is linear.", *checked),
        tables=(ToldTable.of_columns("Worst stretch and energy", columns),),
        data={"front": front_as_data(front, faults)},
    )


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
        return "No schedule is below the front (proven)."
    most = share(front.gap, Sense.SPENT)
    if not front.complete:
        return f"The front was not traced to its end. No schedule is {most} below it (proven)."
    return f"No schedule is more than {most} below the front (proven)."


def reached_said(stretch: float) -> str:
    """How far the front is known."""
    return f"the front is known up to a worst stretch of {amount(stretch, Sense.PLAIN)}"
