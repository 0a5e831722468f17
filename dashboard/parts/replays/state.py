"""The settings of a page that replays work, and what was asked for, as the session keeps them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

import streamlit as st

from core import System
from core.capabilities.arrivals import CAPABILITY
from core.capabilities.arrivals.asked import (
    ArrivalsSettings,
    GivenWorkload,
    WorkloadName,
    usual_of,
)
from core.capabilities.arrivals.labels import policy_label
from core.capabilities.arrivals.policies import CHOICES, STOPPING
from core.capabilities.arrivals.study_block import AskedArrivals, asked_in, fits_study
from core.capabilities.arrivals.trials import ReplayComparison
from core.capabilities.arrivals.uncertain.methods import BAG_METHODS
from core.shells.studies import StudySettings
from core.vocabulary.ranges import Range
from core.vocabulary.setting import NumberIn, OneOf, WholeIn, setting
from dashboard.parts.replays.replaying import ArrivalsFound, AskedReplays
from dashboard.server.guard import callback
from dashboard.workspace import session
from dashboard.workspace.page_state import PageState
from dashboard.workspace.parameters import (
    Parameters,
    parameters_of,
    read_settings,
    written_settings,
)
from dashboard.workspace.workspace import Workspace

_BAGS: Final = 10


DayView = Literal["time", "gantt", "event", "budgets", "two", "stopping", "value"]


DAY_VIEWS: Final[dict[DayView, str]] = {
    "time": "Over the day",
    "gantt": "Unit by unit",
    "event": "Event by event",
    "budgets": "Other budgets",
    "two": "Two policies",
    "stopping": "Stopping",
    "value": "Cores and value",
}


OF_STUDY: Final = "study"
"""The workload in an address that has settings which would mean drawn work without it."""
_MOMENT: Final = Range(-1e12, 1e12, "s since the day began")


_POOL: Final = Range(0, 1e9, "")


_ANY: Final = OneOf((*CHOICES, *STOPPING, *BAG_METHODS), policy_label)


@dataclass(frozen=True, slots=True)
class CloserLook:
    """A view; the policies in it, the second beside the first; the moment of the event (s since
    the day began); and the place of the pool. None: that which the page finds best.
    """

    view: DayView = setting("time", OneOf(DAY_VIEWS, DAY_VIEWS.__getitem__))
    policy: str | None = setting(None, _ANY, "Policy")
    beside: str | None = setting(None, _ANY, "Beside")
    moment: float | None = setting(None, NumberIn(_MOMENT))
    pool: int | None = setting(None, WholeIn(_POOL))


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why the work of the study with a `digest` is not replayed, and what to change; and the
    workload that is in its place, drawn work that `stands_in` or another one that a person chose.
    """

    digest: str
    why: str
    instead: tuple[str, str]
    stands_in: bool


