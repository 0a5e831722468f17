"""What tests do on the pages of the dashboard, and what they look for there."""

import ast
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from patience import PATIENCE
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Button

from dashboard.parts.frame.handed import FilePlace, Handed
from dashboard.workspace.session import EDITOR, KeptWhere

Open = Callable[..., AppTest]

JOBS = (
    "trade_offs.jobs",
    "profit.jobs",
    "sweeps.jobs",
    "provision.jobs",
    "arrivals.jobs",
    "fair_shares.jobs",
    "late.jobs",
    "centre.jobs",
    "importing.jobs",
)


def module_of(name: str) -> ModuleType:
    """A module of the dashboard; a page is not shown, as it would be where it is imported."""
    spec = find_spec(name)
    assert spec is not None
    if name in sys.modules or not name.endswith(".page"):
        return import_module(name)
    assert spec.origin is not None
    tree = ast.parse(Path(spec.origin).read_text(encoding="utf-8"))
    assert ast.unparse(tree.body.pop()) == "main()"
    module = sys.modules[name] = module_from_spec(spec)
    exec(compile(tree, spec.origin, "exec"), vars(module))  # noqa: S102
    return module


def run(page: AppTest) -> AppTest:
    page.run()
    assert not page.exception, page.exception[0].message
    return page


def button(page: AppTest, label: str) -> Button:
    return next(button for button in page.button if button.label == label)


def press(page: AppTest, label: str) -> AppTest:
    button(page, label).click()
    return run(page)


START = "Which schedule"
"""What chooses a schedule on the page Schedule."""
FIELDS = (
    "selectbox",
    "select_slider",
    "segmented_control",
    "multiselect",
    "button_group",
    "number_input",
    "slider",
    "text_input",
    "text_area",
    "toggle",
)


def own(widgets: Iterable[Any]) -> list[Any]:
    """The widgets of the page itself, without those of the site that are above every page."""
    return [one for one in widgets if not (one.key or "").startswith("site.")]


def field(page: AppTest, name: str) -> Any:
    """The widget with a label or a key."""
    every = (one for kind in FIELDS for one in getattr(page, kind))
    return next(one for one in every if name in (one.label, one.key))


def put(page: AppTest, name: str, value: Any) -> AppTest:
    """The page after another value was put into the widget with a label or a key."""
    field(page, name).set_value(value)
    return run(page)


def settled(page: AppTest) -> AppTest:
    """The page once nothing runs in its background. Unless it looks for news, there is none."""
    if not page._tree.polls:
        return page
    for key in JOBS:
        if key in page.session_state:
            for job in page.session_state[key].running():
                job.wait(1_000, PATIENCE)
    return run(page)


def opened(page: AppTest, place: FilePlace, *files: tuple[str, bytes]) -> AppTest:
    """The page after the one way in has handed it files for a place, once they are read."""
    (name, data), *beside = files
    identity = f"{hash(files)}"
    page.session_state["handed"] = {place: Handed(identity, name, data, tuple(beside))}
    return settled(settled(run(page)))


def failing(failure: BaseException | type[BaseException]) -> Callable[..., None]:
    """A computation that fails so, whatever it is given."""

    def fail(*_given: object, **_named: object) -> None:
        raise failure

    return fail


def charts(page: AppTest) -> list[Any]:
    """The charts of a page."""
    return list(page.get("plotly_chart"))


def bar_colours(page: AppTest) -> set[tuple[str, str]]:
    """The names of bars in all charts, or of their rows if each has its own bar, with colours."""
    found = set()
    for chart in charts(page):
        figure = json.loads(chart.proto.spec)
        rows = figure["layout"].get("yaxis", {}).get("ticktext", [])
        for trace in figure["data"]:
            if trace["type"] == "bar" and isinstance(trace["marker"].get("color"), str):
                name = (
                    rows[trace["y"][0]] if trace.get("name") == "alone" else trace.get("name", "")
                )
                found.add((name, trace["marker"]["color"]))
    return found


def figures(page: AppTest) -> dict[str, str]:
    """The key figures by their labels."""
    return {metric.label: metric.value for metric in page.metric}


def html(page: AppTest) -> str:
    """All that is shown as HTML, names among it."""
    return "\n".join(element.value for element in page.get("html"))


def spoken(page: AppTest) -> list[str]:
    """All that goes through Markdown, which no name may."""
    kinds = ("markdown", "caption", "header", "error", "warning", "info")
    return [element.value for kind in kinds for element in page.get(kind)]


def kept(page: AppTest) -> str:
    """What the chip says of where the study is kept."""
    where = {one.value for one in KeptWhere}
    return next(one for one in popovers(page.main) if one in where)


def popovers(block: Any) -> Iterator[str]:
    """The labels of popovers, from left to right."""
    if block.type == "popover":
        yield block.proto.popover.label
    for child in getattr(block, "children", {}).values():
        yield from popovers(child)


def parameter(page: AppTest, name: str) -> str:
    """Of the address, whether the page wrote it or it was there before."""
    value = page.query_params[name]
    return value if isinstance(value, str) else value[0]


def select(page: AppTest, element: Any, **selection: Any) -> AppTest:
    """What the browser sends when something is selected in a chart or a table."""
    states = page._tree.get_widget_states()
    states.widgets.add(id=element.proto.id, string_value=json.dumps({"selection": selection}))
    page._run(states)
    assert not page.exception
    return page


def visit(page: AppTest, *folders: str) -> AppTest:
    """The session after it went to these pages, one after the other."""
    for folder in folders:
        run(page.switch_page(f"screens/{folder}/page.py"))
    return page


def turn(page: AppTest) -> int:
    """How often the editors of the page have begun anew."""
    count = f"{EDITOR}.count"
    return page.session_state[count] if count in page.session_state else 0  # noqa: SIM401


def typed(page: AppTest, table: str, rows: dict[int, dict[str, float | None]]) -> AppTest:
    """The page Work after cells of one of its tables beside the system were typed."""
    return tell(page, f"work.{table} {turn(page)}", edited_rows=rows)


def tell(page: AppTest, key: str, **edits: Any) -> AppTest:
    """The page after its editor of this key reports edits."""
    state = page._session_state._state
    name = state._key_id_mapper.get_id_from_key(key)
    told = {"edited_rows": {}, "added_rows": [], "deleted_rows": []} | edits
    said = WidgetState(id=name, string_value=json.dumps(told))
    page._run(WidgetStates(widgets=[*page._tree.get_widget_states().widgets, said]))
    assert not page.exception
    return page
