"""Parts of the profit page that stay folded, and cost nothing, until they are asked for."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final

import pandas as pd
import streamlit as st

from core import System, Terms
from core.model.arrays import FloatArray
from core.model.schedule import Schedule
from core.profit.accept import Acceptance, accept
from core.profit.conditions import RANGES, REWARD, ProfitSettings
from core.profit.day import Day, day_of
from core.profit.day_tariff import HOURS
from core.profit.program import CapTooLow
from core.relaxed import Front
from core.say.money import Money
from core.say.units import Unit, time_unit
from core.say.words import NOTHING
from dashboard.common.drawing import TOOLS
from dashboard.profit.address import SECTIONS, ProfitPageSettings, Section
from dashboard.profit.editor import Rows, show_editor
from dashboard.profit.part import (
    OFFERED,
    TYPE,
    Offer,
    accepted_frame,
    offer_of,
)
from dashboard.profit.part import REWARD as REWARD_COLUMN
from dashboard.profit.part import sentence as part_sentence
from dashboard.profit.start import FROM, PRICE, steps_of, with_tariff
from dashboard.profit.start import sentence as start_sentence
from dashboard.profit.start_chart import start_figure
from dashboard.profit.state import SHOWN, keep
from dashboard.shell.caching import BY_CONTENT
from dashboard.shell.guard import callback
from dashboard.workspace import asking

_MOST_HEIGHT: Final = 320
_ROW_HEIGHT: Final = 36


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs=BY_CONTENT)
def part_of(system: System, terms: Terms, rewards: FloatArray, period: float) -> Acceptance:
    return asking.compute(accept, system, terms, rewards, period)


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs=BY_CONTENT)
def day_for(schedule: Schedule, terms: Terms, conditions: ProfitSettings) -> Day | None:
    tariff = conditions.tariff()
    return None if tariff is None else day_of(schedule, terms, tariff)


def show_sections(
    view: ProfitPageSettings,
    front: Front,
    schedule: Schedule | None,
    show_lines: Callable[[], None],
) -> ProfitPageSettings:
    """`schedule` is the one found, if batches are to be run at all. The view as unfolded now."""
    shown: list[Section] = []
    show: dict[Section, Callable[[], None]] = {
        "lines": show_lines,
        "part": partial(_show_part, view.conditions, front),
        "start": partial(_show_start, view.conditions, front, schedule),
    }
    for section, title in SECTIONS.items():
        folded = st.expander(
            title, expanded=section in view.show, key=f"profit.section.{section}", on_change="rerun"
        )
        if folded.open:
            shown.append(section)
            with folded:
                show[section]()
    st.session_state[SHOWN] = tuple(shown)
    return replace(view, show=tuple(shown))


def asked(view: ProfitPageSettings, front: Front) -> ProfitSettings:
    """The conditions with what the sections that are unfolded take for granted."""
    conditions = view.conditions
    if "part" in view.show:
        conditions = offer_of(conditions, front).put_into(conditions)
    if "start" in view.show:
        conditions = with_tariff(conditions)
    return conditions


def _show_part(given: ProfitSettings, front: Front) -> None:
    system, money, offer = front.system, given.money, offer_of(given, front)
    answer = st.container()
    _show_deadline(offer, time_unit(float(front.makespan[0])))
    left, right = st.columns(2, gap="large")
    with left:
        _show_rewards(offer, money)
    try:
        part = part_of(system, given.part_terms(front), offer.rewards, offer.deadline)
    except CapTooLow as refusal:
        answer.warning(f"Nothing can be accepted: {refusal}.")
        return
    answer.markdown(f"**{part_sentence(part, offer.deadline, money)}**")
    with right:
        st.dataframe(
            accepted_frame(part),
            hide_index=True,
            height=_height(len(system.task_types)),
            column_config={"Of all (%)": st.column_config.NumberColumn(format="%.12g")},
            placeholder=NOTHING,
            alt="How many tasks of each type to accept",
        )
    st.caption(
        "The batch has no price here: each task that is run brings its reward. "
        + ("Checked independently." if part.verified else "The check FAILED.")
    )


def _show_deadline(offer: Offer, unit: Unit) -> None:
    key = f"profit.deadline {unit.symbol}"
    st.number_input(
        f"Deadline ({unit.symbol})",
        RANGES["deadline"].low / unit.size,
        RANGES["deadline"].high / unit.size,
        offer.deadline / unit.size,
        key=key,
        format="%.4g",
        on_change=_take_deadline,
        args=(offer.system, key, unit.size),
        help="All that is accepted is done by then, and all machines are on until then.",
        width=200,
    )


def _show_rewards(offer: Offer, money: Money) -> None:
    """A row a task type."""
    system = offer.system
    show_editor(
        f"profit.rewards {hash(system.task_names)}",
        offer.frame,
        partial(_take_rewards, system),
        fixed=(TYPE, OFFERED),
        columns={
            REWARD_COLUMN: st.column_config.NumberColumn(
                f"Reward ({money.currency} a task)",
                min_value=REWARD.low,
                max_value=REWARD.high,
                format="%.4g",
            )
        },
        height=_height(len(system.task_types)),
    )


def _show_start(given: ProfitSettings, front: Front, schedule: Schedule | None) -> None:
    conditions, money = with_tariff(given), given.money
    answer = st.container()
    left, right = st.columns([2, 3], gap="large")
    with left:
        _show_tariff(conditions, front.system)
    if schedule is None:
        answer.markdown("**There is no batch to begin: running nothing is best.**")
        return
    day = day_for(schedule, conditions.terms(front), conditions)
    if day is None:
        return
    answer.markdown(f"**{start_sentence(day, money)}**")
    with right:
        st.plotly_chart(
            start_figure(day, money),
            key="profit_start",
            config=TOOLS,
            alt="Line chart: what the electricity of one batch costs, over the hour at which it "
            f"begins. {start_sentence(day, money)}",
        )
    st.caption(
        "Of one batch by the schedule found above. Which schedule is best is judged by the one "
        "price a kWh under Costs."
    )


def _show_tariff(conditions: ProfitSettings, system: System) -> None:
    """A row a step of the price over the day."""
    currency = conditions.money.currency
    show_editor(
        f"profit.tariff {currency}",
        pd.DataFrame(conditions.day_tariff, columns=[FROM, PRICE]),
        partial(_take_tariff, system),
        rows="dynamic",
        columns={
            FROM: st.column_config.NumberColumn(
                "From hour", min_value=0.0, max_value=HOURS, format="%g", required=True
            ),
            PRICE: st.column_config.NumberColumn(
                f"Price ({currency} a kWh)",
                min_value=RANGES["energy_price"].low,
                max_value=RANGES["energy_price"].high,
                format="%.4g",
                required=True,
            ),
        },
    )
    st.caption(
        "Before the first hour the price of the last holds. PUE and carbon come on top, as set "
        "under Costs."
    )


@callback
def _take_deadline(system: System, deadline_key: str, unit: float) -> None:
    keep(system, deadline=st.session_state[deadline_key] * unit)


def _take_rewards(system: System, rows: Rows) -> None:
    """An emptied cell is 0."""
    keep(
        system,
        rewards=tuple((str(row[TYPE]), float(row[REWARD_COLUMN] or 0.0)) for row in rows),
    )


def _take_tariff(system: System, rows: Rows) -> None:
    if steps := steps_of(rows):
        keep(system, day_tariff=steps)


def _height(rows: int) -> int:
    return min((rows + 1) * _ROW_HEIGHT, _MOST_HEIGHT)
