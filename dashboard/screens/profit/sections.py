"""Sections of the page Profit that are closed at first; nothing is computed before they open."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final

import streamlit as st

from core import System, Terms
from core.capabilities.profit.accept import Acceptance, accept
from core.capabilities.profit.day import Day, day_of
from core.capabilities.profit.program import CapTooLow
from core.capabilities.profit.settings import DEADLINE, REWARD, ProfitSettings
from core.capabilities.profit.told import NO_BATCH, told_of_day, told_of_part
from core.engines.relaxed import Front
from core.vocabulary.arrays import FloatArray
from core.vocabulary.prices.words import steps_said
from core.vocabulary.say.money import Money
from core.vocabulary.say.units import Unit, time_unit
from core.vocabulary.schedule import Schedule
from dashboard.parts.charts.shown import show_chart
from dashboard.parts.tables.editor import FIXED
from dashboard.parts.told import show_frame
from dashboard.screens.profit.editor import Rows, show_editor
from dashboard.screens.profit.line_charts import start_figure
from dashboard.screens.profit.state import SECTIONS, SHOWN, ProfitPageSettings, SectionName, keep
from dashboard.screens.profit.usual import (
    OFFERED,
    TYPE,
    Offer,
    accepted_frame,
    offer_of,
    with_prices_by_hour,
)
from dashboard.screens.profit.usual import REWARD as REWARD_COLUMN
from dashboard.server.caching import BY_CONTENT
from dashboard.server.guard import callback
from dashboard.workspace import asking

_MOST_HEIGHT: Final = 320
_ROW_HEIGHT: Final = 36


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs=BY_CONTENT)
def part_of(system: System, terms: Terms, rewards: FloatArray, period: float) -> Acceptance:
    return asking.compute(accept, system, terms, rewards, period)


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs=BY_CONTENT)
def day_for(schedule: Schedule, terms: Terms, settings: ProfitSettings) -> Day | None:
    tariff = settings.site.day
    return None if tariff is None else day_of(schedule, terms, tariff)


def show_sections(
    page_settings: ProfitPageSettings,
    front: Front,
    schedule: Schedule | None,
    show_lines: Callable[[], None],
) -> ProfitPageSettings:
    """Shows the sections. `schedule` is the one found; None if running nothing is best. Returns the
    settings with the sections that are open now.
    """
    shown: list[SectionName] = []
    show: dict[SectionName, Callable[[], None]] = {
        "lines": show_lines,
        "part": partial(_show_part, page_settings.profit, front),
        "start": partial(_show_start, page_settings.profit, front, schedule),
    }
    for section, title in SECTIONS.items():
        folded = st.expander(
            title,
            expanded=section in page_settings.show,
            key=f"profit.section.{section}",
            on_change="rerun",
        )
        if folded.open:
            shown.append(section)
            with folded:
                show[section]()
    st.session_state[SHOWN] = tuple(shown)
    return replace(page_settings, show=tuple(shown))


def settings_with_sections(page_settings: ProfitPageSettings, front: Front) -> ProfitSettings:
    """The settings of profit, with the usual ones of the open sections filled in."""
    settings = page_settings.profit
    if "part" in page_settings.show:
        settings = offer_of(settings, front).put_into(settings)
    return settings


def _show_part(settings: ProfitSettings, front: Front) -> None:
    system, money, offer = front.system, settings.money, offer_of(settings, front)
    answer = st.container()
    _show_deadline(offer, time_unit(float(front.makespan[0])))
    left, right = st.columns(2, gap="large")
    with left:
        _show_rewards(offer, money)
    try:
        terms = settings.terms_at(0.0, system)  # tasks have rewards, and the batch has no price
        part = part_of(system, terms, offer.rewards, offer.deadline)
    except CapTooLow as refusal:
        answer.warning(f"No task can be accepted: {refusal}.")
        return
    answer.markdown(f"**{told_of_part(part, offer.deadline, money).lead}**")
    with right:
        said, height = "How many tasks of each type to accept", _height(len(system.task_types))
        show_frame(accepted_frame(part), said, height=height)
    st.caption(
        "Here the batch has no price: each task that is run brings its reward. "
        + ("Checked independently." if part.verified else "The independent check found FAULTS.")
    )


def _show_deadline(offer: Offer, unit: Unit) -> None:
    key = f"profit.deadline {unit.symbol}"
    st.number_input(
        f"Deadline ({unit.symbol})",
        DEADLINE.low / unit.size,
        DEADLINE.high / unit.size,
        offer.deadline / unit.size,
        key=key,
        format="%.4g",
        on_change=_take_deadline,
        args=(offer.system, key, unit.size),
        help="All accepted tasks are done by then, and all machines stay on until then.",
        width=200,
    )


def _show_rewards(offer: Offer, money: Money) -> None:
    """A table to edit: the reward of each task type."""
    system = offer.system
    show_editor(
        f"profit.rewards {hash(system.task_names)}",
        offer.frame,
        partial(_take_rewards, system),
        columns={
            TYPE: FIXED,
            OFFERED: FIXED,
            REWARD_COLUMN: st.column_config.NumberColumn(
                f"Reward ({money.currency} per task)",
                min_value=REWARD.low,
                max_value=REWARD.high,
                format="%.4g",
            ),
        },
        height=_height(len(system.task_types)),
    )


def _show_start(settings: ProfitSettings, front: Front, schedule: Schedule | None) -> None:
    money = settings.money
    is_example = settings.site.day is None
    settings = with_prices_by_hour(settings)
    answer = st.container()
    if schedule is None:
        answer.markdown(f"**{NO_BATCH.lead}**")
        return
    day = day_for(schedule, settings.terms(front), settings)
    if day is None:
        return
    said = told_of_day(day, day.best, money).lead
    answer.markdown(f"**{said}**")
    show_chart(
        start_figure(day, money),
        "profit_start",
        alt="Line chart: the cost of the electricity of one batch, over the hour at which it "
        f"starts. {said}",
    )
    prices = steps_said(settings.site.day_tariff)
    st.caption(
        (
            f"An example, since the site above the page has no prices by hour: {prices}. "
            if is_example
            else "The prices by hour are those of the site above the page. "
        )
        + "This is the cost of one batch with the schedule found above. That schedule is the best "
        "for the single price per kWh."
    )


@callback
def _take_deadline(system: System, deadline_key: str, unit: float) -> None:
    keep(system, deadline=st.session_state[deadline_key] * unit)


def _take_rewards(system: System, rows: Rows) -> None:
    """Takes the rewards. An empty cell is 0."""
    keep(system, rewards=tuple((str(row[TYPE]), float(row[REWARD_COLUMN] or 0.0)) for row in rows))


def _height(rows: int) -> int:
    return min((rows + 1) * _ROW_HEIGHT, _MOST_HEIGHT)
