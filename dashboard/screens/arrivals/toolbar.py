"""The toolbar of the page Arrivals: workload, policies, budget, and how often to replay."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.capabilities.arrivals.asked import WORKLOADS, ArrivalsSettings
from core.capabilities.arrivals.uncertain.methods import WEIGHED
from core.vocabulary.say.words import Sense, amount, share
from dashboard.parts.fields.setting import show_field, show_steps
from dashboard.screens.arrivals import state
from dashboard.workspace import session

BUDGETS: Final = tuple(step / 100 for step in range(40, 125, 5))
"""The energy budgets to choose from, as shares of what is spent without a budget."""
EXCHANGES: Final = (0.0, 100.0, 300.0, 1_000.0, 3_000.0, 10_000.0)
"""Exchange rates to choose from (J/s). Above the last, outcomes of drawn bags hardly change."""
_show: Final = partial(show_field, "arrivals", state.take)


def show_toolbar(settings: ArrivalsSettings) -> DeltaGenerator:
    """The toolbar; returns the place for the button that begins."""
    with st.container(
        horizontal=True, vertical_alignment="bottom", gap="small", key="arrivals-toolbar"
    ):
        there = [name for name in WORKLOADS if name != "own" or state.given() is not None]
        _show(settings, "workload", options=there, width=280)
        with st.popover("Day", icon=":material/event:"):
            for name in ("jobs", "days", "seed"):
                _show(settings, name)
        if settings.of_bags:
            _show(settings, "machines", segmented=True)
            _show(settings, "errors", segmented=True)
            if WEIGHED.name in settings.methods:
                _show_exchange(settings)
        else:
            _show_budget(settings)
            with st.popover("Rules", icon=":material/rule:"):
                _show(settings, "drop_below")
                _show(settings, "filter")
        place = st.container(width="content")
    _show(settings, "methods" if settings.of_bags else "policies")
    return place


def _show_exchange(settings: ArrivalsSettings) -> None:
    _show_steps(
        settings, "exchange", (None, *EXCHANGES), lambda rate: amount(rate, Sense.TYPED, "J/s")
    )


def _show_budget(settings: ArrivalsSettings) -> None:
    given = state.given()
    of_file = settings.workload == "own" and given is not None and given.has_budget
    how = {"blank": "As in the file"} if of_file else {}
    _show_steps(settings, "budget", (*BUDGETS, None), lambda one: share(one, Sense.TYPED), **how)


def _show_steps(
    settings: ArrivalsSettings,
    name: str,
    steps: Sequence[float | None],
    said: Callable[[float], str],
    **how: Any,
) -> None:
    key = session.fresh_key(f"arrivals.{name}", getattr(settings, name))
    how |= {"key": key, "width": 260, "on_change": state.take, "args": (name, key)}
    show_steps(settings, name, steps, said, **how)
