"""The pages, and the frame around the open one."""

from functools import partial
from pathlib import Path
from typing import Final

import streamlit as st

from dashboard.pages import FIRST, MENU, PAGES
from dashboard.parts.fields.buttons import begin_without_dialog
from dashboard.parts.frame import finder, frame
from dashboard.parts.frame.help import offer_help
from dashboard.parts.opening.opener import show_open_button, show_opener
from dashboard.patches.memory import collect, settle
from dashboard.server.background import RIGHT_OF_WAY
from dashboard.server.guard import guarded
from dashboard.workspace import session

HERE: Final = Path(__file__).parent
_WITHOUT_SYSTEM: Final = {page.folder for page in PAGES if page.without_system}


def show() -> None:
    """Shows the page that the address names, below what all pages share."""
    st.logo(HERE / "assets" / "icon.png", size="small")
    page = st.navigation(
        {
            group: [
                st.Page(
                    HERE / "screens" / page.folder / "page.py",
                    title=page.title,
                    icon=page.icon,
                    url_path=page.folder,
                    default=page.folder == FIRST,
                    visibility="visible" if page.in_menu else "hidden",
                )
                for page in pages
            ]
            for group, pages in MENU.items()
        },
        position="top",
    )
    st.set_page_config(page_title=f"{page.title} - Wattfront")
    path = page.url_path or FIRST
    if target := finder.take_target():
        st.switch_page(f"screens/{target}/page.py")
    begin_without_dialog()
    with RIGHT_OF_WAY.taken():
        session.begin_address()
        if session.went_back():
            guarded(partial(session.return_to_address, path), page.title)
        guarded(partial(frame.show, show_open_button, path), page.title)
        guarded(show_opener, page.title)
        guarded(session.write_address, page.title)
        session.name_system()
        guarded(partial(_show_tools, path), page.title)
        try:
            guarded(partial(_show_page, page, path), page.title)
            session.flush_address()
        finally:  # also if a page asks for another run
            settle(page.title)
            collect()


def _show_tools(path: str) -> None:
    """What stands beside the menu."""
    with st.container(
        key="tools", horizontal=True, vertical_alignment="center", gap="small", width="content"
    ):
        finder.show()
        offer_help(next(page for page in PAGES if page.folder == path))


def _show_page(page: st.Page, path: str) -> None:
    if path in _WITHOUT_SYSTEM or not session.workspace().gone:
        page.run()
