"""The tables of the centre to edit: servers, room, jobs; and its curves, which files replace."""

from functools import partial
from typing import Any, Final

import streamlit as st

from core.capabilities.centre.files.centre_file import CURVE_KINDS, USUAL_CURVES
from core.capabilities.centre.files.centre_reader import JOB_SECONDS, JOBS_A_ROW
from core.engines.signals.kinds import KINDS, PRICE, TARGET, SignalKind
from core.shells.told.told import ToldTable
from core.vocabulary.ranges import MACHINE_COUNT, POWER
from core.vocabulary.say.words import MINUTE, Sense, amount, begun, counted, duration, power
from dashboard.parts.fields.setting import show_look
from dashboard.parts.frame import markup
from dashboard.parts.frame.handed import show_ask
from dashboard.parts.tables.editor import height_of, show_grid
from dashboard.parts.told import show_table
from dashboard.screens.centre import state
from dashboard.screens.centre.day_form import show_day_form
from dashboard.screens.centre.draft import (
    MINUTES,
    MOST_ROWS,
    NAME,
    TITLES,
    VALUE,
    CentreDraft,
    CentreTable,
)
from dashboard.screens.centre.state import CentreDesk
from dashboard.server.guard import callback
from dashboard.workspace.draft import Change

_HINTS: Final[dict[CentreTable, str]] = {
    "servers": "A row for each kind: how many, and what one draws at work, idle and asleep. A "
    "start takes some seconds, in which it draws so many joules (blank: as much as at work).",
    "room": "A blank cell takes the usual value, where there is one. Fan and compressor never run "
    "together. Panels need a curve of the sun.",
    "jobs": "A row is one job, or several equal ones. Released and due are times by the clock of "
    "the centre, such as 14:00 or 2026-08-02T02:00; a blank release is the begin of the day, a "
    "blank due date its end.",
}


def show_editor(desk: CentreDesk) -> None:
    """One table at a time; what is typed is in force at once, unless something is wrong with it."""
    st.subheader("The centre", anchor=False)
    table = show_look("Table of the centre", TITLES, "centre.table", TITLES.__getitem__)
    if table == "curves":
        _show_curves(desk)
    elif table == "day":
        show_day_form(desk.draft)
    elif (rows := max(len(desk.edited.jobs), len(desk.edited.centre.kinds))) > MOST_ROWS:
        st.info(
            f"The centre has a table of {rows:,} rows, too many to edit here (at most "
            f"{MOST_ROWS:,}). Export the centre above, edit its files, and open it again.",
            icon=":material/table:",
        )
    else:
        _show_table(desk, table)
    draft = desk.inputs.edited
    if draft is None:
        return
    if not draft.is_in_force:
        st.error(
            "These edits are not in force yet. Correct the problems listed here, or undo. Until "
            "then the page uses the last valid centre.",
            icon=":material/error:",
        )
    elif draft.problems:
        st.warning("This centre is in force, with warnings:", icon=":material/warning:")
    if draft.problems:
        markup.show_problems(draft.problems)


def _show_table(desk: CentreDesk, table: CentreTable) -> None:
    st.caption(_HINTS[table])
    given = desk.begun_with(table).edited or desk.opened
    frame = given.frame(table)

    @callback
    def take() -> None:
        cells = st.session_state[desk.key(table)]
        change = Change(
            {int(row): values for row, values in cells["edited_rows"].items()},
            cells.get("added_rows", ()),
            cells.get("deleted_rows", ()),
        )
        state.edit(desk.draft.changed(table, given, change), anew=change.is_of_rows)

    show_grid(
        frame,
        desk.key(table),
        take=take,
        columns=_columns(table, given),
        rows="fixed" if table == "room" else "dynamic",
        height=height_of(frame),
        alt=f"Table to edit: {TITLES[table].lower()}",
    )


