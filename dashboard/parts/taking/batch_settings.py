"""What a person says of batch scripts, and what comes of it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice
from typing import Any, Final, Self

from core import System
from core.engines.relaxed import trace_front
from core.engines.slurm import binding, job_names
from core.engines.slurm.binding import Binding
from core.engines.slurm.cluster_lines import cluster_lines
from core.engines.slurm.foreseen import foreseen
from core.engines.slurm.job_arrays import USUAL_ARRAY_SIZE, JobArrays, job_arrays_of
from core.engines.slurm.job_names import Commands, read_commands
from core.engines.slurm.places import NodesOfTypes, PlaceRow, bound_by, first_rows
from core.engines.slurm.requested import Requested, licences_within
from core.engines.slurm.scripts import TASKS, archived_scripts, script_files
from core.files.findings import Findings, Reading
from core.files.numbers import UnusableCell
from core.files.schema import find_columns
from core.files.sheet import Sheet, SheetRow
from core.files.table_file import sheet_of_table
from core.files.text import titles_of
from core.files.workbook_reader import has_sheet
from core.vocabulary.budget import Budget
from core.vocabulary.problems import InvalidInput, Problem, errors
from core.vocabulary.requests import LogRequests
from core.vocabulary.say.words import MINUTE
from core.vocabulary.schedule import Schedule
from core.vocabulary.timed import TimedSchedule

MOST_ROWS: Final = 5_000
"""The most rows of the map on the page."""
MOST_COMMANDS: Final = 1_000
"""Task types that can have a command of their own on the page."""
COMMAND_LENGTH: Final = 10_000
"""The longest command, in characters."""
FIRST_COMMAND: Final = "echo task {index} of {task_type} on {machine}"
COMMAND: Final = "command"
COMMANDS: Final = "the commands"
COMMAND_OF_ALL: Final = "the command of all"
PREVIEW_LINES: Final = 300
_TRACING: Final = 2.0
"""Seconds that the front may take, from which worths of machines come."""
_PREVIEW_CHARACTERS: Final = 30_000


REQUESTS: Final = {
    "cores": ("cores", "Cores", 1.0),
    "gpus": ("gpus", "GPUs", 1.0),
    "memory_gib": ("memory", "Memory (GiB)", 1024.0),
    "nodes": ("nodes", "Nodes", 1.0),
    "minutes": ("seconds", "Time limit (min)", MINUTE),
}
"""By the column of the page: the amount of a request, its title, and one of it in that unit."""


@dataclass(frozen=True, slots=True)
class BatchSettings:
    """What batch scripts are made of, besides a schedule.

    `own_commands` has the commands of task types, by position, that differ from `command`, and
    `own_requests` the amounts that a person has typed. The others are from the `log`.
    """

    places: tuple[PlaceRow, ...]
    command: str = FIRST_COMMAND
    own_commands: tuple[tuple[int, str], ...] = ()
    max_array_size: int = USUAL_ARRAY_SIZE
    own_requests: tuple[tuple[int, tuple[tuple[str, float], ...]], ...] = ()
    log: LogRequests | None = None

    @classmethod
    def of(cls, system: System, nodes: NodesOfTypes = (), log: LogRequests | None = None) -> Self:
        """What a person begins with: what is known of machines and of what jobs asked for."""
        return cls(first_rows(system, nodes, log), log=log)

    def requested(self, system: System) -> Requested:
        """What tasks request."""
        return Requested(system, self.log, {k: dict(typed) for k, typed in self.own_requests})


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What batch scripts will be: their problems, errors first, and how much they submit.

    `paths` are the files; there are none while anything is wrong. `unfinished` says what is still
    as it was at first, so that the scripts do not run the schedule yet.
    """

    problems: tuple[Problem, ...]
    job_arrays: int = 0
    tasks: int = 0
    machines: int = 0
    paths: tuple[str, ...] = ()
    unfinished: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        return bool(self.paths)


