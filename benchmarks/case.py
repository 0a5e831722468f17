"""What a case is: the parts that are measured, and the targets that come of them."""

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

CASES: Final = (
    "counts",
    "min-min",
    "bags",
    "single-tasks",
    "bound",
    "front",
    "along",
    "profit",
    "dashboard",
    "wishes",
    "start",
    "fairness",
    "mutants",
    "garbage",
)
WHEN_NAMED: Final = ("mutants",)
"""Cases that take hours, and are measured only when they are named."""


@dataclass(frozen=True, slots=True)
class Part:
    """What one process of a case does: `measure(quick)` gives what it measured, as JSON has it.

    `ours` says whether its memory counts for our target. With `compile_afresh` the process finds
    no compiled kernels on disk, as on the day of installation.
    """

    measure: Callable[[bool], Any]
    ours: bool = True
    compile_afresh: bool = False


@dataclass(frozen=True, slots=True)
class Target:
    """What must be reached: `value` is at most (or at least) `limit`; `show` writes either.

    A value that is not a number misses every limit.
    """

    what: str
    value: float
    limit: float
    show: Callable[[float], str]
    at_least: bool = False

    @property
    def met(self) -> bool:
        return self.value >= self.limit if self.at_least else self.value <= self.limit


@dataclass(frozen=True, slots=True)
class Section:
    """What came of a case: its targets, and the Markdown that tells the rest."""

    targets: Sequence[Target]
    body: str


@dataclass(frozen=True, slots=True)
class Case:
    """Something to reach: its parts by name, and how what they measured (by name) is told."""

    title: str
    parts: Mapping[str, Part]
    tell: Callable[[Mapping[str, Any]], Section]


def load(name: str) -> Case:
    """The case of this name. Only its own module is imported: others would weigh on memory."""
    case: Case = importlib.import_module(f"benchmarks.{name.replace('-', '_')}").CASE
    return case
