"""The toolbar of the page Arrivals: workload, policies, budget, and how often to replay."""

from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.arrivals.asked import DAY_SEED, DAYS, JOBS, WORKLOADS, ArrivalsSettings
from core.arrivals.policies import DROP, POLICIES
from core.arrivals.uncertain import MACHINES
from core.arrivals.uncertain_methods import BAG_METHODS, WEIGHED
from core.arrivals.words import policy_label
from core.model.ranges import Range
from core.say.words import Sense, amount, share
from dashboard.arrivals import state
from dashboard.arrivals.settings import BUDGETS, ERRORS, EXCHANGES, FILTER_NAMES, label_of
from dashboard.common.choice import show_choice
from dashboard.workspace import session

_FILTERS: Final = {
    None: "None",
    "resource": "For each second of a core",
    "task": "For each job",
}


def show_toolbar(settings: ArrivalsSettings) -> DeltaGenerator:
    """The toolbar; returns the place for the button that begins."""
    with st.container(
        horizontal=True, vertical_alignment="bottom", gap="small", key="arrivals-toolbar"
    ):
        _show_workload(settings)
        with st.popover("Day", icon=":material/event:"):
            _show_day(settings)
        if settings.of_bags:
            _show_machines(settings)
            _show_errors(settings)
            if WEIGHED.name in settings.methods:
                _show_exchange(settings)
        else:
            _show_budget(settings)
            with st.popover("Rules", icon=":material/rule:"):
                _show_rules(settings)
        run = st.container(width="content")
    if settings.of_bags:
        _show_methods(settings)
    else:
        _show_policies(settings)
    return run


def _show_errors(settings: ArrivalsSettings) -> None:
    key = session.fresh_key("arrivals.errors", settings.errors)
    show_choice(
        "Errors of estimates",
        ERRORS,
        format_func=ERRORS.__getitem__,
        default=settings.errors,
        key=key,
        on_change=state.take,
        args=("errors", key),
        help="Users ask for more time than their tasks take: none, or on average 48, 56 or 67 % of "
        "it is not needed.",
    )


def _show_machines(settings: ArrivalsSettings) -> None:
    key = session.fresh_key("arrivals.machines", settings.machines)
    show_choice(
        "Machines",
        MACHINES,
        format_func=str,
        default=settings.machines,
        key=key,
        on_change=state.take,
        args=("machines", key),
        help="Of each bag; each has 4 to 32 cores.",
    )


def _show_exchange(settings: ArrivalsSettings) -> None:
    chosen = settings.exchange
    rates = sorted({*EXCHANGES, *([] if chosen is None else [chosen])})
    key = session.fresh_key("arrivals.exchange", chosen)
    st.select_slider(
        "Exchange rate of the method weighed",
        [None, *rates],
        chosen,
        format_func=lambda rate: "idle power" if rate is None else amount(rate, Sense.TYPED, "J/s"),
        key=key,
        width=260,
        on_change=state.take,
        args=("exchange", key),
        help="It takes a second less of makespan for so many joules. 0 saves energy alone. With "
        "bad estimates, high rates can cost both. Idle power: what all machines draw while idle.",
    )


def _show_methods(settings: ArrivalsSettings) -> None:
    key = session.fresh_key("arrivals.methods", list(settings.methods))
    st.multiselect(
        "Methods",
        list(BAG_METHODS),
        list(settings.methods),
        format_func=policy_label,
        key=key,
        on_change=state.take,
        args=("methods", key),
        help="How tasks are planned with estimates. MIN in capitals means energy.",
    )


def _show_workload(settings: ArrivalsSettings) -> None:
    names = [name for name in WORKLOADS if name != "own" or state.given() is not None]
    key = session.fresh_key("arrivals.workload", settings.workload)
    st.selectbox(
        "Workload",
        names,
        names.index(settings.workload),
        format_func=WORKLOADS.__getitem__,
        key=key,
        width=280,
        on_change=state.take,
        args=("workload", key),
    )


def _show_day(settings: ArrivalsSettings) -> None:
    _whole("jobs", "Jobs a day", settings.jobs, JOBS, "Of the day with an energy budget.")
    _whole(
        "days",
        "Days",
        settings.days,
        DAYS,
        "Each day is drawn anew, and each policy has the same days. More days take longer and "
        "make the intervals narrower.",
    )
    _whole("seed", "Seed", settings.seed, DAY_SEED, "Equal seeds draw equal days.")


def _whole(name: str, label: str, value: int, allowed: Range, meaning: str) -> None:
    key = session.fresh_key(f"arrivals.{name}", value)
    st.number_input(
        label,
        int(allowed.low),
        int(allowed.high),
        value,
        key=key,
        on_change=state.take,
        args=(name, key),
        help=meaning,
    )


def _show_budget(settings: ArrivalsSettings) -> None:
    steps: list[float | None] = [*sorted({*BUDGETS, settings.budget or BUDGETS[0]}), None]
    given = state.given()
    of_file = settings.workload == "own" and given is not None and given.has_budget
    none = "As in the file" if of_file else "None"
    key = session.fresh_key("arrivals.budget", settings.budget)
    st.select_slider(
        "Energy budget",
        steps,
        settings.budget,
        format_func=lambda step: none if step is None else share(step, Sense.TYPED),
        key=key,
        width=260,
        on_change=state.take,
        args=("budget", key),
        help="For each day, as a share of the energy that Max UPR spends without a budget.",
    )


def _show_rules(settings: ArrivalsSettings) -> None:
    key = session.fresh_key("arrivals.drop", settings.drop_below)
    st.number_input(
        "Drop a job below a worth of",
        DROP.low,
        DROP.high,
        settings.drop_below,
        step=None,
        format="%.6g",
        key=key,
        on_change=state.take,
        args=("drop_below", key),
        help="A job is dropped if it cannot be worth so much any more, even if it began now. "
        "−1: no job is dropped.",
    )
    filters = [None, *FILTER_NAMES]
    key = session.fresh_key("arrivals.filter", settings.filter)
    st.selectbox(
        "Energy filter",
        filters,
        filters.index(settings.filter),
        format_func=_FILTERS.__getitem__,
        key=key,
        on_change=state.take,
        args=("filter", key),
        help="It leaves out ways to run a job that take far more energy than there is left on "
        "average. Only policies that do not look at energy themselves use it.",
    )


def _show_policies(settings: ArrivalsSettings) -> None:
    key = session.fresh_key("arrivals.policies", list(settings.policies))
    st.multiselect(
        "Policies",
        list(POLICIES),
        list(settings.policies),
        format_func=label_of,
        key=key,
        on_change=state.take,
        args=("policies", key),
        help="What the scheduler follows: which job is next, where it runs, and what happens if it "
        "cannot start now.",
    )
