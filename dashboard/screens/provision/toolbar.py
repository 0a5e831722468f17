"""The toolbar of the page What to buy: budget, limits, spread and scenarios. Each widget is about
one field of `PlanInputs`, named by its path.
"""

from dataclasses import replace
from typing import Any, Final, NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.capabilities.provision.files.plan_file import RATE_UNITS, SPREADS
from core.capabilities.provision.futures.uncertainty import LAWS, Variation
from core.capabilities.provision.futures.varying import OperationsFound
from core.capabilities.provision.goals.answer import GOALS
from core.capabilities.provision.words import RewardRate, operations_said
from core.vocabulary.say.words import Sense, begun, rounded
from core.vocabulary.setting import NumberIn, Setting, settings_in
from dashboard.parts.desk import take_field
from dashboard.parts.fields.setting import show_choice, show_widget
from dashboard.parts.frame import markup
from dashboard.screens.provision.desk import PlanDesk
from dashboard.screens.provision.inputs import PlanInputs
from dashboard.screens.provision.words import in_force, operations_title
from dashboard.server.guard import callback
from dashboard.workspace import session


class TypedUnit(NamedTuple):
    """A unit in which a number is typed: `times / per` of the unit in which a plan has it."""

    times: float = 1.0
    per: float = 1.0

    def typed(self, kept: float) -> float:
        """Without the digits that only the arithmetic has."""
        return kept if self == AS_IT_IS else rounded(kept * self.per / self.times, Sense.PLAIN, 12)

    def kept(self, typed: float) -> float:
        """As exactly as it can be; a share without the digits that only the arithmetic has."""
        value = typed * self.times / self.per
        return rounded(value, Sense.PLAIN, 12) if self == PERCENT else value


AS_IT_IS: Final = TypedUnit()
KILOWATTS: Final = TypedUnit(times=1000.0)
PERCENT: Final = TypedUnit(per=100.0)


def show_plan_field(desk: PlanDesk, path: str, unit: TypedUnit = AS_IT_IS, **how: Any) -> None:
    """The widget of a field, such as `limits.power`; a number is typed in this unit."""
    settings, name, setting = _found(desk.inputs, path)
    value, rates = getattr(settings, name), desk.inputs.rates
    if isinstance(setting.kind, NumberIn):
        low, high = setting.kind.allowed.low, setting.kind.allowed.high
        value = None if value is None else unit.typed(float(value))
        ends = {"min_value": unit.typed(float(low)), "max_value": unit.typed(float(high))}
        how = {"value": value, **ends, "placeholder": "none", **how}
    key = session.fresh_key(f"provision.{path}", value)
    label = how.pop("label", setting.label)
    how |= {"key": key, "on_change": _take, "args": (desk, key, path, unit)}
    said = {"currency": desk.inputs.currency, "money": rates.money, "every": rates.every}
    show_widget(settings, name, label=label.format(**said), **how)


def show_percent(desk: PlanDesk, path: str) -> None:
    """A slider for a share."""
    settings, name, setting = _found(desk.inputs, path)
    percent = round(100 * getattr(settings, name))
    key = session.fresh_key(f"provision.{path}", percent)
    taken: dict[str, Any] = {"on_change": _take, "args": (desk, key, path, PERCENT)}
    ends = {"min_value": 0, "max_value": 100, "value": percent, "format": "%d %%"}
    st.slider(setting.label, key=key, help=setting.meaning, **ends, **taken)


@callback
def _take(desk: PlanDesk, key: str, path: str, unit: TypedUnit) -> None:
    """Takes over the value of a widget."""
    value = st.session_state[key]
    if unit is not AS_IT_IS and value is not None:
        value = unit.kept(value)
    inputs: PlanInputs = put(desk.inputs, path, value)
    desk.change(replace(inputs, examples=inputs.examples - {path.removeprefix("limits.")}))


def put(settings: Any, path: str, value: Any) -> Any:
    """The settings with another value at a path."""
    name, _, below = path.partition(".")
    if below:
        return replace(settings, **{name: put(getattr(settings, name), below, value)})
    if name == "objective":
        return settings.seeking(value)
    own = {"covs": (), "cov": value or 0.0} if name == "cov" else {name: value}
    return replace(settings, **own)


def _found(inputs: PlanInputs, path: str) -> tuple[Any, str, Setting]:
    """The settings at a path, the name of the last field, and how it is declared."""
    *groups, name = path.split(".")
    settings: Any = inputs
    for group in groups:
        settings = getattr(settings, group)
    return settings, name, settings_in(type(settings))[name]


_RULE_CHARACTERS: Final = 10_000
_SPREADS: Final = {
    "arrivals": ("Arrivals", "Of each task type, from one future to the next."),
    "times": ("Times", "Of each machine type: all task types take the same share more or less."),
    "powers": ("Powers", "Of each machine type."),
}


class ToolbarPlaces(NamedTuple):
    """Places in the toolbar: for the button of the search, and for what was found of operations."""

    run: DeltaGenerator
    operations: DeltaGenerator


