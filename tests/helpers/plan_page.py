"""The page What to buy, as tests see it."""

from streamlit.testing.v1 import AppTest

from core.capabilities.provision.answer import decided
from core.vocabulary.system import System
from dashboard.screens.provision.answer import ProvisionAnswer, ProvisionAsked, answered
from dashboard.screens.provision.desk import PlanDesk
from dashboard.screens.provision.inputs import PlanInputs, plan_file_of


def answer_of(types: System, inputs: PlanInputs) -> ProvisionAnswer:
    """What the page has to show of these inputs."""
    found = decided(plan_file_of(types, inputs), inputs)
    return answered(found, ProvisionAsked(types.fingerprint, inputs))


def desk_of(page: AppTest) -> PlanDesk:
    """The desk of the plan that was looked at last."""
    found: PlanDesk = next(reversed(page.session_state["wattfront.provision"].values()))
    return found
