"""How far the search for schedules along a front is, in words for a terminal."""

from typing import Final

from core.engines.front.methods import StudyProgress
from core.vocabulary.plane.points import non_dominated
from core.vocabulary.say.columns import spent_of
from core.vocabulary.say.words import Sense, counted, duration

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
