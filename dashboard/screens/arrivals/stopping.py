"""Stopping jobs for others: the settings in the toolbar, and the closer look."""

from typing import Final, Literal

import numpy as np
import pandas as pd
import streamlit as st

from core.capabilities.arrivals.asked import WORKLOADS, ArrivalsSettings
from core.capabilities.arrivals.labels import policy_label
from core.capabilities.arrivals.policies import stops_jobs
from core.capabilities.arrivals.stops_told import knows_stops
from core.capabilities.arrivals.told import tables_of_jobs
from core.engines.replay.outcome import ReplayOutcome
from core.engines.replay.stopping.rules import ALL, NOTHING
from core.engines.replay.stopping.score import Stops, waits_of
from core.engines.slurm.preemption import (
    PreemptMode,
    not_in_slurm,
    preemption_lines,
    qos_commands,
    usual_mode,
)
from core.files.sheet import neutralised
from core.vocabulary.say.phrases import core_hours
from core.vocabulary.say.words import HOUR, Sense, amount, counted, duration
from dashboard.parts.charts.shown import show_chart
from dashboard.parts.fields.setting import show_field, show_look
from dashboard.parts.frame import markup
from dashboard.parts.replays.pool_panel import choose_policy
from dashboard.parts.replays.replaying import ArrivalsFound, AskedReplays
from dashboard.parts.told import show_frame, show_table
from dashboard.screens.arrivals.state import STATE
from dashboard.screens.arrivals.stops import MOST_IN_PAIRS, StopsFound, trying_ways
from dashboard.screens.arrivals.stops_chart import (
    AGAINST,
    bursts_figure,
    bursts_said,
    points_of,
    stops_figure,
    ways_table,
)
from dashboard.screens.arrivals.sweeping import SweepPanel
from dashboard.server.guard import callback
from dashboard.workspace import session

KeptPart = Literal["all", "checkpoint", "nothing"]
_KEPT: Final[dict[KeptPart, str]] = {
    "nothing": "Nothing (REQUEUE, CANCEL)",
    "checkpoint": "Its last checkpoint (REQUEUE)",
    "all": "All (SUSPEND)",
}
_ENDS: Final[tuple[PreemptMode, ...]] = ("REQUEUE", "CANCEL")
_MODE: Final = "arrivals.stops.mode"
_CHECKPOINTS: Final = {"all": ALL, "checkpoint": HOUR, "nothing": NOTHING}
_PANEL: Final = SweepPanel("stops", "other ways", "Replay other ways to stop jobs", 20_000)
_IN_COLUMNS: Final = (
    "Say which may: of a log in Classes of jobs above, of other files in the columns "
    "may_stop_others, may_be_stopped and tier of the jobs."
)
_OF_DRAWN: Final = (
    f"Choose the workload “{WORKLOADS['urgent']}”, or replay the day of this study (Your day)."
)
_MOST_LISTED: Final = 50


def show_stopping(settings: ArrivalsSettings) -> None:
    """Which jobs are stopped for others, and what becomes of them, as Slurm calls it."""

    def show(name: str, **how: object) -> None:
        show_field("arrivals", STATE.take, settings, name, **how)

    with st.popover("Stopping", icon=":material/front_hand:"):
        show("stop")
        if settings.stop is None:
            st.caption("No job that runs is stopped for another one.")
            return
        _show_kept(settings)
        if settings.checkpoints not in (ALL, NOTHING):
            show("checkpoints", label="A checkpoint every (s)")
        for name in ("stop_seconds", "resume_seconds", "least_run", "most_stops", "whom"):
            show(name)
        if settings.checkpoints == ALL:
            show("suspended_memory")
        if settings.stop == "tiers":
            _show_lines(settings)


def _show_lines(settings: ArrivalsSettings) -> None:
    """What to copy for Slurm, for the classes of the workload, and what Slurm does otherwise."""
    given = STATE.given() if settings.is_given else None
    asked, mode = settings.stopping, usual_mode(settings.stopping)
    classes = () if given is None else given.classes
    with st.expander("Lines for slurm.conf"):
        if settings.checkpoints == NOTHING:
            mode = show_look("What Slurm does with jobs that are stopped", _ENDS, _MODE)
        st.code(preemption_lines(asked, mode, classes), language=None)
        if commands := qos_commands(asked, mode, classes):
            st.caption("Commands beside these lines; sacctmgr add qos NAME makes a QOS first:")
            st.code(commands, language="bash")
        st.html(markup.items(not_in_slurm(asked, mode, classes)))


def _show_kept(settings: ArrivalsSettings) -> None:
    present: KeptPart = "checkpoint"
    if settings.checkpoints in (ALL, NOTHING):
        present = "all" if settings.checkpoints == ALL else "nothing"
    key = session.fresh_key("arrivals.kept", present)
    st.selectbox(
        "What is kept",
        list(_KEPT),
        list(_KEPT).index(present),
        format_func=_KEPT.__getitem__,
        key=key,
        help="Of a job that is stopped, with the word of Slurm for it. A job that Slurm cancels is "
        "taken to be submitted again at once.",
        on_change=callback(_take_kept),
        args=(key,),
    )


def _take_kept(key: str) -> None:
    STATE.change(checkpoints=_CHECKPOINTS[st.session_state[key]])


