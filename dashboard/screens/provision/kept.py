"""Keeps plans on the server whose tables an address cannot say, so that a reload finds them."""

from dataclasses import dataclass
from hashlib import sha256
from typing import Final

import streamlit as st

from dashboard.screens.provision.inputs import PlanInputs
from dashboard.server import sizes
from dashboard.workspace.shelf import BYTES_KEPT, Shelf

PARAMETER: Final = "provision_plan"
GONE: Final = (
    "the server no longer has the plan of this address; if you exported it as a file, press “Open "
    "a plan” on the page Provision"
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
    seen = [
        getattr(one.spread, name).seen
        for one in (kept.inputs, kept.usual)
        for name in ("arrivals", "times", "powers")
    ]
    types = sizes.of_types(kept.inputs.offers, kept.inputs.demands)
    return 2 * types + sizes.of_types(*seen)
