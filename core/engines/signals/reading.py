"""Files of curves: the format is recognised by what they hold."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from core.engines.signals.electricity_maps import is_electricity_maps, read_electricity_maps
from core.engines.signals.entso_e import is_entso_e, read_entso_e
from core.engines.signals.epw import is_epw, read_epw
from core.engines.signals.neso import read_neso
from core.engines.signals.plain import has_curves, is_plain, read_plain
from core.engines.signals.pvgis import is_pvgis, read_pvgis
from core.engines.signals.signal import Signal
from core.engines.signals.source import ReadAs, SignalSource
from core.engines.signals.tmy3 import is_tmy3, read_tmy3
from core.files.archive import is_archive
from core.files.disk import check_size, read_file
from core.files.findings import Findings, Reading, Unreadable
from core.files.strict_json import is_document
from core.files.text import decode, first_lines, sheet_of_text
from core.vocabulary.problems import Problem

_LINES_LOOKED_AT: Final = 40
_HEAD: Final = 1 << 14
_NESO: Final = re.compile(r'"data"\s*:.*"intensity"', re.DOTALL)
WANTED: Final = (
    "give CSV with the header time,value, or a file of Electricity Maps, NESO, ENTSO-E, PVGIS, "
    "TMY3 or EPW"
)


class SignalFormat(NamedTuple):
    """A format of curves: its name, whether a row is its header, and its reader."""

    name: str
    is_header: Callable[[Sequence[str]], bool]
    read: Callable[[SignalSource], list[Signal]]


NESO: Final = SignalFormat("NESO JSON", lambda _: False, read_neso)
TABLES: Final = (
    SignalFormat("EPW", is_epw, read_epw),
    SignalFormat("TMY3", is_tmy3, read_tmy3),
    SignalFormat("PVGIS CSV", is_pvgis, read_pvgis),
    SignalFormat("Electricity Maps CSV", is_electricity_maps, read_electricity_maps),
    SignalFormat("ENTSO-E CSV", is_entso_e, read_entso_e),
    SignalFormat("CSV", is_plain, read_plain),
)


def format_of(text: str) -> SignalFormat | None:
    """The format that a text says with its first lines; None if it is none of curves."""
    if is_document(text[:_LINES_LOOKED_AT].encode()):
        return NESO
    head = "\n".join(first_lines(text, _LINES_LOOKED_AT))
    for row in sheet_of_text(head, "", Findings()).rows:
        cells = [cell.strip() for cell in row.cells]
        found = next((one for one in TABLES if one.is_header(cells)), None)
        if found is not None:
            return found
    return None


def format_in(data: bytes, *, named: bool = False) -> SignalFormat | None:
    """The format of the content of a file, by its first bytes; None if it is none of curves. Plain
    CSV must have a column of values, or if `named`, one that says of what they are.
    """
    head = data[:_HEAD].decode(errors="replace")
    if is_archive(data) or (is_document(data) and not _NESO.search(head)):
        return None
    form = format_of(head)
    if form is None or form.read is not read_plain:
        return form
    rows = sheet_of_text("\n".join(first_lines(head, _LINES_LOOKED_AT)), "", Findings()).rows
    return form if any(has_curves(row.cells, named=named) for row in rows) else None


def inspect_signals_bytes(
    label: str, data: bytes, ask: ReadAs | None = None
) -> Reading[tuple[Signal, ...]]:
    """The curves in the content of a file, or all of its problems: where and what to do."""

    def read(findings: Findings) -> tuple[Signal, ...]:
        check_size(data)
        if is_archive(data):
            raise Unreadable(f"is no text; {WANTED}")
        if not data.strip():
            raise Unreadable(f"is empty; {WANTED}")
        text = decode(data, label, findings)
        form = format_of(text)
        if form is None:
            raise Unreadable(f"is of no known format of curves; {WANTED}")
        findings.notes.append(f"{label} is read as {form.name}")
        return tuple(form.read(SignalSource(label, text, ask or ReadAs(), findings)))

    return Reading.of(label, read)


def inspect_signals(path: Path, ask: ReadAs | None = None) -> Reading[tuple[Signal, ...]]:
    """The curves in a file, or in all .csv and .json files of a folder."""
    try:
        paths = sorted(path.iterdir()) if path.is_dir() else [path]
    except OSError as refused:
        return Reading.refused(path.name, f"cannot be read ({refused.strerror})")
    names = [one for one in paths if one.suffix.casefold() in (".csv", ".json", ".epw")] or paths
    signals: list[Signal] = []
    problems: list[Problem] = []
    notes: list[str] = []
    for one in names:
        try:
            read = inspect_signals_bytes(one.name, read_file(one), ask)
        except Unreadable as refused:
            read = Reading.refused(one.name, str(refused))
        signals += read.value or ()
        problems += read.problems
        notes += read.notes
    failed = any(problem.severity == "error" for problem in problems)
    return Reading(None if failed else tuple(signals), tuple(problems), tuple(notes))
