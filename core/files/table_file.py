"""A file that is one table: CSV, a sheet of a workbook, or Parquet."""

from core.files import limits
from core.files.archive import ZipArchive, is_archive
from core.files.arrow_columns import is_parquet, read_parquet_columns, read_plain_columns
from core.files.columns import ReadColumns, read_columns
from core.files.delimited import sheet_of_text
from core.files.disk import check_size
from core.files.findings import Findings, Unreadable, shown_list
from core.files.large_tables import read_large_columns, rows_in
from core.files.schema import Schema
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


def read_table(
    label: str,
    data: bytes,
    schema: Schema,
    findings: Findings,
    title: str,
    most: int | None = None,
) -> ReadColumns | None:
    """The columns of the table in the content of a file, as `read_columns`; of a workbook, the
    sheet of this title. It may have up to `most` rows (None: `limits.JOB_ROWS`). If these may be
    more than `limits.ROWS`, it may be Parquet, and plain CSV is read by Arrow, which alone reads
    more than `limits.JOB_ROWS`. May raise `Unreadable`.
    """
    check_size(data)
    most = limits.JOB_ROWS if most is None else most
    if most > limits.ROWS and is_parquet(data):
        found = read_parquet_columns(label, data, schema, findings)
        if found is not None and len(found) > most:
            raise Unreadable(f"is too large: at most {most:,} rows can be read")
        return found
    if most > limits.ROWS and not is_archive(data):
        if rows_in(data) > min(most, limits.JOB_ROWS):
            return read_large_columns(label, data, schema, findings, most)
        if (plain := read_plain_columns(label, data, schema, findings)) is not None:
            return plain
    sheet = sheet_of_table(label, data, title, findings)
    return read_columns(sheet, schema, findings, min(most, limits.JOB_ROWS))
