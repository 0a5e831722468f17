"""A plan of two machine types, its answer, and a system in which nothing is known of a plan."""

from dataclasses import replace

import numpy as np
import pytest
from pages import settled
from plan_page import answer_of

from core.capabilities.provision.files.plan_file import PlanSpread, ScenarioSettings
from core.capabilities.provision.futures.uncertainty import Variation
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System
from dashboard.screens.provision.inputs import (
    DemandInput,
    LimitInputs,
    OfferInput,
    PlanInputs,
)


@pytest.fixture(scope="session")
def types():
    """Two machine types, one of each; two task types of 1 and 3 tasks."""
    return System(
        (TaskType("short", 3), TaskType("long", 1)),
        (MachineType("A", 1, 10.0), MachineType("B", 1, 20.0)),
        np.array([[1.0, 2.0], [4.0, np.inf]]),
        np.array([[110.0, 60.0], [90.0, np.nan]]),
    )


@pytest.fixture(scope="session")
def inputs():
    """B costs half of A, and does half as much of what it can do. Machines are in parts."""
    return PlanInputs(
        (OfferInput(100.0, 40.0), OfferInput(40.0, 10.0, count=2.0, failure_rate=1e-3)),
        (DemandInput(1.0, 2.0), DemandInput(6.0, 0.5)),
        LimitInputs(200.0),
        PlanSpread(Variation(0.5), Variation(0.2), Variation(0.1)),
        ScenarioSettings(16, points="independent"),
        whole=False,
    )


@pytest.fixture(scope="session")
def found(types, inputs):
    return answer_of(types, inputs)


@pytest.fixture(scope="session")
def certain(types, inputs):
    """Of the same plan, of which the future is known."""
    return answer_of(types, replace(inputs, spread=PlanSpread(), scenarios=ScenarioSettings(2)))


@pytest.fixture
def page(open_page):
    return open_page("provision", sample="two-by-two", provision_scenarios=8)


@pytest.fixture
def filled(page):
    """The page with the answer to examples."""
    return settled(page)
