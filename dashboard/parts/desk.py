"""What a person drafts on a page: its inputs, with undo, and what its editors began with."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, Generic, Self, TypeVar

import pandas as pd
import streamlit as st

from dashboard.parts.fields.buttons import show_button
from dashboard.parts.tables.editor import height_of, show_grid
from dashboard.server.guard import callback

T = TypeVar("T")
EditedCells = Mapping[int, Mapping[str, Any]]
"""The cells that were edited, by row and column."""

MOST_DESKS: Final = 4
"""The desks that a session keeps of a page; the one used last is the last to go."""
MOST_STEPS: Final = 50


@dataclass(slots=True, eq=False)
class Desk(Generic[T]):
    """The inputs that a person drafts. The address says what differs from `usual`. `past` are the
    inputs before each step, and what else undo takes back with it.

    An editor reports its changes from the inputs that it was `given`, which stay the same while a
    person types; otherwise it would lose its place.
    """

    area: ClassVar[str]
    """The page, as the keys of its widgets have it."""
    name: str
    inputs: T
    usual: T
    past: list[tuple[T, Callable[[], None] | None]] = field(default_factory=list, kw_only=True)
    given: dict[str, T] = field(default_factory=dict, kw_only=True)
    turn: int = field(default=0, kw_only=True)

    @classmethod
    def known(cls, name: str) -> Self | None:
        """The desk of this name in the session; None if there is none."""
        desks: dict[str, Self] = st.session_state.get(f"wattfront.{cls.area}", {})
        return desks.get(name)

    @classmethod
    def kept(cls, name: str, begin: Callable[[], Self]) -> Self:
        """The desk of this name, which the session keeps; a new one begins with `begin`."""
        desks: dict[str, Self] = st.session_state.setdefault(f"wattfront.{cls.area}", {})
        desks[name] = desk = desks.pop(name, None) or begin()
        while len(desks) > MOST_DESKS:
            del desks[next(iter(desks))]
        return desk

    def key(self, table: str) -> str:
        """The key of the editor of a table. It changes whenever the editors begin anew."""
        return f"{self.area}.{table} {self.name} {self.turn}"

    def begun_with(self, table: str) -> T:
        """What the editor of a table was given."""
        if self.key(table) not in st.session_state:
            self.given[table] = self.inputs
        return self.given[table]

    def change(self, inputs: T, also: Callable[[], None] | None = None) -> None:
        """Takes a step that a person made; editors stay as they are."""
        if also is not None or inputs != self.inputs:
            self.past = [*self.past, (self.inputs, also)][-MOST_STEPS:]
        self.inputs = inputs

    def fill(self, inputs: T, also: Callable[[], None] | None = None) -> None:
        """Takes a step that editors do not know of: they begin anew."""
        self.change(inputs, also)
        self.turn += 1

    def put(self, inputs: T) -> None:
        """Puts other inputs in place, which is no step: the address says them."""
        if inputs != self.inputs:
            self.inputs = inputs
            self.turn += 1

    def undo(self) -> None:
        """Takes back the last step, if there is one."""
        if self.past:
            self.inputs, also = self.past.pop()
            self.turn += 1
            if also is not None:
                also()


def edited_rows(key: str) -> dict[int, Mapping[str, Any]]:
    """The cells that were edited in the editor with a key, as Streamlit reports them."""
    return {int(row): cells for row, cells in st.session_state[key]["edited_rows"].items()}


def show_draft(
    desk: Desk[T],
    table: str,
    frame: pd.DataFrame,
    columns: Mapping[str, Any],
    changed: Callable[[EditedCells], T],
    alt: str,
    step: Callable[[T], None] | None = None,
    **how: Any,
) -> None:
    """The editor of a table of the desk. `changed` gives the inputs after edits of what the editor
    was given, and `step` takes them; `how` has other arguments of the editor.
    """

    @callback
    def take() -> None:
        (step or desk.change)(changed(edited_rows(desk.key(table))))

    how = {"height": height_of(frame), **how}
    show_grid(frame, desk.key(table), take=take, columns=columns, alt=alt, **how)


@callback
def take_field(desk: Desk[T], key: str, put: Callable[[T, Any], T]) -> None:
    """Takes over the value of a widget."""
    desk.change(put(desk.inputs, st.session_state[key]))


def show_undo(desk: Desk[Any], meaning: str) -> None:
    """The button that takes back the last step."""
    show_button("Undo", desk.undo, icon="undo", disabled=not desk.past, help=meaning)
