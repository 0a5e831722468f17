"""The tables of a plan: machine types with prices and limits, task types with rewards."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, Literal

import pandas as pd

from core import System
from core.vocabulary.say.words import Sense, rounded
from core.vocabulary.setting import Setting, settings_in
from dashboard.screens.provision.inputs import DemandInput, OfferInput, PlanInputs

PlanTable = Literal["machines", "tasks"]
TITLES: Final[dict[PlanTable, str]] = {"machines": "Machines", "tasks": "Tasks"}
NAME: Final = "name"


COLUMNS: Final[dict[PlanTable, Mapping[str, Setting]]] = {
    "machines": {"count": settings_in(OfferInput)["count"]} | dict(settings_in(OfferInput)),
    "tasks": settings_in(DemandInput),
}
"""The columns to edit, in SI units: the count comes first."""
RATES: Final = ("failure_rate", "arrival_rate")
"""A person reads and writes these in the unit of rates."""
_EXAMPLES: Final = {"price": "price", "reward": "reward", "arrival_rate": "arrival rate"}
"""The part of the plan that is no longer an example once such a cell was edited."""


def frame(system: System, inputs: PlanInputs, table: PlanTable) -> pd.DataFrame:
    """A row for each type; rates are in the unit of the page. The first column has the names."""
    kinds = system.machine_types if table == "machines" else system.task_types
    rows = _rows(inputs, table)
    cells: dict[str, object] = {NAME: [kind.name for kind in kinds]}
    for name in COLUMNS[table]:
        unit = inputs.rate_seconds if name in RATES else 1.0
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
    rows = list(_rows(given, table))
    for place, cells in edited.items():
        for name, value in cells.items():
            unit = given.rate_seconds if name in RATES else 1.0
            rows[place] = replace(rows[place], **{name: None if value is None else value / unit})
    done = {_EXAMPLES.get(name) for cells in edited.values() for name in cells}
    part: dict[str, Any] = {"offers" if table == "machines" else "demands": tuple(rows)}
    if "reward" in done:  # a reward that is typed is to count
        part["by_work"] = False
    return replace(inputs, **part, examples=inputs.examples - done)


def _rows(inputs: PlanInputs, table: PlanTable) -> tuple[Any, ...]:
    return inputs.offers if table == "machines" else inputs.demands
