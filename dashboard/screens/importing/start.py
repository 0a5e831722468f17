"""Where a system comes from: files of one's own, a sample, or a generator."""

from collections.abc import Mapping
from functools import partial
from typing import Any, Final, get_args

import streamlit as st

from core import InvalidInput
from core.files.findings import said_of_unread
from core.files.limits import KEPT_CELLS
from core.files.samples.generate import (
    POWER_METHODS,
    TIME_METHODS,
    Consistency,
    Generation,
    MachineLevels,
    Spread,
    bounds,
    generate,
)
from core.files.samples.named import SYSTEMS, describe
from core.vocabulary.ranges import Range
from dashboard.parts.fields.buttons import show_button
from dashboard.parts.fields.setting import show_look
from dashboard.parts.frame import markup
from dashboard.parts.frame.handed import (
    is_importing,
    set_importing,
    show_ask,
    take_handed,
    take_in,
)
from dashboard.screens.importing.log_source import (
    show_log,
    show_sample_logs,
    show_way_back,
)
from dashboard.screens.importing.mending import (
    forget_table,
    show_mending,
    show_offers,
    show_problems_of,
    still_in_force,
)
from dashboard.server.guard import callback
from dashboard.workspace import asking, session
from dashboard.workspace.address import parameter_ranges
from dashboard.workspace.draft import MOST_COLUMNS
from dashboard.workspace.upload import Opened, Upload
from dashboard.workspace.workspace import (
    Drawn,
    Sample,
    Version,
    choose,
    choose_sample,
    dismiss_upload,
)

SOURCES: Final = {"sample": "Sample", "generator": "Generator"}
_SAMPLE: Final = "start.sample"


