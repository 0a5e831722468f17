"""What if the system were another: a few side by side, or thousands as a map."""

from typing import Final

import streamlit as st

from dashboard.parts.fields.setting import show_choice
from dashboard.parts.frame.handed import is_awaited
from dashboard.screens.what_if import state
from dashboard.screens.what_if.compare.side_by_side import show_side_by_side
from dashboard.screens.what_if.state import VIEWS
from dashboard.screens.what_if.sweeps.sweep_map import show_map
from dashboard.server.guard import callback
from dashboard.workspace import session

_VIEW: Final = "what_if.view"


def main() -> None:
    if is_awaited("what_if.file"):
        state.take_view("side by side")
    state.write_address()
    with st.container(horizontal=True, vertical_alignment="center", gap="medium", key="status"):
        st.title("What if", anchor=False, width="content")
        key = session.fresh_key(_VIEW, state.view())
        show_choice(
            "View",
            VIEWS,
            default=state.view(),
            format_func=VIEWS.__getitem__,
            key=key,
            on_change=_take_view,
            args=(key,),
            label_visibility="collapsed",
        )
        tools = st.container(
            horizontal=True,
            horizontal_alignment="right",
            vertical_alignment="center",
            gap="small",
            width="stretch",
        )
    show = show_map if state.view() == "map" else show_side_by_side
    show(tools)


@callback
def _take_view(key: str) -> None:
    state.take_view(st.session_state[key])


main()
