"""The front and the schedules along it as one CSV table, for spreadsheets and scripts."""

import csv
import io
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Final

from core.engines.front.study import Study
from core.vocabulary.arrays import FloatArray
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