def show_start() -> None:
    """The choice of a source, its widgets, and the problems of the last upload."""
    if (handed := take_handed("importing.file")) is not None:
        set_importing(is_open=False)
        with st.spinner("Reading the file …", show_time=True):
            refused = partial(Upload.refused, handed.name)
            take_in(asking.read(refused, Upload.together, dict(handed.files)))
        forget_table()
        st.rerun()  # the header still shows the system before
    if is_importing():
        show_log()
        return
    with st.container(border=True, gap="small"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown("**Start from**", width="content")
            show_ask("Your files")
            now = session.workspace()
            drawn = not now.gone and isinstance(now.version.origin, Drawn)
            default = "generator" if drawn else "sample"
            source = show_look(
                "Start from", SOURCES, "start.source", SOURCES.__getitem__, default=default
            )
            if source == "sample":
                _show_samples()
        if source == "generator":
            show_generator()
        show_way_back()
    _show_upload()


def _show_samples() -> None:
    now = session.workspace()
    origin, is_as_found = now.version.origin, not now.version.edited and not now.gone
    chosen = origin.name if isinstance(origin, Sample) and is_as_found else None
    st.session_state[_SAMPLE] = chosen
    st.selectbox(
        "Sample system",
        SYSTEMS,
        key=_SAMPLE,
        index=None if chosen is None else 0,
        format_func=lambda name: f"{name} – {describe(name)}",
        placeholder="Choose a sample",
        label_visibility="collapsed",
        on_change=_take_sample,
    )
    show_sample_logs()


@callback
def _take_sample() -> None:
    if name := st.session_state[_SAMPLE]:
        session.apply(choose_sample, name)


def _show_upload() -> None:
    """The report about the last upload, until it is dismissed."""
    upload = session.workspace().upload
    if upload is None:
        return
    with st.container(border=True, gap="small", key="upload-problems"):
        with st.container():
            if upload.notes:
                where = "Set them on the pages Machines and Work."
                st.info(" ".join((*upload.notes, where)), icon=":material/info:")
            if upload.unread:
                st.html(markup.items(said_of_unread(upload.unread)))
        if upload.mending is not None:
            show_mending(upload, upload.mending)
            return
        if upload.system is None:
            st.error(f"{upload.headline}.{still_in_force()}", icon=":material/error:")
            if not upload.unused:
                st.caption(
                    "You cannot correct this upload on this page: it has no readable tables, or "
                    f"more than {KEPT_CELLS:,} cells or {MOST_COLUMNS:,} columns. Correct the "
                    "problems in the source of the tables, and upload them again."
                )
        elif upload.problems:
            st.warning(
                f"{upload.headline}. The system is in force all the same.",
                icon=":material/warning:",
            )
        show_offers(upload)
        if upload.opened is not None:
            st.info(_said_of(upload.opened), icon=":material/folder_open:")
        if upload.problems:
            show_problems_of(upload)
        show_button("Dismiss", session.apply, dismiss_upload, type="tertiary")


def _said_of(opened: Opened) -> str:
    choice = "It has no chosen schedule"
    if opened.choice is not None:
        choice = "Its chosen schedule is on the page Schedule"
    return f"The study was opened. Its system and its idle power are in force. {choice}."


USUAL: Final = Generation(apc=MachineLevels(), idle_fraction=0.1)
"""The usual parameters have powers: without powers there is no energy, and no trade-off."""
NO_POWER: Final = "none"
LABELS: Final = {
    "task_types": "Task types",
    "machine_types": "Machine types",
    "tasks": "All tasks",
    "machines": "All machines",
    "seed": "Seed",
    "idle_fraction": "Idle power",
    "low": "Lowest",
    "high": "Highest",
    "task_range": "Range of tasks",
    "machine_range": "Range of machines",
    "mean": "Mean",
    "task_variation": "Variation of tasks",
    "machine_variation": "Variation of machines",
    "pair_variation": "Variation of pairs",
}
_COUNTS: Final = ("task_types", "machine_types", "tasks", "machines", "seed")
_UNITS: Final = {"etc": "s", "apc": "W"}


def show_generator() -> None:
    """The parameters, and a button that draws the system."""
    now = session.workspace().version
    drawn = now.origin.generation if isinstance(now.origin, Drawn) and not now.edited else None
    usual = drawn or USUAL
    ranges = parameter_ranges()
    given: dict[str, Any] = {}
    with st.container(horizontal=True, gap="small"):
        for name in _COUNTS:
            given[name] = _number("of", name, ranges[name], getattr(usual, name))
        given["spread"] = _choice("Counts over types", get_args(Spread), usual.spread)
    try:
        with st.container(horizontal=True, gap="small"):
            given["etc"] = _method("etc", "Times", TIME_METHODS, usual.etc, optional=False)
            given["consistency"] = _choice("Consistency", get_args(Consistency), usual.consistency)
        with st.container(horizontal=True, gap="small"):
            given["apc"] = _method("apc", "Powers", POWER_METHODS, usual.apc, optional=True)
            if given["apc"] is not None:
                allowed = ranges["idle_fraction"]
                given["idle_fraction"] = _number(
                    "of", "idle_fraction", allowed, usual.idle_fraction
                )
        wanted = Generation(**given)
    except InvalidInput as invalid:
        st.error("These parameters do not fit together:", icon=":material/error:")
        st.html(markup.items(problem.message for problem in invalid.problems))
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("Draw this system", type="primary"):
            with st.spinner("Drawing …", show_time=True):
                session.apply(choose, Version(generate(wanted), Drawn(wanted)))
            st.rerun()
        if drawn is not None and drawn != wanted:
            st.caption(
                "The parameters have changed since the system was drawn. Press the button to "
                "draw it again."
            )
        elif drawn is not None:
            st.caption("This is the system in force. Equal parameters always draw equal systems.")


def _method(
    table: str, title: str, methods: Mapping[str, type[Any]], usual: object, *, optional: bool
) -> Any:
    """The method that draws a matrix, with its parameters; None for no matrix."""
    names = [NO_POWER, *methods] if optional else list(methods)
    there = next((name for name, kind in methods.items() if type(usual) is kind), names[0])
    chosen = _choice(title, names, there)
    if chosen == NO_POWER:
        return None
    kind = methods[chosen]
    defaults = usual if type(usual) is kind else kind()
    return kind(
        **{
            name: _number(table, name, allowed, getattr(defaults, name))
            for name, allowed in bounds(kind).items()
        }
    )


def _choice(label: str, options: Any, usual: str) -> str:
    chosen: str = st.selectbox(
        label,
        options,
        index=list(options).index(usual),
        format_func=lambda option: option.replace("-", " "),
        key=f"generator.{label}",
        persist_state="session",
        width=190,
    )
    return chosen


def _number(table: str, name: str, allowed: Range, usual: float) -> Any:
    unit = _UNITS.get(table, "") if name in ("low", "high", "mean") else ""
    whole = isinstance(usual, int)
    return st.number_input(
        f"{LABELS[name]} ({unit})" if unit else LABELS[name],
        min_value=int(allowed.low) if whole else float(allowed.low),
        max_value=int(allowed.high) if whole else float(allowed.high),
        value=usual,
        step=1 if whole else None,
        format=None if whole else "%g",
        key=f"generator.{table}.{name}",
        persist_state="session",
        help=f"{allowed}".strip(),
        width=150,
    )
