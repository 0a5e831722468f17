"""The bags that the page Fair shares is about, as the session and the address keep them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import sha256
from typing import Any, Final

import numpy as np
import streamlit as st

from core import System
from core.capabilities.fair_shares import CAPABILITY
from core.capabilities.fair_shares.bags import ArrivingBags, Network
from core.capabilities.fair_shares.bags_reader import inspect_bags
from core.capabilities.fair_shares.day_clock import DayClock
from core.capabilities.fair_shares.settings import SharesSettings
from core.capabilities.fair_shares.shares import AskedBags
from core.files import inspect_system
from core.files.samples.named import BAGS, bags_folder
from core.shells.studies import StudySettings
from core.vocabulary.arrivals import HourlyArrivals
from core.vocabulary.ranges import TASK_COUNT
from core.vocabulary.say.words import HOUR
from core.vocabulary.tolerances import SAME
from dashboard.parts.desk import Desk
from dashboard.screens.fair_shares import address
from dashboard.screens.fair_shares.inputs import BagsInputs
from dashboard.server.guard import callback
from dashboard.workspace import session
from dashboard.workspace.page_state import PageState
from dashboard.workspace.workspace import Sample, Workspace

SOURCE: Final = "wattfront.fair_shares.source"
OWN: Final = "wattfront.fair_shares.own"
ASKED: Final = "wattfront.fair_shares.asked"
ANSWERED: Final = "wattfront.fair_shares.answered"
RESTORED: Final = "wattfront.fair_shares.restored"


@dataclass(slots=True, eq=False)
class BagsDesk(Desk[BagsInputs]):
    """Bags on a system, with what was changed about them by hand; usual is what the files say."""

    area = "fair_shares"
    title: str
    system: System
    look: SharesSettings = field(default_factory=SharesSettings)
    """The stretch, whether whole tasks are replayed, and in how many trials."""
    notes: tuple[str, ...] = ()
    """What was ignored in the address, and why."""

    @property
    def asked(self) -> tuple[str, BagsInputs]:
        """What tells this question from others; the system is known by its fingerprint."""
        return self.system.fingerprint, self.inputs

    def see(self, **changed: Any) -> None:
        """Looks at something else."""
        self.look = replace(self.look, **changed)


def desk_of(source: str, title: str, system: System, usual: BagsInputs) -> BagsDesk:
    """The desk of a source with this system and what its files say."""
    name = _digest(source, system, usual)
    return BagsDesk.kept(name, lambda: BagsDesk(name, usual, usual, title, system))


def _digest(source: str, system: System, usual: BagsInputs) -> str:
    return sha256(f"{source} {system.fingerprint} {usual}".encode()).hexdigest()[:16]


@dataclass(frozen=True, eq=False, slots=True)
class OwnBags:
    """Bags that a person gave, the name of their file, and what tells them from others."""

    name: str
    bags: ArrivingBags
    digest: str


class SharesState(PageState):
    parameters = address.PARAMETERS

    def begin(self, parameters: Mapping[str, str], now: Workspace) -> list[str]:
        del now
        own = {name: text for name, text in parameters.items() if name in self.parameters}
        st.session_state[SOURCE] = address.source_of(own)
        st.session_state[ASKED] = own
        return []

    def restore(self, settings: StudySettings) -> None:
        asked = settings.block(AskedBags)
        if asked is not None:
            give(asked.name or "study", asked.bags)
            st.session_state[ASKED] = None
            st.session_state[RESTORED] = st.session_state[ANSWERED] = asked

    def blocks(self, system: System) -> Mapping[str, object]:
        """What the page answered last, or bags of a person's own that it has not answered yet."""
        del system
        asked: AskedBags | None = st.session_state.get(ANSWERED)
        given = own()
        if asked is None and self.own() and given is not None:
            asked = AskedBags(given.bags, given.name)
        return CAPABILITY.block(asked)

    def own(self) -> str:
        """The digest of bags that a person gave, if the page is about them."""
        given = own()
        return given.digest if given is not None and source() == "own" else ""


STATE: Final = SharesState()


def source() -> str:
    found: str | None = st.session_state.get(SOURCE)
    return usual_source() if found is None or (found == "own" and own() is None) else found


