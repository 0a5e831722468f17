"""Site: what energy costs where the machines stand, over the day, and what it emits; to edit."""

from typing import Final

import pandas as pd
import streamlit as st

from core.vocabulary.prices.site import Site
from core.vocabulary.without_work import AS_GIVEN
from dashboard.parts.charts.shown import show_chart
from dashboard.parts.fields.buttons import show_button
from dashboard.parts.frame.site import offer_assumed_site, show_site_fields
from dashboard.parts.taking.take_away import csv_of, download, show_study_downloads
from dashboard.parts.told import (
    figures_row,
    show_key_figures,
    show_lead,
    show_sentences,
    show_table,
)
from dashboard.screens.site.day_chart import day_figure
from dashboard.screens.site.told import spans, steps_of, told
from dashboard.workspace import session

_AREA: Final = "at_site"
_ROWS: Final = (
    ("price", "currency"),
    ("day_tariff",),
    ("carbon", "carbon_price"),
    ("day_carbon",),
    ("cap_kw", "pue"),
)


def main() -> None:
    now = session.workspace()
    site, system, seen = now.site, now.system, now.version.seen
    said = told(site, system, idle_is_said=now.idle != AS_GIVEN or seen.idle_measured)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.title("Site", anchor=False, width="stretch")
        show_button(
            "Undo",
            session.undo_site,
            icon="undo",
            disabled=not session.past_sites(),
            help="Takes back the last change of the site, on whichever page it was made",
        )
        with st.popover("Export", icon=":material/download:", key="take-away"):
            download("Day (CSV)", lambda: csv_of(day_frame(site)), "wattfront-site.csv")
            show_study_downloads(system)
    show_lead(said)
    left, right = st.columns([3, 2], gap="large")
    with left:
        show_day(site)
    with right:
        show_site_fields(_AREA, *_ROWS)
        offer_assumed_site(_AREA)
    with figures_row():
        show_key_figures(said.figures, "content")
    for table in said.tables:
        st.subheader(table.title, anchor=False)
        show_table(table)
    show_sentences(said)


def show_day(site: Site) -> None:
    """The prices of the day, and below them the carbon."""
    money, carbon = f"{site.currency}/kWh", "kg CO₂/kWh"
    for key, steps, usual, title, what in (
        ("site-price", site.day_tariff, site.price, money, "costs"),
        ("site-carbon", site.day_carbon, site.carbon, carbon, "emits"),
    ):
        day = spans(steps, usual)
        alt = f"Bar chart: what a kWh {what} over the day, in {title}, in {len(day)} spans of hours"
        show_chart(day_figure(day, title, title), key, alt)


def day_frame(site: Site) -> pd.DataFrame:
    """The day as a table that *Open files* takes back: a row for each hour at which it changes."""
    return pd.DataFrame(steps_of(site), columns=["from", "price", "carbon"])


main()
