"""A client that says of widgets what no browser can have said is not heard; what is merely strange
ends in a page that works.
"""

import json
import logging
import math
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pages import Open, button, field, settled
from patience import PATIENCE
from streamlit.proto.Common_pb2 import (
    DoubleArray,
    FileUploaderState,
    SInt64Array,
    StringArray,
    StringTriggerValue,
    UploadedFileInfo,
)
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.state.common import WidgetMetadata
from streamlit.testing.v1 import AppTest

from dashboard.parts.taking.batch_dialog import TITLE
from dashboard.patches.hearing import Heard

FAR = 10**12
LONG = "x" * 100_000
PAGES: dict[str, dict[str, object]] = {
    "trade_offs": {"sample": "nine", "idle": 0.1, "polish": 0, "axis": "money", "budget": 1e6},
    "schedule": {"sample": "two-by-two"},
    "batch": {"sample": "two-by-two"},
    "profit": {"sample": "two-by-two", "profit_show": "lines part start", "profit_over": "idle"},
    "provision": {"sample": "two-by-two", "provision_scenarios": 4},
    "arrivals": {"sample": "two-by-two", "arrivals_jobs": 100, "arrivals_policies": "max-upr easy"},
    "late": {"sample": "two-by-two", "late_methods": "greedy-min"},
    "shares": {"sample": "two-by-two", "shares_another": "0:9:60"},
    "what_if": {"sample": "nine"},
    "map": {"sample": "two-by-two", "what_if_view": "map"},
    "switch_off": {"sample": "two-by-two"},
    "centre": {"centre_centre": "parasol", "centre_seconds": 0, "centre_methods": "none"},
    "importing": {"sample": "two-by-two"},
    "machines": {"sample": "two-by-two"},
    "work": {"sample": "two-by-two"},
    "site": {"sample": "two-by-two"},
    "studies": {"sample": "two-by-two"},
    "about": {},
}
KINDS: dict[str, Any] = {
    "trigger_value": True,
    "bool_value": True,
    "double_value": 0.5,
    "int_value": 1,
    "string_value": "text",
    "double_array_value": DoubleArray(data=[1.0]),
    "int_array_value": SInt64Array(data=[1]),
    "string_array_value": StringArray(data=["text"]),
    "json_value": '{"a": 1}',
    "bytes_value": b"\0",
    "string_trigger_value": StringTriggerValue(data="text"),
    "json_trigger_value": '[{"event": "a"}]',
    "file_uploader_state_value": FileUploaderState(),
}
NUMBERS = {"int_value", "double_value"}
NO_TABLE = (
    "no JSON",
    "",
    "[]",
    "null",
    "5",
    '"text"',
    "[" * 100_000,
    '{"selection": null}',
    '{"selection": []}',
    '{"selection": {"points": 5, "rows": 5}}',
    '{"selection": {"points": {}, "rows": {}}}',
    '{"edited_rows": [], "selection": []}',
    '{"edited_rows": {"no row": {}}, "selection": 5}',
    '{"edited_rows": null, "selection": 5}',
    '{"added_rows": {}, "selection": {}, "edited_rows": []}',
    '{"selection": {"rows": [' + "9" * 5_000 + "]}}",
    '{"selection": {"point_indices": [], "box": [], "lasso": [], "points": '
    + "[" * 8
    + "]" * 8
    + "}}",
)


def opened(open_page: Open, view: str) -> AppTest:
    page = open_page(
        {"batch": "schedule", "shares": "fair_shares", "map": "what_if"}.get(view, view),
        **PAGES[view],
    )
    if view == "schedule":
        page.session_state["schedule.fastest"] = True
        page.run()
    if view == "batch":
        button(page, TITLE).click().run()
    return settled(settled(page))


def heard(page: AppTest) -> Heard:
    state = page._session_state._state
    assert isinstance(state, Heard)
    return state


def drawn(page: AppTest) -> dict[str, WidgetMetadata[Any]]:
    """The widgets of the page by their names."""
    state = heard(page)
    known = state._new_widget_state.widget_metadata
    return {name: widget for name, widget in known.items() if name in state._keys()}


def impossible(widget: WidgetMetadata[Any]) -> Iterator[WidgetState]:
    """What no browser says of this widget."""

    def said(kind: str, value: Any) -> WidgetState:
        return WidgetState(id=widget.id, **{kind: value})

    own = widget.value_type
    for kind, value in KINDS.items():
        if kind != own and not {kind, own} <= NUMBERS:
            yield said(kind, value)
    if widget.formatted_options is not None:
        for text in ("no option", "", "1000000000000", LONG):
            texts = text if own == "string_value" else StringArray(data=[text])
            yield said(own, texts)
    elif own == "string_value" and isinstance(widget.deserializer(None), dict):
        yield from (said(own, text) for text in NO_TABLE)
    elif own == "json_value":
        yield from (said(own, text) for text in ("", "no JSON", "[]", '"text"', "5", "[" * 9_999))