def usual_source() -> str:
    """With which bags the page opens: the tasks of a system that is a person's own, or that has its
    log; beside another sample, the sample of bags.
    """
    version = session.workspace().version
    is_sample = isinstance(version.origin, Sample) and not version.is_of_log
    return "morning" if is_sample else "system"


def own() -> OwnBags | None:
    """The bags that a person gave last."""
    found: OwnBags | None = st.session_state.get(OWN)
    return found


def give(name: str, bags: ArrivingBags) -> None:
    """Chooses bags that a person gave."""
    digest = _digest("own", bags.system, BagsInputs.of(bags))
    st.session_state[OWN] = OwnBags(name, bags, digest)
    st.session_state[SOURCE] = "own"
    st.session_state.pop(ANSWERED, None)


def titles() -> dict[str, str]:
    """The sources to choose from, with their names for people."""
    found = {
        "morning": "Sample: a morning on a shared cluster",
        "system": f"{'System in force' if day_of_log() is None else 'A mean day of the log'}: "
        f"{session.workspace().title}",
    }
    given = own()
    return found if given is None else {**found, "own": given.name}


def current() -> BagsDesk:
    """The desk of the bags that were chosen, with what the address asks for, once."""
    session.workspace()  # which may open what the address says
    chosen = source()
    bags = _bags(chosen)
    usual = BagsInputs.of(bags)
    if chosen == "system" and day_of_log() is not None:
        usual = replace(usual, clock=DayClock(0.0))
    desk = desk_of(chosen, titles()[chosen], bags.system, usual)
    restored: AskedBags | None = st.session_state.pop(RESTORED, None)
    if restored is not None:
        inputs = replace(desk.usual, change=restored.change, clock=restored.clock)
        desk.usual = replace(desk.usual, clock=restored.clock)
        desk.put(inputs)
        desk.past = []
    asked: Mapping[str, str] | None = st.session_state.pop(ASKED, None)
    if asked is not None:
        inputs, desk.look, desk.notes = address.read(asked, desk.usual)
        desk.put(inputs)
    return desk


def _bags(chosen: str) -> ArrivingBags:
    given = own()
    if chosen == "own" and given is not None:
        return given.bags
    if chosen == "morning":
        return sample_bags()
    return day_of_log() or without_network(session.system())


@cache
def sample_bags() -> ArrivingBags:
    """The sample with which the page opens."""
    folder = bags_folder(BAGS[0])
    found = inspect_bags(folder, inspect_system(folder).require()).value
    if found is None:
        raise AssertionError("the sample bags are broken")
    return found


def without_network(system: System) -> ArrivingBags:
    """The tasks of a system that says nothing about arrivals: all at once, and no data."""
    nothing = np.zeros(len(system.task_types))
    return ArrivingBags(system, nothing, nothing, Network.of(system))


def day_of_log() -> ArrivingBags | None:
    """A mean day of the log of the system in force; None if it has none."""
    known = session.workspace().version.seen.arrivals
    return None if known is None else mean_day(session.system(), known)


def mean_day(system: System, known: HourlyArrivals) -> ArrivingBags | None:
    """The tasks of a mean day of a log, each type released at the hour of the day in which most of
    it comes, by seconds after midnight; None if no type of the system comes.
    """
    rates = known.of(system)
    counts = np.ceil(np.minimum(rates.sum(axis=0), TASK_COUNT.high) - SAME).astype(np.int64)
    runs = (np.isfinite(system.etc) & (system.machine_counts > 0)).any(axis=1)
    counts = np.where(runs, counts, 0)
    if not counts.any():
        return None
    day = system.with_counts(counts, system.machine_counts)
    return replace(without_network(day), release=HOUR * rates.argmax(axis=0))


def write_address() -> None:
    """Puts the bags and what is asked about them in the address."""
    desk = current()
    said = address.written(source(), desk.inputs, desk.look, desk.usual, usual_source())
    session.write_parameters(STATE.parameters, said)


@callback
def choose(key: str) -> None:
    """Takes over the choice of bags."""
    st.session_state[SOURCE] = st.session_state[key]
