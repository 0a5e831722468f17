"""What energy costs at the site, above every page: changed once, it holds everywhere."""

import math
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import Any, Final

import streamlit as st

from core import InvalidInput
from core.files.numbers import parse_number
from core.shells.settings.by_hour import read_steps
from core.vocabulary.prices.day import DailySteps, DayTariff
from core.vocabulary.prices.site import ASSUMED, CAP_KW, CURRENCIES, WATTS_PER_KW, Site
from core.vocabulary.say.quantities import POWER, read_quantity
from core.vocabulary.say.words import Sense, power, rounded, typed
from core.vocabulary.setting import ByHour, settings_in
from dashboard.parts.fields.buttons import show_button, show_chip
from dashboard.parts.fields.setting import show_field
from dashboard.server.guard import callback
from dashboard.workspace import session
from dashboard.workspace.parameters import written_pairs

_FORMATS: Final = {"pue": "%.3g"}
_MEANS: Final = {"day_tariff": "price", "day_carbon": "carbon"}
_FAULT: Final = "wattfront.site.fault"
"""What was in force when a field was not taken over; its area and name, why, and what was typed."""
_CHIP: Final = "site"
_WIDTHS: Final = (3, 2)
_BY_HOUR: Final = {"day_tariff": "0:0.20 7:0.35 20:0.20", "day_carbon": "0:0.40 9:0.20 18:0.40"}
_HOURS: Final = (
    "Hours of the day, and the number from each on, as 0:0.20 7:0.35 20:0.20. Leave it empty if it "
    "is the same all day."
)


def site_label(site: Site, name: str) -> str:
    """What a setting of the site is called, with its unit."""
    return settings_in(Site)[name].label.format(currency=site.currency)


def site_said(site: Site) -> str:
    """What energy costs there, in few words."""
    said = f"{typed(site.price)} {site.currency}/kWh"
    if site.day_tariff:
        said = f"{said} on average"
    if site.prices_are_assumed:
        said += " assumed"
    if site.cap_kw is not None:
        said += f", at most {power(site.cap_kw * WATTS_PER_KW, Sense.TYPED)}"
    return said


def show_site() -> None:
    """The site in a few words, and its fields; the page Site has the same."""
    now = session.site()
    pue_assumed = now.pue == ASSUMED.pue
    said = f"PUE {typed(now.pue)}" + (" assumed" if pue_assumed else "")
    with show_chip("pue", said, "factory", assumed=pue_assumed):
        show_site_fields(_CHIP, ("pue",))
        st.caption("The energy of your hall over that of its machines: ask who runs the hall.")
    show_price()


def show_price() -> None:
    """What energy costs at the site, and its fields."""
    now = session.site()
    with show_chip("site", site_said(now), "payments", assumed=now.prices_are_assumed):
        st.caption("What energy costs at your site. It holds on every page.")
        others = ("day_tariff", "carbon", "day_carbon", "carbon_price", "cap_kw")
        show_site_fields(_CHIP, ("price", "currency"), *((name,) for name in others))
        offer_assumed_site(_CHIP)
        st.page_link(
            "screens/site/page.py",
            label="The day at your site: Site",
            icon=":material/location_on:",
        )


def show_site_fields(area: str, *rows: tuple[str, ...]) -> None:
    """Fields of the site, one or two in a row; below it, why what was typed there was not taken
    over. Keys of widgets begin with the area.
    """
    now = session.site()
    in_force, *refused = st.session_state.get(_FAULT, (None,))
    where, wrong, fault, text = refused if in_force == _in_force() else ("",) * 4
    for row in rows:
        places: Sequence[AbstractContextManager[object]] = [nullcontext()]
        if len(row) > 1:
            places = st.columns(_WIDTHS, gap="small", wrap=False)
        for name, place in zip(row, places, strict=True):
            with place:
                _show(area, now, name, text if (where, wrong) == (area, name) else None)
        if where == area and wrong in row:
            st.error(fault, icon=":material/error:")


def offer_assumed_site(area: str) -> None:
    """A way back to what was assumed, where it was changed."""
    if not session.site().is_assumed:
        show_button(
            "As assumed at first", session.set_site, ASSUMED, icon="undo", key=f"{area}.usual"
        )


def _show(area: str, now: Site, name: str, refused: str | None) -> None:
    """A field of the site; one whose text was `refused` keeps it."""
    label = site_label(now, name)
    if name == "cap_kw" or name in _BY_HOUR:  # as text: a field for a number cannot be emptied
        said = _text(now, name) if refused is None else refused
        key = session.fresh_key(f"{area}.{name}", said)
        st.text_input(
            label,
            said,
            key=key,
            help=_HOURS if name in _BY_HOUR else settings_in(Site)[name].meaning,
            placeholder=_BY_HOUR.get(name, "none"),
            on_change=_take,
            args=(name, key),
        )
    elif name == "currency":
        options = list(dict.fromkeys((*CURRENCIES, now.currency)))  # a study may name any
        show_field(area, _take, now, name, options=options)
    else:
        show_field(area, _take, now, name, label=label, format=_FORMATS.get(name, "%.4g"))


def _text(site: Site, name: str) -> str:
    """What a field for text shows of the site."""
    value = getattr(site, name)
    if name in _BY_HOUR:
        return written_pairs(dict(value))
    return "" if value is None else typed(value)


@callback
def _take(name: str, key: str) -> None:
    """Takes over a field. One that was emptied keeps what it had, if a site must have it. With
    numbers by hour, what holds without an hour is their mean.
    """
    value = st.session_state[key]
    changed: dict[str, Any] = {}
    st.session_state.pop(_FAULT, None)
    try:
        if name == "cap_kw":
            value = read_kilowatts(value)
        elif name in _BY_HOUR:
            value = read_hours(name, value)
            changed = {_MEANS[name]: mean_of(value)} if value else {}
    except (InvalidInput, ValueError) as refused:
        area, _, _ = key.partition(".")
        why = str(refused).removeprefix("error: ")
        st.session_state[_FAULT] = _in_force(), area, name, why, value
        return
    if value is not None or name == "cap_kw":
        session.set_site(replace(session.site(), **{name: value}, **changed).on_a_page())


def _in_force() -> tuple[object, Site]:
    """The study in force and its site."""
    return session.workspace().version.origin, session.site()


def read_kilowatts(text: str) -> float | None:
    """Kilowatts from a number, or an amount with its unit; None if there is nothing."""
    number = parse_number(text)
    if number is None:
        number = read_quantity(text, POWER) / WATTS_PER_KW
    return None if math.isnan(number) else CAP_KW.nearest(number)


def read_hours(name: str, text: str) -> DailySteps:
    """Steps over the day, with spaces or commas between them. Raises `InvalidInput`."""
    kind, steps = settings_in(Site)[name].kind, ",".join(text.replace(",", " ").split())
    if not steps or not isinstance(kind, ByHour):
        return ()
    return read_steps(steps, kind, "", f"or take a CSV file of from,{kind.what} in by “Open files”")


def put_hours_in_force(hours: Mapping[str, DailySteps]) -> None:
    """Takes over numbers by hour of these settings; what holds without an hour is their mean."""
    changed: dict[str, Any] = {_MEANS[name]: mean_of(steps) for name, steps in hours.items()}
    session.set_site(replace(session.site(), **changed | dict(hours)).on_a_page())


def mean_of(steps: DailySteps) -> float:
    """The mean over the day, in the digits that a person would type."""
    return rounded(DayTariff.of_day(steps).mean, Sense.PLAIN)