class ReplayState(PageState):
    """The state of a page, which begins with settings that are `usual`, and has the workloads of
    these names. Addresses that have a parameter of `drawn_by`, and no workload, mean that which is
    `drawn`.
    """

    def __init__(
        self,
        page: str,
        usual: ArrivalsSettings,
        drawn: WorkloadName,
        *names: WorkloadName,
        drawn_by: tuple[str, ...] = (),
    ) -> None:
        self.page, self.usual, self.names = page, usual, (usual.workload, drawn, *names)
        self._prefix, self._look_prefix = f"{page}_", f"{page}_look_"
        self._workload = f"{self._prefix}workload"
        self._drawn = replace(usual, workload=drawn)
        self.drawn_by = frozenset(self._prefix + name for name in drawn_by)
        self.parameters = parameters_of(ArrivalsSettings, self._prefix) | parameters_of(
            CloserLook, self._look_prefix
        )
        kept = f"wattfront.{page}"
        self.settings, self.given_key, self.look = kept, f"{kept}.given", f"{kept}.look"
        self.asked_key, self.answered = f"{kept}.asked", f"{kept}.answered"
        self._refusal_key = f"{kept}.refusal"

    def begin(self, parameters: Mapping[str, str], now: Workspace) -> list[str]:
        del now
        is_of_study = parameters.get(self._workload) == OF_STUDY
        left_out = {self._workload} if is_of_study else set()
        given = Parameters({k: text for k, text in parameters.items() if k not in left_out})
        is_drawn = not is_of_study and not self.drawn_by.isdisjoint(parameters)
        usual = self._drawn if is_drawn else self.usual
        first = self._known(read_settings(Parameters(given.given), usual, self._prefix))
        usual = usual_of(usual, of_value=first.is_of_value(self.given()))
        found = self._known(read_settings(given, usual, self._prefix))
        if found.is_given and (given_work := self.given()) is not None:
            found = replace(found, own=given_work.digest)
        st.session_state.pop(self._refusal_key, None)
        st.session_state[self.settings] = found
        st.session_state[self.look] = read_settings(given, CloserLook(), self._look_prefix)
        return given.notes

    def _known(self, settings: ArrivalsSettings) -> ArrivalsSettings:
        """The settings with a workload that the page has."""
        known = settings.workload in self.names
        return settings if known else replace(settings, workload=self.usual.workload)

    def restore(self, settings: StudySettings) -> None:
        for key in (self.asked_key, self.answered, self.given_key):
            st.session_state.pop(key, None)
        self.begin(settings.view, session.workspace())
        asked = asked_in(settings, self.page)
        if asked is not None and asked.settings.workload in self.names:
            st.session_state[self.settings] = asked.settings
            if asked.given is not None:
                st.session_state[self.given_key] = asked.given

    def view(self, system: System) -> Mapping[str, str]:
        del system
        return self._said()

    def blocks(self, system: System) -> Mapping[str, object]:
        """What was replayed last, or a file that is not yet, unless it is too large for a study."""
        del system
        last = self.asked()
        if last is None and self.own():
            last = AskedReplays(self.current(), self.given())
        if last is None or (last.given is not None and not fits_study(last.given.file)):
            return {}
        found: ReplayComparison | None = st.session_state.get(self.answered)
        asked = AskedArrivals(last.settings, last.given, found or last.begun.shown)
        return CAPABILITY.block(asked, asked.question)

    def own(self) -> str:
        """The digest of a file that is replayed; what is drawn of the study is none."""
        settings, given = self.current(), self.given()
        if settings.workload != "own" or self.is_of_study or given is None:
            return ""
        return given.digest

    def current(self) -> ArrivalsSettings:
        session.workspace()  # which may open what the address says
        found: ArrivalsSettings = st.session_state.get(self.settings, self.usual)
        return found

    def change(self, **changed: Any) -> None:
        st.session_state[self.settings] = replace(self.current(), **changed)

    def closer_look(self) -> CloserLook:
        """What a person chose to see of an answer."""
        session.workspace()  # which may open what the address says
        found: CloserLook = st.session_state.get(self.look, CloserLook())
        return found

    @callback
    def take_look(self, name: str, key: str, begin: float = 0.0) -> None:
        """Takes over a choice of the closer look; numbers count from `begin`."""
        value = st.session_state[key]
        chosen = value - begin if name == "moment" else value
        st.session_state[self.look] = replace(self.closer_look(), **{name: chosen})

    def write_address(self) -> None:
        session.write_parameters(self.parameters, self._said())

    def _said(self) -> dict[str, str]:
        """The parameters that differ from the usual. An address leaves out drawn work that stands
        in: whoever opens it is told why, and sees the same numbers.
        """
        current, workload = self.current(), self._workload
        usual = usual_of(self.usual, of_value=current.is_of_value(self.given()))
        said = written_settings(current, usual, self._prefix)
        stands_in = (refusal := self.refusal()) is not None and refusal.stands_in
        if stands_in and self._bags(current.workload) == current.days:
            del said[workload]
        elif current.is_given:  # the same on each day
            drawn_alone = self.drawn_by - {f"{self._prefix}seed"}
            said = {name: text for name, text in said.items() if name not in drawn_alone}
        if workload not in said and not self.drawn_by.isdisjoint(said):
            said[workload] = OF_STUDY
        return said | written_settings(self.closer_look(), CloserLook(), self._look_prefix)

    def given(self) -> GivenWorkload | None:
        """The workload that a person gave last."""
        found: GivenWorkload | None = st.session_state.get(self.given_key)
        return found

    def give(self, workload: GivenWorkload) -> None:
        """Chooses a workload that a person gave, or that is made for one."""
        was_of_value = self.is_of_value
        st.session_state[self.given_key] = workload
        st.session_state.pop(self.asked_key, None)
        self.change(workload=self.usual.workload, own=workload.digest)
        self._follow_value(was_of_value)

    def refusal(self) -> Refusal | None:
        """Why the work of the study is not replayed; None once another workload was chosen."""
        found: Refusal | None = st.session_state.get(self._refusal_key)
        return found if found is not None and found.instead == self._chosen() else None

    def refuse(self, digest: str, why: str) -> None:
        """Says why the work of the study is not replayed. If it would have been, drawn work stands
        in; otherwise what was chosen stays.
        """
        before = self.refusal()
        stands_in = before is not None and before.stands_in
        if self.is_of_study:
            stands_in = True
            st.session_state.pop(self.asked_key, None)
            self.take_up(self._drawn.workload)
        refusal = Refusal(digest, why, self._chosen(), stands_in)
        st.session_state[self._refusal_key] = refusal

    @property
    def is_of_study(self) -> bool:
        """Whether the work of the study is chosen, and not that of a file."""
        given = self.given()
        is_file = self.usual.workload == "own" and given is not None and not given.of_study
        return self.current().workload == self.usual.workload and not is_file

    def _chosen(self) -> tuple[str, str]:
        return self.current().workload, self.current().own

    def asked(self) -> AskedReplays | None:
        """What was asked for last; None if nothing was."""
        found: AskedReplays | None = st.session_state.get(self.asked_key)
        return found

    @callback
    def ask(self) -> None:
        """Asks for replays with the present settings."""
        settings = self.current()
        own = self.given() if settings.is_given else None
        st.session_state[self.asked_key] = AskedReplays(settings, own)
        st.session_state.pop(self.answered, None)

    def keep(self, found: ArrivalsFound) -> None:
        """Keeps the figures that the page shows, for the report of any page."""
        if self.asked() is not None:
            st.session_state[self.answered] = found.shown

    def go_on(self, found: ArrivalsFound | None) -> None:
        """Asks for what stopped replays have not done; `found` is what they have."""
        if (before := self.asked()) is not None:
            st.session_state[self.asked_key] = replace(before, before=found)

    @callback
    def take(self, name: str, key: str) -> None:
        """Takes over the value of a widget."""
        value = st.session_state[key]
        if name == "workload":
            self.take_up(value)
        else:
            self.change(**{name: tuple(value) if isinstance(value, list) else value})

    def take_up(self, workload: WorkloadName) -> None:
        """Chooses another workload."""
        st.session_state.pop(self._refusal_key, None)
        was_of_value = self.is_of_value
        self.change(workload=workload, days=self._bags(workload))
        self._follow_value(was_of_value)

    @property
    def is_of_value(self) -> bool:
        """Whether options of the workload add to the worth of their jobs."""
        return self.current().is_of_value(self.given())

    def _follow_value(self, was_of_value: bool) -> None:
        """Chooses the usual policies and budget where those of before are for other workloads."""
        if self.is_of_value != was_of_value:
            usual = usual_of(self.usual, of_value=self.is_of_value)
            self.change(policies=usual.policies, budget=usual.budget)

    def _bags(self, workload: WorkloadName) -> int:
        """The days of a workload that is chosen: of drawn bags ten, since one says little about
        estimates.
        """
        days = self.current().days
        return _BAGS if workload == "uncertain" and days == 1 else days
