"""What an answer says, as pages show it. Charts take the place of some tables."""

from collections.abc import Iterable
from typing import Any, Final, Literal

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.engines.verify.verdict import Verdict
from core.shells.told.told import KeyFigure, Told, ToldTable
from core.vocabulary.say.words import NOTHING
from dashboard.parts.frame import markup


def show_lead(told: Told) -> None:
    """The answer as the headline of the page."""
    st.header(told.lead, anchor=False)


_FIRST: Final = 4
"""So many sentences stand below a headline; who wants to know more opens the others."""


def show_sentences(told: Told) -> None:
    first, others = told.sentences[:_FIRST], told.sentences[_FIRST:]
    st.html(markup.items(first) + (markup.more(others) if others else ""))


def figures_row() -> DeltaGenerator:
    """The place of key figures, one beside the other."""
    return st.container(horizontal=True, vertical_alignment="center", gap="small", key="figures")


def show_key_figures(figures: Iterable[KeyFigure], width: int | Literal["content"]) -> None:
    """Key figures with their meaning on hover, each in its own frame."""
    for one in figures:
        st.metric(one.label, one.value, help=one.meaning, border=True, width=width)


_LETTER: Final = 8
_WIDEST: Final = 184
"""How wide the first column of a table is at most, so that a phone shows others beside it (pixels).
"""


def show_table(told: ToldTable) -> None:
    """A table of words, with its note below; its first column stays in sight."""
    rows = pd.DataFrame(told.rows, columns=told.head)
    longest = max((len(str(row[0])) for row in told.rows), default=0)
    width = min(_LETTER * longest + _LETTER, _WIDEST) if longest > len(told.head[0]) else None
    pinned = {told.head[0]: st.column_config.TextColumn(pinned=True, width=width)}
    st.dataframe(rows, hide_index=True, height="content", column_config=pinned, alt=told.title)
    if told.note:
        st.caption(told.note)


def show_frame(frame: pd.DataFrame, alt: str, **how: Any) -> None:
    """A table of numbers and words, which a person can sort; numbers have all their digits. `how`
    has other arguments of Streamlit's table.
    """
    numbers = dict.fromkeys(
        frame.select_dtypes(float).columns, st.column_config.NumberColumn(format="%.12g")
    )
    columns = {"column_config": numbers | how.pop("column_config", {})}
    usual = {"hide_index": True, "height": "content", "placeholder": NOTHING}
    st.dataframe(frame, alt=alt, **{**usual, **how, **columns})


def show_unverified(what: str) -> None:
    """Warns of what is shown, such as "this plan": it is not as an independent check finds it."""
    st.error(
        f"An independent check disagrees with {what}. Do not rely on it.", icon=":material/error:"
    )


def show_verdict(verdict: Verdict) -> None:
    if not verdict.ok:
        st.error("The judge found faults in this schedule. Do not use it.")
        for problem in verdict.problems:
            st.text(str(problem))
        return
    with st.popover("Verified", icon=":material/verified:", type="tertiary"):
        st.markdown("The judge, which shares no code with the solvers, found:")
        st.markdown("\n".join(f"- {check}" for check in verdict.checks))
