"""The tables of a question about bags: bags with release dates, machines with links and memory."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, Literal, NamedTuple

import pandas as pd

from core import System
from core.capabilities.fair_shares.bags import DATA
from core.capabilities.fair_shares.bags_reader import MASTER, MEGABYTE, MEMORY
from core.vocabulary.ranges import MACHINE_COUNT, Range
from core.vocabulary.say.words import Sense, rounded
from dashboard.screens.fair_shares.inputs import BagsInputs

BagsTable = Literal["bags", "machines"]
TITLES: Final[dict[BagsTable, str]] = {"bags": "Bags", "machines": "Machines and links"}
NAME: Final = "name"
RELEASE: Final = "release"
MOST_TASKS: Final = Range(0, 10**9, "tasks")


class BagsColumn(NamedTuple):
    """A column to edit: its title, the numbers that it takes, how large one of them is in SI units,
    and what it means.
    """

    title: str
    allowed: Range
    size: float
    meaning: str
    whole: bool = False


COLUMNS: Final[dict[BagsTable, dict[str, BagsColumn]]] = {
    "bags": {
        "tasks": BagsColumn(
            "Tasks", MOST_TASKS, 1, "All of one type. 0: there is no such bag.", whole=True
        ),
        "data": BagsColumn(
            "Data (MB a task)",
            Range(DATA.low, DATA.high / MEGABYTE, "MB"),
            MEGABYTE,
            "What the master sends for each task before it can run.",
        ),
    },
    "machines": {
        "machines": BagsColumn(
            "Machines", MACHINE_COUNT, 1, "How many there are of this type.", whole=True
        ),
        "link": BagsColumn(
            "Link (MB/s)", MASTER, MEGABYTE, "What one machine receives at most. Blank: no limit."
        ),
        "memory": BagsColumn(
            "Memory (MB)",
            MEMORY,
            MEGABYTE,
            "What data of waiting tasks one machine holds at most. Blank: no limit.",
        ),
    },
}


def frame(system: System, inputs: BagsInputs, table: BagsTable) -> pd.DataFrame:
    """A row for each type. Release dates are texts: times of day."""
    names = system.task_names if table == "bags" else system.machine_names
    rows = _rows(inputs, table)
    cells: dict[str, object] = {NAME: list(names)}
    if table == "bags":
        cells[RELEASE] = [
            inputs.untyped.get(row, inputs.clock.cell(bag.release))
            for row, bag in enumerate(inputs.bags)
        ]
    for name, column in COLUMNS[table].items():
        values = [getattr(row, name) for row in rows]
        if column.whole:
            cells[name] = values
            continue
        cells[name] = [
            float("nan") if value is None else rounded(value / column.size, Sense.PLAIN, 12)
            for value in values
        ]
    return pd.DataFrame(cells)


def edited(
    inputs: BagsInputs, given: BagsInputs, table: BagsTable, edits: Mapping[int, Mapping[str, Any]]
) -> BagsInputs:
    """The inputs with the edits of a table that was given with others."""
    rows, untyped = list(_rows(given, table)), dict(given.untyped)
    for place, cells in edits.items():
        for name, value in cells.items():
            if name == RELEASE:
                _release(rows, untyped, given, place, value)
                continue
            column = COLUMNS[table][name]
            rows[place] = replace(rows[place], **{name: _number(column, value, table)})
    if table == "bags":
        return replace(inputs, bags=tuple(rows), untyped=untyped)
    return replace(inputs, workers=tuple(rows))


def _release(
    rows: list[Any], untyped: dict[int, str], given: BagsInputs, place: int, text: str | None
) -> None:
    untyped.pop(place, None)
    if not (text or "").strip():
        rows[place] = replace(rows[place], release=0.0)
        return
    try:
        rows[place] = replace(rows[place], release=given.clock.typed(str(text)))
    except ValueError:
        untyped[place] = str(text)


def _number(column: BagsColumn, value: float | None, table: BagsTable) -> float | int | None:
    if value is None:
        return None if table == "machines" and not column.whole else 0
    return int(value) if column.whole else value * column.size


def _rows(inputs: BagsInputs, table: BagsTable) -> tuple[Any, ...]:
    return inputs.bags if table == "bags" else inputs.workers
