"""What to switch off: which nodes may sleep while they have nothing to do, by the jobs of a log."""

from typing import Any, Final

import streamlit as st

from core import System
from core.capabilities.switch_off.advice import SHARES, SleepAdvice, advise, known_in
from core.capabilities.switch_off.hours import has_dates, hours_of_week
from core.capabilities.switch_off.settings import SwitchOffSettings
from core.capabilities.switch_off.slurm_lines import slurm_lines
from core.capabilities.switch_off.told import is_worth_it, slept_longest, told
from core.engines.logs.reading.sacct import SACCT
from core.shells.told.told import Told
from core.vocabulary.node_use import NodeUse
from core.vocabulary.say.words import Sense, share
from dashboard.parts.charts.shown import show_chart
from dashboard.parts.fields.setting import show_field, show_steps
from dashboard.parts.frame.handed import show_ask
from dashboard.parts.told import (
    figures_row,
    show_key_figures,
    show_lead,
    show_sentences,
    show_table,
)
from dashboard.screens.switch_off import state
from dashboard.screens.switch_off.front_chart import front_figure
from dashboard.screens.switch_off.take_away import show_switch_off_downloads
from dashboard.screens.switch_off.week_chart import week_figure
from dashboard.server.caching import BY_CONTENT
from dashboard.workspace import asking, session

_AREA: Final = "switch_off"


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs=BY_CONTENT)
def advised(system: System, use: NodeUse, settings: SwitchOffSettings) -> SleepAdvice:
    return asking.compute(advise, system, use, settings)


def main() -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="medium", key="status"):
        st.title("What to switch off", anchor=False, width="stretch")
        exports = st.container(width="content")
    now = session.workspace()
    system, use = now.system, now.version.seen.node_use
    known = None if use is None else known_in(use, system)
    settings = state.current()
    state.write_address()
    if known is None:
        show_needs()
        return
    advice = advised(system, known, settings)
    said = told(advice, session.site())
    with exports, st.popover("Export", icon=":material/download:", key="take-away"):
        show_switch_off_downloads(said, settings, now.idle)
    show_lead(said)
    left, right = st.columns([3, 1], gap="large")
    with left:
        show_front(advice, said)
    with right:
        show_settings(settings, advice)
    with figures_row():
        show_key_figures(said.figures, 212)
    show_lines(advice)
    st.subheader("By machine type", anchor=False)
    show_table(said.tables[0])
    show_sentences(said)
    show_week(known)
    longest = slept_longest(advice)
    for table in (said.tables[1], *([] if longest is None else [longest])):
        with st.expander(table.title):
            show_table(table)


def show_needs() -> None:
    """What the page needs, and how to get it."""
    st.header("Which nodes may sleep? The log of your jobs says it.", anchor=False)
    st.markdown(
        "This page needs to know when your nodes were busy. An accounting log of two weeks or more "
        "has that: run this on the login node, and open `jobs.txt` here."
    )
    st.code(f"{SACCT} > jobs.txt", language=None, wrap_lines=True)
    show_ask("Open a log", type="primary")


def show_front(advice: SleepAdvice, said: Told) -> None:
    def take(mark: list[Any]) -> None:
        if mark and mark[0] in range(len(SHARES)):
            state.change(most_waits=SHARES[mark[0]])

    show_chart(
        front_figure(advice),
        "switch-off-front",
        f"Line chart: what nodes without work draw, over the jobs that wait. {said.lead}",
        take,
    )


def show_settings(settings: SwitchOffSettings, advice: SleepAdvice) -> None:
    key = session.fresh_key(f"{_AREA}.most_waits", settings.most_waits)
    show_steps(
        settings,
        "most_waits",
        SHARES,
        lambda one: share(one, Sense.TYPED),
        key=key,
        on_change=state.take,
        args=("most_waits", key),
    )
    names = ["start_seconds", "asleep_watts"]
    names += ["idle_share"] if advice.powers.idle_assumed.any() else []
    names += ["busy_watts"] if advice.powers.busy_assumed.any() else []
    st.caption("No log says these. Type what you measured:")
    for name in names:
        show_field(_AREA, state.take, settings, name)


def show_lines(advice: SleepAdvice) -> None:
    lines = slurm_lines(advice)
    if not lines or not is_worth_it(advice):
        return
    st.subheader("For slurm.conf", anchor=False)
    st.code(lines, language=None, wrap_lines=True)
    st.caption(
        "`SuspendProgram` and `ResumeProgram` are yours: they switch a node off and on. Slurm "
        "takes a node that is not there after `ResumeTimeout` seconds for broken, so that is "
        "twice the time of a start."
    )


def show_week(use: NodeUse) -> None:
    st.subheader("Nodes needed by hour of the week", anchor=False)
    if not has_dates(use):
        st.caption("The log does not say on which days its jobs ran.")
        return
    kind = st.selectbox(
        "Machine type",
        range(len(use.names)),
        format_func=use.names.__getitem__,
        key="switch-off-week",
        persist_state="session",
        width=220,
    )
    found = hours_of_week(use.changes[kind], use.begin, use.end)
    show_chart(
        week_figure(found, int(use.nodes[kind])),
        "switch-off-week-chart",
        "Heat map: the most nodes that were busy at once in each hour of the week.",
    )


main()
