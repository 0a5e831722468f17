"""About the numbers: how to read each chart, what each term means, and what is proven."""

from collections.abc import Iterator, Sequence
from importlib import import_module

import streamlit as st

from dashboard.pages import PAGES, HowToRead, Page
from dashboard.screens.about.explanation import CERTAINTIES, DEFINITIONS, Definition


def main() -> None:
    st.title("About the numbers", anchor=False)
    st.markdown(
        "You give times and powers. Wattfront answers with schedules that can really run, and "
        "with bounds that no schedule can beat. Between the two is the gap: a better schedule "
        "may or may not exist there."
    )
    charts, definitions, certainty = st.tabs(["Charts", "Definitions", "Proven or heuristic"])
    with charts:
        show_charts()
    with definitions:
        show_definitions(DEFINITIONS)
    with certainty:
        show_certainty()


def readings() -> Iterator[tuple[Page, HowToRead]]:
    """How to read each chart of each page. This page has no charts."""
    for page in PAGES:
        if page.folder != "about":
            found: tuple[HowToRead, ...] = import_module(
                f"dashboard.screens.{page.folder}"
            ).READINGS
            for reading in found:
                yield page, reading


def show_charts() -> None:
    columns = st.columns(2, gap="large")
    for place, (page, reading) in enumerate(readings()):
        with columns[place % 2]:
            st.markdown(f"**{reading.name}** · {page.title}  \n{reading.how}")


def show_definitions(definitions: Sequence[Definition]) -> None:
    for definition in definitions:
        words, formula = st.columns([5, 6], gap="large", vertical_alignment="center")
        with words:
            st.markdown(f"**{definition.term}**  \n{definition.meaning}")
        if definition.formula:
            with formula:
                st.latex(definition.formula)


def show_certainty() -> None:
    st.markdown(
        "The proof of a bound does not rely on the solver. The prices that the solver returns are "
        "first made admissible; then the bound is computed from them, with every rounding error "
        "counted against it. A poor answer of the solver makes the bound weaker, never wrong."
    )
    st.table(CERTAINTIES, border="horizontal", hide_index=True)


main()
