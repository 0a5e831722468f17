"""The settings of the page Provision, as the session, the address and study files keep them."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import numpy as np
import streamlit as st

from core import System
from core.provision.plan_file import PlanFile
from core.provision.plan_reader import read_plan
from core.samples.plans import PLANS, plan_folder
from dashboard.provision import address
from dashboard.provision.desk import PlanDesk, desk_of
from dashboard.provision.inputs import PlanInputs
from dashboard.workspace import session
from dashboard.workspace.page_state import PageState
from dashboard.workspace.workspace import Sample, Workspace

_ASKED = "provision.asked"


class ProvisionState(PageState):
    parameters = address.PARAMETERS

    def begin(self, parameters: Mapping[str, str], now: Workspace) -> list[str]:
        own = {name: text for name, text in parameters.items() if name in self.parameters}
        _, notes = address.read(own, PlanInputs.of(now.version.system))
        st.session_state[_ASKED] = own
        return list(notes)


STATE = ProvisionState()


def current(system: System) -> PlanDesk:
    """The desk of a system, with the small settings that the address asks for, once."""
    session.workspace()  # which may open what the address says
    desk = desk_of(system, known_of)
    asked: Mapping[str, str] | None = st.session_state.pop(_ASKED, None)
    if asked is not None and (asked or desk.past):
        inputs, _ = address.read(asked, desk.inputs)
        if inputs != desk.inputs:
            desk.inputs = replace(inputs, examples=desk.inputs.examples)
            desk.turn += 1
    return desk


def known_of(system: System) -> PlanInputs:
    """What is known of a plan at first: that of the sample plan, if a sample is in force that has
    one.
    """
    version = session.workspace().version
    if isinstance(version.origin, Sample) and version.origin.name in PLANS:
        file = sample_plan(version.origin.name)
        if np.array_equal(file.types.etc, system.etc):
            return PlanInputs.of_file(file)
    return PlanInputs.of(system)


@cache
def sample_plan(name: str) -> PlanFile:
    """A plan of `sample_data/plans/`."""
    return read_plan(plan_folder(name))


def write_address(inputs: PlanInputs) -> None:
    session.write_parameters(address.PARAMETERS, address.written(inputs))
