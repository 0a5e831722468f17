"""The parts of a system from pandas frames: matched by name, every problem found in one pass.

Problems name a frame by its argument ("etc"), and rows and columns by their names.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import islice
from numbers import Real
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

import numpy as np

from core.vocabulary.arrays import BoolArray, FloatArray
from core.vocabulary.kinds import OPTIONAL, MachineType, TaskType, TypeKind
from core.vocabulary.problems import InvalidInput, Problem, errors
from core.vocabulary.system_problems import CELLS_LISTED, find_problems

if TYPE_CHECKING:
    import pandas as pd

Side = Literal["row", "column"]

LARGEST_WHOLE: Final = 10**18
"""A larger count is refused: every float this large is whole, so the check would mean nothing."""
SHOWN: Final = 40
UNKNOWN_COUNT: Final = 1
_NO_MARK: Final = "is neither True nor False; give True where the pair is an estimate"


class SystemParts(NamedTuple):
    """The arguments of a `System`."""

    task_types: tuple[TaskType, ...]
    machine_types: tuple[MachineType, ...]
    etc: FloatArray
    apc: FloatArray | None
    estimated: BoolArray | None


def parts_of_frames(
    etc: "pd.DataFrame",
    apc: "pd.DataFrame | None",
    machines: "pd.DataFrame | None",
    tasks: "pd.DataFrame | None",
    estimated: "pd.DataFrame | None",
) -> SystemParts:
    """The arguments of a `System`, read from frames; raises `InvalidInput` listing every error."""
    given = {"etc": etc, "apc": apc, "tasks": tasks, "machines": machines, "estimated": estimated}
    wrong: list[Problem] = []
    for table, frame in given.items():
        if frame is not None or table == "etc":
            wrong += _form_problems(table, frame)
    if wrong:
        raise InvalidInput(wrong)
    found: list[Problem] = []
    seconds = _read_matrix("etc", etc, found)
    rows, columns = seconds.rows, seconds.columns
    powers = None
    if apc is not None:
        read = _read_matrix("apc", apc, found)
        at_rows = _matched("apc", read.rows, rows, "task type", "row", found)
        at_columns = _matched("apc", read.columns, columns, "machine type", "column", found)
        powers = read.arranged(at_rows, at_columns)
    marks = None if estimated is None else _marks_in_order(estimated, rows, columns, found)
    counts = _counts_in_order("tasks", tasks, rows, "task type", found)["count"]
    listed = _counts_in_order("machines", machines, columns, "machine type", found)
    task_types = tuple(TaskType(name, int(count)) for name, count in zip(rows, counts, strict=True))
    machine_types = tuple(
        MachineType(
            name,
            int(count),
            float(watts),
            *(None if np.isnan(one) else float(one) for one in optional),
        )
        for name, count, watts, *optional in zip(columns, *listed.values(), strict=True)
    )
    times = np.where(np.isnan(seconds.values) & ~seconds.unread, np.inf, seconds.values)
    problems = find_problems(
        task_types,
        machine_types,
        times,
        None if powers is None else powers.values,
        marks,
        unread_etc=seconds.unread,
        unread_apc=None if powers is None else powers.unread,
    )
    found += map(_located, problems)
    if errors(found):
        raise InvalidInput(found)
    watts = None if powers is None else powers.values
    return SystemParts(task_types, machine_types, times, watts, marks)


def _located(problem: Problem) -> Problem:
    """The problem with its table's frame: names of types stand in etc."""
    if problem.column or problem.file in ("apc", "estimated"):
        return problem
    if problem.file == "machines":
        return replace(problem, file="etc", row="", column=problem.row)
    return replace(problem, file="etc")


def _form_problems(table: str, frame: object) -> Iterator[Problem]:
    """Problems of a table that is not a frame with names as its index and columns."""
    import pandas as pd

    if not isinstance(frame, pd.DataFrame):
        yield Problem(table, "", "", f"is a {type(frame).__name__}; give a pandas DataFrame")
        return
    of_rows = "machine types" if table == "machines" else "task types"
    taken = "take them as set_index or read_csv(..., index_col=0) does"
    sides = [("index", frame.index, of_rows, taken)]
    if table in ("etc", "apc", "estimated"):
        sides.append(("columns", frame.columns, "machine types", "write them as text"))
    for side, labels, kind, remedy in sides:
        strange = [_shown(label) for label in labels if not isinstance(label, str)]
        if strange:
            listed = ", ".join(strange[:3]) + (", ..." if len(strange) > 3 else "")
            said = f"has no names of {kind} as its {side}, but {listed}; {remedy}"
            yield Problem(table, "", "", said)


