"""The names of jobs in a table."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np

from core.files.columns import ReadColumns
from core.files.findings import shown


def unique_names(jobs: ReadColumns) -> tuple[Sequence[str], bool]:
    """The names of jobs, and whether all are called by their numbers, as those without a name are.
    Repeated names are reported.
    """
    given = jobs.texts["job"]
    if given.names in ((), ("",)):
        return NumberNames(len(jobs)), True
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
    numbered = all(name == str(row) for row, name in enumerate(names, 1))
    return names, numbered


@dataclass(frozen=True)
class NumberNames(Sequence[str]):
    """The numbers of jobs from 1 on as names, made when somebody asks: of ten million jobs they
    would take a gigabyte.
    """

    jobs: int

    def __len__(self) -> int:
        return self.jobs

    @overload
    def __getitem__(self, job: int) -> str: ...

    @overload
    def __getitem__(self, job: slice) -> Sequence[str]: ...

    def __getitem__(self, job: int | slice) -> str | Sequence[str]:
        numbers = range(1, self.jobs + 1)
        if isinstance(job, slice):
            return [str(number) for number in numbers[job]]
        return str(numbers[job])
