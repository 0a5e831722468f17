"""The settings of the page What to buy, as the session, the address and study files keep them.
Plans whose tables an address cannot say are kept on the server, so that a reload finds them.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cache
from hashlib import sha256
from typing import Final

import numpy as np
import streamlit as st

from core import System
from core.capabilities.provision import CAPABILITY
from core.capabilities.provision.files.plan_file import SPREADS, PlanFile
from core.capabilities.provision.files.plan_format import read_plan
from core.capabilities.provision.study_block import ProvisionSettings
from core.files.samples.named import PLANS, plan_folder
from core.shells.studies import StudySettings
from core.vocabulary.problems import InvalidInput
from dashboard.screens.provision import address
from dashboard.screens.provision.desk import PlanDesk, desk_of, known_desk
from dashboard.screens.provision.examples import with_examples
from dashboard.screens.provision.inputs import (
    PlanInputs,
    missing,
    plan_file_of,
)
from dashboard.server import sizes
from dashboard.workspace import session
from dashboard.workspace.chosen import BYTES_KEPT, Shelf
from dashboard.workspace.page_state import PageState
from dashboard.workspace.workspace import Sample, Workspace, set_market, undo

PLAN: Final = "provision_plan"
GONE: Final = (
    "the server no longer has the plan of this address; if you exported it as a file, press “Open "
    "a plan” on the page “What to buy”"
)


@dataclass(frozen=True, slots=True)
class KeptPlan:
    """A plan for types of these names (`PlanDesk.name`), and what is usual of it."""

    types: str
    inputs: PlanInputs
    usual: PlanInputs


@st.cache_resource(show_spinner=False)
def shelf() -> Shelf[KeptPlan]:
    return plan_shelf()


def plan_shelf(most: int = BYTES_KEPT) -> Shelf[KeptPlan]:
    """A shelf for plans."""
    return Shelf(_digest, _size, most)


def _digest(kept: KeptPlan) -> str:
    """Equal plans, and only they, have equal digests."""
    told = (kept, sorted(kept.inputs.examples), sorted(kept.usual.examples))
    return sha256(repr(told).encode()).hexdigest()


def _size(kept: KeptPlan) -> int:
    seen = [getattr(one.spread, name).seen for one in (kept.inputs, kept.usual) for name in SPREADS]
    types = sizes.of_types(kept.inputs.offers, kept.inputs.demands)
    return 2 * types + sizes.of_types(*seen)


_ASKED = "provision.asked"
_RESTORED = "provision.restored"
_KEPT = "provision.kept"


class ProvisionState(PageState):
    parameters = address.PARAMETERS | {PLAN}

    def begin(self, parameters: Mapping[str, str], now: Workspace) -> list[str]:
        own = {name: text for name, text in parameters.items() if name in address.PARAMETERS}
        system = now.version.system
        blank = with_examples(system, PlanInputs.of(system, now.version.seen.arrivals))
        _, notes = address.read(own, blank, blank)
        key = parameters.get(PLAN)
        plan = shelf().get(key) if key else None
        st.session_state[_ASKED], st.session_state[_KEPT] = own, plan
        return [*notes, GONE] if key and plan is None else list(notes)

    def restore(self, settings: StudySettings) -> None:
        found = settings.block(ProvisionSettings)
        if found is not None and found.file is not None:
            st.session_state[_RESTORED] = found

    def blocks(self, system: System) -> Mapping[str, object]:
        """The plan of a system, once it was answered or changed."""
        desk = known_desk(system)
        if desk is None or any(missing(desk.inputs)):
            return {}
        if not (desk.has_answer or desk.past):
            return {}
        try:
            file = plan_file_of(system, desk.inputs)
        except InvalidInput:
            return {}
        inputs = desk.inputs
        return CAPABILITY.block(ProvisionSettings(file, inputs.goal, **asdict(inputs.aim)))


STATE = ProvisionState()


def current(system: System) -> PlanDesk:
    """The desk of a system, with the small settings that the address asks for, once."""
    session.workspace()  # which may open what the address says
    desk = desk_of(system, known_of)
    restored: ProvisionSettings | None = st.session_state.pop(_RESTORED, None)
    if restored is not None and restored.file is not None and _is_of(restored.file, system):
        st.session_state.pop(_ASKED, None)
        inputs = PlanInputs.of_file(restored.file)
        desk.open(replace(inputs, goal=restored.goal, **asdict(restored.aim)))
    asked: Mapping[str, str] | None = st.session_state.pop(_ASKED, None)
    plan: KeptPlan | None = st.session_state.pop(_KEPT, None)
    if asked is not None and (asked or plan or desk.past):
        _follow(desk, asked, plan or KeptPlan(desk.name, *(known_of(system),) * 2))
    desk.take_arrivals(session.workspace().version.seen.arrivals, lambda: known_of(system))
    desk.take_market(system, known_of)
    desk.take_site(session.site())
    return desk


def take_typed(desk: PlanDesk, inputs: PlanInputs) -> None:
    """Takes what a person typed in a table of the plan. What is known of buying and selling machine
    types goes to the cluster of the study, if that is valid with it; Undo takes both back.
    """
    now, types = session.workspace(), session.system().machine_types
    pairs = zip(types, inputs.offers, desk.usual.offers, strict=True)
    said = {one.name: offer.market_beside(known) for one, offer, known in pairs}
    were = {one.name: {column: getattr(one, column) for column in said[one.name]} for one in types}
    after, before = set_market(now, said), (desk.market, desk.usual)
    if after is now:
        desk.change(inputs)
        return

    def back() -> None:
        session.apply(lambda at: undo(at) if at.version is after.version else set_market(at, were))
        desk.market, desk.usual = before

    session.apply(lambda _: after)
    desk.change(desk.at_market(session.system(), known_of, inputs), back)
    desk.take_market(session.system(), known_of)


def _follow(desk: PlanDesk, asked: Mapping[str, str], plan: KeptPlan) -> None:
    """Puts the plan of an address in place, with the small settings that it asks for."""
    if plan.types != desk.name:
        return
    inputs = plan.inputs
    if asked != address.written(plan.inputs, plan.usual):
        inputs, _ = address.read(asked, plan.inputs, plan.usual)
        inputs = replace(inputs, examples=plan.inputs.examples)
    desk.usual = plan.usual
    desk.put(inputs)


def known_of(system: System) -> PlanInputs:
    """What a plan begins with: the sample plan, if a sample is in force that has one, with how
    often tasks arrive, if a log or a person says so; else that, and examples of what nobody has
    said.
    """
    version = session.workspace().version
    known = PlanInputs.of(system, version.seen.arrivals)
    if isinstance(version.origin, Sample) and version.origin.name in PLANS:
        file = sample_plan(version.origin.name)
        if np.array_equal(file.types.etc, system.etc):
            inputs = PlanInputs.of_file(file).with_market(system)
            return inputs if version.seen.arrivals is None else inputs.arriving_as(known)
    return with_examples(system, known)


@cache
def sample_plan(name: str) -> PlanFile:
    """A plan of `sample_data/plans/`."""
    return read_plan(plan_folder(name))


def _is_of(file: PlanFile, system: System) -> bool:
    """Whether a plan is about the types of a system."""
    types = file.types
    return (types.task_names, types.machine_names) == (system.task_names, system.machine_names)


def write_address(desk: PlanDesk) -> None:
    """Says the small settings; and where they alone would not lead to the plan, the key of it."""
    said = address.written(desk.inputs, desk.usual)
    known = known_of(session.system())
    there = address.read(said, known, known)[0].at(session.site(), desk.usual)
    if desk.usual != known or there != desk.inputs:
        plan = KeptPlan(desk.name, desk.inputs, desk.usual)
        said |= {PLAN: shelf().put(plan)}
    session.write_parameters(STATE.parameters, said)
