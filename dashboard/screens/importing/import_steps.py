"""The steps in which a log becomes the system in force: one at a time, with Back and Next."""

from typing import Final, Literal

import streamlit as st

from core import System
from core.engines.logs.types.node_table import NodeTable
from core.files.findings import shown_list
from core.shells.studies.seen import SeenInLog
from core.vocabulary.say.words import Sense, counted, share
from core.vocabulary.without_work import USUAL_IDLE_SHARE
from dashboard.parts.fields.buttons import show_button
from dashboard.parts.fields.setting import show_look
from dashboard.parts.frame import markup
from dashboard.parts.opening.opener import say_once
from dashboard.workspace import session
from dashboard.workspace.upload import Upload
from dashboard.workspace.workspace import take_upload

ImportStep = Literal["Recognised", "Check", "Not in the log", "Go on"]
STEPS: Final[tuple[ImportStep, ...]] = ("Recognised", "Check", "Not in the log", "Go on")
STEP: Final = "import.step"


def choose_step() -> ImportStep:
    """The step that a person is at; each can be gone to at any time."""
    numbered = {step: f"{number} {step}" for number, step in enumerate(STEPS, 1)}
    return show_look("Step of the import", STEPS, STEP, numbered.__getitem__)


def begin() -> None:
    st.session_state[STEP] = STEPS[0]


def show_moves(step: ImportStep) -> None:
    at = STEPS.index(step)
    with st.container(horizontal=True, gap="small"):
        show_button("Back", _go, at - 1, icon="arrow_back", disabled=at == 0)
        if at + 1 < len(STEPS):
            show_button("Next", _go, at + 1, icon="arrow_forward", type="primary")


def _go(at: int) -> None:
    st.session_state[STEP] = STEPS[at]


def show_missing(system: System, table: NodeTable) -> None:
    """What the log and its table of nodes do not say, and what holds unless a person says it."""
    silent = [kind.name for kind in system.machine_types if not kind.idle_power]
    counted_by_log = [name for name in system.machine_names if table.of(name).nodes is None]
    said = []
    if silent and system.apc is not None:
        until = (
            f"{share(USUAL_IDLE_SHARE, Sense.TYPED)} of the power at work is assumed"
            if len(silent) == len(system.machine_types)
            else "they idle at 0 W"
        )
        said.append(
            f"What idle machines draw: {shown_list(silent)}. Until it is said, {until}; the chip "
            "Idle power above every page changes it."
        )
    if counted_by_log:
        said.append(
            f"How many there are: {shown_list(counted_by_log)}. Counted are those on which jobs "
            "ran; machines without jobs are missing."
        )
    if system.apc is None:
        said.append("What machines draw at work. Without it there is no energy, only times.")
    st.html(markup.items(said or ["Nothing is missing."]))


def show_use(name: str, system: System | None, seen: SeenInLog) -> bool:
    """The button that puts the system of a log in force; it is disabled as long as the answer is
    not there. Whether it was pressed.
    """
    st.caption(
        "Nothing has changed so far. With this button, the system of the log is in force on every "
        "page; Undo on Import brings the one before back."
    )
    label = "Use this system and go on to Trade-offs"
    pressed = st.button(label, type="primary", disabled=system is None, key="import.use")
    if not pressed or system is None:
        return False
    session.apply(take_upload, Upload(name, system, (), seen=seen))
    say_once(in_force(name, system))
    return True


def in_force(name: str, system: System) -> str:
    """One sentence that says what is in force."""
    return (
        f"{name} is in force on every page: {counted(system.tasks, 'task')} of "
        f"{counted(len(system.task_types), 'type')} on {counted(system.machines, 'machine')} of "
        f"{counted(len(system.machine_types), 'type')}"
    )
