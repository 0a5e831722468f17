"""The session's workspace: the only place where it meets Streamlit's state."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Concatenate, Final, ParamSpec, TypeVar

import streamlit as st

from core.engine.task import Lost, Task, TookTooLong
from core.files import RawTable
from core.front.wish import Wish
from core.samples import sample_names
from core.schedule import Schedule
from core.system import System
from dashboard.guard import callback
from dashboard.logic import address, computing, options, profit_address, schedule_address
from dashboard.logic.address import Settings
from dashboard.logic.answering import Answer
from dashboard.logic.background import RIGHT_OF_WAY, Jobs
from dashboard.logic.chosen import Chosen
from dashboard.logic.computing import QUICK
from dashboard.logic.draft import Change, Draft, Table
from dashboard.logic.mending import Mending, cells_of, is_last
from dashboard.logic.options import Options
from dashboard.logic.profit_address import View
from dashboard.logic.schedule_scope import Scope, types_of
from dashboard.logic.shelf import Shelf, schedule_shelf, system_shelf
from dashboard.logic.upload import READING_SECONDS, Upload
from dashboard.logic.workspace import (
    Drawn,
    Sample,
    Version,
    Workspace,
    begin,
    draw,
    edit,
    mend,
    set_idle_fraction,
)
from dashboard.logic.workspace import choose as choose_version
from dashboard.presence import asker

P = ParamSpec("P")
R = TypeVar("R")

WORKSPACE: Final = "wattfront.workspace"
CHOSEN: Final = "wattfront.chosen"
ANSWER: Final = "wattfront.answer"
OPTIONS: Final = "wattfront.options"
PROFIT: Final = "wattfront.profit"
NOTES: Final = "wattfront.notes"
SCOPE: Final = "wattfront.scope"
EDITED_FROM: Final = "wattfront.edited_from"
MENDED_FROM: Final = "wattfront.mended_from"
EDITOR: Final = "wattfront.editor"
SOURCE: Final = "start.source"


def workspace() -> Workspace:
    """What this person works on; at first, what the address says."""
    if WORKSPACE not in st.session_state:
        with st.spinner("Opening the system …", show_time=True):
            _open()
    found: Workspace = st.session_state[WORKSPACE]
    return found


def system() -> System:
    """The system to compute with, on every page."""
    return workspace().system


def choose(schedule: Schedule, title: str, wish: Wish | None = None) -> None:
    """Keeps a schedule for the pages that look at one; `title` says how it came about."""
    st.session_state[CHOSEN] = Chosen.of(schedule, title, wish)
    write_address()


def chosen() -> Chosen | None:
    """The schedule picked last, if any; compare its fingerprint with that of `system`, for the
    settings may have moved on since.
    """
    found: Chosen | None = st.session_state.get(CHOSEN)
    return found


def show(answer: Answer) -> None:
    """Keeps what the trade-offs page shows, for the pages that go on from it."""
    st.session_state[ANSWER] = answer


def shown() -> Answer | None:
    """The answer that the trade-offs page showed last; its system may be another by now."""
    found: Answer | None = st.session_state.get(ANSWER)
    return found


def fresh_key(name: str, value: object) -> str:
    """The key of a widget that shows `value`: another one when that was changed elsewhere, so that
    the widget begins anew.

    A widget is best told its value as its default: what is set through the state can be lost when
    a page is drawn again before the browser has shown it.
    """
    count = f"{name}.count"
    turn: int = st.session_state.setdefault(count, 0)
    if st.session_state.get(f"{name} {turn}", value) != value:
        st.session_state[count] = turn = turn + 1
    return f"{name} {turn}"


def jobs(page: str) -> Jobs:
    """What runs in the background for a page of this session."""
    name = f"{page}.jobs"
    if name not in st.session_state:
        st.session_state[name] = Jobs(asker())
    found: Jobs = st.session_state[name]
    return found


def ask_for_file() -> None:
    """Lets the page System begin where a file of one's own is given."""
    st.session_state[SOURCE] = "file"


