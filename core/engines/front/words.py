"""A front and its schedules in words, for a terminal."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from core.engines.front.methods import StudyProgress
from core.engines.front.study import Study
from core.engines.relaxed import Front
from core.vocabulary.arrays import FloatArray
from core.vocabulary.plane.points import exchange_rates, knee, largest_gap, non_dominated
from core.vocabulary.say.columns import (
    VERIFIED,
    exact_duration,
    exact_energy,
    size_in_words,
    spent_of,
    table,
    took,
)
from core.vocabulary.say.phrases import estimates_in_words
from core.vocabulary.say.words import Sense, amount, counted, duration, energy, share

_ENDS_FOUND: Final = ("fastest", "thriftiest")
_ENDS_PROVEN: Final = ("not before", "not below")
"""The ends of the front, of schedules and of the bound. No schedule may be as good as the bound, so
it is not called the fastest.
"""
_COUNTED: Final = {
    "sweep": "weight",
    "recover": "point",
    "evolve": "generation",
    "verify": "schedule",
}


def study_progress(progress: StudyProgress, unit: str = "s") -> str:
    """`1.2 of 2 s: 116 schedules, 43 min 21 s to 1 h 54 min`, or `evolve: generation 3 of 9`.

    `unit` is that of the budget of polish.
    """
    if progress.phase in _COUNTED:
        done = f"{_COUNTED[progress.phase]} {int(progress.spent):,} of {int(progress.allowed):,}"
        return f"{progress.phase}: {done}"
    front = progress.points[non_dominated(progress.points)]
    said = f"{spent_of(progress.spent, progress.allowed, unit)}: {counted(len(front), 'schedule')}"
    if not len(front):
        return said
    fastest, slowest = front[:, 1].min(), front[:, 1].max()
    return f"{said}, {duration(fastest, Sense.SPENT)} to {duration(slowest, Sense.SPENT)}"


def study_report(name: str, study: Study, seconds: Mapping[str, float]) -> str:
    """What the front means, its ends and its knee, the gaps of schedules, and the time it took."""
    front, achieved = study.front, study.achieved
    chain, sense = _told(front, achieved)
    soonest, least = _ENDS_FOUND if len(achieved) else _ENDS_PROVEN
    rows = [
        ("system", size_in_words(study.system)),
        (soonest, _point(chain[-1], sense)),
        (least, _point(chain[0], sense)),
    ]
    bend = knee(chain)
    if bend is not None:
        point = _point(chain[bend], sense)
        rows.append(
            ("knee", f"{point}; up to here saving time costs little energy, beyond it much")
        )
    rows += [("front", _front(front)), *_prices(front)]
    if len(achieved):
        rows += [("schedules", _schedules(study)), *_gap(achieved)]
        rows += [*_areas(study), ("verified", VERIFIED[study.verified])]
    rows.append(("took", took(seconds)))
    return f"{name}: {meaning(front, achieved)}\n{table(rows)}"


def meaning(front: Front, achieved: FloatArray) -> str:
    """What the front means for the choice of a schedule, in one or two sentences."""
    if len(front) == 1:
        joules, seconds = front.lines.value[[0, -1]]
        said = (
            "the fastest is also the thriftiest, so there is no trade-off: no schedule is done "
            f"before {duration(seconds, Sense.LOWER_BOUND)} or needs less than "
            f"{energy(joules, Sense.LOWER_BOUND)}"
        )
        if len(achieved) > 1:
            said += f"; whole tasks alone leave {len(achieved):,} schedules to choose from"
        return said
    chain, sense = _told(front, achieved)
    if len(chain) == 1:
        return f"one schedule is both the fastest and the thriftiest: {_point(chain[0], sense)}"
    saved = share(1 - chain[0, 0] / chain[-1, 0], Sense.EARNED)
    said = (
        f"between {duration(chain[-1, 1], sense)} and {duration(chain[0, 1], sense)} up to "
        f"{saved} of the energy can be saved"
    )
    if not len(achieved):
        said += ", if tasks could be split"
    return said + _first_half(chain)


def sweep_report(
    name: str, fractions: Sequence[float], fronts: Sequence[Front], seconds: Mapping[str, float]
) -> str:
    """The fronts at several idle powers, a line each."""
    none = np.empty((0, 2))
    rows = [("idle power", "what no schedule can beat")] + [
        (share(fraction, Sense.TYPED), f"{meaning(front, none)}; {_front(front)}")
        for fraction, front in zip(fractions, fronts, strict=False)
    ]
    missing = len(fractions) - len(fronts)
    stopped = f", {missing:,} left out because of the stop" if missing else ""
    estimates = estimates_in_words(fronts[0].system) if fronts else ""
    marked = f"; {estimates}" if estimates else ""
    return (
        f"{name}: {counted(len(fronts), 'idle power')}{stopped}{marked}\n"
        f"{table([*rows, ('took', took(seconds))])}"
    )


def _first_half(chain: FloatArray) -> str:
    """What about half of the saving costs in time, which is often little."""
    saved = chain[-1, 0] - chain[:, 0]
    halfway = int(np.flatnonzero(saved >= saved[0] / 2)[-1])
    if halfway == 0:
        return ""
    first = share(saved[halfway] / chain[-1, 0], Sense.EARNED)
    longer = duration(chain[halfway, 1] - chain[-1, 1], Sense.SPENT)
    return f"; the first {first} cost {longer}"


def _told(front: Front, achieved: FloatArray) -> tuple[FloatArray, Sense]:
    """The points of the schedules or, if there are none, the vertices of the front of the bound."""
    return (achieved, Sense.SPENT) if len(achieved) else (front.points, Sense.LOWER_BOUND)


def _point(point: FloatArray, sense: Sense) -> str:
    return f"{exact_duration(point[1], sense)} with {exact_energy(point[0], sense)}"


def _front(front: Front) -> str:
    vertices = f"{len(front):,} {'vertex' if len(front) == 1 else 'vertices'}"
    if front.exact:
        return f"{vertices}, exact: there are no others (proven)"
    return f"{vertices}, not exact: there may be others, but none below the proven lines"


def _prices(front: Front) -> list[tuple[str, str]]:
    if len(front) < 2:
        return []
    rates = exchange_rates(front.points)
    said = f"one second less costs {amount(rates[0], Sense.PLAIN, 'J')} at the slow end"
    if len(rates) > 1:
        said += f", {amount(rates[-1], Sense.PLAIN, 'J')} at the fast end"
    return [("exchange", said)]


def _schedules(study: Study) -> str:
    kept, found = int(study.on_front.sum()), len(study.schedules)
    return f"{kept:,} on the Pareto front, of {found:,} found"


def _gap(chain: FloatArray) -> list[tuple[str, str]]:
    gap = largest_gap(chain)
    if gap is None:
        return []
    apart = (
        f"{exact_duration(gap.makespan, Sense.PLAIN)} and {exact_energy(gap.energy, Sense.PLAIN)}"
    )
    return [("largest gap", f"{apart} apart")]


def _areas(study: Study) -> list[tuple[str, str]]:
    areas = study.areas()
    if len(study.front) == 1:
        return []
    unsettled = areas.between / areas.outer if areas.outer > 0 else None
    return [
        (
            "unsettled",
            f"{amount(areas.between, Sense.PLAIN, 'J s')} between what is proven and what is "
            f"found: {share(unsettled, Sense.UPPER_BOUND)} of the "
            f"{amount(areas.outer, Sense.PLAIN, 'J s')} up to the nadir",
        ),
        ("nadir", _point(study.nadir, Sense.PLAIN)),
    ]
