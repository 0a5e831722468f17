"""The page Trade-offs, as tests see it and act on it."""

import json
from typing import Any

from pages import charts, select
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import ButtonGroup, Slider, TextInput

from dashboard.workspace.session import CHOSEN

QUICK = {"polish": 0, "spacing": 0.05}


def status(page: AppTest) -> str:
    return next(c.value for c in page.caption if c.value.startswith(":material/"))


def chart(page: AppTest) -> Any:
    return charts(page)[0]


def click(page: AppTest, *identities: str) -> AppTest:
    """A click on points of the chart."""
    points = [{"customdata": [name, ""]} for name in identities]
    return select(page, chart(page), points=points, point_indices=[], box=[], lasso=[])


def marked(page: AppTest) -> list[int]:
    """The rows of the table that are selected."""
    return list(json.loads(page.dataframe[0].proto.selection_default)["selection"]["rows"])


def idle_slider(page: AppTest) -> Slider[int]:
    return next(s for s in page.slider if s.label.startswith("Idle power"))


def frame_slider(page: AppTest) -> Slider[int]:
    return next(s for s in page.slider if s.label == "Share of the mean power at work")


def goals(page: AppTest) -> ButtonGroup[str]:
    return next(group for group in page.segmented_control if group.label == "Your goal")


def field(page: AppTest, label: str) -> TextInput:
    return next(field for field in page.text_input if field.label == label)


def report(page: AppTest, key: str, **state: Any) -> AppTest:
    """What a part of the page in the browser reports."""
    part = next(one for one in page.get("bidi_component") if one.proto.id.endswith(key))
    states = page._tree.get_widget_states()
    states.widgets.add(id=part.proto.id, json_value=json.dumps(state))
    page._run(states)
    assert not page.exception
    return page


def passing(page: AppTest, percent: object, since: object, move: int = 1) -> AppTest:
    """The slider of the idle power is dragged over there."""
    return report(
        page, "trade_offs.follower", passing={"percent": percent, "from": since, "move": move}
    )


def chosen(page: AppTest) -> Any:
    return page.session_state[CHOSEN]


def alerts(page: AppTest) -> list[str]:
    return [element.value for element in (*page.warning, *page.error)]
