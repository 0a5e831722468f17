"""What every page says if the system of its address is no longer there, in place of numbers."""

from typing import Final

import streamlit as st

from core.files.samples.named import sample_names
from dashboard.parts.frame import markup
from dashboard.server.guard import callback
from dashboard.workspace import session
from dashboard.workspace.workspace import choose_sample

TITLE: Final = "The system of this address is gone"
_WHY: Final = (
    "The server keeps uploaded and edited systems only while it runs, and no longer than there is "
    "room. So this page has no numbers to show."
)
_REMEDIES: Final = (
    "Upload the file of the system again. If neither its name nor its content has changed, this "
    "address shows what it showed before, to everybody who has it.",
    "Or upload a study file, which Export on most pages gives, to see the same on any server.",
    "If somebody sent you the address, ask for one of these files.",
)


def show_gone() -> None:
    """What happened, how to get the system back, and where to go on without it."""
    with st.container(key="gone", gap="small"):
        st.header(TITLE, anchor=False)
        st.markdown(_WHY)
        st.html(markup.items(_REMEDIES))
        with st.container(horizontal=True, gap="small"):
            if st.button("Upload a file", type="primary", icon=":material/upload:"):
                session.ask_for_file()
                st.switch_page("screens/system/page.py")
            st.button(
                "Go on with a sample",
                on_click=callback(session.apply),
                args=(choose_sample, sample_names()[0]),
            )
