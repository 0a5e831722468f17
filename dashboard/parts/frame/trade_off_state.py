"""What other pages share with Trade-offs: its settings with their address; the study of the system
in force, which a session makes once; and where the log of that system stands.
"""

from collections.abc import Mapping
from typing import Any, Final

import streamlit as st

from core import System
from core.capabilities.trade_offs.here import Here, you_are_here
from core.engines.front.wish import StatedWish, Wish
from core.shells.studies import StudySettings
from core.vocabulary.placement import LogPlacement
from core.vocabulary.schedule import Schedule
from core.vocabulary.setting import settings_in
from dashboard.parts.fields import idle_power
from dashboard.parts.fields.idle_power import let_go, without_idle
from dashboard.server.background import Job, is_crowded, patience
from dashboard.server.caching import BY_CONTENT
from dashboard.workspace import asking, session, trade_off_settings
from dashboard.workspace.answering import (
    Kept,
    StagedStudy,
    answering,
    kept_answers,
    to_show,
    with_all_known,
)
from dashboard.workspace.page_state import PageState
from dashboard.workspace.trade_off_settings import TradeOffSettings
from dashboard.workspace.workspace import Workspace

_AREA: Final = "trade_offs"
WISH: Final = "trade_offs.wish"
_KEPT: Final = "trade_offs.settings"
_FIELDS: Final = tuple(settings_in(TradeOffSettings))


class TradeOffState(PageState):
    parameters = trade_off_settings.PARAMETERS

    def begin(self, parameters: Mapping[str, str], now: Workspace) -> list[str]:
        del now
        settings, notes = trade_off_settings.read(parameters)
        if _KEPT in st.session_state:
            put_in_force(settings)
        else:
            st.session_state[_KEPT] = settings
        return list(notes)

    def restore(self, settings: StudySettings) -> None:
        put_in_force(trade_off_settings.restored(settings))
        if settings.site is not None:
            session.open_site(settings.site.on_a_page())

    def view(self, system: System) -> Mapping[str, str]:
        del system
        return trade_off_settings.written(current())


STATE: Final = TradeOffState()


def key(field: str) -> str:
    """The key of a widget. It changes when all widgets are set to new values."""
    turn = session.turn(_AREA)
    return f"trade_offs.{field}" + (f" {turn}" if turn else "")


def current() -> TradeOffSettings:
    """The settings of this session; at first those of the address."""
    site = session.workspace().site  # which may open what the address says
    kept: TradeOffSettings = st.session_state.get(_KEPT) or TradeOffSettings()
    st.session_state.setdefault(WISH, kept.wish)
    found: dict[str, Any] = {
        field: st.session_state.get(key(field), getattr(kept, field)) for field in _FIELDS
    }
    found |= {name: tuple(found[name]) for name in ("show", "rivals")}
    st.session_state[_KEPT] = now = TradeOffSettings(
        **found, wish=st.session_state[WISH], site=site
    )
    return now


def write_address(settings: TradeOffSettings) -> None:
    session.write_parameters(trade_off_settings.PARAMETERS, trade_off_settings.written(settings))


def put_in_force(settings: TradeOffSettings) -> None:
    """Sets the page to these settings, whatever its widgets showed."""
    session.renew(_AREA)
    let_go()
    st.session_state[_KEPT] = settings
    set_wish(settings.wish)


def set_wish(wish: StatedWish | None) -> None:
    st.session_state[WISH] = wish


def choose_by_hand(schedule: Schedule, title: str, wish: Wish | None = None) -> None:
    """Chooses a schedule that a person clicked; no wish is in force any more. `wish` is the wish
    for which it was once found, if any.
    """
    set_wish(None)
    session.choose(schedule, title, wish)


JOBS: Final = "trade_offs"
STUDY: Final = "study"
# How long a page waits before it is drawn (s): for the bound, and on a first visit for schedules.
PATIENCE: Final = 0.2
FIRST_PATIENCE: Final = 1.0


@st.cache_resource(show_spinner=False)
def answers() -> Kept:
    return kept_answers()


def ask_study(system: System, settings: TradeOffSettings) -> Job[StagedStudy]:
    """The job that makes the study. The page waits briefly for it, so that it is drawn once."""
    shown = session.shown()
    known = shown.study if shown and shown.system.fingerprint == system.fingerprint else None
    job = asking.jobs(JOBS).ask(
        STUDY,
        (system.fingerprint, settings.polish_settings),
        answering(system, settings.polish_settings, answers(), known, arriving=shown is None),
    )
    if job.latest is None:
        job.wait(1, patience(PATIENCE))
    if job.running and job.shown < 2:  # the bound may have come at once
        if shown is None:
            job.wait(2, FIRST_PATIENCE)
        elif is_crowded() and not idle_power.is_passing():
            job.wait(2, patience(PATIENCE))
    return job


def answer_of(job: Job[StagedStudy], system: System) -> StagedStudy | None:
    """The study to show, with all that is known of its system; it is kept for other pages."""
    answer = with_all_known(to_show(session.shown(), job.latest, system))
    if answer is not None:
        session.show(answer)
    return answer


def here_on(system: System) -> Here | None:
    """You are here, by the powers of this system; None without powers, or without a log."""
    if system.apc is None:
        return None
    found = placed_as_in_log(without_idle(system), session.workspace().version.seen.placement)
    return None if found is None else found.on(system)


@st.cache_data(max_entries=8, show_spinner=False, hash_funcs=BY_CONTENT)
def placed_as_in_log(system: System, placement: LogPlacement | None) -> Here | None:
    """Where the log stands, whatever machines draw without work; None without a log."""
    return you_are_here(placement, system)
