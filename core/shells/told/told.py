"""What a capability says of its answer, in plain text. Each place that shows it escapes it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self


@dataclass(frozen=True, slots=True)
class KeyFigure:
    """A key figure: what it is called, its value with the unit, and what it means. None of them
    has names from files, so pages may show them as Markdown.
    """

    label: str
    value: str
    meaning: str


@dataclass(frozen=True, slots=True)
class ToldTable:
    """A table of words, with the units in its head. `marked` is the row of the answer, and `note`
    says what the table leaves out. Its title and its note have no names from files.
    """

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    marked: int | None = None
    note: str = ""

    @classmethod
    def of_columns(
        cls,
        title: str,
        columns: Mapping[str, Sequence[str]],
        marked: int | None = None,
        note: str = "",
    ) -> Self:
        """A table of columns of equal length, by what stands above each."""
        rows = tuple(zip(*columns.values(), strict=True))
        return cls(title, tuple(columns), rows, marked, note)


def checked(finding: str, faults: Iterable[str]) -> list[str]:
    """What an independent check finds: the sentence `finding`, or one for each fault."""
    return [*map(not_verified, faults)] or [f"Checked: {finding}"]


def not_verified(fault: str) -> str:
    """What stands beside an answer that an independent check disagrees with."""
    return f"NOT verified: {fault}"


@dataclass(frozen=True, slots=True)
class Told:
    """An answer in words, and as `data` in SI units for programs. Its `lead` is the answer in a
    sentence or two without names from files; sentences and tables may have such names.
    """

    lead: str
    sentences: tuple[str, ...] = ()
    figures: tuple[KeyFigure, ...] = ()
    tables: tuple[ToldTable, ...] = ()
    data: Mapping[str, object] = field(default_factory=dict)

    def beside(self, other: "Told") -> "Told":
        """Both answers as one: the lead of the other is a sentence of it."""
        return Told(
            self.lead,
            (*self.sentences, other.lead, *other.sentences),
            (*self.figures, *other.figures),
            (*self.tables, *other.tables),
            {**self.data, **other.data},
        )
