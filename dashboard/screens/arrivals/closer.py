"""A closer look at the answer: the first day over time, unit by unit and event by event; other
budgets; and two policies beside each other.
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pandas as pd
import streamlit as st

from core.capabilities.arrivals.labels import policy_label
from core.capabilities.arrivals.policies import stops_jobs
from core.engines.replay.outcome import ReplayOutcome
from core.engines.replay.stopping.score import Stops
from core.engines.replay.workload import Workload
from core.files.sheet import neutralised
from core.vocabulary.say.words import Sense, amount, duration
from dashboard.parts.charts.shown import show_chart
from dashboard.parts.charts.timeline import spread
from dashboard.parts.fields.setting import show_field
from dashboard.parts.replays.pool_panel import choose_policy, show_units
from dashboard.parts.replays.replaying import ArrivalsFound, AskedReplays
from dashboard.parts.told import show_frame
from dashboard.screens.arrivals.budgets import BudgetScores, sweeping_budgets
from dashboard.screens.arrivals.comparison_chart import budgets_figure, budgets_said
from dashboard.screens.arrivals.curves_chart import (
    MOST_POOLS,
    busy_figure,
    changes_said,
    earned_figure,
    energy_figure,
    lost_figure,
    pools_figure,
    power_figure,
    waiting_figure,
)
from dashboard.screens.arrivals.event import (
    MOST_MOMENTS,
    busiest,
    decisions_table,
    free_said,
    moment_said,
    moments,
    nearest,
    said_of,
    seen_at,
    surplus_said,
    ways_table,
)
from dashboard.screens.arrivals.state import STATE
from dashboard.screens.arrivals.stopping import show_stops, stopped_said, stopped_table
from dashboard.screens.arrivals.sweeping import SweepPanel
from dashboard.screens.arrivals.value_view import show_value_view
from dashboard.workspace import asking, session

_BUDGETS: Final = SweepPanel("budgets", "other budgets", "Replay at other budgets", -1)


def show_closer_day(found: ArrivalsFound, asked: AskedReplays) -> None:
    """The choice of a view, and the view."""
    st.subheader("A closer look", anchor=False)
    view = show_field(
        "arrivals.look",
        STATE.take_look,
        STATE.closer_look(),
        "view",
        label="A closer look at the day",
        segmented=True,
        label_visibility="collapsed",
        wrap=True,
    )
    if view == "budgets":
        _show_budgets(found, asked)
    elif not found.records:
        st.info("The workload has too many jobs to keep what became of each.")
    elif view == "stopping":
        show_stops(found, asked)
    elif view == "value":
        show_value_view(found, asked)
    elif view == "two":
        _show_two(found)
    elif view == "event":
        _show_event(found, asked, choose_policy(STATE, found))
    elif view == "gantt":
        show_units(STATE, found, choose_policy(STATE, found))
    else:
        _show_time(found, choose_policy(STATE, found))


def _show_time(found: ArrivalsFound, policy: str) -> None:
    outcome, name = found.records[policy], policy_label(policy)
    left, right = st.columns(2, gap="large")
    with left:
        _titled("Energy", energy_figure(outcome), "energy", name)
        if changes := changes_said(outcome):
            st.caption(changes)
        _titled("Power", power_figure(outcome), "power", name)
        _titled("Worth", earned_figure(outcome), "earned", name)
    with right:
        _titled("Queue", waiting_figure(outcome), "waiting", name)
        _titled("Pools", busy_figure(outcome), "busy", name)
        if (pools := len(outcome.workload.pools)) > MOST_POOLS:
            st.caption(f"The largest {MOST_POOLS} of {pools:,} pools are shown.")
        if len(outcome.stops):
            _titled("Work lost", lost_figure(outcome), "lost", name)


def _titled(title: str, figure: Any, key: str, policy: str) -> None:
    st.markdown(f"**{title}**")
    line, what = figure.data[0], figure.layout.yaxis.title.text
    most = amount(float(max(line.y)), Sense.PLAIN)
    alt = f"Line chart over time under {policy}. {what}, {line.name}: at most {most}."
    show_chart(figure, f"arrivals_{key}", alt=alt)


def _choose_moment(workload: Workload, there: list[float], usual: float) -> float:
    """One of these moments; if none was chosen, the usual one."""
    begin, wanted = workload.horizon.begin, STATE.closer_look().moment
    chosen = usual if wanted is None else nearest(there, begin + wanted)
    key = session.fresh_key("arrivals.look.moment", chosen)
    moment: float = st.select_slider(
        "Time of the day",
        there,
        chosen,
        format_func=lambda time: moment_said(workload, time),
        key=key,
        on_change=STATE.take_look,
        args=("moment", key, begin),
    )
    return moment


def _show_stops(outcome: ReplayOutcome) -> None:
    """Who stopped whom at an event, with the gain and the loss."""
    stops = Stops.of(outcome)
    if not len(stops.time):
        st.info("No job was stopped.", icon=":material/info:")
        return
    times, count = np.unique(stops.time, return_counts=True)
    there = times[spread(len(times), MOST_MOMENTS)].tolist()
    usual = nearest(there, float(times[np.argmax(count)]))
    moment = _choose_moment(outcome.workload, there, usual)
    st.markdown(f"**{moment_said(outcome.workload, moment)}.** {stopped_said(stops, moment)}")
    show_frame(stopped_table(outcome, stops, moment), "Which jobs were stopped, and for which")
    st.caption("Worth: what a job would be worth at the end that was expected of it then.")


def _show_event(found: ArrivalsFound, asked: AskedReplays, policy: str) -> None:
    outcome = found.records[policy]
    if stops_jobs(policy):
        _show_stops(outcome)
        return
    workload, there = outcome.workload, moments(outcome)
    moment = _choose_moment(workload, there, busiest(outcome, there))
    with st.spinner("Replaying up to this event …"):
        free, priced = found.compared.unlimited.get(0), outcome.decisions.priced
        event = asking.compute(seen_at, asked.question, policy, free, moment, priced)
    st.markdown(f"**{moment_said(workload, event.now)}.** {said_of(workload, event)}")
    left, right = st.columns([2, 3], gap="large")
    with left:
        pools = free_said(workload, event)
        show_chart(
            pools_figure(pools),
            "arrivals_pools",
            alt=f"Bar chart: {sum(busy for _, busy, _ in pools):,} busy and "
            f"{sum(free for *_, free in pools):,} free units in all before the decisions, by pool",
        )
        st.caption("Units of each pool before the decisions of this event.")
    if not event.jobs:
        return
    with right:
        alt = "What was decided about each job, in this order"
        row = _picked(decisions_table(workload, event), "arrivals_decisions", 300, alt)
    job = event.jobs[row or 0]
    with st.container(key="arrivals-ways"):
        st.text(f"The best ways to run job {workload.jobs.name(job.job)} at its turn:")
    st.dataframe(
        ways_table(workload, event, job),
        hide_index=True,
        height="content",
        alt="The three best ways to run the job, with their measures",
    )
    st.caption("Click a row of the upper table to see the ways of its job." + surplus_said(event))


def _show_budgets(found: ArrivalsFound, asked: AskedReplays) -> None:
    if found.done < found.replays:
        st.caption("Other budgets follow when the replays are finished.")
        return
    scores = _BUDGETS.shown(asked, BudgetScores(found), 0, sweeping_budgets)
    if scores.worth:
        show_chart(
            budgets_figure(scores),
            "arrivals_budgets",
            alt="Line chart: the worth that each policy earns over the energy budget. "
            + budgets_said(scores),
        )


def _show_two(found: ArrivalsFound) -> None:
    with st.container(horizontal=True, gap="small"):
        first = choose_policy(STATE, found)
        second = choose_policy(STATE, found, beside=True)
    names = policy_label(first), policy_label(second)
    if first == second:
        st.info("Choose two different policies.", icon=":material/info:")
        return
    fates = two_fates(found.records[first], found.records[second])
    st.markdown(summary(fates, names))
    if not fates.jobs:
        return
    alt = "The jobs that fared most differently under the two policies"
    row = _picked(fates_table(fates, names), "arrivals_fates", 360, alt)
    if fates.more + fates.less > MOST_JOBS:
        st.caption(f"The {MOST_JOBS} jobs with the largest differences are listed.")
    if row is None:
        st.caption("Click a row to read what became of its job.")
    else:
        _show_fate(fates.first, fates.second, fates.jobs[row], names)


def _picked(table: pd.DataFrame, key: str, height: int, alt: str) -> int | None:
    """Shows a table, and says which of its rows was clicked."""
    found = st.dataframe(
        table,
        hide_index=True,
        height=height,
        key=key,
        on_select="rerun",
        selection_mode="single-row",
        alt=alt,
    )
    rows = found["selection"]["rows"]
    return rows[0] if rows and rows[0] < len(table) else None


def _show_fate(
    first: ReplayOutcome, second: ReplayOutcome, job: int, names: tuple[str, str]
) -> None:
    jobs = first.workload.jobs
    with st.container(key="arrivals-fate", border=True):
        st.text(f"Job {jobs.name(job)} of type {jobs.types[jobs.type[job]]}")
        for outcome, name in zip((first, second), names, strict=True):
            st.text(f"{name}: {fate(outcome, job)}")


MOST_JOBS = 200


@dataclass(frozen=True, eq=False, slots=True)
class TwoFates:
    """The jobs whose worth differs most, the largest difference first, and how many earn more, less
    and the same under the first policy.
    """

    first: ReplayOutcome
    second: ReplayOutcome
    jobs: tuple[int, ...]
    more: int
    less: int
    same: int


def two_fates(first: ReplayOutcome, second: ReplayOutcome) -> TwoFates:
    gain = first.job_worth - second.job_worth
    differ = np.flatnonzero(gain)
    order = differ[np.argsort(-abs(gain[differ]), kind="stable")]
    return TwoFates(
        first,
        second,
        tuple(order[:MOST_JOBS].tolist()),
        int((gain > 0).sum()),
        int((gain < 0).sum()),
        int((gain == 0).sum()),
    )


def fate(outcome: ReplayOutcome, job: int) -> str:
    """What became of a job: where it ran and how long it took from its arrival; or not."""
    workload = outcome.workload
    arrival = float(workload.jobs.arrival[job])
    if outcome.ran[job]:
        option = outcome.option[job]
        pool = workload.pools.names[workload.options.pool[option]]
        units = f"{workload.options.units[option]:,}"
        mine = outcome.pieces.at(outcome.pieces.job == job)
        waited = duration(float(mine.start[0]) - arrival, Sense.PLAIN)
        took = duration(float((mine.end - mine.start).sum()), Sense.PLAIN)
        again = f" in {len(mine.job):,} parts" if len(mine.job) > 1 else ""
        return f"{units} × {pool}, waited {waited}, ran {took}{again}"
    if outcome.dropped[job]:
        return f"dropped after {duration(float(outcome.end[job]) - arrival, Sense.PLAIN)}"
    return "never ran"


def fates_table(found: TwoFates, names: tuple[str, str]) -> pd.DataFrame:
    """A row for each job that fared differently, named after both policies."""
    jobs = found.first.workload.jobs
    worth = [outcome.job_worth[list(found.jobs)] for outcome in (found.first, found.second)]
    return pd.DataFrame(
        {
            "Job": [neutralised(jobs.name(job)) for job in found.jobs],
            "Type": [neutralised(jobs.types[jobs.type[job]]) for job in found.jobs],
            f"Worth: {names[0]}": [amount(one, Sense.PLAIN) for one in worth[0].tolist()],
            f"Worth: {names[1]}": [amount(one, Sense.PLAIN) for one in worth[1].tolist()],
            names[0]: [neutralised(fate(found.first, job)) for job in found.jobs],
            names[1]: [neutralised(fate(found.second, job)) for job in found.jobs],
        }
    )


def summary(found: TwoFates, names: tuple[str, str]) -> str:
    earn = "job earns" if found.more == 1 else "jobs earn"
    return (
        f"{found.more:,} {earn} more under {names[0]}, {found.less:,} under {names[1]}, and "
        f"{found.same:,} the same."
    )
