"""The centre that the page is about, and what is asked of its day, in session and address."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Final, Literal

import streamlit as st

from core import System
from core.capabilities.centre import CAPABILITY
from core.capabilities.centre.answer import CentreAnswer
from core.capabilities.centre.asked import AskedCentre, fits_study
from core.capabilities.centre.at_site import at_site, unsaid
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
from core.vocabulary.say.words import Sense, begun, counted, duration
from core.vocabulary.setting import OneOf, WholeIn, YesNo, setting
from dashboard.parts.desk import Desk
from dashboard.screens.centre.draft import CentreDraft
from dashboard.screens.centre.inputs import CentreInputs, with_target
from dashboard.server.guard import callback
from dashboard.workspace import session
from dashboard.workspace.chosen import BYTES_KEPT, Shelf
from dashboard.workspace.page_state import Above, PageState
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
ANSWERED: Final = "wattfront.centre.answered"
"""The name of a desk, and the answer that the page showed last of it."""
LOOK: Final = "wattfront.centre.look"
ASKED: Final = "wattfront.centre.asked"
_PREFIX: Final = "centre_"
ALL_DATES: Final = -1
DATES: Final = Range(ALL_DATES, 40, "")
"""Files have at most 32 days."""
_KEPT: Final = "centre_kept"
_GONE: Final = (
    "the server no longer has the centre of this address, so a sample is shown; open its file or a "
    "study file again"
)
_TITLES: Final[dict[str, str]] = {
    "london": "Sample: a machine room in London",
    "parasol": "Sample: the published centre of 64 servers",
    "own": "Your centre",
}


CloserDay = Literal["front", "worth", "actual"]
CLOSER: Final[dict[CloserDay, str]] = {
    "front": "Other lateness and excess",
    "worth": "What one more is worth",
    "actual": "Plan against actual",
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
    closer: CloserDay | None = setting(None, OneOf(CLOSER, CLOSER.__getitem__), "A closer look")


@dataclass(slots=True, eq=False)
class CentreDesk(Desk[CentreInputs]):
    """What is asked of a day and changed about it, and the day as its files have it."""

    area = "centre"
    original: CentreFile = field(kw_only=True)
    _changed: tuple[object, CentreFile] | None = field(default=None, kw_only=True)
    _begun: CentreDraft | None = field(default=None, kw_only=True)

    @property
    def edited(self) -> CentreFile:
        """The centre as it was edited last, with the target of its files."""
        return self.original if self.inputs.edited is None else self.inputs.edited.file

    @property
    def aimed(self) -> CentreFile:
        """The centre with the target that was typed."""
        return with_target(self.edited, self.inputs.target)

    @property
    def file(self) -> CentreFile:
        """The day with what was changed, and with price and carbon of the site where its files say
        none: the same value as long as nothing changes.
        """
        asked = self.edited, self.inputs.target, session.site()
        if self._changed is None or self._changed[0] != asked:
            self._changed = asked, at_site(self.aimed, session.site())
        return self._changed[1]

    @property
    def opened(self) -> CentreDraft:
        """The centre of the files, as editors begin with it."""
        if self._begun is None:
            self._begun = CentreDraft.of(self.original)
        return self._begun

    @property
    def draft(self) -> CentreDraft:
        """What is typed, or else the centre of the files."""
        return self.inputs.edited or self.opened


@dataclass(frozen=True, eq=False, slots=True)
class OwnCentre:
    """A centre that a person gave, what tells it from others, and the name of its file."""

    identity: str
    name: str
    file: CentreFile


class CentreState(PageState):
    parameters = frozenset({_KEPT}).union(
        *(parameters_of(kind, _PREFIX) for kind in (DaySettings, CentreInputs, CentreLook))
    )

    def begin(self, parameters: Mapping[str, str], now: Workspace) -> list[str]:
        del now
        given = Parameters(parameters)
        st.session_state[LOOK] = read_settings(given, CentreLook(), _PREFIX)
        asked = read_settings(given, DaySettings(), _PREFIX)
        usual = CentreInputs(asked)
        st.session_state[ASKED] = read_settings(given, usual, _PREFIX)
        if (key := parameters.get(_KEPT)) is not None:
            if (kept := _centres().get(key)) is not None:
                st.session_state[OWN] = kept
                st.session_state[LOOK] = replace(st.session_state[LOOK], centre="own")
            else:
                given.notes.append(_GONE)
        return given.notes

    def restore(self, settings: StudySettings) -> None:
        self.begin(settings.view, session.workspace())
        block = settings.block(AskedCentre)
        if block is None:
            return
        asked: CentreInputs = replace(st.session_state[ASKED], asked=block.settings)
        see(methods=block.planning.methods, forecast=block.planning.forecast)
        sample = look().centre
        known = with_target(sample_centre(sample), asked.target) if sample in CENTRES else None
        if known is None or known.fingerprint != block.file.fingerprint:
            # The file has the target, too.
            asked = replace(asked, target=())
            give(block.file.fingerprint, block.name or "centre of the study", block.file)
        st.session_state[ASKED] = asked

    def view(self, system: System) -> Mapping[str, str]:
        del system
        return said() if LOOK in st.session_state else {}

    def blocks(self, system: System) -> Mapping[str, object]:
        """The centre with what is asked, if the page has answered anything, or has a file."""
        del system
        desk = current()
        if (ANSWERED not in st.session_state and not self.own()) or not fits_study(desk.aimed):
            return {}
        now, (name, answer) = look(), st.session_state.get(ANSWERED, ("", None))
        planning = PlanningSettings(now.methods, now.forecast)
        title = titles()[now.centre]
        asked = AskedCentre(desk.aimed, title, desk.inputs.asked, planning, session.site())
        if name == desk.name and answer is not None and answers(answer, asked):
            asked = replace(asked, found=answer)
        return CAPABILITY.block(asked)

    def own(self) -> str:
        """A digest of a centre of a person's own, or of one that was edited."""
        if LOOK not in st.session_state:
            return ""
        given = own() if look().centre == "own" else None
        desk = CentreDesk.known(look().centre if given is None else given.identity)
        is_edited = desk is not None and desk.inputs.edited is not None
        if given is None and not is_edited:
            return ""
        if desk is not None:
            return desk.edited.fingerprint
        return "" if given is None else given.file.fingerprint

    def above(self) -> Above:
        """The centre in a few words; the site counts where its files say no price or no carbon."""
        # What the address asks for waits for the page, which may be handed another centre first.
        desk, where = _desk(), look().centre
        file = desk.edited
        servers = int(file.centre.counts.sum())
        facts = (
            f"{counted(servers, 'server')} of {counted(len(file.centre.kinds), 'kind')}",
            counted(int(file.jobs.count.sum()), "job"),
            f"{duration(file.grid.seconds, Sense.TYPED)} in steps of "
            f"{duration(file.grid.step, Sense.TYPED)}",
        )
        title, is_sample = titles()[where], where in CENTRES
        title = begun(title.removeprefix("Sample: ")) if is_sample else title
        return Above(title, facts, is_sample, bool(unsaid(desk.edited)))


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


