"""The toolbar of the page Provision: budget, limits, spread and scenarios."""

from dataclasses import replace
from functools import partial
from typing import Any, Final, NamedTuple, get_args

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.capabilities.provision.files.plan_file import RATE_UNITS
from core.capabilities.provision.futures.uncertainty import Law, Variation
from core.capabilities.provision.futures.varying import NEAR_ENOUGH, OperationsFound, WantedKinds
from core.capabilities.provision.plan import FAILURE_RATE
from core.capabilities.provision.words import RewardRate, operations_said
from core.vocabulary.ranges import MACHINE_COUNT, POWER, Range
from core.vocabulary.say.words import Sense, share
from dashboard.parts.fields.choice import show_choice
from dashboard.parts.frame import markup
from dashboard.screens.provision.address import BUDGET, COV, LAWS, OPERATIONS, SPREADS
from dashboard.screens.provision.desk import PlanDesk, take_field
from dashboard.screens.provision.goal_settings import show_goal
from dashboard.screens.provision.inputs import PlanInputs
from dashboard.screens.provision.number_field import show_number, without_last_digits
from dashboard.screens.provision.scenario_settings import show_scenarios
from dashboard.screens.provision.words import in_force, operations_title
from dashboard.server.guard import callback
from dashboard.workspace import session
from dashboard.workspace.axis import CURRENCIES

_WATTS_PER_KW: Final = 1000.0
_RULE_CHARACTERS: Final = 10_000
_LAWS: Final[dict[Law, str]] = {
    "uniform": "Uniform",
    "lognormal": "Lognormal",
    "empirical": "As seen",
}
_SPREADS: Final = {
    "arrivals": ("Arrivals", "Of each task type, from one future to the next."),
    "times": ("Times", "Of each machine type: all task types take the same share more or less."),
    "powers": ("Powers", "Of each machine type."),
}


class ToolbarPlaces(NamedTuple):
    """Places in the toolbar: for the button that begins the search, and for what was found of the
    operations that explain the times.
    """

    run: DeltaGenerator
    operations: DeltaGenerator


def show_toolbar(desk: PlanDesk) -> ToolbarPlaces:
    """The toolbar; what depends on the answer is shown later, in its places."""
    inputs = desk.inputs
    with st.container(
        horizontal=True, vertical_alignment="bottom", gap="small", key="provision-toolbar"
    ):
        show_number(
            desk,
            "budget",
            f"Budget ({inputs.currency})",
            inputs.limits.budget,
            partial(_put_limit, "budget"),
            BUDGET,
            width=200,
        )
        with st.popover("Objective", icon=":material/flag:"):
            show_goal(desk)
        with st.popover("Limits", icon=":material/speed:"):
            _show_limits(desk)
        with st.popover("Spread", icon=":material/blur_on:"):
            operations = _show_spread(desk)
        with st.popover("Scenarios", icon=":material/casino:"):
            show_scenarios(desk)
        with st.popover("Units", icon=":material/straighten:"):
            _show_units(desk)
        run = st.container(width="content")
    st.html(markup.chips(in_force(inputs)), width="content")
    return ToolbarPlaces(run, operations)


def _show_limits(desk: PlanDesk) -> None:
    limits, unit = desk.inputs.limits, desk.inputs.rate_seconds
    st.caption("For all machines together, whatever comes. A blank limit does not bind.")
    watts = limits.power
    show_number(
        desk,
        "power",
        "Power (kW)",
        None if watts is None else without_last_digits(watts / _WATTS_PER_KW),
        lambda it, kw: _put_limit("power", it, None if kw is None else kw * _WATTS_PER_KW),
        Range(POWER.low, POWER.high / _WATTS_PER_KW, "kW"),
        "In every scenario, idle machines included.",
    )
    failures = limits.failure_rate
    show_number(
        desk,
        "failure_rate",
        f"Failures ({desk.inputs.rates.every})",
        None if failures is None else without_last_digits(failures * unit),
        lambda it, most: _put_limit(
            "failure_rate", it, None if most is None else most / it.rate_seconds
        ),
        Range(FAILURE_RATE.low, FAILURE_RATE.high * unit, ""),
        "Of busy machines, in every scenario.",
    )
    left, right = st.columns(2, gap="small")
    with left:
        show_number(
            desk,
            "least_machines",
            "At least (machines)",
            limits.least_machines,
            partial(_put_limit, "least_machines"),
            MACHINE_COUNT,
        )
    with right:
        show_number(
            desk,
            "most_machines",
            "At most (machines)",
            limits.most_machines,
            partial(_put_limit, "most_machines"),
            MACHINE_COUNT,
        )
    texts = "\n".join(desk.inputs.rules)
    key = session.fresh_key("provision.rules", texts)
    st.text_area(
        "Rules, one a line",
        texts,
        key=key,
        max_chars=_RULE_CHARACTERS,
        on_change=take_field,
        args=(desk, key, put_rules),
        placeholder="M1 + M2 >= 30 % of all",
        help="Linear rules about numbers of machines, such as M1 + M2 >= 30 % of all, or "
        "bought(M3) <= 4. A name that is not one word stands in quotation marks.",
    )


