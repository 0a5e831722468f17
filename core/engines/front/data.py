"""A front and the schedules along it, as data and as a CSV table for spreadsheets and scripts."""

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import zip_longest
from typing import Final

from core.engines.front.study import Study
from core.engines.relaxed import Front
from core.vocabulary.arrays import FloatArray
from core.vocabulary.plane.points import exchange_rates, largest_gap, nadir, nearest_to_knee
from core.vocabulary.problems import Problem
from core.vocabulary.say.words import JOULES_PER_KWH

COLUMNS: Final = (
    "what",
    "makespan (s)",
    "energy (J)",
    "energy (kWh)",
    "average power (W)",
    "at most above the bound (%)",
)
VERTEX: Final = "vertex of the proven bound"
SCHEDULE: Final = "schedule"


def front_csv(study: Study) -> bytes:
    """The vertices of the proven bound, then the schedules on the Pareto front, each by rising
    energy. Figures have all digits: reading them gives the same numbers.
    """
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(COLUMNS)
    table.writerows(_rows(VERTEX, study.front.points))
    table.writerows(_rows(SCHEDULE, study.achieved, study.gaps))
    return text.getvalue().encode()


def _rows(
    what: str, points: FloatArray, above: Sequence[float | None] = ()
) -> Iterator[tuple[str, ...]]:
    for (joules, seconds), gap in zip_longest(points.tolist(), above):
        figures = (seconds, joules, joules / JOULES_PER_KWH, joules / seconds)
        yield (what, *map(repr, figures), "" if gap is None else repr(100 * gap))


def front_as_data(front: Front) -> dict[str, object]:
    """The front of the bound, which no schedule can beat."""
    return {
        "vertices": front.points.tolist(),
        "exact": bool(front.exact),
        "utopia": front.utopia.tolist(),
        "nadir": nadir(front.points).tolist(),
        "exchange_rates": exchange_rates(front.points).tolist(),
        "slower": front.slower.tolist(),
    }


def study_as_data(study: Study) -> dict[str, object]:
    """The front of the bound, the schedules on the Pareto front, and the area between."""
    front, achieved = study.front, study.achieved
    chain = achieved if len(achieved) else front.points
    bend, gap = nearest_to_knee(chain, front.points), largest_gap(achieved)
    return {
        "method": study.method,
        **front_as_data(front),
        "schedules": achieved.tolist(),
        "gaps": study.gaps,
        "nadir": study.nadir.tolist(),
        "area": asdict(study.areas()),
        "knee": None if bend is None else chain[bend].tolist(),
        "largest_gap": None if gap is None else asdict(gap),
    }


def unverified(name: str) -> Problem:
    """The problem of a study that the independent check disagrees with."""
    fault = "an independent check disagrees with a schedule of the study; do not use it"
    return Problem(name, "", "", fault)