@dataclass(frozen=True, slots=True)
class _Matrix:
    """Numbers of pairs, NaN where blank; cells that cannot be read are `unread`, and reported."""

    rows: list[str]
    columns: list[str]
    values: FloatArray
    unread: BoolArray

    def arranged(self, rows: list[int | None], columns: list[int | None]) -> "_Matrix":
        """The matrix with these rows and columns, by position; a None becomes unread cells."""
        values = np.full((len(rows), len(columns)), np.nan)
        unread = np.ones(values.shape, bool)
        to_rows, from_rows = _pairs(rows)
        to_columns, from_columns = _pairs(columns)
        values[np.ix_(to_rows, to_columns)] = self.values[np.ix_(from_rows, from_columns)]
        unread[np.ix_(to_rows, to_columns)] = self.unread[np.ix_(from_rows, from_columns)]
        return _Matrix(self.rows, self.columns, values, unread)


def _pairs(positions: list[int | None]) -> tuple[list[int], list[int]]:
    there = [(to, at) for to, at in enumerate(positions) if at is not None]
    return [to for to, _ in there], [at for _, at in there]


def _read_matrix(table: str, frame: "pd.DataFrame", found: list[Problem]) -> _Matrix:
    rows, columns = list(frame.index), list(frame.columns)
    values = np.full(frame.shape, np.nan)
    unread = np.zeros(frame.shape, bool)
    faults: list[Iterator[Problem]] = []
    for j, name in enumerate(columns):
        values[:, j], bad = _numbers(frame.iloc[:, j], _number)
        unread[list(bad), j] = True
        faults.append(_cell_problems(table, rows, name, bad, "if the pair cannot run, give NaN"))
    _add(table, (problem for column in faults for problem in column), int(unread.sum()), found)
    return _Matrix(rows, columns, values, unread)


def _marks_in_order(
    frame: "pd.DataFrame", rows: list[str], columns: list[str], found: list[Problem]
) -> BoolArray:
    """Which pairs are marked; those without a row, a column or a value are not."""
    given, titles = list(frame.index), list(frame.columns)
    values = np.zeros(frame.shape)
    faults: list[Problem] = []
    for j, name in enumerate(titles):
        read, bad = _numbers(frame.iloc[:, j], _mark)
        values[:, j] = read
        faults += (
            Problem("estimated", given[i], name, f"{_shown(value)} {_NO_MARK}")
            for i, value in bad.items()
        )
    _add("estimated", iter(faults), len(faults), found)
    placed = _Matrix(given, titles, values, np.isnan(values)).arranged(
        _matched("estimated", given, rows, "task type", "row", found, all_wanted=False),
        _matched("estimated", titles, columns, "machine type", "column", found, all_wanted=False),
    )
    marks: BoolArray = placed.values == 1
    return marks


def _counts_in_order(
    table: str, frame: "pd.DataFrame | None", names: list[str], kind: TypeKind, found: list[Problem]
) -> dict[str, list[float]]:
    """Counts, and of machine types idle powers (watts) and what is optional (NaN where it is not
    said), in the order of the names; a valid default where a value cannot be read.
    """
    columns: dict[str, list[float]] = {
        "count": [UNKNOWN_COUNT] * len(names),
        "idle_power": [0.0] * len(names),
        **{name: [np.nan] * len(names) for name in OPTIONAL},
    }
    if frame is None:
        return columns
    known = [*columns] if kind == "machine type" else ["count"]
    titles = list(frame.columns)
    rows = list(frame.index)
    positions = _matched(table, rows, names, kind, "row", found)
    for title in dict.fromkeys(titles):
        if title not in known:
            said = f"is not used; remove it, or name it {' or '.join(known)}"
            found.append(Problem(table, "", _cut(str(title)), said))
        elif titles.count(title) > 1:
            found.append(Problem(table, "", title, "is there twice; remove one"))
    if "count" not in titles:
        found.append(Problem(table, "", "count", f"is missing; say how many of each {kind}"))
    numbers = ((name, _number) for name in ("idle_power", *OPTIONAL))
    for title, parse in (("count", _whole), *numbers):
        if title not in known or title not in titles:
            continue
        column = frame.iloc[:, titles.index(title)]
        values, bad = _numbers(column, parse)
        for i in np.flatnonzero(np.isnan(values) & (title not in OPTIONAL)).tolist():
            bad.setdefault(i, None)
        remedy = "where it is unknown, give 0" if title == "idle_power" else ""
        _add(table, _cell_problems(table, rows, title, bad, remedy), len(bad), found)
        for to, at in enumerate(positions):
            if at is not None and at not in bad:
                columns[title][to] = values[at]
    return columns