def put_rules(inputs: PlanInputs, texts: str | None) -> PlanInputs:
    lines = [line.strip() for line in (texts or "").splitlines()]
    return replace(inputs, rules=tuple(dict.fromkeys(filter(None, lines))))


def _put_limit(field: str, inputs: PlanInputs, value: float | None) -> PlanInputs:
    examples = inputs.examples - {field}
    limits = replace(inputs.limits, **{field: value})
    return replace(inputs, limits=limits, examples=examples)


def _show_spread(desk: PlanDesk) -> DeltaGenerator:
    """The law and the coefficient of variation of each quantity. Returns the place for what was
    found of operations.
    """
    st.caption(
        "How much each quantity varies about its mean: its standard deviation as a share of the "
        "mean (coefficient of variation)."
    )
    for name in SPREADS:
        title, meaning = _SPREADS[name]
        variation: Variation = getattr(desk.inputs.spread, name)
        laws = LAWS if not variation.seen else get_args(Law)
        left, right = st.columns([3, 2], gap="small")
        with left:
            key = session.fresh_key(f"provision.{name}.law", variation.law)
            st.selectbox(
                f"{title}: law",
                laws,
                laws.index(variation.law),
                format_func=_LAWS.__getitem__,
                key=key,
                on_change=take_field,
                args=(desk, key, partial(_put_variation, name, "law")),
                help=meaning,
            )
        with right:
            show_number(
                desk,
                f"{name}.cov",
                "Variation (%)",
                without_last_digits(100 * variation.cov),
                partial(_put_percent, name),
                Range(COV.low, 100 * COV.high, "%"),
                "Each type has a variation of its own, from the plan file. A number here replaces "
                "them all."
                if variation.covs
                else None,
                disabled=variation.law == "empirical",
            )
    value = round(100 * desk.inputs.spread.correlation)
    key = session.fresh_key("provision.correlation", value)
    st.slider(
        "Correlation of arrivals",
        0,
        100,
        value,
        key=key,
        format="%d %%",
        on_change=take_field,
        args=(desk, key, _put_correlation),
        help="0: each task type varies on its own. 100 %: all rise and fall together.",
    )
    wanted = desk.inputs.spread.operations
    key = session.fresh_key("provision.operations", wanted)
    st.selectbox(
        "Times are made of",
        OPERATIONS,
        OPERATIONS.index(wanted),
        format_func=operations_title,
        key=key,
        on_change=take_field,
        args=(desk, key, _put_operations),
        disabled=not desk.inputs.spread.times.varies,
        help="With abstract operations, some task types get slower on a machine type while others "
        "do not: each kind of operation varies on its own. Chosen by error: the fewest kinds that "
        f"explain all times to {share(NEAR_ENOUGH, Sense.TYPED)} on average, or the nearest.",
    )
    return st.container()


def show_operations(found: OperationsFound) -> None:
    """The number of kinds, and how far times are off with each that was tried."""
    st.caption(f":material/function: {operations_said(found)}.")


def _put_variation(name: str, field: str, inputs: PlanInputs, value: Any) -> PlanInputs:
    own: dict[str, Any] = {"covs": ()} if field == "cov" else {}
    variation = replace(getattr(inputs.spread, name), **{field: value}, **own)
    return replace(inputs, spread=replace(inputs.spread, **{name: variation}))


def _put_percent(name: str, inputs: PlanInputs, percent: float | None) -> PlanInputs:
    return _put_variation(name, "cov", inputs, without_last_digits((percent or 0.0) / 100))


def _put_operations(inputs: PlanInputs, wanted: WantedKinds) -> PlanInputs:
    return replace(inputs, spread=replace(inputs.spread, operations=wanted))


def _put_correlation(inputs: PlanInputs, percent: int) -> PlanInputs:
    return replace(inputs, spread=replace(inputs.spread, correlation=percent / 100))


def _show_units(desk: PlanDesk) -> None:
    now = desk.inputs
    key = session.fresh_key("provision.currency", now.currency)
    currencies = list(dict.fromkeys((*CURRENCIES, now.currency)))  # a plan file may name any
    st.selectbox(
        "Currency",
        currencies,
        currencies.index(now.currency),
        key=key,
        on_change=_take_unit,
        args=(desk, "currency", key),
        help="Of the budget, prices and resale.",
    )
    key = session.fresh_key("provision.rates", now.rate_unit)
    show_choice(
        "Rates",
        RATE_UNITS,
        format_func=lambda unit: RewardRate(unit, now.currency).every,
        default=now.rate_unit,
        key=key,
        on_change=_take_unit,
        args=(desk, "rate_unit", key),
        help="Arrivals, failures and rewards are written in this unit. Changing it changes no "
        "value.",
    )


@callback
def _take_unit(desk: PlanDesk, field: str, key: str) -> None:
    """The tables begin anew, since their numbers are written otherwise."""
    desk.fill(replace(desk.inputs, **{field: st.session_state[key]}))
