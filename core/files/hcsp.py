"""The text format of the HCSP benchmarks: `tasks machines [anything]`, then one time a line.

Times are in the order of the tasks, then of the machines. Some collections leave out the first
line; then the sizes must be given. Tasks are named T1, T2, ... and machines M1, M2, ...
"""

import re
from array import array
from typing import Final

import numpy as np

from core.files import limits
from core.files.assembly import Tables, assemble
from core.files.findings import Findings, Unreadable, shown_list
from core.files.numbers import number_fault, parse_numbers
from core.files.tables import Matrix, Names
from core.files.text import TextLines, first_lines, has_delimiter
from core.vocabulary.system import System

Sizes = tuple[int, int]

_SIZES: Final = re.compile(r"([0-9]{1,9})[ \t]+([0-9]{1,9})(?:\s.*)?")
_TIME: Final = re.compile(r"[+-]?\.?[0-9]\S*")


def looks_like_hcsp(text: str) -> bool:
    """Whether a text has one number on each line, perhaps after a line of sizes."""
    lines = [line.strip() for line in first_lines(text, 2)]
    if lines and _SIZES.fullmatch(lines[0]):
        return not has_delimiter(lines[0]) or len("".join(lines[1:]).split()) == 1
    return bool(lines and _TIME.fullmatch(lines[0])) and not has_delimiter(lines[0])


def read_hcsp(text: str, label: str, sizes: Sizes | None, findings: Findings) -> System | None:
    """The system of a benchmark file; `sizes` is (tasks, machines)."""
    lines = TextLines(text)
    tasks, machines = _sizes(text, lines, sizes)
    wanted = tasks * machines
    cells, line_numbers, count = _times(lines, label, wanted, findings)
    if count != wanted:
        at = line_numbers[wanted] if count > wanted else lines.number
        findings.error(
            label,
            f"line {at}",
            "",
            f"there are {count:,} times, but {tasks:,} tasks on {machines:,} machines take "
            f"{wanted:,}; correct the sizes, or the times",
        )
        # Only tasks that have a time are read: large sizes alone must not take time.
        tasks = min(tasks, -(-count // machines))
        wanted = tasks * machines
    numbers, bad = parse_numbers(cells[:wanted])
    values = np.full(wanted, np.nan)
    values[: len(numbers)] = numbers
    unread = np.arange(wanted) >= len(numbers)
    unread[bad] = True
    for position in findings.listed(bad):
        task, machine = divmod(position, machines)
        message = f"{number_fault(cells[position])} (line {line_numbers[position]})"
        findings.error(label, f"T{task + 1}", f"M{machine + 1}", message)
    etc = Matrix(
        label,
        Names(tuple(f"T{i}" for i in range(1, tasks + 1))),
        Names(tuple(f"M{j}" for j in range(1, machines + 1))),
        values.reshape(tasks, machines),
        unread.reshape(tasks, machines),
    )
    return assemble(Tables(etc, None, None, None, label, label), findings)


def _sizes(text: str, lines: TextLines, given: Sizes | None) -> Sizes:
    """(tasks, machines) from the first line, which is then consumed, or as given."""
    first = first_lines(text, 1)
    announced = _SIZES.fullmatch(first[0].strip()) if first else None
    sizes = given
    if announced:
        sizes = int(announced[1]), int(announced[2])
        next(line for line in lines if line.strip())
        if given and given != sizes:
            raise Unreadable(
                f"begins with the sizes {sizes[0]} x {sizes[1]}, but {given[0]} x {given[1]} were "
                "asked for; correct one of them"
            )
    if sizes is None:
        raise Unreadable(
            "looks like an HCSP benchmark without its first line; begin it with a line "
            "'tasks machines', such as '512 16', or give the sizes"
        )
    tasks, machines = sizes
    if not (0 < tasks <= limits.ROWS and 0 < machines <= limits.COLUMNS):
        raise Unreadable(
            f"begins with {tasks:,} tasks on {machines:,} machines; from 1 to {limits.ROWS:,} "
            f"tasks and {limits.COLUMNS:,} machines can be read"
        )
    if tasks * machines > limits.CELLS:
        raise Unreadable(f"is too large: at most {limits.CELLS:,} times can be read")
    return sizes


def _times(
    lines: TextLines, label: str, wanted: int, findings: Findings
) -> tuple[list[str], "array[int]", int]:
    """The cells with their lines, at most one more than wanted; and how many there are in all."""
    cells: list[str] = []
    line_numbers = array("q")
    blank: list[int] = []
    count = 0
    for line in lines:
        lines.begin_record()
        words = line.split()
        if not words:
            blank.append(lines.number)
        elif len(words) > 1:
            message = f"has {len(words):,} values on a line; put one time on each"
            findings.error(label, f"line {lines.number}", "", message)
        count += len(words)
        for word in words[: wanted + 1 - len(cells)]:
            cells.append(word)
            line_numbers.append(lines.number)
    if blank:
        findings.file_warning(label, f"has blank lines (line {shown_list(blank)}); remove them")
    return cells, line_numbers, count
