"""A case: the parts that are measured, and the targets computed from them."""

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
    "estimates",
    "logs",
    "sweeps",
    "provision",
    "arrivals",
    "stretch",
    "prices",
    "stopping",
    "value",
    "centre-day",
)
WHEN_NAMED: Final = ("mutants",)
"""Cases that take hours. They run only if they are named."""


@dataclass(frozen=True, slots=True)
class Part:
    """One process of a case: `measure(quick)` returns its measurements as JSON values.

    `ours` says whether its memory counts for our target. With `compile_afresh` the process finds
    no compiled kernels on disk, as on the day of installation.
    """

    measure: Callable[[bool], Any]
    ours: bool = True
    compile_afresh: bool = False


@dataclass(frozen=True, slots=True)
class Target:
    """A target: `value` must be at most (or at least) `limit`; `show` formats both.

    NaN misses every limit.
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
    """The results of a case: its targets, and Markdown with the details."""

    targets: Sequence[Target]
    body: str


@dataclass(frozen=True, slots=True)
class Case:
    """A case: its parts by name, and the function that turns their measurements into results."""

    title: str
    parts: Mapping[str, Part]
    tell: Callable[[Mapping[str, Any]], Section]


def load(name: str) -> Case:
    """The case of this name. Only its module is imported, since others would use memory."""
    case: Case = importlib.import_module(f"benchmarks.{name.replace('-', '_')}").CASE
    return case