@st.cache_resource(show_spinner=False)
def _centres() -> Shelf[OwnCentre]:
    """Centres that are of people's own, or that were edited, for their addresses."""
    return Shelf(lambda one: one.identity, lambda one: one.file.size, BYTES_KEPT)


def answers(answer: CentreAnswer, asked: AskedCentre) -> bool:
    """Whether an answer is the whole one to what is asked."""
    return (
        bool(answer.worth)
        and answer.asked == asked.settings
        and answer.file.fingerprint == asked.here.fingerprint
        and {one.method for one in answer.plans} == {*asked.methods}
    )


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


def _desk() -> CentreDesk:
    """The desk of the centre that is looked at."""
    source, given = look().centre, own()
    if source == "own" and given is not None:
        name, file = given.identity, given.file
    else:
        name, file = source, sample_centre(source)
    usual = CentreInputs()
    return CentreDesk.kept(name, lambda: CentreDesk(name, usual, usual, original=file))


def current() -> CentreDesk:
    """The desk of the centre that is looked at, with what the address asks for, once."""
    desk = _desk()
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


def edit(draft: CentreDraft, *, anew: bool) -> None:
    """Takes over a centre that was edited; editors begin anew if they show other rows by now."""
    desk = current()
    inputs = replace(desk.inputs, edited=draft)
    (desk.fill if anew else desk.change)(inputs)


def set_target(target: DailySteps) -> None:
    """Changes the target power; if there is none, it is that of the files."""
    desk = current()
    desk.change(replace(desk.inputs, target=target))


def write_address() -> None:
    session.write_parameters(STATE.parameters, said())


def said() -> dict[str, str]:
    """The parameters of what is asked and looked at, where that differs from the usual."""
    desk, usual = current(), CentreInputs()
    inputs = desk.inputs
    kept = {}
    if STATE.own():
        file = desk.edited
        name = titles()[look().centre]
        kept[_KEPT] = _centres().put(OwnCentre(file.fingerprint, name, file))
    return {
        **kept,
        **written_settings(inputs.asked, usual.asked, _PREFIX),
        **written_settings(inputs, usual, _PREFIX),
        **written_settings(look(), CentreLook(), _PREFIX),
    }
