"""About the numbers: how to read each chart, what each term means, and what is proven."""

import streamlit as st

from dashboard.pages import PAGES
from dashboard.parts.frame.help import (
    DEFINITIONS,
    INTRODUCTION,
    readings,
    show_certainty,
    show_definitions,
)


def main() -> None:
    st.title("About the numbers", anchor=False)
    st.markdown(INTRODUCTION)
    charts, definitions, certainty = st.tabs(["Charts", "Definitions", "Proven or heuristic"])
    with charts:
        show_charts()
    with definitions:
        show_definitions(DEFINITIONS, wide=True)
    with certainty:
        show_certainty()


def show_charts() -> None:
    columns = st.columns(2, gap="large")
    every = [(page, reading) for page in PAGES for reading in readings(page)]
    for place, (page, reading) in enumerate(every):
        with columns[place % 2]:
            st.markdown(f"**{reading.name}** · {page.title}  \n{reading.how}")


main()
