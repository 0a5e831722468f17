"""A field for one number of a plan."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from core.vocabulary.ranges import Range
from core.vocabulary.say.words import Sense, rounded
from dashboard.screens.provision.desk import PlanDesk, take_field
from dashboard.screens.provision.inputs import PlanInputs
from dashboard.workspace import session

Put = Callable[[PlanInputs, Any], PlanInputs]


def show_number(
    desk: PlanDesk,
    name: str,
    label: str,
    value: float | None,
    put: Put,
    allowed: Range,
    meaning: str | None = None,
    **look: Any,
) -> None:
    """A field for a number of a plan, which `put` takes over; blank where there is none."""
    key = session.fresh_key(f"provision.{name}", value)
    st.number_input(
        label,
        float(allowed.low),
        float(allowed.high),
        None if value is None else float(value),
        step=None,
        key=key,
        format="%.6g",
        placeholder="none",
        on_change=take_field,
        args=(desk, key, put),
        help=meaning,
        **look,
    )


def without_last_digits(value: float) -> float:
    """A value without the digits that only the arithmetic has."""
    return rounded(value, Sense.PLAIN, 12)
