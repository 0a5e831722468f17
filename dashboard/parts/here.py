"""Where the log of the system in force stands among schedules of the same tasks."""

import streamlit as st

from core import System
from core.capabilities.trade_offs.here import Here, you_are_here
from core.vocabulary.placement import LogPlacement
from dashboard.parts.fields.idle_power import without_idle
from dashboard.server.caching import BY_CONTENT
from dashboard.workspace import session


def here_on(system: System) -> Here | None:
    """You are here, by the powers of this system; None without powers, or without a log."""
    if system.apc is None:
        return None
    found = placed_as_in_log(without_idle(system), session.workspace().version.seen.placement)
    return None if found is None else found.on(system)


@st.cache_data(max_entries=8, show_spinner=False, hash_funcs=BY_CONTENT)
def placed_as_in_log(system: System, placement: LogPlacement | None) -> Here | None:
    """Where the log stands, whatever machines draw without work; None without a log."""
    return you_are_here(placement, system)
