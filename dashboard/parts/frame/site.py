"""What energy costs at the site, above every page: changed once, it holds everywhere."""

from dataclasses import replace
from typing import Any, Final

import streamlit as st

from core import InvalidInput
from core.shells.settings.by_hour import read_steps
from core.vocabulary.prices.day import DayTariff
from core.vocabulary.prices.site import ASSUMED, CURRENCIES, WATTS_PER_KW, Site
from core.vocabulary.say.words import Sense, power, rounded, typed
from core.vocabulary.setting import ByHour, settings_in
from dashboard.parts.fields.buttons import show_button
from dashboard.parts.fields.setting import show_field
from dashboard.server.guard import callback
from dashboard.workspace import session

_FORMATS: Final = {
    "pue": "%.3g",
    **dict.fromkeys(("price", "carbon", "carbon_price", "cap_kw"), "%.4g"),
}
_MEANS: Final = {"day_tariff": "price", "day_carbon": "carbon"}
_FAULT: Final = "site.fault"
_BY_HOUR: Final = (
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
        said = f"{said} by hour"
    if site.pue != ASSUMED.pue:
        said += f", PUE {typed(site.pue)}"
    if site.cap_kw is not None:
        said += f", at most {power(site.cap_kw * WATTS_PER_KW, Sense.TYPED)}"
    return f"{said} assumed" if site.is_assumed else said


def show_site() -> None:
    """The site in a few words, and its fields. Dashed as long as it is assumed."""
    now = session.site()
    with st.container(key="site", gap=None, width="content"):
        # The class of an element, for the key of a container would close what is open in it.
        st.html(f'<i class="{"wf-assumed" if now.is_assumed else "wf-known"}" hidden></i>')
        shown = st.popover(site_said(now), icon=":material/payments:", type="tertiary")
    with shown:
        st.caption("What energy costs at your site. It holds on every page.")
        price, currency = st.columns([3, 2], gap="small", wrap=False)
        with price:
            _show(now, "price")
        with currency:
            options = list(dict.fromkeys((*CURRENCIES, now.currency)))  # a study may name any
            show_field("site", _take, now, "currency", options=options)
        for name in ("day_tariff", "carbon", "day_carbon", "carbon_price", "pue", "cap_kw"):
            _show(now, name)
        if fault := st.session_state.get(_FAULT):
            st.error(fault, icon=":material/error:")
        if not now.is_assumed:
            show_button("As assumed at first", session.set_site, ASSUMED, icon="undo")


def _show(now: Site, name: str) -> None:
    how: dict[str, Any] = {"label": site_label(now, name)}
    if isinstance(settings_in(Site)[name].kind, ByHour):
        how |= {"placeholder": "0:0.20 7:0.35 20:0.20", "help": _BY_HOUR}
    else:
        how["format"] = _FORMATS[name]
    show_field("site", _take, now, name, **how)


@callback
def _take(name: str, key: str) -> None:
    """Takes over a field. One that was emptied keeps what it had, if a site must have it. With
    numbers by hour, what holds without an hour is their mean.
    """
    value, kind = st.session_state[key], settings_in(Site)[name].kind
    changed: dict[str, Any] = {}
    st.session_state[_FAULT] = None
    if isinstance(kind, ByHour):
        try:
            steps = ",".join(value.replace(",", " ").split())
            value = read_steps(steps, kind, kind.what) if steps else ()
        except InvalidInput as refused:
            st.session_state[_FAULT] = refused.problems[0].message
            return
        if value:
            changed[_MEANS[name]] = rounded(DayTariff.of_day(value).mean, Sense.PLAIN)
    elif value is None and settings_in(Site)[name].blank is None:
        return
    session.set_site(replace(session.site(), **(changed | {name: value})).on_a_page())
