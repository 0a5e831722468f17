"""Import: where the system comes from, the steps in which a log becomes one, and what it gave."""

from typing import Final

import streamlit as st

from dashboard.parts.fields.buttons import show_button
from dashboard.parts.frame import markup
from dashboard.parts.frame.handed import is_importing, is_not_in_force_yet
from dashboard.parts.machines.pairs import show_pairs
from dashboard.parts.taking.heading import show_heading
from dashboard.screens.importing.import_steps import in_force
from dashboard.screens.importing.log_source import cancel_import, watch_log
from dashboard.screens.importing.start import show_start
from dashboard.workspace import session

ONWARDS: Final = (
    ("machines", "Its machine types", "dns"),
    ("work", "Its task types and pairs", "assignment"),
    ("trade_offs", "What it can save", "show_chart"),
)


def main() -> None:
    """Without a system, and while one is made from a log, only where it comes from."""
    importing = is_importing()
    if importing:
        show_import_heading()
    else:
        show_heading("Import")
    show_start()
    if not (importing or is_not_in_force_yet() or session.workspace().gone):
        show_in_force()
    watch_log()


def show_import_heading() -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.title("Import", anchor=False, width="stretch")
        meaning = "Forgets the log; the system in force stays"
        show_button("Cancel", cancel_import, icon="close", help=meaning)


def show_in_force() -> None:
    """One sentence on what is in force, its pairs, and the pages that go on from here."""
    now = session.workspace()
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.html(markup.note(f"{in_force(now.title, now.system)}."), width="content")
        for folder, label, icon in ONWARDS:
            st.page_link(f"screens/{folder}/page.py", label=label, icon=f":material/{icon}:")
    show_pairs(now.system)


main()
