"""Opens a plan from a file: its system is put in force, and all of its values into the editors."""

from dataclasses import replace
from functools import partial
from typing import Final

import streamlit as st

from core.capabilities.provision.files.plan_file import DRAWN_AT_ONCE, PlanFile
from core.capabilities.provision.files.plan_format import inspect_plan_bytes, read_plan
from core.files.samples.named import PLANS, plan_folder
from core.vocabulary.say.words import counted
from core.vocabulary.without_work import AS_GIVEN
from dashboard.parts.fields.buttons import show_button
from dashboard.parts.frame.handed import Opening
from dashboard.screens.provision.desk import desk_of
from dashboard.screens.provision.inputs import PlanInputs
from dashboard.workspace import session
from dashboard.workspace.workspace import Given, Version, undo
from dashboard.workspace.workspace import choose as choose_version


def show_samples() -> None:
    """Sample plans, to open."""
    st.caption(
        "The system of the plan becomes the one in force on every page; Undo brings it back."
    )
    for name in PLANS:
        show_button(name, _open_sample, name, type="tertiary")


def _open_sample(name: str) -> None:
    open_plan(read_plan(plan_folder(name)), f"plan {name}")


def open_plan(file: PlanFile, title: str) -> str:
    """Puts a plan in force. Returns what was changed about it, in words; empty if nothing was."""
    session.apply(choose_version, Version(file.types, Given(title)))
    session.set_idle(AS_GIVEN)
    inputs, note = PlanInputs.of_file(file), ""
    if inputs.scenarios.count > DRAWN_AT_ONCE.high:
        most = int(DRAWN_AT_ONCE.high)
        note = (
            f"The plan asks for {counted(inputs.scenarios.count, 'scenario')}; this page draws "
            f"{most:,} at most. The command wattfront provision draws them all."
        )
        inputs = replace(inputs, scenarios=replace(inputs.scenarios, count=most))
    desk_of(session.system()).open(inputs, also=partial(session.apply, undo))
    site = session.site()
    if not site.is_assumed and site.currency != file.currency:
        note += f" Its amounts are in {file.currency}, and shown as {site.currency}: as they are."
    return note.strip()


OPENING: Final = Opening(
    "provision.plan",
    "The plan",
    "This file is no plan.",
    inspect_plan_bytes,
    lambda file, plan: open_plan(plan, file.name),
)
