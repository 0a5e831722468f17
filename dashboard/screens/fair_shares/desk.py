"""What a session asks about bags, with its undo: one desk for each source of bags."""

from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final

import streamlit as st

from core import System
from dashboard.screens.fair_shares.inputs import BagsInputs
from dashboard.screens.fair_shares.tables import BagsTable, edited
from dashboard.server.guard import callback

DESKS: Final = "wattfront.stretch"
MOST_DESKS: Final = 4
"""The sources whose desks are kept; the one used last is the last to go."""
MOST_STEPS: Final = 50


@dataclass(slots=True, eq=False)
class BagsDesk:
    """Bags on a system, with what was changed about them by hand. The address says what differs
    from `usual`, which is what the files say.

    An editor reports its changes from the table that it was given, which stays the same while a
    person types; otherwise it would lose its place.
    """

    name: str
    title: str
    system: System
    inputs: BagsInputs
    usual: BagsInputs
    stretch: float | None = None
    whole: bool = False
    """Whether whole tasks are replayed under all policies."""
    trials: int = 0
    """With how many other sets of release dates they are replayed, too."""
    past: list[BagsInputs] = field(default_factory=list)
    given: dict[BagsTable, BagsInputs] = field(default_factory=dict)
    turn: int = 0
    notes: tuple[str, ...] = ()
    """What was ignored in the address, and why."""

    def key(self, table: BagsTable) -> str:
        """The key of the editor of a table. It changes whenever the editors begin anew."""
        return f"stretch.{table} {self.name} {self.turn}"

    def begun_with(self, table: BagsTable) -> BagsInputs:
        """What the editor of a table was given."""
        if self.key(table) not in st.session_state:
            self.given[table] = self.inputs
        return self.given[table]

    def change(self, inputs: BagsInputs) -> None:
        """Keeps what a person has changed; editors stay as they are."""
        if inputs != self.inputs:
            self.past = [*self.past, self.inputs][-MOST_STEPS:]
        self.inputs = inputs

    def fill(self, inputs: BagsInputs) -> None:
        """Puts other numbers in place, also into the editors."""
        self.change(inputs)
        self.turn += 1


def desk_of(source: str, title: str, system: System, usual: BagsInputs) -> BagsDesk:
    """The desk of a source with this system and what its files say."""
    desks: dict[str, BagsDesk] = st.session_state.setdefault(DESKS, {})
    name = sha256(f"{source} {system.fingerprint} {usual}".encode()).hexdigest()[:16]
    desks[name] = desk = desks.pop(name, None) or BagsDesk(name, title, system, usual, usual)
    while len(desks) > MOST_DESKS:
        del desks[next(iter(desks))]
    return desk


@callback
def take_table(desk: BagsDesk, table: BagsTable) -> None:
    """Takes over the changes of an editor."""
    found = st.session_state[desk.key(table)]["edited_rows"]
    rows = {int(row): cells for row, cells in found.items()}
    desk.change(edited(desk.inputs, desk.given[table], table, rows))


@callback
def take_field(desk: BagsDesk, key: str, put: Callable[[BagsInputs, Any], BagsInputs]) -> None:
    """Takes over the value of a widget."""
    desk.change(put(desk.inputs, st.session_state[key]))


@callback
def undo_step(desk: BagsDesk) -> None:
    """Takes back the last change."""
    if desk.past:
        desk.inputs = desk.past.pop()
        desk.turn += 1
