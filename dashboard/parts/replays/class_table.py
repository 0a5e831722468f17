"""The table in which a person says what classes of jobs are worth, and which may stop others."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import pandas as pd
import streamlit as st

from core import System
from core.engines.replay.classes import ANY, JobClass, classes_of_rows
from core.vocabulary.problems import InvalidInput, Problem
from core.vocabulary.setting import AnyText, NumberIn, Setting, WholeIn, settings_in
from dashboard.parts.frame import markup
from dashboard.parts.tables.editor import height_of, show_grid
from dashboard.server.guard import callback

SAID: Final = settings_in(JobClass)
_NOTHING: Final = JobClass()


def show_class_table(
    key: str,
    given: Sequence[JobClass],
    take: Callable[[tuple[JobClass, ...]], None],
    *,
    label: str,
    of_types: bool = False,
) -> Mapping[int, JobClass]:
    """The editor with this key, which was `given` these classes; `take` gets those that are typed,
    once all are sound. Until then the table below names what is wrong with them. Classes `of_types`
    are one for each task type. Returns those that are shown, by the numbers of their rows.
    """
    given = given or (_NOTHING,)  # a row to type in
    names = [one for one in SAID if not of_types or one == "name" or not _is_text(one)]
    columns = {name: _column(SAID[name]) for name in names}
    if of_types:
        columns["name"] = st.column_config.TextColumn(
            "Task type", disabled=True, pinned=True, width=140
        )
    frame = class_frame(given, names)

    def typed() -> tuple[Mapping[int, JobClass], tuple[Problem, ...]]:
        rows = typed_classes(given, st.session_state.get(key, {}))
        return rows, faults_of(rows, label, by_name=of_types)

    @callback
    def take_typed() -> None:
        rows, faults = typed()
        if not faults:
            take(tuple(rows.values()))

    show_grid(
        frame,
        key,
        take=take_typed,
        columns=columns,
        rows="fixed" if of_types else "dynamic",
        height=height_of(frame),
        alt=f"Table to edit: {label}",
    )
    shown, faults = typed()
    if faults:
        st.error(
            "These edits are not in force yet. Correct what is listed here.",
            icon=":material/error:",
        )
        markup.show_problems(faults)
    return shown


def typed_classes(given: Sequence[JobClass], state: Mapping[str, Any]) -> Mapping[int, JobClass]:
    """The classes after edits, as Streamlit reports them, by the numbers of their rows as they are
    shown; rows that say nothing are left out.
    """
    edited, gone = state.get("edited_rows", {}), {*state.get("deleted_rows", ())}
    cells = {int(row): changed for row, changed in edited.items()}
    kept = [_with(one, cells.get(row, {})) for row, one in enumerate(given) if row not in gone]
    kept += [_with(_NOTHING, row) for row in state.get("added_rows", ())]
    return {number: one for number, one in enumerate(kept, 1) if one != _NOTHING}


def _with(one: JobClass, cells: Mapping[str, Any]) -> JobClass:
    """The class after edits of its cells; a blank one has its usual value."""
    said = {name: cells[name] for name in SAID if name in cells}
    blank = {name: SAID[name].usual for name, value in said.items() if value is None}
    return replace(one, **said | blank)


def place_of(number: int) -> str:
    """What a row of a table with this number is called."""
    return f"number {number}"


def faults_of(
    rows: Mapping[int, JobClass], label: str, *, by_name: bool = False
) -> tuple[Problem, ...]:
    """What is wrong with numbered rows of a table, by the titles of its columns; rows may be known
    `by_name`.
    """
    places = [row.name if by_name else place_of(number) for number, row in rows.items()]
    try:
        classes_of_rows(tuple(rows.values()), label, places)
    except InvalidInput as invalid:
        titles = {name: one.label for name, one in SAID.items()}
        return tuple(replace(one, column=titles.get(one.column, "")) for one in invalid.problems)
    return ()


def class_frame(rows: Sequence[JobClass], names: Sequence[str]) -> pd.DataFrame:
    """A row for each class, with these columns."""
    kinds = {AnyText: "string", NumberIn: "float", WholeIn: "Int64"}
    return pd.DataFrame(
        {
            name: pd.Series(
                [getattr(row, name) for row in rows], dtype=kinds.get(type(SAID[name].kind), "bool")
            )
            for name in names
        }
    )


def classes_of_types(system: System, said: Sequence[JobClass]) -> tuple[JobClass, ...]:
    """What is said of each task type, by its name; a name that could mean others is left out."""
    known, names = {row.name: row for row in said}, system.task_names
    return tuple(known.get(name, JobClass(name=name)) for name in names if not name.endswith(ANY))


def _is_text(name: str) -> bool:
    return isinstance(SAID[name].kind, AnyText)


def _column(one: Setting) -> Any:
    column = st.column_config
    how: dict[str, Any] = {"label": one.label, "help": one.meaning, "default": one.usual}
    match one.kind:
        case AnyText():
            return column.TextColumn(**how)
        case NumberIn(allowed):
            ends = {"min_value": allowed.low, "max_value": allowed.high}
            return column.NumberColumn(**how | ends, format="%.6g")
        case WholeIn(allowed):
            ends = {"min_value": int(allowed.low), "max_value": int(allowed.high)}
            return column.NumberColumn(**how | ends, step=1)
    return column.CheckboxColumn(**how)
