"""The pages, and the frame around whichever is open."""

from functools import partial
from pathlib import Path
from typing import Final

import streamlit as st

from dashboard import frame, session
from dashboard.guard import guarded
from dashboard.logic.background import RIGHT_OF_WAY
from dashboard.memory import collect, settle

HERE: Final = Path(__file__).parent

# A page a line: its file in `views`, its title, its icon; the first is where a visit begins.
PAGES: Final = (
    ("trade_offs", "Trade-offs", ":material/show_chart:"),
    ("schedule", "Schedule", ":material/calendar_view_week:"),
    ("profit", "Profit", ":material/payments:"),
    ("compare", "Compare", ":material/compare_arrows:"),
    ("system", "System", ":material/dns:"),
    ("fastest", "Fastest schedule", ":material/view_timeline:"),
    ("about", "About the numbers", ":material/help:"),
)


def show() -> None:
    """The page that the address names, below what all have in common."""
    st.logo(HERE / "assets" / "icon.png", size="small")
    page = st.navigation(
        [
            st.Page(HERE / "views" / f"{file}.py", title=title, icon=icon, url_path=file)
            for file, title, icon in PAGES
        ],
        position="top",
    )
    with RIGHT_OF_WAY.taken():
        session.begin_address()
        if session.went_back():
            path = page.url_path or PAGES[0][0]
            guarded(partial(session.return_to_address, path), page.title)
        guarded(frame.show, page.title)
        guarded(session.write_address, page.title)
        session.name_system()
        try:
            guarded(page.run, page.title)
            session.flush_address()
        finally:  # also where a page asks to be run anew
            settle(page.title)
            collect()
