"""The table of commands: `task_type, command`, a line of shell for each task type."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from core.engines.slurm.placeholders import UnusableCommand, as_script, read_as_code
from core.files.findings import Findings, shown
from core.files.headings import TASK_TYPE
from core.files.numbers import UnusableCell
from core.files.schema import Column, Schema, find_columns
from core.files.sheet import Sheet, SheetRow
from core.vocabulary.system import System

SCHEMA: Final[Schema] = (
    TASK_TYPE,
    Column("command", "text", called="commands, command line, script, cmd"),
)
COLUMNS: Final = tuple(column.name for column in SCHEMA)
TITLE: Final = "commands"

_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class Commands:
    """The command of each task type, by its position in the system, where the table has one.

    `scripts` have references to variables in place of placeholders. `code` has the placeholders of
    names that another program would read as code, each with that program.
    """

    label: str
    scripts: dict[int, str]
    code: dict[int, list[tuple[str, str]]]


def read_commands(sheet: Sheet, system: System, findings: Findings) -> Commands | None:
    """The commands of the task types of a system; None if the table cannot be used.

    Rows of other task types are reported, and not used.
    """
    commands = Commands(sheet.label, {}, {})
    errors = findings.errors
    with findings.refusals(sheet.label):
        rows = sheet.fitted_rows(findings)
        column = find_columns(sheet, next(rows, SheetRow(1, [])), SCHEMA, findings)
        if column is None:
            return None
        position = {name: i for i, name in enumerate(system.task_names)}
        for row in rows:
            if not row.whole:
                continue
            name, command = (row.cells[column[one]] for one in COLUMNS)
            try:
                _add(commands, position, sheet.name(name), command)
            except UnusableCommand as refusal:
                findings.error(sheet.label, row.place, "command", str(refusal))
            except _UnknownTaskType as unknown:
                findings.warning(sheet.label, row.place, "task_type", str(unknown))
    return commands if findings.errors == errors else None


class _UnknownTaskType(Exception):
    """A row is of a task type that the system does not have."""


def _add(commands: Commands, position: Mapping[str, int], name: str, command: str) -> None:
    """Add the command of one row; raises `UnusableCommand` or `_UnknownTaskType`."""
    said = f"task type '{shown(name)}'"
    task_type = position.get(name)
    if task_type is None:
        raise _UnknownTaskType(f"{said} is not in the system; the row is not used")
    if task_type in commands.scripts:
        raise UnusableCommand(f"{said} is there twice; remove one row")
    commands.scripts[task_type] = ""
    if isinstance(command, UnusableCell):
        raise UnusableCommand(command.why)
    text = command.strip().replace("\r\n", "\n")
    if not text:
        raise UnusableCommand(f"{said} has no command; give one")
    if _CONTROL.search(text):
        raise UnusableCommand("has a control character; remove it")
    commands.scripts[task_type] = as_script(text)
    commands.code[task_type] = read_as_code(text)
