"""The help drawer of each page: how to read its charts, what terms mean, and what is proven."""

from collections.abc import Sequence
from functools import partial
from importlib import import_module
from typing import Final

import streamlit as st

from dashboard.pages import HowToRead, Page
from dashboard.parts.fields.buttons import show_button
from dashboard.parts.frame.dialogs import is_dialog_in_front, show_dialog
from dashboard.parts.frame.explanation import CERTAINTIES, DEFINITIONS, Definition

INTRODUCTION: Final = (
    "You give times and powers. Wattfront answers with schedules that can really run, and with "
    "bounds that no schedule can beat. Between the two is the gap: a better schedule may or may "
    "not exist there."
)
_OPEN: Final = "help.open"


def offer_help(page: Page) -> None:
    """A button that opens the drawer of a page, which stays open while the page is drawn again, and
    closes with it, or if another dialog covers it.
    """
    if page.in_menu:  # the other one says all of it
        show_button("Help", _open, page.folder, icon="help", key="help", type="tertiary")
    if is_dialog_in_front() or st.session_state.get(_OPEN) != page.folder:
        _close()
        return
    title, show = f"Help: {page.title}", partial(_show_drawer, page)
    show_dialog(title, show, _close, width="medium", position="right")


def _open(folder: str) -> None:
    st.session_state[_OPEN] = folder


def _close() -> None:
    st.session_state.pop(_OPEN, None)


def _show_drawer(page: Page) -> None:
    st.markdown(INTRODUCTION)
    reading, terms, certainty = st.tabs(["This page", "Definitions", "Proven or heuristic"])
    with reading:
        for chart in readings(page):
            st.markdown(f"**{chart.name}**  \n{chart.how}")
    with terms:
        show_definitions(DEFINITIONS)
    with certainty:
        show_certainty()
    st.page_link("screens/about/page.py", label="All of it, of every page", icon=":material/help:")


def readings(page: Page) -> tuple[HowToRead, ...]:
    """How to read each chart of a page."""
    found: tuple[HowToRead, ...] = import_module(f"dashboard.screens.{page.folder}").READINGS
    return found


def show_definitions(definitions: Sequence[Definition], *, wide: bool = False) -> None:
    """Terms and their formulas, which stand beside them where there is room, else below."""
    for definition in definitions:
        words = formula = st.container()
        if wide:
            words, formula = st.columns([5, 6], gap="large", vertical_alignment="center")
        words.markdown(f"**{definition.term}**  \n{definition.meaning}")
        if definition.formula:
            formula.latex(definition.formula)


def show_certainty() -> None:
    st.markdown(
        "The proof of a bound does not rely on the solver. The prices that the solver returns are "
        "first made admissible; then the bound is computed from them, with every rounding error "
        "counted against it. A poor answer of the solver makes the bound weaker, never wrong."
    )
    st.table(CERTAINTIES, border="horizontal", hide_index=True)