def _matched(
    table: str,
    given: list[str],
    wanted: list[str],
    kind: TypeKind,
    side: Side,
    found: list[Problem],
    *,
    all_wanted: bool = True,
) -> list[int | None]:
    """The position of each wanted name among the given ones; None where it is missing. That is a
    problem if all are wanted.
    """
    position: dict[str, int] = {}
    problems: list[tuple[str, str]] = []
    for at, name in enumerate(given):
        if name in position:
            said = f"{kind} '{_cut(name)}' is there twice; rename or remove one of them"
            problems.append((name, said))
        position.setdefault(name, at)
    known = set(wanted)
    for name in position:
        if name not in known:
            said = f"{kind} '{_cut(name)}' is not in etc; correct the name, or remove it"
            problems.append((name, said))
    problems += [
        (name, f"{kind} '{_cut(name)}' of etc has no {side} here; add it")
        for name in dict.fromkeys(wanted if all_wanted else ())
        if name not in position
    ]
    located = (
        Problem(table, name, "", said) if side == "row" else Problem(table, "", name, said)
        for name, said in problems
    )
    _add(table, located, len(problems), found)
    return [position.get(name) for name in wanted]


def _numbers(
    column: "pd.Series[Any]", parse: Callable[[object], float | None]
) -> tuple[FloatArray, dict[int, object]]:
    """The numbers of a column, NaN where blank; and the cells that are not numbers, by row."""
    import pandas as pd

    kind = pd.api.types
    plain = kind.is_numeric_dtype(column.dtype) and not (
        kind.is_bool_dtype(column.dtype) or kind.is_complex_dtype(column.dtype)
    )
    if (plain and parse is _number) or (kind.is_bool_dtype(column.dtype) and parse is _mark):
        return column.to_numpy(np.float64, na_value=np.nan), {}
    values = np.full(len(column), np.nan)
    bad: dict[int, object] = {}
    cells = column.astype(object).to_numpy()
    for i in np.flatnonzero(~column.isna()).tolist():
        number = parse(cells[i])
        if number is None:
            bad[i] = cells[i]
        else:
            values[i] = number
    return values, bad


def _number(value: object) -> float | None:
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real | Decimal):
        return None
    try:
        return float(value)
    except OverflowError:
        return None


def _mark(value: object) -> float | None:
    if isinstance(value, bool | np.bool_):
        return float(value)
    number = _number(value)
    return number if number in (0, 1) else None


def _whole(value: object) -> float | None:
    number = _number(value)
    if number is None or not abs(number) <= LARGEST_WHOLE or number != int(number):
        return None
    return number


def _cell_problems(
    table: str, rows: list[str], column: str, bad: dict[int, object], remedy: str
) -> Iterator[Problem]:
    for i, value in bad.items():
        said = _fault(value, column)
        yield Problem(table, rows[i], column, f"{said}; {remedy}" if remedy else said)


def _fault(value: object, column: str) -> str:
    """Why a cell cannot be used, and the remedy; a value of None is a blank cell."""
    number = "whole number" if column == "count" else "number"
    if value is None:
        return f"is blank; give a {number}"
    if isinstance(value, str):
        return f"{_shown(value)} is text; give a {number}, as pandas.to_numeric makes them"
    if hasattr(value, "total_seconds"):
        return f"{_shown(value)} is a duration; give seconds, as .dt.total_seconds() does"
    return f"{_shown(value)} is not a {number} that can be used; give one such as 12"


def _add(table: str, problems: Iterator[Problem], count: int, found: list[Problem]) -> None:
    """Append the first problems, and one that says how many more there are."""
    found += islice(problems, CELLS_LISTED)
    if count > CELLS_LISTED:
        said = f"{count - CELLS_LISTED:,} more are like those listed; mend them too"
        found.append(Problem(table, "", "", said))


def _shown(value: object) -> str:
    return f"'{_cut(value)}'" if isinstance(value, str) else _cut(str(value))


def _cut(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."
