"""The tables of a plan: machine types with prices and limits, task types with rewards."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

import pandas as pd

from core import System
from core.capabilities.provision.plan import FAILURE_RATE, PRICE, RATE, REWARD
from core.vocabulary.ranges import MACHINE_COUNT, Range
from core.vocabulary.say.words import Sense, rounded
from dashboard.screens.provision.inputs import PlanInputs

PlanTable = Literal["machines", "tasks"]
TITLES: Final[dict[PlanTable, str]] = {"machines": "Machines", "tasks": "Tasks"}
NAME: Final = "name"


@dataclass(frozen=True, slots=True)
class PlanColumn:
    """A column to edit: its title, the range of its numbers in SI units, and what it means.
    `is_rate`: the numbers are a second, and a person reads and writes them in the unit of rates.
    `example` is the part of the plan that is no longer an example once it was edited.
    """

    title: str
    allowed: Range
    meaning: str
    is_rate: bool = False
    example: str = ""


COLUMNS: Final[dict[PlanTable, dict[str, PlanColumn]]] = {
    "machines": {
        "count": PlanColumn(
            "There now", MACHINE_COUNT, "Machines of this type that there are. They can be sold."
        ),
        "price": PlanColumn("Price ({money})", PRICE, "What one machine costs.", example="price"),
        "resale": PlanColumn(
            "Resale ({money})",
            PRICE,
            "What one machine brings if it is sold, at most its price. Blank: nothing.",
        ),
        "least": PlanColumn("At least", MACHINE_COUNT, "Machines that must be there in the end."),
        "most": PlanColumn(
            "At most", MACHINE_COUNT, "Machines that may be there in the end. Blank: no limit."
        ),
        "failure_rate": PlanColumn(
            "Failures ({rate})",
            FAILURE_RATE,
            "Failures of one busy machine. An idle machine does not fail. Blank: none.",
            is_rate=True,
        ),
    },
    "tasks": {
        "reward": PlanColumn(
            "Reward ({money} a task)",
            REWARD,
            "What one task is worth when it is done.",
            example="reward",
        ),
        "arrival_rate": PlanColumn(
            "Arrivals ({rate})",
            RATE,
            "Tasks of this type that arrive on average.",
            is_rate=True,
            example="arrival rate",
        ),
    },
}


def frame(system: System, inputs: PlanInputs, table: PlanTable) -> pd.DataFrame:
    """A row for each type; rates are in the unit of the page. The first column has the names."""
    kinds = system.machine_types if table == "machines" else system.task_types
    rows = _rows(inputs, table)
    cells: dict[str, object] = {NAME: [kind.name for kind in kinds]}
    for name, column in COLUMNS[table].items():
        unit = inputs.rate_seconds if column.is_rate else 1.0
        values = [getattr(row, name) for row in rows]
        if name == "count":
            pairs = zip(values, system.machine_counts.tolist(), strict=True)
            values = [there if value is None else value for value, there in pairs]
        cells[name] = pd.array(
            [None if value is None else rounded(value * unit, Sense.PLAIN, 12) for value in values],
            dtype="Float64",
        ).to_numpy(float, na_value=float("nan"))
    return pd.DataFrame(cells)


def changed(
    inputs: PlanInputs, given: PlanInputs, table: PlanTable, edited: Mapping[int, Mapping[str, Any]]
) -> PlanInputs:
    """The inputs with the edits of a table that was given with others. The table keeps the unit of
    rates that it was given with.
    """
    columns = COLUMNS[table]
    rows = list(_rows(given, table))
    done = set[str]()
    for place, cells in edited.items():
        for name, value in cells.items():
            column = columns[name]
            unit = given.rate_seconds if column.is_rate else 1.0
            rows[place] = replace(rows[place], **{name: None if value is None else value / unit})
            done.add(column.example)
    part: dict[str, Any] = {"offers" if table == "machines" else "demands": tuple(rows)}
    return replace(inputs, **part, examples=inputs.examples - done)


def _rows(inputs: PlanInputs, table: PlanTable) -> tuple[Any, ...]:
    return inputs.offers if table == "machines" else inputs.demands
