"""The top of each page on which the system itself is changed: its title, Undo, Redo and Export."""

from functools import partial

import streamlit as st

from core import System
from dashboard.parts.fields.buttons import show_button
from dashboard.parts.taking.take_away import download
from dashboard.workspace import session
from dashboard.workspace.export import SYSTEM_FORMATS, file_name, system_bytes, system_fits
from dashboard.workspace.workspace import redo, undo


def show_heading(title: str) -> None:
    now = session.workspace()
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.title(title, anchor=False, width="stretch")
        show_button(
            "Undo",
            session.apply,
            undo,
            icon="undo",
            disabled=not now.past,
            help="Goes back to the system before the last choice or edit",
        )
        show_button("Redo", session.apply, redo, icon="redo", disabled=not now.future)
        if not now.gone:
            with st.popover("Export", icon=":material/download:"):
                _show_downloads(now.system, now.title)


def _show_downloads(system: System, title: str) -> None:
    for form in SYSTEM_FORMATS:
        fits = system_fits(system, form.suffix)
        why_not = None if fits else "A workbook cannot hold so many types."
        data = partial(system_bytes, system, form.suffix)
        download(form.label, data, file_name(title, form.suffix, "system"), why_not)
