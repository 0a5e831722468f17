"""What pages that replay work have alike: the job, the button, the headline, sliders in steps."""

from collections.abc import Callable, Sequence
from typing import Any, Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.capabilities.arrivals.asked import ArrivalsSettings
from core.shells.told.told import Told
from dashboard.parts.fields.setting import show_steps
from dashboard.parts.frame import markup
from dashboard.parts.frame.watch import show_end
from dashboard.parts.replays.replaying import ArrivalsFound, AskedReplays, replaying
from dashboard.parts.replays.state import ReplayState
from dashboard.parts.told import show_lead, show_unverified
from dashboard.server.background import Job, patience
from dashboard.workspace import asking, session

_JOB: Final = "replays"
_PATIENCE: Final = 1.0


def show_replay_steps(
    state: ReplayState,
    settings: ArrivalsSettings,
    name: str,
    steps: Sequence[float | None],
    said: Callable[[float], str],
    **how: Any,
) -> None:
    key = session.fresh_key(f"{state.page}.{name}", getattr(settings, name))
    how |= {"key": key, "width": 260, "on_change": state.take, "args": (name, key)}
    show_steps(settings, name, steps, said, **how)


def ask(state: ReplayState, asked: AskedReplays) -> Job[ArrivalsFound]:
    job = asking.jobs(state.page).ask(_JOB, asked, replaying(asked))
    job.wait(1, patience(_PATIENCE))
    return job


def show_run(state: ReplayState, settings: ArrivalsSettings, why_not: str | None = None) -> None:
    """The button that begins; it says `why_not`."""
    what = "method" if settings.of_bags else "policy"
    why_not = why_not if settings.chosen else f"Choose at least one {what}."
    st.button(
        "Replay",
        icon=":material/play_arrow:",
        type="primary",
        disabled=why_not is not None,
        help=why_not,
        on_click=state.ask,
    )


def show_refusal(state: ReplayState, what: str, drawn: str) -> None:
    """What of the work of the study is refused, why, with the remedy, and what is in its place:
    `drawn` work that stands in, or what a person chose.
    """
    if (refusal := state.refusal()) is None:
        return
    instead = f"the page has {drawn}" if refusal.stands_in else "the workload that you chose stays"
    st.warning(f"{what}. Until it can, {instead}.", icon=":material/warning:")
    st.html(markup.note(refusal.why))


def show_finding(
    state: ReplayState,
    job: Job[ArrivalsFound],
    settings: ArrivalsSettings,
    headline: DeltaGenerator,
) -> Told | None:
    """The headline of what a job has found, or how it ended. Returns what is told of it, if there
    is an outcome.
    """
    found = job.latest
    show_end(job, "The replays were stopped.", lambda: state.go_on(job.latest))
    if found is None:
        if job.running:
            st.caption("The first replay is under way. Progress is at the top of the page.")
        return None
    state.keep(found)
    said = found.told_at(session.site())
    with headline:
        show_headline(found, said, settings)
    return said if found.shown.ranked else None


def show_headline(found: ArrivalsFound, said: Told, settings: ArrivalsSettings) -> None:
    """The answer, whether it is for settings that were changed since, and whether the judge refuses
    some outcome.
    """
    show_lead(said)
    if found.settings != settings:
        st.caption(
            ":material/history: This answer is for earlier settings. Press “Replay” for the "
            "present ones."
        )
    if found.shown.refused:
        show_unverified("an outcome that is shown")
