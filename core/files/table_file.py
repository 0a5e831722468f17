"""A file that is one table: CSV, or a sheet of a workbook."""

from core.files.archive import ZipArchive, is_archive
from core.files.delimited import sheet_of_text
from core.files.disk import check_size
from core.files.findings import Findings, Unreadable, shown_list
from core.files.sheet import Sheet
from core.files.text import decode
from core.files.workbook import sheet_of
from core.files.workbook_reader import Workbook, refuse_old_excel


def sheet_of_table(label: str, data: bytes, title: str, findings: Findings) -> Sheet:
    """The table in the content of a file: of a workbook, the sheet of this title or the only one.

    Raises `Unreadable` if there is none.
    """
    check_size(data)
    if is_archive(data):
        workbook = Workbook(ZipArchive(data))
        titles = workbook.titles
        found = next((t for t in titles if t.strip().casefold() == title), None)
        if found is None and len(titles) == 1:
            found = titles[0]
        if found is None:
            raise Unreadable(f"has no sheet '{title}', but {shown_list(titles)}; rename one")
        return sheet_of(workbook, found, f"{label} [{found}]")
    refuse_old_excel(data)
    return sheet_of_text(decode(data, label, findings), label, findings)
