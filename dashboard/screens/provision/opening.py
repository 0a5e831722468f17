"""Opens a plan from a file: its system is put in force, and all of its values into the editors."""

from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import streamlit as st

from core.capabilities.provision.files.plan_file import DRAWN_AT_ONCE, PlanFile
from core.capabilities.provision.files.plan_format import inspect_plan_bytes, read_plan
from core.files import Reading
from core.files.samples.named import PLANS, plan_folder
from core.vocabulary.problems import Problem
from core.vocabulary.say.words import counted
from dashboard.parts.frame import markup
from dashboard.parts.opening.elsewhere import Handed, given, show_elsewhere
from dashboard.screens.provision.desk import desk_of
from dashboard.screens.provision.inputs import PlanInputs
from dashboard.server.guard import callback
from dashboard.workspace import asking, session
from dashboard.workspace.workspace import Given, Version
from dashboard.workspace.workspace import choose as choose_version

_FILE: Final = "provision.file"
_PLACE: Final = "provision.file"
_OPENED: Final = "provision.opened"
_MANY: Final = 8


@dataclass(frozen=True, slots=True)
class OpenedPlan:
    """The file that was opened last: its identity, whether it is a plan, and its problems."""

    identity: str
    is_plan: bool
    problems: tuple[Problem, ...]
    note: str = ""


def show_open() -> None:
    """The upload of a plan. It is read once, and then the page is drawn again."""
    file = st.file_uploader(
        "A plan: ZIP of CSV tables with plan.toml, Excel workbook, or JSON document",
        help="A system whose table machines has the columns price, resale, failure_rate, count, "
        "min and max, whose table tasks has reward and arrival_rate, and plan.toml with the "
        "budget, the limits, the spread and the scenarios. In a workbook that is a sheet plan.",
        key=_FILE,
    )
    st.caption(
        "The system of the plan becomes the one in force on every page; Undo brings it back."
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption("Or a sample plan:", width="content")
        for name in PLANS:
            st.button(name, on_click=callback(_open_sample), args=(name,), type="tertiary")
    opened: OpenedPlan | None = st.session_state.get(_OPENED)
    handed = given(_PLACE, [file] if file else (), _forget)
    found = Handed.of(file) if file else handed
    if found is None:
        _forget()
    elif opened is None or opened.identity != found.identity:
        with st.spinner("Reading the plan …", show_time=True):
            refused = partial(Reading[PlanFile].refused, found.name)
            reading = asking.read(refused, inspect_plan_bytes, found.name, found.data)
        note = "" if reading.value is None else open_plan(reading.value, found.name)
        st.session_state[_OPENED] = OpenedPlan(
            found.identity, reading.value is not None, reading.problems, note
        )
        st.rerun()


def _forget() -> None:
    st.session_state.pop(_OPENED, None)


def _open_sample(name: str) -> None:
    open_plan(read_plan(plan_folder(name)), f"plan {name}")


def show_opened() -> None:
    """The problems of the file that was opened last, as long as it is selected."""
    opened: OpenedPlan | None = st.session_state.get(_OPENED)
    if opened is None or not (opened.problems or opened.note):
        return
    if not opened.is_plan:
        if (file := st.session_state.get(_FILE)) and show_elsewhere([file], _PLACE):
            return
        st.error("This file is no plan. Nothing has changed:", icon=":material/error:")
    elif opened.problems:
        st.warning("The plan was opened, with warnings:", icon=":material/warning:")
    if opened.note:
        st.info(opened.note, icon=":material/info:")
    if opened.problems:
        with st.container(height=320 if len(opened.problems) > _MANY else "content", border=False):
            st.html(markup.problems(opened.problems))


def open_plan(file: PlanFile, title: str) -> str:
    """Puts a plan in force. Returns what was changed about it, in words; empty if nothing was."""
    session.apply(choose_version, Version(file.types, Given(title)))
    session.set_idle(None)
    inputs, note = PlanInputs.of_file(file), ""
    if inputs.scenarios.count > DRAWN_AT_ONCE.high:
        most = int(DRAWN_AT_ONCE.high)
        note = (
            f"The plan asks for {counted(inputs.scenarios.count, 'scenario')}; this page draws "
            f"{most:,} at most. The command wattfront provision draws them all."
        )
        inputs = replace(inputs, scenarios=replace(inputs.scenarios, count=most))
    desk_of(session.system()).open(inputs, of_system=True)
    return note
