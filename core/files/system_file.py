"""Reads a system of any format, which its content shows; writes one in the format of its suffix."""

import stat
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO, Final

from core.files import limits
from core.files.archive import ZipArchive, is_archive, write_lines
from core.files.assembly import Read, read_kept, read_sources
from core.files.beside import Additions, ReadParts, machine_columns, task_columns
from core.files.disk import (
    cannot_write,
    check_size,
    is_named_as_file,
    kind_of,
    read_file,
    replacing,
)
from core.files.document import document_lines, read_document
from core.files.findings import Findings, Reading, Unreadable
from core.files.folder import read_archive, read_files, read_folder, read_workbook
from core.files.hcsp import Sizes, looks_like_hcsp, read_hcsp
from core.files.headings import TABLES, table_called
from core.files.raw_table import RawTable, RawTables, Source
from core.files.sheet import Sheet
from core.files.stated_units import in_brackets
from core.files.strict_json import is_document
from core.files.table_writer import WrittenTable, WrittenTables
from core.files.text import LINES_LOOKED_AT, decode, first_lines, has_delimiter, sheet_of_text
from core.files.workbook_reader import is_workbook, refuse_old_excel
from core.vocabulary.arrays import BoolArray, FloatArray
from core.vocabulary.problems import InvalidInput
from core.vocabulary.system import System


@dataclass(frozen=True, slots=True)
class SystemReading(Reading[System]):
    """The system that was read, or None; and all problems.

    `tables` are there if they could be read and are small, even with errors: if checked again, they
    have the same errors. `spare` tables are not used, because nothing says their kind.
    """

    tables: RawTables | None = None
    spare: tuple[RawTable, ...] = ()

    @classmethod
    def of_tables(cls, read: Read, findings: Findings) -> "SystemReading":
        """What was read, and what was found."""
        return replace(cls.found(read.system, findings), tables=read.tables, spare=read.spare)


def read_system(path: str | Path, *, sizes: Sizes | None = None) -> System:
    """The system in a file or folder; its content shows the format.

    Parameters
    ----------
    path : str or Path
        A folder or zip archive of CSV files, a workbook, a JSON document, an HCSP benchmark, or an
        etc.csv alone.
    sizes : (int, int), optional
        Tasks and machines of an HCSP benchmark that does not begin with them.

    Returns
    -------
    System
        The system, with times in seconds and powers in watts.

    Raises
    ------
    InvalidInput
        Lists all errors by file, row and column.

    Examples
    --------
    >>> write_system(load_sample("two-by-two"), "mine.xlsx")
    >>> read_system("mine.xlsx").tasks
    12
    """
    return inspect_system(Path(path), sizes=sizes).require()


def inspect_system(path: Path, *, sizes: Sizes | None = None) -> SystemReading:
    """The system at `path`, or all its errors, and warnings; the content never makes it raise."""

    def read(findings: Findings) -> Read:
        if kind_of(path) == stat.S_IFDIR:
            return read_folder(path, findings)
        return _read_content(path.name, read_file(path), sizes, findings)

    return _reading(path.name or str(path), read)


def inspect_system_bytes(name: str, data: bytes, *, sizes: Sizes | None = None) -> SystemReading:
    """`inspect_system` for the content of a file of this name, such as an upload."""

    def read(findings: Findings) -> Read:
        check_size(data)
        return _read_content(name, data, sizes, findings)

    return _reading(name, read)


def inspect_system_files(files: Mapping[str, bytes]) -> SystemReading:
    """`inspect_system` for the contents of files that a person chose together, by their names: one
    of a system, or CSV files of its tables.
    """
    if len(files) == 1:
        return inspect_system_bytes(*next(iter(files.items())))

    def read(findings: Findings) -> Read:
        for data in files.values():
            check_size(data)
        return read_files(files, findings)

    return _reading(", ".join(files), read)


def inspect_parts(path: Path, settings: str, findings: Findings) -> ReadParts | None:
    """The parts of the system at `path`, and the settings of that name beside it; the content never
    makes it raise. Those who know what the settings mean add to the findings.
    """
    with findings.refusals(path.name or str(path)):
        if kind_of(path) == stat.S_IFDIR:
            return read_folder(path, findings, settings).parts
        return _read_content(path.name, read_file(path), None, findings, settings).parts
    return None


def inspect_parts_bytes(
    name: str, data: bytes, settings: str, findings: Findings
) -> ReadParts | None:
    """`inspect_parts` for the content of a file of this name, such as an upload."""
    with findings.refusals(name):
        check_size(data)
        return _read_content(name, data, None, findings, settings).parts
    return None


def inspect_tables(tables: RawTables) -> SystemReading:
    """`inspect_system` for tables that an earlier reading kept, with corrected cells."""
    findings = Findings()
    return SystemReading.of_tables(read_kept(tables, findings)._replace(tables=tables), findings)


def write_system(system: System, path: str | Path) -> None:
    """Write a system in the format of the suffix; without one, a folder of CSV files.

    Old files are replaced only when the new ones are complete; a folder with other files is
    refused.

    Parameters
    ----------
    system : System
        The system.
    path : str or Path
        A .zip, .xlsx or .json file, or a folder.

    Raises
    ------
    InvalidInput
        If it cannot be written.

    Examples
    --------
    >>> write_system(load_sample("two-by-two"), "mine.zip")
    """
    write_beside(system, Path(path), None)


