"""The objective of a plan, and limits on the means of others."""

from dataclasses import replace
from functools import partial
from typing import Final

import streamlit as st

from core.capabilities.provision.files.plan_settings import in_unit
from core.capabilities.provision.goals.words import GOALS
from core.capabilities.provision.objectives import OBJECTIVES, PlanObjective
from core.vocabulary.ranges import POWER, Range
from dashboard.screens.provision.address import MEAN_RATE
from dashboard.screens.provision.desk import PlanDesk, take_field
from dashboard.screens.provision.inputs import PlanInputs
from dashboard.screens.provision.number_field import show_number, without_last_digits
from dashboard.workspace import session

_WATTS_PER_KW: Final = 1000.0


def show_goal(desk: PlanDesk) -> None:
    """The choice of what is sought, and a field for each limit on a mean."""
    inputs = desk.inputs
    goal, every = inputs.goal, inputs.rates.every
    key = session.fresh_key("provision.objective", goal.objective)
    st.selectbox(
        "Look for",
        OBJECTIVES,
        OBJECTIVES.index(goal.objective),
        format_func=GOALS.__getitem__,
        key=key,
        on_change=take_field,
        args=(desk, key, _put_objective),
        help="What the purchase is to be best in, on average over all scenarios.",
    )
    st.caption("The others keep these limits on average. A blank limit does not bind.")
    if goal.objective != "reward":
        _show_rate(desk, "reward", f"Reward at least ({inputs.rates.money})")
    if goal.objective != "failures":
        _show_rate(desk, "failures", f"Mean failures at most ({every})")
    if goal.objective != "power":
        watts = goal.power
        show_number(
            desk,
            "goal.power",
            "Mean power at most (kW)",
            None if watts is None else without_last_digits(watts / _WATTS_PER_KW),
            lambda it, kw: _put("power", it, None if kw is None else kw * _WATTS_PER_KW),
            Range(POWER.low, POWER.high / _WATTS_PER_KW, "kW"),
            "Of all machines, idle ones included.",
        )
    st.caption("The cost keeps the budget.")


def _show_rate(desk: PlanDesk, name: PlanObjective, label: str) -> None:
    limit, unit = getattr(desk.inputs.goal, name), desk.inputs.rate_seconds
    show_number(
        desk,
        f"goal.{name}",
        label,
        None if limit is None else in_unit(limit, desk.inputs.rate_unit),
        partial(_put_rate, name),
        Range(MEAN_RATE.low, MEAN_RATE.high * unit, ""),
    )


def _put_objective(inputs: PlanInputs, objective: PlanObjective) -> PlanInputs:
    return replace(inputs, goal=inputs.goal.seeking(objective))


def _put_rate(name: PlanObjective, inputs: PlanInputs, value: float | None) -> PlanInputs:
    return _put(name, inputs, None if value is None else value / inputs.rate_seconds)


def _put(name: PlanObjective, inputs: PlanInputs, limit: float | None) -> PlanInputs:
    return replace(inputs, goal=inputs.goal.with_limit(name, limit))