def changed(rows: Sequence[PlaceRow], state: Mapping[str, Any]) -> tuple[PlaceRow, ...]:
    """The rows after the edits that Streamlit reports; at most `MOST_ROWS`."""
    edited = {int(row): cells for row, cells in state["edited_rows"].items()}
    deleted = set(state["deleted_rows"])
    kept = (_with_cells(row, edited.get(i, {})) for i, row in enumerate(rows) if i not in deleted)
    added = (_with_cells(PlaceRow(), cells) for cells in state["added_rows"])
    return (*kept, *added)[:MOST_ROWS]


def _with_cells(row: PlaceRow, cells: Mapping[str, Any]) -> PlaceRow:
    known = {name: cells[name] or "" for name in PlaceRow._fields if name in cells}
    return row._replace(**known)


def own_commands(
    given: Mapping[int, str], edited: Mapping[Any, Mapping[str, Any]]
) -> tuple[tuple[int, str], ...]:
    """The commands of single task types after edits; a blank one is the command of all."""
    told = dict(given) | {
        int(row): cells[COMMAND] or "" for row, cells in edited.items() if COMMAND in cells
    }
    return tuple(sorted((row, text) for row, text in told.items() if text.strip()))


def rows_of_requests(settings: BatchSettings, system: System) -> list[dict[str, float | None]]:
    """What each task type requests at most, in the columns of `REQUESTS`; None if it is not
    known. Blank cells that a person has not filled are requests of nothing.
    """
    own = dict(settings.own_requests)
    rows = []
    for k, name in enumerate(system.task_names):
        most = asdict(settings.log.most[name]) if settings.log and name in settings.log.most else {}
        amounts = {**most, **dict(own.get(k, ()))}
        rows.append(
            {
                column: amounts[amount] / unit if amounts.get(amount) else None
                for column, (amount, _, unit) in REQUESTS.items()
            }
        )
    return rows


def own_requests(
    given: Mapping[int, tuple[tuple[str, float], ...]], edited: Mapping[Any, Mapping[str, Any]]
) -> tuple[tuple[int, tuple[tuple[str, float], ...]], ...]:
    """The amounts that a person has typed, after edits; a blank cell asks for nothing."""
    told = {row: dict(amounts) for row, amounts in given.items()}
    for row, cells in edited.items():
        for column in REQUESTS.keys() & cells.keys():
            amount, _, unit = REQUESTS[column]
            told.setdefault(int(row), {})[amount] = float(cells[column] or 0.0) * unit
    return tuple(sorted((row, tuple(sorted(amounts.items()))) for row, amounts in told.items()))


def is_map(data: bytes) -> bool:
    """Whether content says that it is a map, with or without faults: a table of any kind."""
    titles = titles_of(data)
    has_places = binding.COLUMNS[0] in titles and not titles.isdisjoint(binding.COLUMNS[2:])
    return has_places or has_sheet(data, binding.TITLE)


def read_map(name: str, data: bytes) -> Reading[tuple[PlaceRow, ...]]:
    """The rows of a map file as text, to be checked on the page; or why there are none."""

    def read(findings: Findings) -> tuple[PlaceRow, ...]:
        sheet = sheet_of_table(name, data, binding.TITLE, findings)
        found = sheet.fitted_rows(findings, MOST_ROWS)
        column = find_columns(sheet, next(found, SheetRow(1, [])), binding.SCHEMA, findings)
        if column is None:
            return ()
        return tuple(_row_of_file(sheet, row, column, findings) for row in found if row.whole)

    return Reading.of(name, read)


def _row_of_file(
    sheet: Sheet, row: SheetRow, column: Mapping[str, int], findings: Findings
) -> PlaceRow:
    cells = {}
    for name, place in column.items():
        cell = row.cells[place]
        if isinstance(cell, UnusableCell):
            findings.error(sheet.label, row.place, name, cell.why)
        else:
            cells[name] = sheet.name(cell)
    return PlaceRow(**cells)


def foresee(schedule: Schedule, settings: BatchSettings) -> Foreseen:
    """What will not be as planned, said before anything is submitted."""
    findings = Findings()
    made = _made(schedule, settings, findings)
    if made is None:
        return Foreseen(findings.problems())
    arrays, bound, told = made
    asked = settings.requested(schedule.system)
    answer = Foreseen(
        findings.problems(),
        len(arrays),
        int(arrays.blocks.count.sum()),
        sum(1 for _ in arrays.chains()),
        unfinished=tuple(_unfinished(settings, bound, told, lacks=any(asked.lacking(arrays)))),
    )
    if errors(answer.problems):
        return answer
    return replace(answer, paths=_in_order(_files(made, settings)))


