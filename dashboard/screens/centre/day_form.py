"""The form of what no table of the centre has: its clock, its steps, its money, its fan."""

import re
from dataclasses import dataclass
from typing import Any, Final, Self

import streamlit as st

from core.capabilities.centre.centre import FAN_LAWS, FanLaw
from core.capabilities.centre.files.centre_settings import LENGTH, MONEY, PEAK_PRICE, STEP
from core.vocabulary.ranges import Range
from core.vocabulary.say.words import HOUR, MINUTE
from core.vocabulary.setting import AnyText, NumberIn, OneOf, setting
from dashboard.parts.fields.setting import show_field
from dashboard.screens.centre import state
from dashboard.screens.centre.draft import CentreDraft
from dashboard.server.guard import callback

_FANS: Final[dict[FanLaw, str]] = {"cubic": "by the cube of its speed", "linear": "by its speed"}
_UNITS: Final = {"length": HOUR, "step": MINUTE}
_WIDTH: Final = 195
_WHOLE_MINUTE: Final = re.compile(r"(T\d\d:\d\d):00(?=$|[+Z-])")


@dataclass(frozen=True, slots=True)
class DayForm:
    """The settings of a centre in the form, in the units of its fields."""

    begin: str = setting(
        "",
        AnyText(),
        "Begins at",
        "By the clock of the centre, such as 2026-08-01T00:00. Curves must have all of the day. "
        "Jobs keep their time since it began.",
    )
    zone: str = setting("", AnyText(), "Clock of", "A time zone, such as Europe/London.")
    length: float = setting(
        0.0,
        NumberIn(Range(LENGTH.low / HOUR, LENGTH.high / HOUR, "h")),
        "Length (h)",
        "A whole number of steps. Up to 32 days are planned as one.",
    )
    step: float = setting(
        0.0,
        NumberIn(Range(STEP.low / MINUTE, STEP.high / MINUTE, "min")),
        "Step (min)",
        "Shorter steps are more exact, and take longer. Jobs take whole steps.",
    )
    currency: str = setting(
        "",
        AnyText(),
        "Currency of the centre",
        "Such as EUR. Prices stay as they are.",
    )
    feed_in: float = setting(
        0.0, NumberIn(MONEY), "A kWh left over brings", "Green power that the centre does not use."
    )
    peak_price: float = setting(
        0.0, NumberIn(PEAK_PRICE), "A peak kW costs", "Of the highest grid power of the day."
    )
    fan_law: str = setting(
        FAN_LAWS[0],
        OneOf(FAN_LAWS, _FANS.__getitem__),
        "The fan draws power",
        "Fans of adjustable speed draw power by its cube.",
    )

    @classmethod
    def of(cls, draft: CentreDraft) -> Self:
        """What is typed; a time without seconds where they are 0."""
        grid, cooling = draft.settings["grid"], draft.settings["cooling"]
        begin = _WHOLE_MINUTE.sub(r"\1", grid["begin"])
        length, step = (grid[name] / unit for name, unit in _UNITS.items())
        money = grid["currency"], grid["feed_in"], grid["peak_price"]
        return cls(begin, grid["zone"], length, step, *money, cooling["fan_law"])


def show_day_form(draft: CentreDraft) -> None:
    """The fields, one beside the other; each is in force at once, or says why it is not."""
    form = DayForm.of(draft)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        for name in DayForm.__slots__:
            show_field("centre.day", _take, form, name, width=_WIDTH)


@callback
def _take(name: str, key: str) -> None:
    value: Any = st.session_state[key]
    if value is None:
        return  # a number that was emptied stays as it was
    group = "cooling" if name == "fan_law" else "grid"
    value = value.strip() if isinstance(value, str) else value * _UNITS.get(name, 1.0)
    # Tables of jobs show the clock, so editors begin anew.
    state.edit(state.current().draft.with_setting(group, name, value), anew=True)
