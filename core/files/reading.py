"""The result of reading a file: what it holds, or all of its problems."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Self, TypeVar

from core.files.findings import Findings, shown_list
from core.vocabulary.problems import InvalidInput, Problem

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Reading(Generic[T]):
    """What was read, or None; and all problems, errors first, then warnings.

    `notes` are the assumptions made, in sentences. `unread` are the names of files beside it, which
    were not read.
    """

    value: T | None
    problems: tuple[Problem, ...]
    notes: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()

    @classmethod
    def of(cls, label: str, read: Callable[[Findings], T | None]) -> Self:
        """What `read` returns if it reports no error. What it refuses is an error of `label`."""
        findings = Findings()
        value: T | None = None
        with findings.refusals(label):
            value = read(findings)
        return cls.found(None if findings.failed else value, findings)

    @classmethod
    def found(cls, value: T | None, findings: Findings) -> Self:
        """A value, and what was found while it was read."""
        return cls(value, findings.problems(), tuple(findings.notes), tuple(findings.unread))

    @classmethod
    def refused(cls, label: str, why: str) -> Self:
        """The reading of a file that cannot be read at all."""
        return cls(None, (Problem(label, "", "", why),))

    @property
    def ok(self) -> bool:
        return self.value is not None

    def require(self) -> T:
        """The value; raises `InvalidInput` with all problems if there is none."""
        if self.value is None:
            raise InvalidInput(self.problems)
        return self.value


def said_of_unread(names: Sequence[str]) -> tuple[str, ...]:
    """Which files were not read, in a sentence; no sentence if all were."""
    if not names:
        return ()
    return (f"Not used, because only .csv files of one folder are read: {shown_list(names)}.",)