def strange(widget: WidgetMetadata[Any]) -> Iterator[Any]:
    """What a browser could be made to say of it."""
    match widget.value_type:
        case "double_value" | "int_value":
            yield from (math.nan, math.inf, -1.0, 1e308, float(FAR))
        case "double_array_value":
            yield from (DoubleArray(data=data) for data in ([], [math.nan], [1e308], [1.0, 2.0]))
        case "string_value" if widget.formatted_options is None:
            yield from (LONG, "<script>**x** $x$", "\0\x1b[31m", "9" * 5_000, "nan")
        case "string_array_value":
            yield from (StringArray(data=data) for data in ([], [LONG], ["?"] * 10_000))
        case "json_value":
            reports = [None, 5, [], {"percent": math.nan, "from": "x", "at": 10**400, "move": -1}]
            yield from (json.dumps({"passing": one, "moved": one}) for one in reports)
        case "file_uploader_state_value":
            file = UploadedFileInfo(file_id="another's", name="x.csv", size=FAR)
            yield FileUploaderState(uploaded_file_info=[file])


def tell(page: AppTest, states: list[WidgetState], caplog: pytest.LogCaptureFixture) -> None:
    """The page after a client said this: it is there, and so is the log."""
    page._run(WidgetStates(widgets=[*page._tree.get_widget_states().widgets, *states]))
    assert not page.exception
    assert not any("Sorry" in error.value for error in page.error)
    assert [entry.getMessage() for entry in caplog.records if entry.exc_info] == []


VIEWS = [
    view if view in ("trade_offs", "importing") else pytest.param(view, marks=pytest.mark.thorough)
    for view in PAGES
]


@pytest.mark.thorough
@pytest.mark.parametrize("view", VIEWS)
def test_what_no_widget_says_is_not_heard(
    open_page: Open, caplog: pytest.LogCaptureFixture, view: str
) -> None:
    caplog.set_level(logging.WARNING)
    page = opened(open_page, view)
    widgets = drawn(page)
    forged = [said for widget in widgets.values() for said in impossible(widget)]
    believed = [said for said in forged if heard(page).believes(said)]
    assert believed == []
    assert len(forged) > 10 * len(widgets)
    before = page._tree.get_widget_states()
    tell(page, forged, caplog)
    assert page._tree.get_widget_states() == before


@pytest.mark.thorough
@pytest.mark.parametrize("view", VIEWS)
def test_what_is_strange_ends_in_a_page_that_works(
    open_page: Open, caplog: pytest.LogCaptureFixture, view: str
) -> None:
    caplog.set_level(logging.WARNING)
    page = opened(open_page, view)
    for turn in range(5):
        states = []
        for name, widget in drawn(page).items():
            values = [*strange(widget)]
            if turn < len(values):
                states.append(WidgetState(id=name, **{widget.value_type: values[turn]}))
        tell(page, states, caplog)


def test_what_was_said_before_the_page_was_drawn_is_heard_no_more(
    open_page: Open, caplog: pytest.LogCaptureFixture
) -> None:
    page = opened(open_page, "importing")
    states = [said for widget in drawn(page).values() for said in impossible(widget)]
    newcomer = AppTest.from_file(page._script_path, default_timeout=PATIENCE)
    newcomer.switch_page("screens/importing/page.py")
    newcomer._run(WidgetStates(widgets=states))
    assert not newcomer.exception
    tell(newcomer, [], caplog)


def edits(name: str, cell: Callable[[str], Any]) -> Iterator[dict[str, Any]]:
    """Edits that a table with this column of text or numbers cannot have."""
    number = cell("number")
    for row in (-1, 200, FAR):
        yield {"edited_rows": {str(row): {name: cell("fit")}}}
        yield {"deleted_rows": [row]}
    yield {"edited_rows": {"0": {"no column": cell("fit")}}}
    yield {"edited_rows": {"0": {name: [1]}}}
    yield {"edited_rows": {"0": {name: cell("unfit")}}}
    yield {"edited_rows": {"0": 5}}
    yield {"added_rows": [5]}
    yield {"added_rows": [{name: cell("unfit")}]}
    yield {"deleted_rows": ["0"]}
    yield {"edited_rows": {"0": {"_index": number}}}


TEXT = {"fit": "name", "unfit": 5, "number": 5}.__getitem__
WHOLE = {"fit": 5, "unfit": "5", "number": 5}.__getitem__
TABLES = {
    "etc": ("m0", WHOLE),
    "tasks": ("name", TEXT),
    "machines": ("count", WHOLE),
}


@pytest.mark.thorough
@pytest.mark.parametrize("table", TABLES)
def test_a_table_is_edited_only_where_it_can_be(
    open_page: Open, caplog: pytest.LogCaptureFixture, table: str
) -> None:
    page = opened(open_page, "machines" if table == "machines" else "work")
    if table != "machines":
        field(page, "Table").select(table).run()
    before = page.session_state["wattfront.workspace"].version
    name, cell = TABLES[table]
    editor = next(name for name in drawn(page) if f"-{table} " in name)
    grows = table != "etc"
    wrong = [*edits(name, cell)]
    if grows:
        wrong += [{"edited_rows": {"0": {name: "x" * 10_001}}}]
    else:
        wrong += [{"added_rows": [{}]}, {"edited_rows": {"0": {"name": "T"}}}]
    wrong += [{"edited_rows": {"0": {"count": value}}} for value in (1.5, math.nan, 10**400, True)]
    for edit in wrong:
        said = WidgetState(id=editor, string_value=json.dumps(edit))
        assert not heard(page).believes(said), edit
        tell(page, [said], caplog)
    assert page.session_state["wattfront.workspace"].version is before
    right = {"edited_rows": {"0": {name: cell("fit")}}, "added_rows": [], "deleted_rows": []}
    tell(page, [WidgetState(id=editor, string_value=json.dumps(right))], caplog)
    assert page.session_state["wattfront.workspace"].version is not before
