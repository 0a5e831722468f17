"""Names of jobs: each says what its job array runs, so that Slurm's records say it, too.

`wf-1a2b3c4d-5e6f7a8b-2-13-5-1000`: the schedule, the run of its scripts, the machine type (1 is the
first of the system), the number of the machine, the task type, and the index of its first task.
Task a of the job array then has the index 1000 + a.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Self

import numpy as np

from core.engines.slurm.placeholders import UnusableCommand, as_script, read_as_code
from core.files.findings import Findings, shown
from core.files.headings import TASK_TYPE
from core.files.numbers import UnusableCell
from core.files.schema import Column, Schema, find_columns
from core.files.sheet import Sheet, SheetRow
from core.vocabulary.schedule import Blocks
from core.vocabulary.system import System

PREFIX: Final = "wf"
_NAME: Final = re.compile(
    PREFIX + r"-([0-9a-f]{8})-([0-9a-f]{8})-([1-9][0-9]{0,8})-([1-9][0-9]{0,8})-([1-9][0-9]{0,8})"
    r"-(0|[1-9][0-9]{0,12})"
)


@dataclass(frozen=True, slots=True)
class JobName:
    """What the name of a job says.

    `schedule` is a `schedule_digest`; `run` differs each time that the scripts of a schedule are
    submitted anew. Types are positions in the system; `machine` 1 is the first of its type. The
    job array runs the tasks from `first_index` on.
    """

    schedule: str
    run: str
    machine_type: int
    machine: int
    task_type: int
    first_index: int

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """What a name says; None for the name of another job."""
        match = _NAME.fullmatch(text)
        if match is None:
            return None
        machine_type, machine, task_type, first_index = map(int, match.groups()[2:])
        return cls(match[1], match[2], machine_type - 1, machine, task_type - 1, first_index)

    def __str__(self) -> str:
        return f"{PREFIX}-{self.schedule}-{self.run}-{self.ending}"

    @property
    def ending(self) -> str:
        """The part of the name that is known before the run."""
        numbers = (self.machine_type + 1, self.machine, self.task_type + 1, self.first_index)
        return "-".join(map(str, numbers))


def schedule_digest(blocks: Blocks, system: System) -> str:
    """Eight digits for the timeline of a system; others if a task is elsewhere or in another order.

    The same schedule has the same digest from a file of any format. Times are not looked at.
    """
    names = "\n".join((*system.task_names, "", *system.machine_names))
    digest = hashlib.sha256(names.encode())
    for column in (blocks.machine_type, blocks.first_machine, blocks.task_type, blocks.count):
        digest.update(np.ascontiguousarray(column, "<i8").tobytes())
    return digest.hexdigest()[:8]


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
