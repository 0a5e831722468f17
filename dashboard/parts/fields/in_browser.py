"""Parts of pages that run in the browser, where Streamlit's own widgets do not suffice.

They show names from files only through `textContent`. What they report is checked like everything
that comes from a browser.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, Literal, TypeGuard

import streamlit as st

from dashboard.server.guard import callback

_ASSETS: Final = Path(__file__).parents[2] / "assets"
_LEAST: Final = 1e-300
_MOST: Final = 1e300
Along = Literal["x", "y", "slope"]
_FOLLOWER: Final = "trade_offs.follower"
_HANDLE: Final = "trade_offs.handle"
_FINDER: Final = "wattfront.finder"
_SHELF: Final = "wattfront.shelf"
_MOST_LETTERS: Final = 5_000_000
"""A browser keeps no longer file for a page."""
MOST_CORNERS: Final = 12
"""A line with more corners has no handles: they would lie upon each other."""
ROW_PIXELS: Final = 35
"""The height of a row of a Streamlit table."""


def _asset(*names: str) -> str:
    return "\n".join((_ASSETS / name).read_text(encoding="utf-8") for name in names)


_history = st.components.v2.component("wattfront_history", js=_asset("history.js"))
_follow_theme = st.components.v2.component("wattfront_follow_theme", js=_asset("follow_theme.js"))
_on_phones = st.components.v2.component("wattfront_on_phones", js=_asset("on_phones.js"))
_take_picture = st.components.v2.component("wattfront_take_picture", js=_asset("take_picture.js"))
_drop_anywhere = st.components.v2.component(
    "wattfront_drop_anywhere", js=_asset("drop_anywhere.js")
)
_scroll_to_row = st.components.v2.component(
    "wattfront_scroll_to_row", js=_asset("scroll_to_row.js")
)
_follow_slider = st.components.v2.component(
    "wattfront_follow_slider",
    js=_asset("reporting.js", "follow_slider.js"),
)
_finder = st.components.v2.component(
    "wattfront_finder",
    html='<button type="button" aria-label="Go to (Ctrl K)">'
    '<svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="10.5" cy="10.5" r="6.5"/>'
    '<path d="M15.5 15.5 21 21"/></svg><span class="said">Go to</span><kbd>Ctrl K</kbd></button>',
    css=_asset("fields.css", "finder.css"),
    js=_asset("shelf.js", "finder.js"),
)
_shelf = st.components.v2.component(
    "wattfront_shelf",
    html='<div class="shelf"></div>',
    css=_asset("fields.css", "shelf_list.css"),
    js=_asset("shelf.js", "shelf_list.js"),
)
_copy_link = st.components.v2.component(
    "wattfront_copy_link",
    html='<button type="button">Copy link</button>'
    '<input type="text" readonly aria-label="Link" hidden><p role="status"></p>',
    css=_asset("fields.css", "copy_link.css"),
    js=_asset("copy_link.js"),
)
_wish_line = st.components.v2.component(
    "wattfront_wish_line",
    html='<div class="stage"><svg><line/></svg>'
    '<div class="handle" role="slider" tabindex="0" hidden><span></span></div></div>',
    css=_asset("wish_line.css"),
    js=_asset("reporting.js", "wish_line.js"),
)
_value_function = st.components.v2.component(
    "wattfront_value_function",
    html='<div class="stage"><svg viewBox="0 0 460 220" role="img"><g></g></svg>'
    '<div class="grip" role="slider" tabindex="0"></div>'
    '<div class="grip" role="slider" tabindex="0"></div></div><p class="said"></p>',
    css=_asset("value_function.css"),
    js=_asset("reporting.js", "value_function.js"),
)
_target_line = st.components.v2.component(
    "wattfront_target_line",
    html='<div class="stage"><svg><path/></svg></div>',
    css=_asset("target_line.css"),
    js=_asset("reporting.js", "target_line.js"),
)


def keep_history() -> None:
    """Makes the browser keep one history entry for each change, so that Back undoes one change."""
    with st.container(key="unseen-history"):
        _history(key="wattfront.history")


def follow_theme() -> None:
    """Makes the browser draw charts anew in the colours of the theme when that changes."""
    with st.container(key="unseen-theme"):
        _follow_theme(key="wattfront.theme")


def suit_phones() -> None:
    """Makes a finger on a chart scroll the page, and the choice of a page close its menu."""
    with st.container(key="unseen-touch"):
        _on_phones(key="wattfront.touch")


def offer_pictures() -> None:
    """Makes the button of each chart that takes its picture offer PNG, SVG, and its data."""
    with st.container(key="unseen-picture"):
        _take_picture(key="wattfront.picture")


def drop_anywhere() -> None:
    """Makes files that are dropped anywhere on the page go to the dialog that opens files."""
    with st.container(key="unseen-drop"):
        _drop_anywhere(key="wattfront.drop")


def find_places(
    places: Sequence[Mapping[str, Any]],
    here: Mapping[str, str] | None,
    take: Callable[[str, int, int], None],
    saved: Mapping[str, object] | None,
    take_saved: Callable[[str], None],
) -> None:
    """The button of the dialog that Ctrl-K opens. Calls `take` with the kind and the number of the
    place that a person goes to, and the number of the machine, 0 if it is none. The browser notes
    that the study `here` is open, and the `digest` of a study that `is_saved`. Calls `take_saved`
    with the digest of one that is not, as far as the server knows, if the browser has noted it.
    """
    _finder(
        key=_FINDER,
        data={"places": places, "here": here, "saved": saved},
        on_go_change=partial(_take_place, take),
        on_saved_change=partial(_take_saved, take_saved),
    )


@callback
def _take_saved(take: Callable[[str], None]) -> None:
    digest = _report(_FINDER, "saved").get("digest")
    if isinstance(digest, str):
        take(digest)


@callback
def _take_place(take: Callable[[str, int, int], None]) -> None:
    place = _report(_FINDER, "go")
    kind, number, machine = (place.get(name) for name in ("kind", "number", "machine"))
    if isinstance(kind, str) and _is_whole(number) and _is_whole(machine):
        take(kind, number, machine)


def show_shelf(save: Mapping[str, str | None] | None, take: Callable[[str, str], None]) -> None:
    """The studies that the browser keeps, after it has kept what is to `save`: `id`, `name`, `link`
    and `file`, None if the link says all. Calls `take` with the name and the file of a study that a
    person opens.
    """
    _shelf(key=_SHELF, data={"save": save}, on_opened_change=partial(_take_study, take))


@callback
def _take_study(take: Callable[[str, str], None]) -> None:
    report = _report(_SHELF, "opened")
    name, file = report.get("name"), report.get("file")
    if isinstance(name, str) and isinstance(file, str) and len(file) <= _MOST_LETTERS:
        take(name, file)


def show_link(link: str | None, key: str) -> None:
    """A button that copies a link; None is the address of the page. If the browser does not let us,
    the link is there, selected.
    """
    _copy_link(key=key, data={"link": link})


def scroll_to_row(table: str, row: int | None) -> None:
    """Scrolls the table in the container `table` to a row, when that row has changed."""
    with st.container(key="unseen-scroll"):
        _scroll_to_row(
            key="trade_offs.scroll",
            data={"table": f".st-key-{table}", "row": row, "height": ROW_PIXELS},
        )


@dataclass(frozen=True, slots=True)
class Passing:
    """The position (%) of a slider while it is dragged, None when it is back where it was; and the
    position at which the drag began.
    """

    percent: float | None
    since: float


def follow_slider(within: str, take: Callable[[Passing], None]) -> None:
    """Calls `take` with the position of the slider in the container `within` during a drag."""
    with st.container(key="unseen-follower"):
        _follow_slider(
            key=_FOLLOWER,
            data={"within": f".st-key-{within}", "seen": _seen(_FOLLOWER)},
            on_passing_change=partial(_take_passing, take),
        )


@callback
def _take_passing(take: Callable[[Passing], None]) -> None:
    report = _report(_FOLLOWER, "passing")
    percent, since = report.get("percent"), report.get("from")
    if percent is not None and not _is_number(percent, 0.0, 100.0):
        return
    if _is_number(since, 0.0, 100.0):
        take(Passing(percent, since))


@dataclass(frozen=True, slots=True)
class Handle:
    """The handle of a line. `along` says what it moves: a makespan (y), an energy (x), or a power,
    which is a slope. `value` is in the units of the axes; `factor` of `unit` are one of them.
    """

    along: Along
    value: float
    factor: float
    unit: str
    label: str
    title: str


def show_handle(chart: str, handle: Handle | None, take: Callable[[float, bool], None]) -> None:
    """Shows a handle on a line of the chart in the container `chart`. Calls `take` with its value,
    in the units of the axes, and whether the person still holds it.
    """
    data: dict[str, Any] = {"chart": f".st-key-{chart}", "seen": _seen(_HANDLE), "along": None}
    if handle is not None:
        data |= {name: getattr(handle, name) for name in handle.__slots__}
    with st.container(key="wish-line"):
        _wish_line(key=_HANDLE, data=data, on_moved_change=partial(_take_moved, take))


@callback
def _take_moved(take: Callable[[float, bool], None]) -> None:
    report = _report(_HANDLE, "moved")
    at = report.get("at")
    if _is_number(at, _LEAST, _MOST):
        take(float(at), report.get("held") is True)


@dataclass(frozen=True, slots=True)
class ValueHandles:
    """A value function with handles `at` its soft threshold, its hard one, and its least value; it
    is among `others`. Thresholds are in a `unit`, of which the axis has `ticks`, up to its `end`.
    """

    at: tuple[float, float, float]
    others: Sequence[tuple[float, float, float]]
    end: float
    ticks: Sequence[float]
    unit: str
    title: str


def show_value_function(
    key: str, handles: ValueHandles, take: Callable[[float, float, float], None]
) -> None:
    """Calls `take` with both thresholds and the least value to which a person moved the handles."""
    told = {name: getattr(handles, name) for name in ("at", "end", "ticks", "unit", "title")}
    data = {**told, "lines": handles.others, "seen": _seen(key)}
    _value_function(key=key, data=data, on_moved_change=partial(_take_function, key, take))


@callback
def _take_function(key: str, take: Callable[[float, float, float], None]) -> None:
    report = _report(key, "moved")
    soft, hard, least = (report.get(name) for name in ("soft", "hard", "least"))
    if (
        _is_number(soft, 0.0, _MOST)
        and _is_number(hard, _LEAST, _MOST)
        and _is_number(least, 0.0, 1.0)
    ):
        take(soft, hard, least)


@dataclass(frozen=True, slots=True)
class StepHandles:
    """A line of steps with handles `at` its corners, hours and levels in the units of the axes, up
    to the hour `end`. Corners move by a `step` of hours, each of which has its time in `times`, and
    up to the level `most`.
    """

    at: Sequence[tuple[float, float]]
    end: float
    step: float
    times: Sequence[str]
    most: float
    unit: str
    title: str


def show_step_handles(
    chart: str, handles: StepHandles, take: Callable[[list[tuple[float, float]]], None]
) -> None:
    """Shows handles in the uppermost panel of the chart in the container `chart`. Calls `take` with
    the corners when a person has moved one.
    """
    key = f"{chart}.steps"
    told = {name: getattr(handles, name) for name in handles.__slots__}
    data = {"chart": f".st-key-{chart}", **told, "seen": _seen(key)}
    with st.container(key="step-handles"):
        _target_line(key=key, data=data, on_moved_change=partial(_take_steps, key, take))


@callback
def _take_steps(key: str, take: Callable[[list[tuple[float, float]]], None]) -> None:
    told = _report(key, "moved").get("at")
    if not isinstance(told, list) or not 0 < len(told) <= MOST_CORNERS:
        return
    found = []
    for corner in told:
        match corner:
            case [at, level] if _is_number(at, 0.0, _MOST) and _is_number(level, 0.0, _MOST):
                found.append((float(at), float(level)))
            case _:
                return
    if all(before < after for (before, _), (after, _) in pairwise(found)):
        take(found)


def _report(key: str, name: str) -> dict[str, Any]:
    """The last report of a part; empty if the browser sent something else."""
    state = st.session_state.get(key) or {}
    found = state.get(name)
    report: dict[str, Any] = found if isinstance(found, dict) else {}
    move = report.get("move")
    if _is_number(move, 0.0, 2.0**53):
        st.session_state[f"{key}.seen"] = int(move)
    return report


def _seen(key: str) -> int:
    """The number of the last report that was processed."""
    seen: int = st.session_state.get(f"{key}.seen", 0)
    return seen


def _is_whole(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**31


def _is_number(value: object, low: float, high: float) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high
