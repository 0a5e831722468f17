"""Profit: the upper bound, what the best schedule found earns, and what would change it."""

import math
from dataclasses import replace
from functools import partial
from typing import Final

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core import System, Terms, earn
from core.capabilities.profit.earn import Profit
from core.capabilities.profit.program import CapTooLow
from core.capabilities.profit.region import feasible_region
from core.capabilities.profit.settings import ProfitSettings
from core.capabilities.profit.sweep import ProfitCurve, SweptQuantity, curve, price_range
from core.capabilities.profit.told import title, told
from core.engines.front.axis import usual_axis
from core.engines.relaxed import Front, SolverFailed, trace_front
from core.shells.told.told import Told
from core.vocabulary.arrays import FloatArray
from core.vocabulary.budget import Effort
from core.vocabulary.say.money import Money
from core.vocabulary.say.words import Sense, duration, power
from dashboard.parts.charts.shown import show_chart
from dashboard.parts.fields.buttons import show_button
from dashboard.parts.frame.watch import show_fault, show_page_title, watch
from dashboard.parts.told import figures_row, show_frame, show_key_figures, show_sentences
from dashboard.screens.profit import state as profit_state
from dashboard.screens.profit.line_charts import curve_figure
from dashboard.screens.profit.plane_chart import (
    Contours,
    ProfitPlane,
    contours_figure,
    plane_figure,
)
from dashboard.screens.profit.polish import SECONDS, better, polishing
from dashboard.screens.profit.sections import settings_with_sections, show_sections
from dashboard.screens.profit.sweeps import TITLES, Sweep, sweep_figure, swept
from dashboard.screens.profit.take_away import machine_table, price_table, show_profit_downloads
from dashboard.screens.profit.toolbar import meaning, show_price
from dashboard.server.background import Job, Jobs
from dashboard.server.caching import BY_CONTENT
from dashboard.server.guard import show_gave_up
from dashboard.workspace import asking, session

PAGE: Final = "profit"
# The feasible region has no upper end. It is drawn up to so many times the slowest mark.
BEYOND: Final = 1.5
# A table longer than this scrolls.
ROWS_SHOWN: Final = 5
HEIGHT: Final = 220


@st.cache_resource(max_entries=8, show_spinner=False, hash_funcs=BY_CONTENT)
def front_of(system: System) -> Front:
    return asking.compute(trace_front, system)


@st.cache_data(max_entries=64, show_spinner=False, hash_funcs=BY_CONTENT)
def region_of(system: System, most_makespan: float) -> FloatArray:
    return asking.compute(feasible_region, system, most_makespan)


@st.cache_resource(max_entries=64, show_spinner=False, hash_funcs=BY_CONTENT)
def quick(system: System, terms: Terms) -> Profit:
    return asking.compute(earn, system, terms, effort=Effort(0))


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs=BY_CONTENT)
def curve_of(system: System, terms: Terms, ends: tuple[float, float], _front: Front) -> ProfitCurve:
    return asking.compute(curve, system, terms, _front, ends)


@st.cache_resource(max_entries=16, show_spinner=False, hash_funcs=BY_CONTENT)
def swept_over(
    system: System, terms: Terms, settings: ProfitSettings, quantity: SweptQuantity, _front: Front
) -> Sweep:
    return asking.compute(swept, system, terms, _front, settings, quantity)


def main() -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="medium", key="status"):
        status = show_page_title("Profit")
        place = st.container(width="content")
    system = session.system()
    if system.apc is None:
        show_without_power()
        return
    try:
        with st.spinner("Finding the upper bound …"):
            front = front_of(system)
        show(system, front, status, place)
    except SolverFailed as failure:
        show_gave_up(failure, while_proving=True)


