"""What a session has said of batch scripts, for each system; it is kept while the session lasts."""

from dataclasses import replace
from hashlib import sha256
from typing import Final

import streamlit as st

from core import System
from dashboard.parts.desk import Desk
from dashboard.parts.taking.batch_settings import BatchSettings, changed, own_commands
from dashboard.server.guard import callback

OPEN: Final = "wattfront.batch.open"
PLACES: Final = "places"
COMMANDS: Final = "commands"


class BatchDesk(Desk[BatchSettings]):
    """The settings for a system. Its name is a digest of the types of the system."""

    area = "batch"


def desk_of(system: System) -> BatchDesk:
    """The desk of a system; of one with the same types it is the same."""
    kinds = [(kind.name, kind.count) for kind in system.machine_types]
    name = sha256(repr((system.task_names, kinds)).encode()).hexdigest()[:16]
    return BatchDesk.kept(name, lambda: BatchDesk(name, *(BatchSettings.of(system),) * 2))


@callback
def take_places(desk: BatchDesk) -> None:
    state = st.session_state[desk.key(PLACES)]
    places = changed(desk.given[PLACES].places, state)
    desk.change(replace(desk.inputs, places=places))


@callback
def take_commands(desk: BatchDesk) -> None:
    edited = st.session_state[desk.key(COMMANDS)]["edited_rows"]
    told = own_commands(dict(desk.given[COMMANDS].own_commands), edited)
    desk.change(replace(desk.inputs, own_commands=told))


def open_at(where: str) -> None:
    """Opens the dialog on a page."""
    st.session_state[OPEN] = where


def close() -> None:
    st.session_state.pop(OPEN, None)


def is_open(where: str) -> bool:
    return bool(st.session_state.get(OPEN) == where)
