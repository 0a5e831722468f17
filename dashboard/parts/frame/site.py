"""What energy costs at the site, above every page: changed once, it holds everywhere."""

from dataclasses import replace
from typing import Final

import streamlit as st

from core.vocabulary.prices.site import ASSUMED, CURRENCIES, Site
from core.vocabulary.say.words import typed
from core.vocabulary.setting import settings_in
from dashboard.parts.fields.buttons import show_button
from dashboard.parts.fields.setting import show_field
from dashboard.server.guard import callback
from dashboard.workspace import session

_FORMATS: Final = {"price": "%.4g", "carbon": "%.4g", "carbon_price": "%.4g", "pue": "%.3g"}


def site_label(site: Site, name: str) -> str:
    """What a setting of the site is called, with its unit."""
    return settings_in(Site)[name].label.format(currency=site.currency)


def site_said(site: Site) -> str:
    """What energy costs there, in few words."""
    said = f"{typed(site.price)} {site.currency}/kWh"
    if site.pue != ASSUMED.pue:
        said += f", PUE {typed(site.pue)}"
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
        for name in ("carbon", "carbon_price", "pue"):
            _show(now, name)
        if not now.is_assumed:
            show_button("As assumed at first", session.set_site, ASSUMED, icon="undo")


def _show(now: Site, name: str) -> None:
    show_field("site", _take, now, name, label=site_label(now, name), format=_FORMATS[name])


@callback
def _take(name: str, key: str) -> None:
    value = st.session_state[key]
    if value is not None:
        session.set_site(replace(session.site(), **{name: value}))