def show(system: System, front: Front, status: DeltaGenerator, place: DeltaGenerator) -> None:
    page_settings = profit_state.current(system, front)
    settings = page_settings.profit
    terms = settings.terms(front)
    st.markdown(meaning(system))
    headline = st.container()
    show_price(settings, system, front)
    try:
        first = quick(system, terms)
    except CapTooLow as refusal:
        asking.jobs(PAGE).keep_only(set())
        with headline:
            show_cap_too_low(terms, refusal)
        show_plane(system, front, settings, terms, None, "No schedule keeps the power cap.")
        profit_state.write_address(page_settings, system)
        return
    jobs = asking.jobs(PAGE)
    job = ask(jobs, first, settings.money)
    state = jobs.state()
    profit = better(first, None if job is None else job.latest)
    # The curve does not depend on the price, so it is not computed again when the slider moves.
    ends = price_range(settings.unit_price(front), terms.price)
    earned = curve_of(system, replace(terms, price=0.0), ends, front)
    said = told(profit, earned.steps, settings, front)
    headline.header(said.lead, anchor=False)
    show_answer(profit, said, settings)
    left, right = st.columns(2, gap="large")
    with left:
        show_plane(system, front, settings, terms, profit, said.lead)
    with right:
        show_curve(earned, settings, terms, front, profit)
    show_worth(profit, settings)
    show_sweep(system, front, settings, terms)
    schedule = None if profit.earnings is None else profit.earnings.schedule
    lines = partial(show_contours, system, front, settings, profit)
    page_settings = show_sections(page_settings, front, schedule, lines)
    profit_state.write_address(page_settings, system)
    with place, st.popover("Export", icon=":material/download:", key="take-away"):
        asked = settings_with_sections(page_settings, front)
        show_profit_downloads(profit, earned, asked, front)
    with status:
        if job is not None:
            show_status(profit, job)
        watch(jobs, state)


def ask(jobs: Jobs, first: Profit, money: Money) -> Job[Profit] | None:
    """The job that searches for a better schedule; None if running nothing is best."""
    if not first.bound.runs:
        jobs.keep_only(set())
        return None
    system, terms = first.system, first.bound.terms
    return jobs.ask("polish", (system.fingerprint, terms, money), polishing(system, terms, money))


def show_answer(profit: Profit, said: Told, settings: ProfitSettings) -> None:
    if said.sentences:
        show_sentences(said)
    with figures_row():
        show_key_figures(said.figures, 172)
        if profit.earnings is None:
            return
        if st.button("Inspect", icon=":material/view_timeline:", type="primary"):
            session.choose(profit.earnings.schedule, title(profit, settings.money))
            st.switch_page("screens/schedule/page.py")


def show_status(profit: Profit, job: Job[Profit]) -> None:
    if show_fault(job):
        show_button("Go on", asking.jobs(PAGE).drop, "polish", icon="refresh", type="tertiary")
        return
    if not profit.verified:
        st.error("The judge found FAULTS in this schedule. Do not use it.", icon=":material/error:")
        return
    polish = f", polished for {duration(SECONDS, Sense.TYPED)}" if profit is job.latest else ""
    st.caption(f":material/verified: Checked independently{polish}", width="content")


def show_plane(
    system: System,
    front: Front,
    settings: ProfitSettings,
    terms: Terms,
    profit: Profit | None,
    said: str,
) -> None:
    st.subheader("Energy, time and profit", anchor=False)
    axis = usual_axis(float(front.energy.max()))
    region = region_of(system, reach(front, profit))
    show_chart(
        plane_figure(ProfitPlane(front, region, terms, profit, axis, settings.money)),
        "profit_plane",
        alt="Chart: the front, the divisible optimum and the schedule found, with their profit. "
        f"{said}",
    )


def reach(front: Front, profit: Profit | None) -> float:
    """The period (s) up to which the region is drawn."""
    seconds = [float(front.makespan[0])]
    if profit is not None:
        seconds.append(profit.bound_period)
        if profit.earnings is not None:
            seconds.append(profit.earnings.period)
    return BEYOND * max(time for time in seconds if np.isfinite(time))