def _columns(table: CentreTable, given: CentreDraft) -> dict[str, Any]:
    column = st.column_config
    number = partial(column.NumberColumn, format="%.6g")
    whole = partial(column.NumberColumn, step=1, min_value=1, format="%d")
    if table == "room":
        return {
            NAME: column.TextColumn("What", disabled=True, pinned=True, width="large"),
            VALUE: number("Value"),
        }
    watts = partial(number, min_value=POWER.low, max_value=POWER.high)
    most_servers = int(MACHINE_COUNT.high)
    if table == "servers":
        return {
            "kind": column.TextColumn("Kind", pinned=True, max_chars=80),
            "count": whole("Servers", max_value=most_servers),
            "busy_watts": watts("At work (W)"),
            "idle_watts": watts("Idle (W)"),
            "asleep_watts": watts("Asleep (W)"),
            "start_seconds": number("Start takes (s)", min_value=0.0),
            "start_joules": number("A start draws (J)", min_value=0.0),
        }
    time = partial(column.TextColumn, max_chars=40)
    return {
        "job": column.TextColumn("Job", pinned=True, max_chars=80),
        "kind": column.SelectboxColumn("Kind", options=[row[0] for row in given.rows("servers")]),
        "servers": whole("Servers", max_value=most_servers),
        MINUTES: number(
            "Runs (min)",
            min_value=JOB_SECONDS.low / MINUTE,
            max_value=JOB_SECONDS.high / MINUTE,
        ),
        "release": time("Released", help="14:00, or 2026-08-02T02:00. Blank: when the day begins."),
        "due": time("Due", help="14:00, or 2026-08-02T02:00. Blank: when the day ends."),
        "count": whole("Equal jobs", max_value=int(JOBS_A_ROW.high)),
    }


def _show_curves(desk: CentreDesk) -> None:
    """What each curve is, and the way in for a file of it."""
    show_table(ToldTable.of_columns("Curves of the day", _curves_said(desk)))
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        show_ask("Upload a curve", key="centre.curve ask")
        st.caption(
            "CSV with time and value, Electricity Maps, NESO, ENTSO-E, PVGIS, TMY3 or EPW; the "
            "format is recognised. Or drop the file anywhere on this page."
        )


def _curves_said(desk: CentreDesk) -> dict[str, list[str]]:
    file = desk.file
    own, signals = desk.edited.signals, file.signals
    kinds = [kind for kind in KINDS if kind.name != "sun" or signals.panels is not None]
    found: dict[str, list[str]] = {"Curve": [], "As it came": [], "As it was forecast": []}
    for kind in kinds:
        found["Curve"].append(begun(kind.said))
        came, forecast = signals.came.get(kind), signals.forecast.get(kind)
        value = signals.all_day.get(kind)
        if kind in own.came or kind in own.forecast:
            said = "–" if came is None else _steps_said(came.seconds)
        elif kind.name == "green" and signals.panels is not None:
            said = "panels, by the sun"
        elif kind in signals.all_day or kind in signals.came:
            of_site = "" if kind in own.all_day else ", of the site above"
            by_hour = (
                "by the hour" if value is None else f"all day {_value_said(desk, kind, value)}"
            )
            said = f"{by_hour}{of_site}"
        elif kind is TARGET:
            said = "none: nothing is excess"
        else:
            usual = _value_said(desk, kind, USUAL_CURVES[kind])
            said = f"assumed: all day {usual}" if kind in CURVE_KINDS.values() else "none"
        found["As it came"].append(said)
        forecasts = "–" if forecast is None else _steps_said(forecast.latest.seconds)
        found["As it was forecast"].append(forecasts)
    return found


def _value_said(desk: CentreDesk, kind: SignalKind, value: float) -> str:
    if kind.quantity == "power":
        return power(value, Sense.PLAIN)
    if kind is PRICE:
        return f"{amount(value, Sense.PLAIN, desk.file.currency)} a kWh"
    return amount(value, Sense.PLAIN, kind.unit)


def _steps_said(seconds: Any) -> str:
    """How many steps of how long."""
    low, high = float(seconds.min()), float(seconds.max())
    length = duration(low, Sense.PLAIN) if low == high else "several lengths"
    return f"{counted(len(seconds), 'step')} of {length}"
