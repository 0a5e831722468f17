"""The page What to buy, as tests see it."""

from streamlit.testing.v1 import AppTest

from dashboard.screens.provision.desk import PlanDesk


def desk_of(page: AppTest) -> PlanDesk:
    """The desk of the plan that was looked at last."""
    found: PlanDesk = next(reversed(page.session_state["wattfront.provision"].values()))
    return found
