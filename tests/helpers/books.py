"""Files of several tables as other programs write them."""

import io
import zipfile
from collections.abc import Mapping, Sequence

import openpyxl


def book(sheets: Mapping[str, Sequence[Sequence[object]]]) -> bytes:
    """A workbook as openpyxl writes it, of these sheets."""
    workbook = openpyxl.Workbook()
    workbook.remove(workbook.active)
    for title, rows in sheets.items():
        sheet = workbook.create_sheet(title)
        for row in rows:
            sheet.append(row)
    stream = io.BytesIO()
    workbook.save(stream)
    return stream.getvalue()


def zipped(files: Mapping[str, str | bytes]) -> bytes:
    """A zip archive of these files by their names."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data)  # without the time: always the same
    return stream.getvalue()
