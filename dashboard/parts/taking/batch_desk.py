"""What a session has said of batch scripts, for each system; it is kept while the session lasts."""

from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Final

import streamlit as st

from core import System
from dashboard.parts.taking.batch_settings import BatchSettings, PlaceRow, changed, own_commands
from dashboard.server.guard import callback

DESKS: Final = "wattfront.batch"
OPEN: Final = "wattfront.batch.open"
MOST_DESKS: Final = 4
"""The systems whose settings are kept; the one used last is the last to go."""


@dataclass(slots=True)
class BatchDesk:
    """The settings for a system, and the tables that its editors were given.

    `name` is a digest of the types of the system. An editor reports its changes from the table that
    it was given, which stays the same while a person types; otherwise it would lose its place.
    """

    name: str
    settings: BatchSettings
    places_given: tuple[PlaceRow, ...] = ()
    commands_given: dict[int, str] = field(default_factory=dict)
    turn: int = 0

    @property
    def places_key(self) -> str:
        return f"batch.places {self.name} {self.turn}"

    @property
    def commands_key(self) -> str:
        return f"batch.commands {self.name}"

    def begin_editors(self) -> None:
        """Editors that are not there yet begin with the settings as they are."""
        if self.places_key not in st.session_state:
            self.places_given = self.settings.places
        if self.commands_key not in st.session_state:
            self.commands_given = dict(self.settings.own_commands)

    def fill(self, places: tuple[PlaceRow, ...]) -> None:
        """Puts other rows into the map."""
        self.settings = replace(self.settings, places=places)
        self.turn += 1


def desk_of(system: System) -> BatchDesk:
    """The desk of a system; of one with the same types it is the same."""
    desks: dict[str, BatchDesk] = st.session_state.setdefault(DESKS, {})
    kinds = [(kind.name, kind.count) for kind in system.machine_types]
    name = sha256(repr((system.task_names, kinds)).encode()).hexdigest()[:16]
    desk = desks.pop(name, None) or BatchDesk(name, BatchSettings.of(system))
    desks[name] = desk
    while len(desks) > MOST_DESKS:
        del desks[next(iter(desks))]
    return desk


@callback
def take_places(desk: BatchDesk) -> None:
    state = st.session_state[desk.places_key]
    desk.settings = replace(desk.settings, places=changed(desk.places_given, state))


@callback
def take_commands(desk: BatchDesk) -> None:
    state = st.session_state[desk.commands_key]
    told = own_commands(desk.commands_given, state["edited_rows"])
    desk.settings = replace(desk.settings, own_commands=told)


def open_at(where: str) -> None:
    """Opens the dialog on a page."""
    st.session_state[OPEN] = where


def close() -> None:
    st.session_state.pop(OPEN, None)


def is_open(where: str) -> bool:
    return bool(st.session_state.get(OPEN) == where)