def _unfinished(
    settings: BatchSettings, bound: Binding | None, told: Commands | None, *, lacks: bool
) -> Iterator[str]:
    """What a person has not said yet."""
    if bound is None:
        yield "no machine has a node, a constraint or a partition"
    if told is None:
        yield "there is no command"
    elif settings.command.strip() == FIRST_COMMAND and len(settings.own_commands) < len(
        told.scripts
    ):
        yield "the command is only an example"
    if lacks:
        yield "tasks need more than nodes have"


def lines_to_set(schedule: Schedule, nodes: NodesOfTypes) -> str:
    """What an administrator can set beside the scripts."""
    return cluster_lines(schedule, trace_front(schedule.system, Budget(_TRACING)), nodes)


def preview(schedule: Schedule, settings: BatchSettings, path: str) -> str:
    """The first lines of one of the files, as `foresee` names them."""
    parts = islice(_all_files(schedule, settings)[path], PREVIEW_LINES + 1)
    lines = "".join(parts).rstrip("\n").split("\n")
    text = "\n".join(lines[:PREVIEW_LINES])
    if len(lines) <= PREVIEW_LINES and len(text) <= _PREVIEW_CHARACTERS:
        return text
    return f"{text[:_PREVIEW_CHARACTERS]}\n…"


def archive(schedule: Schedule, settings: BatchSettings, folder: str) -> bytes:
    """All files as a zip archive with one folder of this name."""
    return archived_scripts(_all_files(schedule, settings), folder)


Made = tuple[JobArrays, Binding | None, Commands | None]


def _files(made: Made, settings: BatchSettings) -> Mapping[str, Iterable[str]]:
    return script_files(*made, settings.requested(made[0].system))


def _all_files(schedule: Schedule, settings: BatchSettings) -> Mapping[str, Iterable[str]]:
    findings = Findings()
    made = _made(schedule, settings, findings)
    if made is None or findings.failed:
        raise InvalidInput(findings.problems())
    return _files(made, settings)


def _in_order(files: Iterable[str]) -> tuple[str, ...]:
    """The scripts of tasks first: they have the commands."""
    return tuple(sorted(files, key=lambda path: not path.startswith(TASKS)))


def _made(schedule: Schedule, settings: BatchSettings, findings: Findings) -> Made | None:
    """The job arrays and what is said of them, with all problems; None if there are none."""
    system = schedule.system
    bound = bound_by(settings.places, system, findings)
    told = _commands(settings, system, findings)
    try:
        arrays = job_arrays_of(schedule.blocks(), system, settings.max_array_size)
        if isinstance(schedule, TimedSchedule):
            arrays = replace(arrays, licences=licences_within(system, schedule.peak))
    except InvalidInput as refusal:
        findings.extend(refusal.problems)
        return None
    if not findings.failed:
        findings.extend(foreseen(arrays, bound, told, settings.requested(system)))
    return arrays, bound, told


def _commands(settings: BatchSettings, system: System, findings: Findings) -> Commands | None:
    """The commands that are given; None if none is. A fault of the common one is said once."""
    own = {position: text for position, text in settings.own_commands if text.strip()}
    names = system.task_names
    common = [name for position, name in enumerate(names) if position not in own]
    if not settings.command.strip():
        common = []
    if common:
        failed = findings.errors
        first = [SheetRow(1, [common[0], settings.command], unit="row")]
        read_commands(_sheet(COMMAND_OF_ALL, job_names.COLUMNS, first), system, findings)
        if findings.errors > failed:
            common = []
    rows = [
        SheetRow(number, [name, own.get(number - 1, settings.command)], unit="row")
        for number, name in enumerate(names, 1)
        if number - 1 in own or common
    ]
    return (
        read_commands(_sheet(COMMANDS, job_names.COLUMNS, rows), system, findings) if rows else None
    )


def _sheet(label: str, titles: Sequence[str], rows: Iterable[SheetRow]) -> Sheet:
    return Sheet(label, [SheetRow(0, list(titles)), *rows], is_text=False)
