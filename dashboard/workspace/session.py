"""The workspace of a session. Only this module keeps it in Streamlit's state."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from enum import Enum
from hashlib import sha256
from typing import Concatenate, Final, ParamSpec

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core import System
from core.engines.front.wish import Wish
from core.files.samples.generate import generate
from core.files.samples.named import SYSTEMS
from core.vocabulary.prices.site import Site
from core.vocabulary.schedule import Schedule
from core.vocabulary.without_work import WithoutWork
from dashboard.pages import PAGES
from dashboard.workspace import address
from dashboard.workspace.address import AddressSettings
from dashboard.workspace.answering import StagedStudy
from dashboard.workspace.chosen import Chosen, Shelf, schedule_shelf, system_shelf
from dashboard.workspace.page_state import all_parameters, states
from dashboard.workspace.workspace import (
    STEPS_KEPT,
    Drawn,
    Origin,
    Sample,
    Version,
    Workspace,
    begin,
    draw,
    miss,
    unpriced,
)
from dashboard.workspace.workspace import choose as choose_version

P = ParamSpec("P")

WORKSPACE: Final = "wattfront.workspace"
CHOSEN: Final = "wattfront.chosen"
ANSWER: Final = "wattfront.answer"
NOTES: Final = "wattfront.notes"
HELD: Final = "wattfront.held"
ADDRESS: Final = "wattfront.address"
FIRST: Final = "wattfront.address.first"
OPENED: Final = "wattfront.address.opened"
EDITOR: Final = "wattfront.editor"
SAVES: Final = "wattfront.saves"
SITES: Final = "wattfront.sites"
MISSED: Final = "wattfront.missed"
"""The parameters of the address whose system is gone."""


def workspace() -> Workspace:
    """The workspace of this session; at first as the address says."""
    if WORKSPACE not in st.session_state:
        with st.spinner("Opening the system …", show_time=True):
            _open()
    found: Workspace = st.session_state[WORKSPACE]
    return found


def system() -> System:
    """The system to compute with, on every page."""
    return workspace().system


def choose(schedule: Schedule, title: str, wish: Wish | None = None) -> None:
    """Makes a schedule the chosen one, on all pages. `title` says why it was chosen."""
    st.session_state[CHOSEN] = Chosen.of(schedule, title, wish)
    st.session_state.setdefault(FIRST, None)  # the page may never have been drawn to its end
    write_address()


def chosen() -> Chosen | None:
    """The chosen schedule, if any. Compare its fingerprint with that of `system`: the system may
    have changed since.
    """
    found: Chosen | None = st.session_state.get(CHOSEN)
    return found


def show(answer: StagedStudy) -> None:
    """Keeps the study that the page Trade-offs shows, for other pages."""
    st.session_state[ANSWER] = answer


def shown() -> StagedStudy | None:
    """The study that the page Trade-offs showed last; it may be of another system."""
    found: StagedStudy | None = st.session_state.get(ANSWER)
    return found


def fresh_key(name: str, value: object) -> str:
    """The key of a widget that shows `value`. It changes when the value was changed elsewhere, so
    that a new widget shows the new value.

    Give a widget its value as its default: a value that is set through the state can be lost when
    a page is drawn again before the browser has shown it.
    """
    if st.session_state.get(latest_key(name), value) != value:
        renew(name)
    return latest_key(name)


def latest_key(name: str) -> str:
    """The last `fresh_key` of this name. A report about an earlier key comes too late."""
    return f"{name} {turn(name)}"


def turn(name: str = EDITOR) -> int:
    """How often a widget, or else all editors, began anew."""
    found: int = st.session_state.get(f"{name}.count", 0)
    return found


def renew(name: str = EDITOR) -> None:
    """Makes a widget, or else all editors, begin anew: each gets a new key."""
    st.session_state[f"{name}.count"] = turn(name) + 1


def notes() -> tuple[str, ...]:
    """What was ignored in the address, and why."""
    found: tuple[str, ...] = st.session_state.get(NOTES, ())
    return found


def forget_notes() -> None:
    """Forgets the notes, when they no longer apply."""
    st.session_state[NOTES] = ()


def apply(
    step: Callable[Concatenate[Workspace, P], Workspace], *args: P.args, **kwargs: P.kwargs
) -> None:
    """Takes a step. All editors then start from its result. If it brings the system back that the
    address names and that was gone, all is as the address says.
    """
    before, now = workspace(), step(workspace(), *args, **kwargs)
    forget_notes()
    if before.gone and not now.gone and _systems().put(now.version) == _asked().kept:
        _open()
        now = replace(st.session_state[WORKSPACE], upload=now.upload)
    put(now)
    renew()


def set_idle(idle: WithoutWork) -> None:
    """Sets what machines draw without work for every page."""
    st.session_state[WORKSPACE] = replace(workspace(), idle=idle)


def site() -> Site:
    """The site, on every page."""
    return workspace().site


def set_site(now: Site) -> None:
    """Sets the site for every page, as a person changed it."""
    if (before := site()) != now:
        _put_site(now, (*past_sites(), before)[-STEPS_KEPT:])


def open_site(now: Site) -> None:
    """Sets the site for every page, as the study says that is opened: no change to take back."""
    _put_site(now, ())


def past_sites() -> tuple[Site, ...]:
    """The sites before each change that a person made in the study in force."""
    found: tuple[Origin | None, tuple[Site, ...]] = st.session_state.get(SITES, (None, ()))
    return found[1] if found[0] == workspace().version.origin else ()


def undo_site() -> None:
    """Takes back the last change of the site in the study in force, if there is one."""
    if past := past_sites():
        _put_site(past[-1], past[:-1])


def _put_site(now: Site, past: tuple[Site, ...]) -> None:
    st.session_state[WORKSPACE] = at = replace(workspace(), site=now)
    st.session_state[SITES] = at.version.origin, past


class KeptWhere(Enum):
    """Where all that a person works on is kept."""

    ADDRESS = "In this address"
    SAVED = "Saved"
    NOT_SAVED = "Not saved"


def kept_where() -> KeptWhere:
    """Where the study is kept: system, idle power, site and what pages have, as they are now."""
    now = workspace()
    if now.version.is_as_found and not _own():
        return KeptWhere.ADDRESS
    return KeptWhere.SAVED if content() in _saves() else KeptWhere.NOT_SAVED


def noting_a_save() -> Callable[[], None]:
    """A function to call when the study as it is now is saved. The browser hears of it, and tells
    it after a reload, when the page is drawn again.
    """
    now, saves = content(), _saves()
    return lambda: saves.add(now)


def content() -> str:
    """A digest of the study as it is now: system, idle power and site, and what pages have of a
    person's own.
    """
    now = workspace()
    said = repr((now.version.fingerprint, now.idle, now.site, *_own()))
    return sha256(said.encode()).hexdigest()


def _own() -> tuple[str, ...]:
    """What pages have that no address says for long."""
    return tuple(filter(None, (state.own() for state in states().values())))


def _saves() -> set[str]:
    found: set[str] = st.session_state.setdefault(SAVES, set())
    return found


def put(changed: Workspace) -> None:
    """Keeps the result of an editor, which stays as it is. A chosen schedule stays chosen if only
    prices and failures of machines have changed.
    """
    before, now, picked = workspace().system, changed.system, chosen()
    st.session_state[WORKSPACE] = changed
    if picked is None or before == now or picked.fingerprint_of_system != before.fingerprint:
        return
    if unpriced(before) == unpriced(now):
        choose(replace(picked.schedule, system=now), picked.title, picked.wish)


def hold_address(held: bool) -> None:
    """Keeps the address as it is while a person drags something."""
    st.session_state[HELD] = held


def begin_address() -> None:
    """Starts to collect the parameters of the address; they are written once, after the page."""
    st.session_state[ADDRESS] = None


def write_address() -> None:
    """Puts system, idle power, site and chosen schedule in the address; other parameters stay. The
    address of a system that is gone stays as it is on all pages: it may come back.
    """
    now = workspace()
    if now.gone:
        st.session_state[ADDRESS] = st.session_state[MISSED]
        return
    origin = now.version.origin
    settings = AddressSettings(idle=now.idle, site=now.site)
    if not now.version.is_as_found:
        settings = replace(settings, kept=_systems().put(now.version))
    elif isinstance(origin, Sample):
        settings = replace(settings, sample=origin.name)
    elif isinstance(origin, Drawn):
        settings = replace(settings, generation=origin.generation)
    if (picked := chosen()) is not None:
        settings = replace(settings, chosen=_schedules().put(picked))
    kept = {name: value for name, value in _gathered().items() if name in all_parameters()}
    said: dict[str, str] = {}
    for state in states().values():
        if (wanted := state.said_everywhere()) is not None:
            kept = {name: value for name, value in kept.items() if name not in state.parameters}
            said |= wanted
    st.session_state[ADDRESS] = kept | address.written(settings) | said


def address_now() -> dict[str, str]:
    """The parameters of the address, as they are by now."""
    return dict(_gathered())


def write_parameters(own: Collection[str], wanted: Mapping[str, str]) -> None:
    """Puts the settings of a page in the address. `own` are all parameters of the page."""
    others = {name: value for name, value in _gathered().items() if name not in own}
    st.session_state[ADDRESS] = others | dict(wanted)


def flush_address() -> None:
    """Writes the address, as a new entry of the browser's history, to which Back leads.

    The address with which a visit began stays until something changes.
    """
    wanted, there = _gathered(), st.query_params.to_dict()
    if FIRST not in st.session_state:
        st.session_state[FIRST] = st.session_state[OPENED], wanted
    as_at_first = (there, wanted) == st.session_state[FIRST] and not notes()
    if wanted != there and not as_at_first and not st.session_state.get(HELD):
        st.query_params.from_dict(wanted)


def name_system() -> None:
    """Writes the system at once into an address without parameters, as a link to a page has. A
    reload while the page is still drawn then finds the same system.
    """
    # A person may leave the first page before it is complete.
    is_later = FIRST in st.session_state or st.session_state[OPENED]
    if is_later and not st.query_params.to_dict():
        flush_address()


def _gathered() -> dict[str, str]:
    gathered: dict[str, str] | None = st.session_state.get(ADDRESS)
    return st.query_params.to_dict() if gathered is None else gathered


def went_back() -> bool:
    """Whether the browser went to another address of this visit, by Back or Forward."""
    context = get_script_run_ctx()  # Internals: streamlit/streamlit#13853
    return context is not None and context.is_history_navigation


def return_to_address(page: str) -> None:
    """Sets everything as the address says: that of an earlier view of `page`. Undo brings a system
    back that is replaced.
    """
    parameters, settings = st.query_params.to_dict(), _asked()
    now = workspace()
    version = _version_of(settings)
    if version is None:
        now = _missed(now, parameters)
    elif now.gone or not _is_same(version, now.version):
        now = choose_version(now, version)
    if now.site != settings.site:
        st.session_state.pop(SITES, None)
    now = replace(now, idle=settings.idle, site=settings.site)
    st.session_state[WORKSPACE] = now
    st.session_state[CHOSEN] = _schedules().get(settings.chosen) if settings.chosen else None
    of_page = {one.folder: one.states for one in PAGES}.get(page, ())
    for name, state in states().items():
        state.come_back(parameters, now, here=name in of_page)
    renew()


def _missed(now: Workspace, parameters: Mapping[str, str]) -> Workspace:
    """Without the system of this address, which is kept."""
    st.session_state[MISSED] = parameters
    return miss(now)


def _asked() -> AddressSettings:
    return address.read(st.query_params.to_dict())[0]


def _version_of(settings: AddressSettings) -> Version | None:
    """The system that an address names; None if the server no longer has it."""
    if settings.generation:
        return Version(generate(settings.generation), Drawn(settings.generation))
    if settings.kept:
        return _systems().get(settings.kept)
    return begin(settings.sample or SYSTEMS[0]).version


def _is_same(one: Version, other: Version) -> bool:
    if (one.origin, one.system, one.draft) != (other.origin, other.system, other.draft):
        return False
    return one.seen is other.seen or one.seen.fingerprint == other.seen.fingerprint


def _open() -> None:
    """Begins the session with what the address says. What it says about a system that is gone is
    not judged by the one that stands in for it.
    """
    parameters = st.query_params.to_dict()
    st.session_state.setdefault(OPENED, parameters)
    settings, ignored = address.read(parameters)
    notes = [*ignored]
    opened = begin(settings.sample or SYSTEMS[0])
    if settings.generation:
        opened = draw(opened, settings.generation)
    if settings.kept:
        version = _systems().get(settings.kept)
        opened = choose_version(opened, version) if version else _missed(opened, parameters)
    if settings.chosen:
        st.session_state[CHOSEN] = _schedules().get(settings.chosen)
        if chosen() is None:
            notes.append("the server no longer has the schedule of this address")
    opened = replace(opened, past=())  # nothing to undo at the start of a visit
    for state in states().values():
        notes += state.begin(parameters, opened)
    st.session_state[NOTES] = ignored if opened.gone else tuple(notes)
    st.session_state[WORKSPACE] = replace(opened, idle=settings.idle, site=settings.site)


@st.cache_resource(show_spinner=False)
def _systems() -> Shelf[Version]:
    return system_shelf()


@st.cache_resource(show_spinner=False)
def _schedules() -> Shelf[Chosen]:
    return schedule_shelf()
