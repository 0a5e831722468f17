"""The widgets of a plan: each is about one field of `PlanInputs`, named by its path."""

from dataclasses import replace
from typing import Any, Final, NamedTuple

import streamlit as st

from core.vocabulary.say.words import Sense, rounded
from core.vocabulary.setting import NumberIn, Setting, settings_in
from dashboard.parts.fields.setting import show_widget
from dashboard.screens.provision.desk import PlanDesk
from dashboard.screens.provision.inputs import PlanInputs
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
    label = how.pop("label", setting.label).format(
        currency=desk.inputs.currency, money=rates.money, every=rates.every
    )
    if isinstance(setting.kind, NumberIn):
        low, high = setting.kind.allowed.low, setting.kind.allowed.high
        value = None if value is None else unit.typed(float(value))
        ends = {"min_value": unit.typed(float(low)), "max_value": unit.typed(float(high))}
        how = {"value": value, **ends, "placeholder": "none", **how}
    key = session.fresh_key(f"provision.{path}", value)
    taken = {"key": key, "on_change": _take, "args": (desk, key, path, unit)}
    show_widget(settings, name, label=label, **taken, **how)


def show_percent(desk: PlanDesk, path: str) -> None:
    """A slider for a share."""
    settings, name, setting = _found(desk.inputs, path)
    percent = round(100 * getattr(settings, name))
    key = session.fresh_key(f"provision.{path}", percent)
    st.slider(
        setting.label,
        0,
        100,
        percent,
        key=key,
        format="%d %%",
        on_change=_take,
        args=(desk, key, path, PERCENT),
        help=setting.meaning,
    )


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
