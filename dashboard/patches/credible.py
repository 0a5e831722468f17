"""Checks whether a message about a table or a chart can have come from a real page.

Streamlit does not check that (streamlit/streamlit#16203); `hearing.py` asks these checks.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Self

import pandas as pd

TEXT_LENGTH: Final = 10_000
"""The longest text of a cell, in characters."""
_MOST_WHOLE: Final = 2**63 - 1
_INDEX: Final = "_index"
"""Streamlit's name for the column of row numbers, which our tables hide."""


@dataclass(frozen=True, slots=True)
class Cells:
    """What a cell of a column may hold: text, a tick, or numbers from `low` to `high`, whole if
    `whole`.
    """

    is_text: bool
    is_tick: bool = False
    whole: bool = False
    low: float = -math.inf
    high: float = math.inf

    @classmethod
    def of(cls, column: "pd.Series[Any]", config: Mapping[str, Any]) -> Self:
        """From the type of the column, and the limits in its Streamlit configuration."""
        if not pd.api.types.is_numeric_dtype(column.dtype):
            return cls(is_text=True)
        if pd.api.types.is_bool_dtype(column.dtype):
            return cls(is_text=False, is_tick=True)
        given: Mapping[str, Any] = config.get("type_config") or {}
        low, high = given.get("min_value"), given.get("max_value")
        whole = pd.api.types.is_integer_dtype(column.dtype)
        return cls(
            is_text=False,
            whole=whole,
            low=(-_MOST_WHOLE if whole else -math.inf) if low is None else low,
            high=(_MOST_WHOLE if whole else math.inf) if high is None else high,
        )

    def may_hold(self, value: object) -> bool:
        """Whether a cell may hold a value; None is a blank cell."""
        if value is None:
            return True
        if self.is_text:
            return isinstance(value, str) and len(value) <= TEXT_LENGTH
        if self.is_tick or isinstance(value, bool):
            return self.is_tick and isinstance(value, bool)
        if not isinstance(value, int | float):
            return False
        finite = isinstance(value, int) or math.isfinite(value)
        return finite and self.low <= value <= self.high and not (self.whole and value % 1)


@dataclass(frozen=True, slots=True)
class CredibleGrid:
    """A table to edit: what its columns may hold, and whether rows can be added and deleted."""

    rows: int
    columns: Mapping[str, Cells]
    grows: bool

    @classmethod
    def of(cls, frame: pd.DataFrame, config: Mapping[str, Any], *, grows: bool) -> Self:
        """Columns that `config` disables cannot be edited."""
        closed = {name for name, one in config.items() if one.get("disabled")}
        columns = {
            name: Cells.of(frame[name], config.get(name, {}))
            for name in frame.columns
            if name not in closed
        }
        return cls(len(frame), columns, grows)

    def may_become(self, state: Mapping[str, Any]) -> bool:
        """Whether edits, as Streamlit reports them, are of cells and rows that exist."""
        edited, added, deleted = (
            state[name] for name in ("edited_rows", "added_rows", "deleted_rows")
        )
        if not self.grows and (added or deleted):
            return False
        return (
            all(is_place(row, self.rows) and self._may_hold(cells) for row, cells in edited.items())
            and all(is_place(row, self.rows) for row in deleted)
            and all(self._may_begin(row) for row in added)
        )

    def _may_begin(self, row: Mapping[str, Any]) -> bool:
        number = Cells(is_text=False, whole=True)
        return number.may_hold(row.get(_INDEX)) and self._may_hold(
            {name: value for name, value in row.items() if name != _INDEX}
        )

    def _may_hold(self, row: Mapping[str, Any]) -> bool:
        return all(
            name in self.columns and self.columns[name].may_hold(value)
            for name, value in row.items()
        )


def is_place(number: object, count: int) -> bool:
    """Whether a value is an index from 0 to `count` - 1."""
    return isinstance(number, int) and not isinstance(number, bool) and 0 <= number < count


def rows_are_among(count: int, state: Mapping[str, Any]) -> bool:
    """Whether a selection, as Streamlit reports it, is of rows of a table with `count` rows."""
    selection = state["selection"]
    return all(is_place(row, count) for row in selection["rows"])


def mark_of(state: Mapping[str, Any]) -> list[Any]:
    """The customdata of the first selected mark of a chart, as texts and numbers; empty if none is
    selected, or if the data are of another kind.
    """
    points = state["selection"]["points"]
    first = points[0] if points else None
    found = first.get("customdata") if isinstance(first, Mapping) else None
    if not isinstance(found, list):
        return []
    return found if all(isinstance(one, str | int | float) for one in found) else []