def write_beside(system: System, path: Path, beside: Additions | None) -> None:
    """`write_system`, with settings and columns beside the tables."""
    refuse_kind(path)
    suffix = path.suffix.casefold()
    if suffix in _WRITERS:
        with replacing(path) as stream:
            _WRITERS[suffix](system, stream, beside)
    else:
        system_tables(system, beside).write_folder(path, TABLES, "etc")


def refuse_kind(path: Path) -> None:
    """Raise `InvalidInput` if no system can have this name, before it is computed."""
    suffix = path.suffix.casefold()
    if is_named_as_file(path) and suffix not in _WRITERS:
        raise cannot_write(
            path, f"a system cannot be {suffix}; name a folder, or a .zip, .xlsx or .json file"
        )
    if not path.absolute().parent.is_dir():
        raise cannot_write(path, "there is no such folder; make it first")


def _write_document(system: System, stream: BinaryIO, beside: Additions | None = None) -> None:
    write_lines(stream, document_lines(system, beside))


def _write_zip(system: System, stream: BinaryIO, beside: Additions | None = None) -> None:
    system_tables(system, beside).write_zip(stream)


def write_workbook(system: System, stream: BinaryIO, beside: Additions | None = None) -> None:
    """Write a system, and what is beside it, as a workbook. Raises `InvalidInput` if it has more
    types than a sheet has rows or columns.
    """
    if (
        len(system.task_types) >= limits.WORKBOOK_ROWS
        or len(system.machine_types) >= limits.WORKBOOK_COLUMNS
    ):
        message = (
            f"is too large for a workbook of {limits.WORKBOOK_ROWS:,} rows and "
            f"{limits.WORKBOOK_COLUMNS:,} columns; write .zip or .json"
        )
        raise InvalidInput.of(message, "the system")
    system_tables(system, beside).write_workbook(stream)


def system_tables(system: System, beside: Additions | None) -> WrittenTables:
    """The tables of a system, and what is beside them."""
    tables = {"etc": _matrix(system, system.etc, " [s]")}
    if system.apc is not None:
        tables["apc"] = _matrix(system, system.apc, " [W]")
    of_tasks, of_machines = task_columns(system, beside), machine_columns(system, beside)
    tables["tasks"] = _listing("task_type", system.task_names, of_tasks)
    tables["machines"] = _listing("machine_type", system.machine_names, of_machines)
    if system.estimated is not None:
        tables["estimated"] = _matrix(system, system.estimated, "")
    return WrittenTables(tables, {} if beside is None else beside.settings)


def _matrix(system: System, values: FloatArray | BoolArray, unit: str) -> WrittenTable:
    """A table of pairs. It says the unit only beside names that seem to have another one."""
    rows = zip(system.task_names, values, strict=True)
    said = unit if any(map(in_brackets, system.machine_names)) else ""
    titles = (f"task_type{said}", *system.machine_names)
    return WrittenTable(titles, ((name, *row.tolist()) for name, row in rows))


def _listing(
    key: str, names: Sequence[str], columns: Mapping[str, Sequence[float]]
) -> WrittenTable:
    return WrittenTable((key, *columns), zip(names, *columns.values(), strict=True))


_WRITERS: Final[dict[str, Callable[[System, BinaryIO, Additions | None], None]]] = {
    ".zip": _write_zip,
    ".xlsx": write_workbook,
    ".json": _write_document,
}
_KINDS: Final = {".json": "a JSON document", ".xlsx": "a workbook", ".zip": "a ZIP archive"}


def _reading(label: str, read: Callable[[Findings], Read]) -> SystemReading:
    findings, found = Findings(), Read(None)
    with findings.refusals(label):
        found = read(findings)
    return SystemReading.of_tables(found, findings)


def _read_content(
    name: str, data: bytes, sizes: Sizes | None, findings: Findings, settings: str = ""
) -> Read:
    if is_archive(data):
        archive = ZipArchive(data)
        if is_workbook(archive):
            return read_workbook(archive, name, findings, settings)
        return read_archive(archive, findings, settings)
    refuse_old_excel(data)
    text = decode(data, name, findings)
    if is_document(data):
        return read_document(text, name, findings, settings)
    if settings:
        if (kind := _KINDS.get(Path(name).suffix.casefold())) is not None:
            raise Unreadable(f"is not {kind}, whatever its name says; save it as one again")
        raise Unreadable(
            f"has no settings named {settings}; give a folder, a .zip, an .xlsx or a .json file"
        )
    if sizes or looks_like_hcsp(text):
        return Read(read_hcsp(text, name, sizes, findings))
    return _read_lone_table(name, text, findings)


def _read_lone_table(name: str, text: str, findings: Findings) -> Read:
    """The system of an ETC table without other tables."""
    lines = first_lines(text, LINES_LOOKED_AT)
    if not lines:
        raise Unreadable("is empty; give a system")
    if not any(map(has_delimiter, lines)):
        raise Unreadable(
            "is not a system: neither a table with commas, semicolons or tabs, nor an HCSP "
            "benchmark (one time on each line), nor JSON; choose another file, or one of these "
            "formats"
        )
    called = table_called(Path(name).stem)
    if called not in (None, "etc"):
        raise Unreadable(
            "is one table of a system; give the folder it is in, or choose etc.csv together with it"
        )

    def sheet() -> Sheet:
        return replace(sheet_of_text(text, name, findings), lone=called is None)

    return read_sources({"etc": Source(name, sheet, Path(name).stem)}, name, findings)
