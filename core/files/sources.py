"""Where the tables of a system are, told apart by their names."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from core.files.beside import SettingsSource, tables_named_by
from core.files.findings import Findings, Unreadable
from core.files.headings import TABLES, table_called
from core.files.raw_table import RawTable, keep, looks_like, untitled
from core.files.sheet import Sheet

_SPARE_KEPT: Final = 10
NAMES: Final = "etc, apc, tasks, machines or estimated"


class Source(NamedTuple):
    """Where a table is; `sheet` reads it, or raises `Unreadable`. `name` is that of its file or
    sheet.
    """

    label: str
    sheet: Callable[[], Sheet]
    name: str = ""

    def read(self, findings: Findings) -> tuple[Sheet, RawTable | None]:
        """The sheet below its titles, not read yet, and its table if that is small enough to keep.

        May raise `Unreadable`.
        """
        sheet = self.sheet()
        name = self.name.strip()
        if name:
            title = name[: -len(".csv")] if name.casefold().endswith(".csv") else name
            sheet = replace(sheet, titles=(title, *sheet.titles))
        return keep(untitled(sheet, findings))


def told_apart(
    named: Sequence[tuple[str, Source]],
    settings: Sequence[SettingsSource],
    twice: str,
    findings: Findings,
) -> tuple[dict[str, Source], list[Source]]:
    """The tables by kind, as their names say; and those whose names say no kind. Tables that
    settings name are neither.

    Wattfront's own names of tables take precedence over other words for them. If two tables have
    the same such name, that is reported.
    """
    sources: dict[str, Source] = {}
    rest: list[tuple[str, Source]] = []
    for name, source in named:
        table = name.casefold()
        if table not in TABLES:
            rest.append((name, source))
            continue
        if table in sources:
            findings.file_error(source.label, twice)
        sources[table] = source
    spare: list[Source] = []
    others = tables_named_by(settings) if rest else ()
    for name, source in rest:
        called = table_called(name)
        if source.name.strip().casefold() in others:
            continue
        if called is None or called in sources:
            spare.append(source)
        else:
            sources[called] = source
    return sources, spare


def first_spare(spare: Sequence[Source], findings: Findings) -> tuple[RawTable, ...]:
    """The first of the small tables whose kind is unknown."""
    kept: list[RawTable] = []
    for source in spare:
        raw = None
        if len(kept) < _SPARE_KEPT:
            try:
                sheet, raw = source.read(findings)
            except Unreadable:
                sheet = None
            if sheet is not None and next(iter(sheet.rows), None) is None:
                continue  # blank, as Excel adds them
            if raw is not None:
                kept.append(raw)
        guess = None if raw is None else looks_like(raw)
        advice = f"it is probably {guess}: give it this name" if guess else f"name it {NAMES}"
        message = f"is not used, because its name is not that of a table; if it is one, {advice}"
        findings.file_warning(source.label, message)
    return tuple(kept)
