"""A system as one Excel workbook with sheets named etc, apc, tasks, machines and estimated."""

from functools import partial

from core.files.archive import ZipArchive
from core.files.assembly import Read, read_sources
from core.files.beside import SettingsSource
from core.files.findings import Findings, Unreadable, shown
from core.files.headings import SETTINGS
from core.files.sheet import Sheet
from core.files.sources import Source, told_apart
from core.files.workbook_reader import Workbook


def read_workbook(archive: ZipArchive, label: str, findings: Findings, settings: str = "") -> Read:
    """The system of a workbook; sheets whose names are not those of tables are reported. With
    `settings`, its parts, and the settings on the sheet of that name.
    """
    workbook = Workbook(archive)
    places = {title: f"{label} [{title}]" for title in workbook.titles}
    sheets = [
        (title.strip(), Source(place, partial(sheet_of, workbook, title, place), title))
        for title, place in places.items()
        if title.strip().casefold() not in SETTINGS
    ]
    beside = {name: _settings(workbook, name, label) for name in SETTINGS}
    twice = "this sheet is there twice; rename or remove one"
    sources, spare = told_apart(sheets, [*beside.values()], twice, findings)
    return read_sources(sources, f"{label} [etc]", findings, spare, beside.get(settings))


def _settings(workbook: Workbook, name: str, label: str) -> SettingsSource:
    place = f"{label} [{name}]"
    titles = {title.strip().casefold(): title for title in workbook.titles}

    def sheet(table: str) -> Sheet:
        if table.strip().casefold() not in titles:
            raise Unreadable(f"names '{shown(table)}', which is no sheet; add that sheet")
        title = titles[table.strip().casefold()]
        return sheet_of(workbook, title, f"{label} [{title}]")

    return SettingsSource.of_sheet(place, partial(sheet, name) if name in titles else None, sheet)


def sheet_of(workbook: Workbook, title: str, label: str) -> Sheet:
    """A sheet of a workbook as a table that is not read yet."""
    return Sheet(label, workbook.rows(title), is_text=False)
