"""The frame above every page: what Wattfront is, the system in force, its idle power and site."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np
import streamlit as st

from core import System
from core.files.samples.named import SYSTEMS
from core.vocabulary.say.phrases import estimates_in_words
from core.vocabulary.say.without_work import assumed_without_work, idle_said
from core.vocabulary.say.words import Sense, begun, counted, power, share
from core.vocabulary.without_work import AS_GIVEN, USUAL_IDLE_SHARE
from dashboard.pages import PAGES
from dashboard.parts.fields.buttons import show_button, show_chip
from dashboard.parts.fields.idle_power import fraction_of, show_percent, show_switching_off
from dashboard.parts.fields.in_browser import (
    follow_theme,
    keep_history,
    offer_pictures,
    show_link,
    suit_phones,
)
from dashboard.parts.frame import markup
from dashboard.parts.frame.handed import is_not_in_force_yet
from dashboard.parts.frame.site import show_price, show_site
from dashboard.parts.frame.study_name import show_name, study_name
from dashboard.server.guard import callback
from dashboard.workspace import session
from dashboard.workspace.page_state import Above, states
from dashboard.workspace.session import KeptWhere
from dashboard.workspace.workspace import Sample, Workspace, choose_sample

TAGLINE: Final = (
    "Wattfront finds the fastest and the thriftiest schedules for your machines, and proves how "
    "good they are."
)
NOTES_SHOWN: Final = 10
FILE_PAGE: Final = "importing"
"""The page that puts files in force."""
STYLE: Final = Path(__file__).parents[2] / "assets" / "style.css"
_OFF: Final = "frame.idle.off"
_OWN: Final = "frame.idle.own"
_PERCENT: Final = "frame.idle.percent"


def show(show_open_button: Callable[[], None], page: str) -> None:
    """The name and the facts of the system, its idle power and site, or that it is gone; the way
    in for files; and what the address got wrong. While another system is not in force yet, none
    stands above its page.
    """
    st.html(STYLE)
    keep_history()
    follow_theme()
    suit_phones()
    offer_pictures()
    now = session.workspace()
    if page == FILE_PAGE and is_not_in_force_yet():
        _show_not_in_force_yet(show_open_button)
    elif now.gone:
        show_gone(show_open_button)
    elif (above := _above(page)) is not None:
        _show_other(above, show_open_button)
    else:
        _show_system(now, show_open_button)
    if notes := session.notes():
        st.warning(
            "Some parts of the address are not valid and were ignored:", icon=":material/link_off:"
        )
        more = len(notes) - NOTES_SHOWN
        st.html(markup.items([*notes[:NOTES_SHOWN], *([f"and {more:,} more"] if more > 0 else [])]))


def _above(page: str) -> Above | None:
    """What a page is about that is not about the system in force."""
    state = next((one.state for one in PAGES if one.folder == page), None)
    return states()[state].above() if state is not None else None


def _show_other(above: Above, show_open_button: Callable[[], None]) -> None:
    """What a page is about, where the study is kept, and the site if that counts there. The idle
    power and the PUE of the system in force do not.
    """
    with st.container(key="frame", horizontal=True, vertical_alignment="center", gap="small"):
        title, about = above.title, above.facts
        if name := study_name():
            title, about = name, (title, *about)
        st.html(markup.context(title, about, is_sample=above.is_sample), width="stretch")
        with st.container(key="frame-choices", horizontal=True, gap="small", width="content"):
            show_open_button()
            _show_kept()
            if above.at_site:
                show_price()


def _show_not_in_force_yet(show_open_button: Callable[[], None]) -> None:
    with st.container(key="frame", horizontal=True, vertical_alignment="center", gap="small"):
        said = ("other pages stay as they are until you press “Use this system”",)
        st.html(markup.context("Not in force yet", said), width="stretch")
        show_open_button()


def _show_system(now: Workspace, show_open_button: Callable[[], None]) -> None:
    with st.spinner("Setting the idle power …"):
        system = now.system
    is_sample = isinstance(now.version.origin, Sample)
    if is_sample:  # a person who looks at a sample may be new
        st.html(f'<p class="wf-tagline">{TAGLINE}</p>')
    with st.container(key="frame", horizontal=True, vertical_alignment="center", gap="small"):
        about = facts(system)
        if name := study_name():
            about = now.title, *about
        st.html(markup.context(name or now.title, about, is_sample=is_sample), width="stretch")
        with st.container(key="frame-choices", horizontal=True, gap="small", width="content"):
            show_open_button()
            _show_kept()
            if now.version.seen.assumed:
                with show_chip("counts", "Counts assumed", "tag", assumed=True):
                    _say_what_was_assumed(now)
            with show_chip("idle", _idle_label(), "bolt", assumed=now.version.idle_assumed):
                _choose_idle_power()
            show_site()
    if now.version.draft is not None:
        st.caption(
            ":material/edit: The tables have edits with problems. Until you correct them on "
            "Machines or Work, every page uses the last valid system."
        )


def _show_kept() -> None:
    """Where the study is kept, and how to save and share it."""
    kept = session.kept_where()
    with show_chip("kept", kept.value, "save", assumed=kept is KeptWhere.NOT_SAVED):
        show_name("frame")
        st.caption(KEPT[kept])
        show_link(None, "frame.link")
        where = "Save or share" if kept is KeptWhere.NOT_SAVED else "All studies"
        if st.button(where, icon=":material/folder_open:", key="all-studies"):
            st.switch_page("screens/studies/page.py")


def _idle_label() -> str:
    now = session.workspace()
    idle, version = now.idle, now.version
    if now.system.apc is None:
        return begun(idle_said(AS_GIVEN))
    if version.idle_assumed and idle.asleep_watts is None:
        return begun(f"{idle_said(replace(idle, idle_power=idle.idle_power or 0.0))} assumed")
    measured = version.seen.idle_measured and idle == AS_GIVEN
    return "Idle power measured" if measured else begun(idle_said(idle))


IDLE_PROPOSED: Final = (
    "The system does not say what idle machines draw. Nodes usually draw 20 to 60 % of their power "
    "at work (documentation, *What to switch off*); with samples of a monitoring, a log gives the "
    "measured one."
)


KEPT: Final = {
    KeptWhere.ADDRESS: "The address of this page has all of it: a bookmark keeps it.",
    KeptWhere.SAVED: "This browser keeps it, or you have a study file, which opens on any server.",
    KeptWhere.NOT_SAVED: "The server keeps it only while it runs. Save it in this browser, or as a "
    "file to keep and to share.",
}


def _say_what_was_assumed(now: Workspace) -> None:
    st.html(markup.items(now.version.seen.assumed))
    for folder, label in (("machines", "Type the machines"), ("work", "Type the tasks")):
        st.page_link(f"screens/{folder}/page.py", label=label, icon=":material/edit:")


def _choose_idle_power() -> None:
    now = session.workspace()
    if now.system.apc is None:
        st.caption("This system has no powers (APC). Idle power has no effect without them.")
        return
    fraction = now.idle.idle_power
    own = fraction is None
    percent = round(100 * (fraction_of(now.system) if fraction is None else fraction))
    own_key, percent_key = session.fresh_key(_OWN, own), session.fresh_key(_PERCENT, percent)
    st.toggle(
        "As in the system",
        own,
        key=own_key,
        help="Each machine type has the idle power (W) in the table of machine types.",
        on_change=_take_idle_power,
        args=(own_key, percent_key),
    )
    keys = own_key, percent_key
    show_percent(
        "Share of the mean power at work",
        percent,
        percent_key,
        _take_idle_power,
        *keys,
        disabled=own,
    )
    show_switching_off(_OFF)
    st.caption(assumed_without_work(now.system))
    if now.version.idle_assumed:
        st.caption(IDLE_PROPOSED)
        if now.idle.idle_power != USUAL_IDLE_SHARE:
            said, taken = f"Take {share(USUAL_IDLE_SHARE, Sense.TYPED)}", now.idle
            taken = replace(taken, idle_power=USUAL_IDLE_SHARE)
            show_button(said, session.set_idle, taken, icon="check")


@callback
def _take_idle_power(own_key: str, percent_key: str) -> None:
    own, percent = st.session_state[own_key], st.session_state[percent_key]
    idle = replace(session.workspace().idle, idle_power=None if own else percent / 100)
    session.set_idle(idle)


def facts(system: System) -> tuple[str, ...]:
    """The size of a system, the pairs that cannot run or are estimates, and its idle power."""
    impossible = int(system.etc.size - np.isfinite(system.etc).sum())
    return (
        f"{counted(system.tasks, 'task')} of {counted(len(system.task_types), 'type')}",
        f"{counted(system.machines, 'machine')} of {counted(len(system.machine_types), 'type')}",
        f"{counted(impossible, 'pair')} cannot run" if impossible else "every pair can run",
        *filter(None, [estimates_in_words(system)]),
        "powers unknown"
        if system.apc is None
        else f"{'asleep' if system.may_sleep else 'idle power'} "
        f"{power(system.total_idle_power, Sense.PLAIN)}",
    )


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


def show_gone(show_open_button: Callable[[], None]) -> None:
    """What happened, how to get the system back, and where to go on without it."""
    with st.container(key="gone", gap="small"):
        st.header(TITLE, anchor=False)
        st.markdown(_WHY)
        st.html(markup.items(_REMEDIES))
        with st.container(horizontal=True, gap="small"):
            show_open_button()
            if st.button("Saved studies", icon=":material/folder_open:"):
                st.switch_page("screens/studies/page.py")
            show_button("Go on with a sample", session.apply, choose_sample, SYSTEMS[0])
