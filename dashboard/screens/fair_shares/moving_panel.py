"""The chart of releases and promises, in which a bag is picked, and a slider that moves it."""

from typing import Final

import plotly.graph_objects as go
import streamlit as st

from core.capabilities.fair_shares.shares import FairShares
from core.vocabulary.say.words import Sense
from dashboard.parts.charts.drawing import TOOLS
from dashboard.patches.credible import is_place, mark_of
from dashboard.screens.fair_shares.desk import BagsDesk
from dashboard.screens.fair_shares.moving import choices_of, moved, releases_of
from dashboard.server.guard import callback
from dashboard.workspace import session

_CHART: Final = "stretch_dates"
_PICKED: Final = "wattfront.stretch.picked"


def picked_bag(answer: FairShares) -> int | None:
    """Where the bag that is picked is among `answer.now.bags.names`."""
    name: str | None = st.session_state.get(_PICKED)
    names = answer.now.bags.names
    return names.index(name) if name in names else None


def show_pickable(answer: FairShares, figure: go.Figure, alt: str) -> None:
    """The chart; a click on a bag picks it."""
    names = answer.now.bags.names

    @callback
    def take() -> None:
        found = mark_of(st.session_state[_CHART])
        if found and is_place(found[0], len(names)):
            st.session_state[_PICKED] = names[int(found[0])]

    st.plotly_chart(
        figure,
        key=_CHART,
        config=TOOLS,
        alt=alt,
        on_select=take,
        selection_mode="points",
    )


def show_moving(desk: BagsDesk, answer: FairShares) -> None:
    """A choice of the bag, and a slider of its releases."""
    names, picked = list(answer.now.bags.names), picked_bag(answer)
    left, right = st.columns([1, 2], gap="medium", vertical_alignment="bottom")
    with left:
        key = session.fresh_key("stretch.picked", None if picked is None else names[picked])
        st.selectbox(
            "Bag to move",
            names,
            picked,
            key=key,
            placeholder="Click one above",
            on_change=callback(_take_choice),
            args=(key,),
        )
    if picked is None:
        return
    place = int(answer.now.bags.present[picked])
    release = releases_of(desk.inputs)[place]
    choices = choices_of(desk.usual, release)
    clock = desk.inputs.clock
    with right:
        # One slider for each range, which keeps the focus while a person moves it.
        name = f"stretch.move {desk.name} {place} {choices[0]} {choices[-1]}"
        key = session.fresh_key(name, release)
        st.select_slider(
            "Its release",
            choices,
            release,
            format_func=lambda date: clock.said(date, Sense.PLAIN, choices[-1] - choices[0]),
            key=key,
            on_change=callback(_take_release),
            args=(desk, key, place),
            help="Drag it, or use the arrow keys. All promises follow; Undo takes a step back. "
            "Type other dates in the table.",
        )


def _take_choice(key: str) -> None:
    st.session_state[_PICKED] = st.session_state[key]


def _take_release(desk: BagsDesk, key: str, place: int) -> None:
    """The tables begin anew, since they show the release, too."""
    desk.fill(moved(desk.inputs, place, st.session_state[key]))
