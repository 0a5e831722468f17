"""The settings of the page Provision, as the session, the address and study files keep them."""

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from core import System
from dashboard.provision import address
from dashboard.provision.desk import PlanDesk, desk_of
from dashboard.provision.inputs import PlanInputs
from dashboard.workspace import session
from dashboard.workspace.page_state import PageState
from dashboard.workspace.workspace import Workspace

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
    desk = desk_of(system)
    asked: Mapping[str, str] | None = st.session_state.pop(_ASKED, None)
    if asked is not None and (asked or desk.past):
        inputs, _ = address.read(asked, desk.inputs)
        if inputs != desk.inputs:
            desk.inputs = replace(inputs, examples=desk.inputs.examples)
            desk.turn += 1
    return desk


def write_address(inputs: PlanInputs) -> None:
    session.write_parameters(address.PARAMETERS, address.written(inputs))