def show_curve(
    earned: ProfitCurve, settings: ProfitSettings, terms: Terms, front: Front, profit: Profit
) -> None:
    st.subheader("Profit over the price of a batch", anchor=False)
    unit = settings.unit_price(front)
    show_chart(
        curve_figure(earned, unit, terms.overhead, profit, settings.money),
        "profit_curve",
        alt="Line chart: the upper bound on profit, and the best schedule on the front, over the "
        "profit ratio",
    )
    if math.isfinite(terms.power_cap):
        st.caption("Without the power cap, the fastest schedule is best from the marked price.")


def show_contours(system: System, front: Front, settings: ProfitSettings, profit: Profit) -> None:
    terms = profit.bound.terms
    axis = usual_axis(float(front.energy.max()))
    optimum = (profit.bound_energy, profit.bound_period) if profit.bound.runs else None
    show_chart(
        contours_figure(
            Contours(
                region_of(system, reach(front, profit)),
                terms,
                terms.depreciation_of_all(system),
                optimum,
                axis,
                settings.money,
            )
        ),
        "profit_contours",
        alt="Chart: lines of equal profit over the feasible region of energy and time. All lines "
        "go through one point, the pivot.",
    )
    notes = [f"The numbers are profits ({settings.money.rate_unit}). Dashed lines are losses."]
    if any(terms.wear):
        notes.append("Wear is not included, because it does not depend on energy and time alone.")
    st.caption(" ".join(notes))


def show_worth(profit: Profit, settings: ProfitSettings) -> None:
    st.subheader("What small changes are worth", anchor=False)
    prices, machines = price_table(profit, settings), machine_table(profit, settings)
    left, right = st.columns(2, gap="large")
    with left:
        show_values(prices, "prices and the power cap")
    with right:
        show_values(machines, "one more machine of each type")
    st.caption("The values are changes of the upper bound. They hold for small changes.")


def show_values(table: pd.DataFrame, what: str) -> None:
    said = f"How the upper bound on profit changes with {what}"
    show_frame(table, said, height="content" if len(table) <= ROWS_SHOWN else HEIGHT)


def show_sweep(system: System, front: Front, settings: ProfitSettings, terms: Terms) -> None:
    st.subheader("Profit over a range", anchor=False)
    quantity = st.pills(
        "Change",
        TITLES,
        format_func=TITLES.__getitem__,
        key=profit_state.OVER,
        persist_state="session",
        help="All other settings stay the same, and so does the price of a batch.",
    )
    if quantity is None:
        return
    with st.spinner("Computing the range …"):
        found = swept_over(system, terms, settings, quantity, front)
    show_chart(
        sweep_figure(found, settings.money),
        "profit_sweep",
        alt=f"Line chart: the upper bound on profit, over {TITLES[quantity].lower()}",
    )


def show_cap_too_low(terms: Terms, refusal: CapTooLow) -> None:
    st.header("The power cap is too low to keep these machines on.", anchor=False)
    least, cap = terms.pue * refusal.least, terms.power_cap
    drawn = (
        f"The average power of the site is at least {power(least, Sense.LOWER_BOUND, cap)}"
        if refusal.proven
        else f"The least power of a schedule found is {power(least, Sense.SPENT, cap)} at the site"
    )
    st.warning(
        f"{drawn}, above the cap of {power(cap, Sense.TYPED)}. Raise the cap (under "
        "Costs), lower the idle power, or remove machines on the page Machines.",
        icon=":material/block:",
    )


def show_without_power() -> None:
    st.header("The profit is unknown: this system has no powers.", anchor=False)
    st.markdown(
        "The cost of a batch depends on the average power (W) of each pair of task type and "
        "machine type (APC). Give them on the page Work."
    )
    if st.button("Open the page Work", icon=":material/assignment:", type="primary"):
        st.switch_page("screens/work/page.py")


main()
