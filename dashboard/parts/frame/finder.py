"""Ctrl-K: goes to any page, machine type, task type or study."""

from typing import Any, Final
from urllib.parse import urlencode

import streamlit as st

from dashboard.pages import PAGES
from dashboard.parts.fields.in_browser import find_places
from dashboard.parts.frame.study_name import study_title
from dashboard.workspace import session
from dashboard.workspace.page_state import states
from dashboard.workspace.session import KeptWhere

MOST_NAMES: Final = 2_000
"""Machine types, and task types, that are offered: a browser looks through them at each key."""
_TARGET: Final = "finder.target"
_SCHEDULE: Final = next(page for page in PAGES if page.folder == "schedule")
Destination = dict[str, Any]


def show() -> None:
    """The button, and what Ctrl-K finds."""
    here, saved = None, None
    if not session.workspace().gone:
        title = study_title()
        here = {"key": title, "name": title, "link": f"./?{urlencode(session.address_now())}"}
        if (kept := session.kept_where()) is not KeptWhere.ADDRESS:
            saved = {"digest": session.content(), "is_saved": kept is KeptWhere.SAVED}
    find_places(places(), here, _take, saved, _take_saved)


def places() -> list[Destination]:
    """All that can be found; studies are known to the browser alone. Each has a number among those
    of its kind; machine types also say how many machines they have.
    """
    found: list[Destination] = [
        {"kind": "Page", "name": page.title, "number": k} for k, page in enumerate(PAGES)
    ]
    if session.workspace().gone:
        return found
    system = session.system()
    found += [
        {"kind": "Machine type", "name": one.name, "number": k, "count": one.count}
        for k, one in enumerate(system.machine_types[:MOST_NAMES])
    ]
    found += [
        {"kind": "Task type", "name": name, "number": k}
        for k, name in enumerate(system.task_names[:MOST_NAMES])
    ]
    return found


def take_target() -> str | None:
    """The folder of the page to go to, once."""
    target: str | None = st.session_state.pop(_TARGET, None)
    return target


def go_to(folder: str) -> None:
    """Goes to a page when the script runs next; a callback cannot do that itself."""
    st.session_state[_TARGET] = folder


def _take(kind: str, number: int, machine: int) -> None:
    if kind == "Page" and number < len(PAGES):
        go_to(PAGES[number].folder)
    elif kind in ("Machine", "Machine type"):
        one = f".{machine}" if kind == "Machine" else ""
        _look_at({"machines_at": f"{number + 1}{one}"})
    elif kind == "Task type":
        _look_at({"machines_tasks": str(number + 1)})


def _take_saved(digest: str) -> None:
    """A reload begins a session that knows of no save; the browser remembers."""
    if digest == session.content():
        session.noting_a_save()()


def _look_at(asked: dict[str, str]) -> None:
    """Goes to what the page Schedule has of a type; a place that is not there is ignored."""
    now = session.workspace()
    if not now.gone:
        for state in _SCHEDULE.states:
            states()[state].begin(asked, now)
        go_to(_SCHEDULE.folder)
