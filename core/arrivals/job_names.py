"""The names of jobs in a table."""

import numpy as np

from core.arrivals.columns import ReadColumns
from core.files.findings import shown


def unique_names(jobs: ReadColumns) -> tuple[list[str], bool]:
    """The names of jobs, and whether all are called by their numbers, as those without a name are.
    Repeated names are reported.
    """
    given = jobs.texts["job"]
    names = [given.names[code] or str(row) for row, code in enumerate(given.code.tolist(), 1)]
    if len(set(names)) < len(names):
        first: dict[str, int] = {}
        twice = [first.setdefault(name, row) != row for row, name in enumerate(names)]
        jobs.report(
            np.array(twice),
            "job",
            lambda row: (
                f"job '{shown(names[row])}' is there twice "
                f"({jobs.place(first[names[row]])} and {jobs.place(row)}); rename one"
            ),
        )
    return names, names == list(map(str, range(1, len(names) + 1)))
