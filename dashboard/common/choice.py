"""A choice of one of a few, all of them in sight."""

from collections.abc import Iterable
from typing import Any, TypeVar

import streamlit as st

from dashboard.shell.hearing import believing_only

T = TypeVar("T")


def show_choice(label: str, options: Iterable[T], **settings: Any) -> T:
    """Exactly one of the options is chosen; `settings` are those of Streamlit's control."""
    with believing_only(_is_chosen):
        chosen: T = st.segmented_control(label, list(options), required=True, **settings)
    return chosen


def _is_chosen(value: object) -> bool:
    return value is not None