def compute(function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """What a function makes of these, in a process of its own; other pages are drawn meanwhile.

    The function and all that is given must be such as can be pickled. Raises what it raises, and
    `Lost` where its process died, or had to be ended since it hung.
    """
    with RIGHT_OF_WAY.lent(), computing.turn(asker(), QUICK) as turn:
        return turn.compute(Task(function, args, kwargs))


def read(name: str, reader: Callable[P, Upload], *args: P.args, **kwargs: P.kwargs) -> Upload:
    """What was uploaded or pasted, read like `compute`, within the time that there is for it."""
    try:
        with RIGHT_OF_WAY.lent(), computing.turn(asker(), QUICK) as turn:
            return turn.compute(Task(reader, args, kwargs), READING_SECONDS, grace=0.0)
    except TookTooLong:
        why = f"takes longer than {READING_SECONDS:g} s to read, which is as long as may be"
    except Lost:
        why = "ended the process that read it, perhaps for want of memory"
    return Upload.refused(name, f"{why}; give fewer types, or shorter cells")


def options_at_first() -> Options:
    """What the address said of the trade-offs page when this person came in."""
    workspace()
    found: Options = st.session_state[OPTIONS]
    return found


def ask_profit(view: View) -> None:
    """Lets the profit page begin anew with these settings when it is opened next."""
    st.session_state[PROFIT] = view


def profit_asked() -> View | None:
    """What the profit page has yet to begin with; at first, what the address says."""
    workspace()
    found: View | None = st.session_state.get(PROFIT)
    return found


def profit_begun() -> None:
    """What was asked of the profit page is there."""
    st.session_state[PROFIT] = None


def take_scope() -> Scope | None:
    """What part of a schedule the address asked for when this person came in, once: None if it was
    taken already, or is of other types than those of the system now.
    """
    now = system()
    types, scope = st.session_state.pop(SCOPE, (None, None))
    found: Scope | None = scope if types == types_of(now) else None
    return found


def notes() -> tuple[str, ...]:
    """What of the address was ignored, and why."""
    found: tuple[str, ...] = st.session_state.get(NOTES, ())
    return found


def apply(
    step: Callable[Concatenate[Workspace, P], Workspace], *args: P.args, **kwargs: P.kwargs
) -> None:
    """Takes a step; editors begin anew from its result."""
    st.session_state[WORKSPACE] = step(workspace(), *args, **kwargs)
    st.session_state[NOTES] = ()
    restart_editor()


def set_idle(fraction: float | None) -> None:
    """Sets the idle power that every page uses; None leaves it as the system has it."""
    st.session_state[WORKSPACE] = set_idle_fraction(workspace(), fraction)


def restart_editor() -> None:
    st.session_state[EDITOR] = st.session_state.get(EDITOR, 0) + 1


def editor_key(table: Table) -> str:
    """The key of the editor of a table: another one whenever editors begin anew."""
    return f"{table} {st.session_state.get(EDITOR, 0)}"


def edited_from(table: Table) -> Draft:
    """The tables that an editor was given: its changes are counted from there.

    They stay the same while a person types, or the editor would lose its place.
    """
    if editor_key(table) not in st.session_state:
        st.session_state[EDITED_FROM] = workspace().version.tables
    base: Draft = st.session_state[EDITED_FROM]
    return base


@callback
def take_edit(table: Table) -> None:
    """Takes over what an editor holds."""
    state = st.session_state[editor_key(table)]
    change = Change(
        {int(row): cells for row, cells in state["edited_rows"].items()},
        state.get("added_rows", ()),
        state.get("deleted_rows", ()),
    )
    st.session_state[WORKSPACE] = edit(workspace(), edited_from(table).changed(table, change))
    if change.is_of_types:
        restart_editor()


def mending_key(table: Table) -> str:
    return f"mend {editor_key(table)}"


def mended_from(table: Table, mending: Mending) -> RawTable:
    """The table that an editor of what is to be mended was given, like `edited_from`."""
    if mending_key(table) not in st.session_state:
        st.session_state[MENDED_FROM] = mending.tables[table]
    base: RawTable = st.session_state[MENDED_FROM]
    return base


@callback
def take_mended(table: Table) -> None:
    """Takes over what an editor of what is to be mended holds."""
    upload = workspace().upload
    if upload is None or upload.mending is None:
        return
    edited = st.session_state[mending_key(table)]["edited_rows"]
    base = mended_from(table, upload.mending)
    cells = cells_of({int(row): texts for row, texts in edited.items()})
    mending = upload.mending.changed(table, base.with_cells(cells))
    st.session_state[WORKSPACE] = mend(workspace(), mending)
    if any(is_last(base, *cell) for cell in cells):
        restart_editor()


def write_address() -> None:
    """Lets the address say what is chosen; parameters of the pages stay."""
    now = workspace()
    origin, settings = now.version.origin, Settings(idle_fraction=now.idle_fraction)
    if not now.version.is_as_found:
        settings = replace(settings, kept=_systems().put(now.version))
    elif isinstance(origin, Sample):
        settings = replace(settings, sample=origin.name)
    elif isinstance(origin, Drawn):
        settings = replace(settings, generation=origin.generation)
    if (picked := chosen()) is not None:
        settings = replace(settings, chosen=_schedules().put(picked))
    there = st.query_params.to_dict()
    wanted = {name: value for name, value in there.items() if name in address.OF_PAGES}
    wanted |= address.written(settings)
    if wanted != there:
        st.query_params.from_dict(wanted)


def write_parameters(own: Collection[str], wanted: Mapping[str, str]) -> None:
    """Lets the address say what a page is set to; `own` are all the parameters of the page."""
    there = st.query_params.to_dict()
    others = {name: value for name, value in there.items() if name not in own}
    if others | dict(wanted) != there:
        st.query_params.from_dict(others | dict(wanted))


def _open() -> None:
    """Begins the session with what the address says."""
    parameters = st.query_params.to_dict()
    settings, ignored = address.read(parameters)
    asked, more = options.read(parameters)
    notes = [*ignored, *more]
    opened = begin(settings.sample or sample_names()[0])
    if settings.generation:
        opened = draw(opened, settings.generation)
    if settings.kept:
        version = _systems().get(settings.kept)
        if version is None:
            notes.append("the server no longer has the system of this address")
        else:
            opened = choose_version(opened, version)
    if settings.chosen:
        st.session_state[CHOSEN] = _schedules().get(settings.chosen)
        if chosen() is None:
            notes.append("the server no longer has the schedule of this address")
    profit, more = profit_address.read(parameters, opened.version.system)
    notes += more
    scope, more = schedule_address.read(parameters, opened.version.system)
    notes += more
    st.session_state[PROFIT] = profit
    st.session_state[SCOPE] = (types_of(opened.version.system), scope)
    opened = replace(opened, past=())  # there is no way back from where one came in
    st.session_state[OPTIONS], st.session_state[NOTES] = asked, tuple(notes)
    st.session_state[WORKSPACE] = set_idle_fraction(opened, settings.idle_fraction)


@st.cache_resource(show_spinner=False)
def _systems() -> Shelf[Version]:
    return system_shelf()


@st.cache_resource(show_spinner=False)
def _schedules() -> Shelf[Chosen]:
    return schedule_shelf()
