"""Value of service in the closer look: what more of each resource earns, what jobs earn when, and
what they are worth.
"""

from typing import Final

import streamlit as st

from core.capabilities.arrivals.asked import WORKLOADS
from core.capabilities.arrivals.labels import policy_label
from core.capabilities.arrivals.value_told import resource_title
from core.engines.replay.value import JobValues
from core.engines.replay.value_score import worth_by_hour
from core.vocabulary.say.words import HOUR, Sense, amount, clock
from dashboard.parts.charts.shown import show_chart
from dashboard.parts.frame import markup
from dashboard.parts.replays.pool_panel import choose_policy
from dashboard.parts.replays.replaying import ArrivalsFound, AskedReplays
from dashboard.screens.arrivals.amounts import (
    FIGURES,
    AmountsFound,
    resources_of,
    trying_amounts,
    workload_of,
)
from dashboard.screens.arrivals.amounts_chart import amounts_figure, amounts_said
from dashboard.screens.arrivals.state import STATE
from dashboard.screens.arrivals.sweeping import SweepPanel
from dashboard.screens.arrivals.value_charts import hours_figure
from dashboard.screens.arrivals.values import changed_values, show_functions

_PANEL: Final = SweepPanel("amounts", "other amounts", "Replay with other cores and memory", 5_000)


def show_value_view(found: ArrivalsFound, asked: AskedReplays) -> None:
    """What more cores and memory earn, worth by hour and category, and value functions."""
    resources = resources_of(found)
    now = changed_values(asked.settings)
    _show_amounts(found, asked, resources)
    if now is None:
        st.caption(
            "Jobs of this workload have no value functions. Those of "
            f"“{WORKLOADS['value']}” do, and those of files can have them."
        )
    else:
        _show_hours(found, now.changed)
        show_functions(now)


def _show_amounts(found: ArrivalsFound, asked: AskedReplays, resources: tuple[str, ...]) -> None:
    amounts = _tried(found, asked)
    figure = amounts.figure
    said = amounts_said(amounts, resources, figure)
    st.markdown("**What more, or less, of each would bring**")
    for place, resource in zip(st.columns(len(resources), gap="large"), resources, strict=True):
        with place:
            show_chart(
                amounts_figure(amounts, resource, figure),
                f"arrivals_amounts_{resource}",
                alt=f"Line chart: {FIGURES[figure].lower()} under each policy over "
                f"{resource_title(resource)}. {said}",
            )
    if said:
        st.html(markup.note(said))


def _tried(found: ArrivalsFound, asked: AskedReplays) -> AmountsFound:
    """The worth at other amounts so far. A small day is replayed by itself."""
    begun = AmountsFound.begun(found)
    if found.done < found.replays:
        st.caption("Other amounts follow when the replays are finished.")
        return begun
    jobs = len(workload_of(found).jobs)
    return _PANEL.shown(asked, begun, jobs, trying_amounts)


def _show_hours(found: ArrivalsFound, values: JobValues) -> None:
    st.markdown("**Worth by hour of submission**")
    policy = choose_policy(STATE, found)
    worth = worth_by_hour(found.records[policy], values)
    hour = int(worth.sum(axis=0).argmax())
    show_chart(
        hours_figure(worth, [one or "all jobs" for one in values.weights.categories]),
        "arrivals_hours",
        alt=f"Heat map under {policy_label(policy)}: worth by hour and category; most from "
        f"{clock(hour * HOUR)}, {amount(float(worth[:, hour].sum()), Sense.PLAIN)} in all",
    )
