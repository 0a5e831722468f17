"""The settings of scenarios, and what is looked for in them: whole machines, and caution."""

from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from dashboard.parts.fields.choice import show_choice
from dashboard.screens.provision.desk import PlanDesk, take_field
from dashboard.screens.provision.inputs import SCENARIOS, SEEDS, PlanInputs
from dashboard.screens.provision.words import POINTS
from dashboard.workspace import session


def show_scenarios(desk: PlanDesk) -> None:
    """How many scenarios are drawn and how, how much bad ones count, and whether machines are
    whole.
    """
    wanted = desk.inputs.scenarios
    key = session.fresh_key("provision.scenarios", wanted.count)
    st.number_input(
        "Scenarios",
        int(SCENARIOS.low),
        int(SCENARIOS.high),
        wanted.count,
        key=key,
        on_change=take_field,
        args=(desk, key, partial(_put_sampling, "count")),
        help="Possible futures, all equally likely. More of them take longer and say more.",
    )
    key = session.fresh_key("provision.points", wanted.points)
    show_choice(
        "Points",
        POINTS,
        format_func=POINTS.__getitem__,
        default=wanted.points,
        key=key,
        on_change=take_field,
        args=(desk, key, partial(_put_sampling, "points")),
        help="Latin hypercube and Sobol points cover the possible futures more evenly than "
        "independent draws.",
    )
    key = session.fresh_key("provision.seed", wanted.seed)
    st.number_input(
        "Seed",
        int(SEEDS.low),
        int(SEEDS.high),
        wanted.seed,
        key=key,
        on_change=take_field,
        args=(desk, key, partial(_put_sampling, "seed")),
        help="Equal seeds draw equal scenarios.",
    )
    percent = round(100 * desk.inputs.caution)
    key = session.fresh_key("provision.caution", percent)
    st.slider(
        "Bad futures count",
        0,
        100,
        percent,
        key=key,
        format="%d %%",
        on_change=take_field,
        args=(desk, key, _put_caution),
        help="How much of what is maximised is the mean reward of the worst 5 % of scenarios "
        "(conditional value at risk, CVaR); the rest is the mean of all. 0 %: only the mean of all "
        "counts.",
    )
    usual = desk.inputs.goal.is_usual
    whole = desk.inputs.whole and usual
    key = session.fresh_key("provision.whole", whole)
    st.toggle(
        "Whole machines only",
        whole,
        key=key,
        on_change=take_field,
        args=(desk, key, _put_whole),
        disabled=not usual,
        help="Machines in parts take less time to decide. Another objective, limits on means, and "
        "fronts always take them in parts.",
    )


def _put_sampling(field: str, inputs: PlanInputs, value: Any) -> PlanInputs:
    return replace(inputs, scenarios=replace(inputs.scenarios, **{field: value}))


def _put_whole(inputs: PlanInputs, whole: bool) -> PlanInputs:
    return replace(inputs, whole=whole)


def _put_caution(inputs: PlanInputs, percent: int) -> PlanInputs:
    return replace(inputs, caution=percent / 100)
