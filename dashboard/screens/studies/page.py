"""Studies: the name of what is open, where it is kept, and those that this browser keeps."""

from collections.abc import Callable
from functools import partial
from hashlib import sha256
from typing import Final
from urllib.parse import urlencode

import streamlit as st

from core.shells.studies.settings import STUDY_FILE
from dashboard.pages import FIRST
from dashboard.parts.fields.buttons import show_button
from dashboard.parts.fields.in_browser import show_link, show_shelf
from dashboard.parts.frame import finder
from dashboard.parts.frame.frame import KEPT
from dashboard.parts.frame.handed import take_in
from dashboard.parts.frame.study_name import name_study, show_name, study_title
from dashboard.parts.frame.watch import show_page_title
from dashboard.parts.taking.take_away import (
    TOO_LARGE,
    download,
    fits_study_file,
    study_at_hand,
    study_bytes,
    study_settings,
)
from dashboard.workspace import asking, session
from dashboard.workspace.export import system_bytes
from dashboard.workspace.session import KeptWhere
from dashboard.workspace.upload import Upload

MOST_KEPT: Final = 2_000_000
"""A browser has room for some 5 million characters."""
_SAVE: Final = "studies.save"


def main() -> None:
    show_page_title("Studies")
    if not session.workspace().gone:
        _show_open()
    with st.container(key="shelf"):
        show_shelf(st.session_state.pop(_SAVE, None), _open)


def _show_open() -> None:
    """What is open: its name, and how to keep and to share it."""
    with st.container(key="studies-open"):
        show_name("studies")
    kept = session.kept_where()
    st.caption(f"{kept.value}. {KEPT[kept]}")
    fits = fits_study_file(session.chosen())
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="studies"):
        show_button("Save in this browser", _save, icon="save", type="primary", disabled=not fits)
        with st.container(width="content"):
            show_link(_link(), "studies.link")
        download(
            "Share: study file",
            study_file(),
            STUDY_FILE,
            None if fits else TOO_LARGE,
            on_click=session.noting_a_save(),
            width="content",
            help="A file to send: it opens on any server",
        )


def study_file() -> Callable[[], bytes]:
    """What makes the study file of what is open now, from any thread: a download is made in one
    that has no session, where the first sample would be open. Of times without powers, of which no
    page was asked anything, the file has the system alone.
    """
    system, chosen = session.system(), session.chosen()
    study, polish = study_at_hand(system)
    settings = study_settings(polish)
    if system.apc is not None:
        return lambda: study_bytes(study(), chosen, settings)
    if settings.blocks:
        return lambda: study_bytes(system, None, settings)
    return lambda: system_bytes(system, ".json")


def _link() -> str:
    view = study_settings(study_at_hand(session.system())[1]).view
    return f"./?{urlencode(session.address_now() | dict(view))}"


def _save() -> None:
    """Gives the browser the study to keep. A link is enough where the address has all of it."""
    has_all = session.kept_where() is KeptWhere.ADDRESS
    file = None if has_all else study_file()().decode()
    if file is not None and len(file) > MOST_KEPT:
        st.toast("This study is too large for a browser. Take the study file.")
        return
    link, title = _link(), study_title()
    digest = sha256(f"{title}\n{link}\n{session.workspace().version.fingerprint}".encode())
    st.session_state[_SAVE] = {
        "id": digest.hexdigest()[:24],
        "name": title,
        "link": link,
        "file": file,
    }
    session.noting_a_save()()


def _open(name: str, file: str) -> None:
    """Opens a study that the browser kept, and goes to the first page."""
    refused = partial(Upload.refused, name)
    upload = asking.read(refused, Upload.read, STUDY_FILE, file.encode())
    take_in(upload)
    if upload.system is not None:
        session.noting_a_save()()
    name_study(name)
    finder.go_to(FIRST)


main()