def show_toolbar(desk: PlanDesk) -> ToolbarPlaces:
    """The toolbar; what depends on the answer is shown later, in its places."""
    inputs = desk.inputs
    with st.container(
        horizontal=True, vertical_alignment="bottom", gap="small", key="provision-toolbar"
    ):
        show_plan_field(desk, "limits.budget", width=200)
        with st.popover("Objective", icon=":material/flag:"):
            _show_goal(desk)
        with st.popover("Limits", icon=":material/speed:"):
            _show_limits(desk)
        with st.popover("Spread", icon=":material/blur_on:"):
            operations = _show_spread(desk)
        with st.popover("Scenarios", icon=":material/casino:"):
            _show_scenarios(desk)
        with st.popover("Units", icon=":material/straighten:"):
            _show_units(desk)
        run = st.container(width="content")
    st.html(markup.chips(in_force(inputs)), width="content")
    return ToolbarPlaces(run, operations)


def _show_goal(desk: PlanDesk) -> None:
    """The choice of what is sought, and a field for each limit on a mean."""
    objective, rate = desk.inputs.goal.objective, TypedUnit(per=desk.inputs.rate_seconds)
    rates = desk.inputs.rates
    least = f"{begun(rates.noun)} at least ({{money}})"
    goals = {name: rates.worded(said) for name, said in GOALS.items()}
    no_hours = session.workspace().version.seen.arrivals is None
    of_week = desk.inputs.of_week is not None
    show_plan_field(desk, "sought", disabled=no_hours and not of_week)
    if of_week:
        st.caption("Budget and limits hold, and no other objective counts.")
        return
    show_plan_field(desk, "by_work")
    show_plan_field(desk, "goal.objective", format_func=goals.__getitem__)
    st.caption("The others keep these limits on average. A blank limit does not bind.")
    for name, unit in (("reward", rate), ("failures", rate), ("power", KILOWATTS)):
        if objective != name:
            label = {"label": least} if name == "reward" else {}
            show_plan_field(desk, f"goal.{name}", unit, **label)
    st.caption("The cost keeps the budget.")


def _show_limits(desk: PlanDesk) -> None:
    st.caption(
        "For all machines together, whatever comes. A blank limit does not bind. The power cap is "
        "that of the site, above the page."
    )
    show_plan_field(desk, "limits.failure_rate", TypedUnit(per=desk.inputs.rate_seconds))
    left, right = st.columns(2, gap="small")
    with left:
        show_plan_field(desk, "limits.least_machines")
    with right:
        show_plan_field(desk, "limits.most_machines")
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


def _show_spread(desk: PlanDesk) -> DeltaGenerator:
    """Law and coefficient of variation of each quantity. Returns the place for operations."""
    st.caption(
        "How much each quantity varies about its mean: its standard deviation as a share of the "
        "mean (coefficient of variation)."
    )
    for name in SPREADS:
        title, meaning = _SPREADS[name]
        variation: Variation = getattr(desk.inputs.spread, name)
        laws = [law for law in LAWS if law != "empirical" or variation.seen]
        left, right = st.columns([3, 2], gap="small")
        with left:
            path, label = f"spread.{name}.law", f"{title}: law"
            show_plan_field(desk, path, options=laws, label=label, help=meaning)
        with right:
            own = "Each type has a variation of its own, from the plan file. A number here "
            show_plan_field(
                desk,
                f"spread.{name}.cov",
                PERCENT,
                help=f"{own}replaces them all." if variation.covs else None,
                disabled=variation.law == "empirical",
            )
    show_percent(desk, "spread.correlation")
    fixed = not desk.inputs.spread.times.varies
    show_plan_field(desk, "spread.operations", format_func=operations_title, disabled=fixed)
    return st.container()


def _show_scenarios(desk: PlanDesk) -> None:
    """How many scenarios are drawn and how, how bad ones count, and whether machines are whole."""
    show_plan_field(desk, "scenarios.count")
    show_plan_field(desk, "scenarios.points", segmented=True)
    show_plan_field(desk, "scenarios.seed")
    show_percent(desk, "caution")
    usual = desk.inputs.is_usual
    whole = desk.inputs.is_whole(usual_goal=usual)
    show_plan_field(desk, "whole", value=whole, disabled=not usual)


def show_operations(found: OperationsFound) -> None:
    """The number of kinds, and how far times are off with each that was tried."""
    st.caption(f":material/function: {operations_said(found)}.")


def _show_units(desk: PlanDesk) -> None:
    now = desk.inputs
    key = session.fresh_key("provision.rates", now.rate_unit)
    show_choice(
        "Rates",
        RATE_UNITS,
        format_func=lambda unit: RewardRate(unit, now.currency).every,
        default=now.rate_unit,
        key=key,
        on_change=_take_rates,
        args=(desk, key),
        help="Arrivals, failures and rewards are written in this unit. Changing it changes no "
        "value.",
    )


@callback
def _take_rates(desk: PlanDesk, key: str) -> None:
    """The tables begin anew, since their numbers are written otherwise."""
    desk.fill(replace(desk.inputs, rate_unit=st.session_state[key]))
