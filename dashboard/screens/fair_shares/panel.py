"""The tables to edit, the chart in which a bag is picked and moved, and the panel on energy."""

import math
from typing import Any, Final

import plotly.graph_objects as go
import streamlit as st

from core.capabilities.fair_shares.shares import FairShares
from core.capabilities.fair_shares.told import proof_said, told_of_front
from core.engines.compute.task import Task
from core.vocabulary.say.words import Sense, energy
from dashboard.parts.charts.shown import show_chart
from dashboard.parts.desk import EditedCells, show_draft
from dashboard.parts.fields.setting import show_look
from dashboard.parts.frame.watch import show_fault
from dashboard.parts.told import show_table, show_unverified
from dashboard.patches.credible import is_place
from dashboard.screens.fair_shares.answer import (
    FRONT_SECONDS,
    CheckedFront,
    ask,
    computed,
    front_found,
)
from dashboard.screens.fair_shares.choices import StretchChoices, choices_of, moved, releases_of
from dashboard.screens.fair_shares.inputs import (
    COLUMNS,
    NAME,
    RELEASE,
    TITLES,
    BagsInputs,
    BagsTable,
    edited,
    frame,
)
from dashboard.screens.fair_shares.state import BagsDesk
from dashboard.screens.fair_shares.tasks_chart import energy_figure
from dashboard.server.background import Job
from dashboard.server.guard import callback
from dashboard.workspace import session

_DATES: Final = "fair_shares_dates"
_PICKED: Final = "wattfront.fair_shares.picked"


def show_tables(desk: BagsDesk) -> None:
    table: BagsTable = show_look(
        "Table of the bags", TITLES, "fair_shares.table", TITLES.__getitem__
    )
    given = desk.begun_with(table)
    rows = frame(desk.system, given, table)
    column = st.column_config
    name = "Bag" if table == "bags" else "Machine type"
    configured: dict[str, Any] = {NAME: column.TextColumn(name, disabled=True, pinned=True)}
    if table == "bags":
        configured[RELEASE] = column.TextColumn(
            "Released",
            help="The time of day at which the bag becomes known, such as 09:30. A day later is "
            "1 d 09:30. Blank: at time 0.",
            max_chars=40,
        )
    for field, one in COLUMNS[table].items():
        configured[field] = column.NumberColumn(
            one.title,
            min_value=int(one.allowed.low) if one.whole else one.allowed.low,
            max_value=int(one.allowed.high) if one.whole else one.allowed.high,
            step=1 if one.whole else None,
            help=one.meaning,
            format="%d" if one.whole else "%.6g",
        )

    def changed(cells: EditedCells) -> BagsInputs:
        return edited(desk.inputs, desk.given[table], table, cells)

    show_draft(desk, table, rows, configured, changed, f"Table to edit: {TITLES[table].lower()}")


def picked_bag(answer: FairShares) -> int | None:
    """Where the bag that is picked is among `answer.now.bags.names`."""
    name: str | None = st.session_state.get(_PICKED)
    names = answer.now.bags.names
    return names.index(name) if name in names else None


def show_pickable(answer: FairShares, figure: go.Figure, alt: str) -> None:
    """The chart; a click on a bag picks it."""
    names = answer.now.bags.names

    def take(mark: list[Any]) -> None:
        if mark and is_place(mark[0], len(names)):
            st.session_state[_PICKED] = names[mark[0]]

    show_chart(figure, _DATES, alt, take)


def show_moving(desk: BagsDesk, answer: FairShares) -> None:
    """A choice of the bag, and a slider of its releases."""
    names, picked = list(answer.now.bags.names), picked_bag(answer)
    left, right = st.columns([1, 2], gap="medium", vertical_alignment="bottom")
    with left:
        key = session.fresh_key("fair_shares.picked", None if picked is None else names[picked])
        st.selectbox(
            "Bag to move",
            names,
            picked,
            key=key,
            placeholder="Click one above",
            on_change=callback(_take_choice),
            args=(key,),
        )
    if picked is None:
        return
    place = int(answer.now.bags.present[picked])
    release = releases_of(desk.inputs)[place]
    choices = choices_of(desk.usual, release)
    clock = desk.inputs.clock
    with right:
        # One slider for each range, which keeps the focus while a person moves it.
        name = f"fair_shares.move {desk.name} {place} {choices[0]} {choices[-1]}"
        key = session.fresh_key(name, release)
        st.select_slider(
            "Its release",
            choices,
            release,
            format_func=lambda date: clock.said(date, Sense.PLAIN, choices[-1] - choices[0]),
            key=key,
            on_change=callback(_take_moved),
            args=(desk, key, place),
            help="Drag it, or use the arrow keys. All promises follow; Undo takes a step back. "
            "Type other dates in the table.",
        )


def _take_choice(key: str) -> None:
    st.session_state[_PICKED] = st.session_state[key]


def _take_moved(desk: BagsDesk, key: str, place: int) -> None:
    """The tables begin anew, since they show the release, too."""
    desk.fill(moved(desk.inputs, place, st.session_state[key]))


def ask_energy(desk: BagsDesk, answer: FairShares) -> Job[CheckedFront] | None:
    """The front, if the powers are known."""
    if answer.now.bags.system.apc is None:
        return None
    task = Task(front_found, (answer.now,))
    return ask("energy", desk, computed("Tracing the front of energy", task, FRONT_SECONDS))


def show_energy(answer: FairShares, job: Job[CheckedFront] | None, choices: StretchChoices) -> None:
    st.subheader("Worst stretch against energy", anchor=False)
    if job is None:
        st.caption("Energy is unknown, as this system has no powers.")
        return
    show_fault(job)
    found = job.latest
    if found is None:
        st.caption("The front is being traced." if job.running else "The front was stopped.")
        return
    said = told_of_front(found.front, found.wrong, answer.asked.clock, session.site())
    st.markdown(f"**{said.lead}**")
    if found.wrong:
        show_unverified("this front")
    show_chart(
        energy_figure(found.front, choices.exact),
        "fair_shares_energy",
        alt=f"Line chart: the least energy for each worst stretch. {said.lead}",
    )
    at = found.front.least_energy(choices.exact)
    of_choice = "" if math.isinf(at) else f" At the promised stretch: {energy(at, Sense.SPENT)}."
    st.caption(f"{proof_said(found.front)}{of_choice}")
    (table,) = said.tables
    with st.expander(table.title):
        show_table(table)
