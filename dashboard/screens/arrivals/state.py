"""The settings of the page Policies, and what was asked for."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import streamlit as st

from core.capabilities.arrivals.asked import DAY_SEED, ArrivalsSettings, WorkloadName
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
_REFUSAL: Final = "wattfront.arrivals.refusal"
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


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why the day of the study with a `digest` is not replayed, and what to change; and the
    workload that is in its place, drawn work that `stands_in` or another one that a person chose.
    """

    digest: str
    why: str
    instead: tuple[str, str]
    stands_in: bool


class PoliciesState(ReplayState):
    """The state of Policies, which has the day of the study, too."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.parameters |= parameters_of(DayFields, _PREFIX)

    def begin(self, parameters: Mapping[str, str], now: Workspace) -> list[str]:
        given = Parameters(parameters)
        st.session_state[_DAY] = read_settings(given, DayFields(), _PREFIX)
        st.session_state.pop(_REFUSAL, None)
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

    def refusal(self) -> Refusal | None:
        """Why the day of the study is not replayed; None once another workload was chosen."""
        found: Refusal | None = st.session_state.get(_REFUSAL)
        return found if found is not None and found.instead == self._chosen() else None

    def refuse(self, digest: str, why: str) -> None:
        """Says why the day of the study is not replayed. If it would have been, drawn work stands
        in; otherwise what was chosen stays.
        """
        before, given = self.refusal(), self.given()
        stands_in = before is not None and before.stands_in
        if self.current().workload == "own" and (given is None or given.of_study):
            stands_in = True
            self.fall_back()
        st.session_state[_REFUSAL] = Refusal(digest, why, self._chosen(), stands_in)

    def take_up(self, workload: WorkloadName) -> None:
        st.session_state.pop(_REFUSAL, None)
        super().take_up(workload)

    def _chosen(self) -> tuple[str, str]:
        return self.current().workload, self.current().own

    def _said(self) -> dict[str, str]:
        """An address leaves out drawn work that stands in: whoever opens it is told why. One that
        says no workload has nothing that would be read as drawn work.
        """
        said = super()._said() | written_settings(self.day(), DayFields(), _PREFIX)
        if (refusal := self.refusal()) is not None and refusal.stands_in:
            said.pop("arrivals_workload", None)
        left_out = self.drawn_by if "arrivals_workload" not in said else frozenset()
        return {name: text for name, text in said.items() if name not in left_out}


STATE: Final = PoliciesState(
    "arrivals",
    replace(ArrivalsSettings(), workload="own", checkpoints=NOTHING),
    "budget",
    "urgent",
    "testbed",
    drawn_by=("jobs", "days", "seed"),
)
"""It begins with a day of the system in force, which its address leaves out. Of a job that is
stopped nothing is kept, as most clusters do it.
"""
