"""The settings of the page Policies, and what was asked for."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import streamlit as st

from core.capabilities.arrivals.asked import DAY_SEED, ArrivalsSettings
from core.engines.replay.stopping.rules import NOTHING
from core.vocabulary.ranges import Range
from core.vocabulary.setting import NumberIn, WholeIn, setting
from dashboard.parts.replays.state import ReplayState
from dashboard.server.guard import callback
from dashboard.workspace import session
from dashboard.workspace.parameters import (
    Parameters,
    parameters_of,
    read_settings,
    written_settings,
)
from dashboard.workspace.workspace import Workspace

_DAY: Final = "wattfront.arrivals.day"
_PREFIX: Final = "arrivals_day_"


@dataclass(frozen=True, slots=True)
class DayFields:
    """How a day of the study is drawn, beside how often its tasks arrive."""

    fades: float | None = setting(
        None,
        NumberIn(Range(0.01, 10_000.0, "hours")),
        "Worth falls to 0 in (h)",
        "A job is worth 1 if it is done at once, and less the later, evenly.",
        blank="Never",
    )
    seed: int = setting(1, WholeIn(DAY_SEED), "Seed", "Equal seeds draw equal days.")


class PoliciesState(ReplayState):
    """The state of Policies, which has the day of the study, too."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.parameters |= parameters_of(DayFields, _PREFIX)

    def begin(self, parameters: Mapping[str, str], now: Workspace) -> list[str]:
        given = Parameters(parameters)
        st.session_state[_DAY] = read_settings(given, DayFields(), _PREFIX)
        return [*super().begin(parameters, now), *given.notes]

    def day(self) -> DayFields:
        """How the day of the study is drawn."""
        session.workspace()  # which may open what the address says
        found: DayFields = st.session_state.get(_DAY, DayFields())
        return found

    @callback
    def take_day(self, name: str, key: str) -> None:
        """Takes over the value of a widget of the day."""
        st.session_state[_DAY] = replace(self.day(), **{name: st.session_state[key]})

    def _said(self) -> dict[str, str]:
        return super()._said() | written_settings(self.day(), DayFields(), _PREFIX)


STATE: Final = PoliciesState(
    "arrivals",
    replace(ArrivalsSettings(), workload="own", checkpoints=NOTHING),
    "budget",
    "urgent",
    "value",
    "value-testbed",
    "testbed",
    drawn_by=("jobs", "days", "seed"),
)
"""It begins with a day of the system in force, which its address leaves out. Of a job that is
stopped nothing is kept, as most clusters do it.
"""
