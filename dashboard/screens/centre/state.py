"""The centre that the page is about, and what is asked of its day, in session and address."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Final, Literal

import streamlit as st

from core import System
from core.capabilities.centre.files.centre_file import CentreFile
from core.capabilities.centre.files.centre_reader import inspect_centre
from core.capabilities.centre.settings import (
    DAY_METHODS,
    METHOD_NAMES,
    DayMethod,
    DaySettings,
    PlanningSettings,
)
from core.files.samples.named import CENTRES, centre_folder
from core.shells.studies import StudySettings
from core.vocabulary.prices.day import DailySteps
from core.vocabulary.ranges import Range
from core.vocabulary.setting import OneOf, WholeIn, YesNo, setting
from dashboard.parts.desk import Desk
from dashboard.screens.centre.inputs import CentreInputs, with_target
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

CentreSource = Literal["london", "parasol", "own"]
USUAL_SOURCE: Final[CentreSource] = "london"
OWN: Final = "wattfront.centre.own"
LOOK: Final = "wattfront.centre.look"
ASKED: Final = "wattfront.centre.asked"
_PREFIX: Final = "centre_"
ALL_DATES: Final = -1
DATES: Final = Range(ALL_DATES, 40, "")
"""Files have at most 32 days."""
_TITLES: Final[dict[str, str]] = {
    "london": "Sample: a machine room in London",
    "parasol": "Sample: the published centre of 64 servers",
    "own": "Your centre",
}


@dataclass(frozen=True, slots=True)
class CentreLook(PlanningSettings):
    """Which centre is looked at, and what of its answer."""

    centre: str = setting(
        USUAL_SOURCE, OneOf((*CENTRES, "own"), _TITLES.__getitem__, private=("own",)), "Centre"
    )
    plan: DayMethod = setting("plan", OneOf(DAY_METHODS, METHOD_NAMES.__getitem__), "Plan shown")
    date: int = setting(
        ALL_DATES,
        WholeIn(DATES),
        "Date",
        "Of several days, which one is open: 0 is the first, -1 are all.",
    )
    beside: bool = setting(
        False, YesNo(), "As usual beside it", "All servers awake, jobs at once, a thermostat."
    )


@dataclass(slots=True, eq=False)
class CentreDesk(Desk[CentreInputs]):
    """What is asked of a day and changed about it, and the day as its files have it."""

    area = "centre"
    original: CentreFile = field(kw_only=True)
    _changed: tuple[DailySteps, CentreFile] | None = field(default=None, kw_only=True)

    @property
    def file(self) -> CentreFile:
        """The day with what was changed, the same value as long as nothing is."""
        target = self.inputs.target
        if self._changed is None or self._changed[0] != target:
            self._changed = target, with_target(self.original, target)
        return self._changed[1]


@dataclass(frozen=True, eq=False, slots=True)
class OwnCentre:
    """A centre that a person gave, what tells it from others, and the name of its file."""

    identity: str
    name: str
    file: CentreFile


class CentreState(PageState):
    parameters = frozenset().union(
        *(parameters_of(kind, _PREFIX) for kind in (DaySettings, CentreInputs, CentreLook))
    )

    def begin(self, parameters: Mapping[str, str], now: Workspace) -> list[str]:
        del now
        given = Parameters(parameters)
        st.session_state[LOOK] = read_settings(given, CentreLook(), _PREFIX)
        asked = read_settings(given, DaySettings(), _PREFIX)
        usual = CentreInputs(asked)
        st.session_state[ASKED] = read_settings(given, usual, _PREFIX)
        return given.notes

    def restore(self, settings: StudySettings) -> None:
        self.begin(settings.view, session.workspace())

    def view(self, system: System) -> Mapping[str, str]:
        del system
        return said() if LOOK in st.session_state else {}


STATE: Final = CentreState()


def look() -> CentreLook:
    session.workspace()  # which may open what the address says
    found: CentreLook = st.session_state.get(LOOK, CentreLook())
    return found if found.centre != "own" or own() is not None else replace(found, centre="london")


def see(**changed: Any) -> None:
    """Looks at something else."""
    st.session_state[LOOK] = replace(look(), **changed)


@callback
def take_look(name: str, key: str) -> None:
    """Takes over what is looked at from a widget."""
    value = st.session_state[key]
    see(**{name: tuple(value) if isinstance(value, list) else value})


def own() -> OwnCentre | None:
    """The centre that a person gave last."""
    found: OwnCentre | None = st.session_state.get(OWN)
    return found


def give(identity: str, name: str, file: CentreFile) -> None:
    """Chooses a centre that a person gave."""
    st.session_state[OWN] = OwnCentre(identity, name, file)
    see(centre="own")


def titles() -> dict[str, str]:
    """The centres to choose from, with their names for people."""
    given = own()
    names: tuple[str, ...] = (USUAL_SOURCE, *CENTRES)
    found = {name: _TITLES[name] for name in names}
    return found if given is None else {**found, "own": given.name}


@cache
def sample_centre(name: str) -> CentreFile:
    """A centre that comes with Wattfront."""
    return inspect_centre(centre_folder(name)).require()


def current() -> CentreDesk:
    """The desk of the centre that is looked at, with what the address asks for, once."""
    source, given = look().centre, own()
    if source == "own" and given is not None:
        name, file = given.identity, given.file
    else:
        name, file = source, sample_centre(source)
    usual = CentreInputs()
    desk = CentreDesk.kept(name, lambda: CentreDesk(name, usual, usual, original=file))
    asked: CentreInputs | None = st.session_state.pop(ASKED, None)
    if asked is not None:
        desk.put(asked)
    return desk


@callback
def take(name: str, key: str) -> None:
    """Takes over a setting from a widget; one that always has a value keeps it if it is emptied."""
    value = st.session_state[key]
    if value is not None or name.startswith("most_"):
        ask_for(**{name: value})


def ask_for(**changed: Any) -> None:
    """Asks for something else; the widgets show it."""
    desk = current()
    desk.change(replace(desk.inputs, asked=replace(desk.inputs.asked, **changed)))


def set_target(target: DailySteps) -> None:
    """Changes the target power; if there is none, it is that of the files."""
    desk = current()
    desk.change(replace(desk.inputs, target=target))


def write_address() -> None:
    session.write_parameters(STATE.parameters, said())


def said() -> dict[str, str]:
    """The parameters of what is asked and looked at, where that differs from the usual."""
    inputs, usual = current().inputs, CentreInputs()
    return {
        **written_settings(inputs.asked, usual.asked, _PREFIX),
        **written_settings(inputs, usual, _PREFIX),
        **written_settings(look(), CentreLook(), _PREFIX),
    }