def show_stops(found: ArrivalsFound, asked: AskedReplays) -> None:
    """What stopping jobs gains and loses on the first day, in each way."""
    if not knows_stops(found.shown):
        of_study = found.given is not None and found.given.of_study
        how = "Say on Work which may." if of_study else _IN_COLUMNS
        how = _OF_DRAWN if found.given is None else how
        st.info(f"No job of this workload may stop others. {how}", icon=":material/info:")
        if of_study:
            st.page_link(
                "screens/work/page.py",
                label="Who may stop whom: Work",
                icon=":material/assignment:",
            )
        return
    stops = _tried(found, asked)
    points = points_of(stops)
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("**What it gains, and what it loses**")
        against = show_look(
            "Against work lost", AGAINST, "arrivals.stops.against", AGAINST.__getitem__
        )
        bound = found.shown.bound_values
        show_chart(
            stops_figure(points, against, float(bound[0]) if bound.size else None),
            "arrivals_stops",
            alt=f"Scatter chart: {AGAINST[against].lower()} over the work that is lost, a mark for "
            f"each of {counted(len(points), 'way')} to stop jobs",
        )
        st.caption(
            "Whom first: ● least measure, ▲ youngest, ▼ oldest, ◆ least lost. Ways that come to "
            "the same have one mark. A ring is about those of the answer."
        )
    with right:
        figure, said = bursts_figure(stops), bursts_said(stops)
        if figure is not None:
            st.markdown("**If jobs came many at once**")
            show_chart(figure, "arrivals_bursts", alt=f"Line chart: worth over bursts. {said}")
            st.caption(said)
    for table in tables_of_jobs(found.shown, found.given):
        st.markdown(f"**{table.title}**")
        show_table(table)
    show_frame(ways_table(points), "What each way to stop jobs gains and loses", height=300)
    if stops.jobs > MOST_IN_PAIRS:
        st.caption(
            f"Orders in pairs are left out: they take long with more than {MOST_IN_PAIRS:,} jobs."
        )
    _show_most_stopped(found)


def _tried(found: ArrivalsFound, asked: AskedReplays) -> StopsFound:
    """The other ways so far. Those of a small day are replayed by themselves."""
    begun = StopsFound.begun(found)
    if found.done < found.replays:
        st.caption("Other ways follow when the replays are finished.")
        return begun
    return _PANEL.shown(asked, begun, begun.jobs, trying_ways)


def _show_most_stopped(found: ArrivalsFound) -> None:
    """The jobs that were stopped most often under a policy."""
    there = [name for name in found.shown.ranked if name in found.records and stops_jobs(name)]
    if not there:
        return
    st.markdown("**The jobs that were stopped most**")
    policy = choose_policy(STATE, found, among=there)
    table = most_stopped(found.records[policy])
    if table.empty:
        st.caption(f"{policy_label(policy)} stopped no job.")
        return
    show_frame(table, "The jobs that were stopped most often", height=300)


def most_stopped(outcome: ReplayOutcome) -> pd.DataFrame:
    """A row for each of the jobs that were stopped most often, with what they lost."""
    jobs, stops = outcome.workload.jobs, Stops.of(outcome)
    frame = pd.DataFrame({"job": stops.job, "stops": 1, "lost": stops.lost / HOUR})
    summed = frame.groupby("job").sum().sort_values(["stops", "lost"], ascending=False)
    waits = waits_of(outcome)
    rows = [
        (
            neutralised(jobs.name(job)),
            neutralised(jobs.types[jobs.type[job]]),
            int(stops),
            amount(lost, Sense.PLAIN),
            duration(float(waits[job]), Sense.PLAIN),
            duration(float(outcome.end[job] - jobs.arrival[job]), Sense.PLAIN)
            if outcome.ran[job]
            else "did not end",
        )
        for job, stops, lost in summed.head(_MOST_LISTED).itertuples()
    ]
    head = ("Job", "Type", "Stops", "Lost (core-hours)", "Waited first", "Arrival to end")
    return pd.DataFrame(rows, columns=list(head))


def stopped_said(stops: Stops, moment: float) -> str:
    """How many jobs were stopped at an event, and for how many."""
    now = stops.time == moment
    others = len(np.unique(stops.stopped_for[now]))
    return (
        f"{counted(int(now.sum()), 'job')} stopped for {counted(others, 'other job')}; "
        f"{core_hours(float(stops.lost[now].sum()))} lost."
    )


def stopped_table(outcome: ReplayOutcome, stops: Stops, moment: float) -> pd.DataFrame:
    """A row for each job that was stopped at an event, by the job that starts for it."""
    jobs = outcome.workload.jobs
    rows = np.flatnonzero(stops.time == moment)
    rows = rows[np.argsort(stops.stopped_for[rows], kind="stable")]

    def named(job: int) -> str:
        return neutralised(f"{jobs.name(job)} ({jobs.types[jobs.type[job]]})")

    frame = [
        (
            named(int(stops.stopped_for[row])),
            amount(float(stops.gain[row]), Sense.PLAIN),
            named(int(stops.job[row])),
            amount(float(stops.worth[row]), Sense.PLAIN),
            duration(float(stops.after[row]), Sense.PLAIN),
            amount(float(stops.lost[row]) / HOUR, Sense.PLAIN),
            amount(float(outcome.job_worth[stops.job[row]]), Sense.PLAIN),
        )
        for row in rows.tolist()
    ]
    head = ("Starts", "Worth", "Stopped", "Worth if not stopped", "Had run")
    return pd.DataFrame(frame, columns=[*head, "Lost (core-hours)", "Earned in the end"])
