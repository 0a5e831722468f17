"""A choice of exactly one of a few options, all in sight."""

from collections.abc import Iterable
from typing import Any, TypeVar

import streamlit as st

from dashboard.patches.hearing import believing_only

T = TypeVar("T")


def show_choice(label: str, options: Iterable[T], **settings: Any) -> T:
    """The option chosen. `settings` are arguments of Streamlit's segmented control."""
    with believing_only(_is_chosen):
        chosen: T = st.segmented_control(label, list(options), required=True, **settings)
    return chosen


def _is_chosen(value: object) -> bool:
    return value is not None
