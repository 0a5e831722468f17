"""Weights and value functions that a person changes, and what they come to."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from pages import Open, button, field, html, press, put, settled
from streamlit.testing.v1 import AppTest

from core.capabilities.arrivals.asked import ArrivalsSettings, GivenWorkload
from core.capabilities.arrivals.made.recipes import DRAWN_VALUE, drawn
from core.engines.replay.value import PUBLISHED_WEIGHTS
from core.vocabulary.problems import InvalidInput
from dashboard.parts.fields import in_browser
from dashboard.parts.fields.in_browser import ValueHandles
from dashboard.screens.arrivals import values
from dashboard.screens.arrivals.state import STATE
from dashboard.screens.arrivals.values import (
    ChangedValues,
    changed_values,
    editor_key,
    middle_of,
    periods_said,
    times,
    typed_weights,
    weights_frame,
)

DRAWN = ArrivalsSettings(workload="value", seed=0)


@pytest.fixture
def day(monkeypatch: pytest.MonkeyPatch) -> ChangedValues:
    here: dict[str, object] = {}
    monkeypatch.setattr("streamlit.session_state", here)
    monkeypatch.setattr("dashboard.workspace.session.workspace", lambda: None)
    found = changed_values(DRAWN)
    assert found is not None
    return found


def test_weights_are_edited_by_category_and_period() -> None:
    frame = weights_frame(PUBLISHED_WEIGHTS)
    assert frame.columns.tolist()[:3] == ["Category", "low: time", "low: energy"]
    assert frame.loc[0].tolist() == ["regular", 1.0, 1.0, 1.0, 2.0, 1.0, 4.0]
    edits = {1: {"high: energy": 7.5}, 2: {"low: time": None}}
    typed = typed_weights(PUBLISHED_WEIGHTS, edits)
    assert (typed.energy[1].tolist(), typed.time[2].tolist()) == ([1, 1, 7.5], [0, 1, 1])
    assert PUBLISHED_WEIGHTS.energy[1, 2] == 1.0, "the first stay as they were"


def test_periods_are_said_by_their_hours() -> None:
    said = "low 0 to 4 h; medium 4 to 10 and 18 to 24 h; high 10 to 18 h"
    assert periods_said(PUBLISHED_WEIGHTS) == said


def test_a_handle_moves_all_jobs_of_a_category(day: ChangedValues) -> None:
    mine = day.values.category == 1
    begun = middle_of(day.values.time, mine)
    moved = begun[0] * 2, begun[1] * 1.5, begun[2] / 4
    changed = replace(day, factors={(1, "time"): times(moved, begun)}).changed
    assert middle_of(changed.time, mine) == pytest.approx((*moved[:2], moved[2]), rel=0.1)
    assert np.array_equal(changed.time.hard[mine], 1.5 * day.values.time.hard[mine])
    for kept in ("soft", "hard", "least"):
        before, now = getattr(day.values.time, kept), getattr(changed.time, kept)
        assert np.array_equal(before[~mine], now[~mine])
    assert changed.energy is day.values.energy
    assert times((1.0, 2.0, 3.0), (0.0, 4.0, 1.5)) == (1.0, 0.5, 2.0)


def test_other_values_are_a_workload_of_a_persons_own(day: ChangedValues) -> None:
    weights = typed_weights(day.weights, {0: {"low: time": 3.0}})
    given = replace(day, weights=weights).given
    assert given.name.endswith(", with other values")
    assert given.digest != day.given.digest
    assert given.file.values is not None
    assert given.file.values.weights.time[0, 0] == 3.0
    low = (day.values.category == 0) & (given.file.workload.jobs.priority > 0)
    ratio = given.file.workload.jobs.priority[low] / day.before.file.workload.jobs.priority[low]
    assert set(ratio.round(9)) == {1.0, 3.0}


def test_what_leaves_jobs_without_worth_is_refused(day: ChangedValues) -> None:
    narrow = replace(day, factors={(0, "time"): (0.001, 0.001, 1.0)})
    with pytest.raises(InvalidInput, match="is worth nothing on any option"):
        _ = narrow.given
    values._take(narrow)
    assert values.st.session_state[values._FAULTS]
    assert STATE.given() is None


def test_changes_follow_each_other_and_are_taken_back(day: ChangedValues) -> None:
    values.st.session_state[STATE.settings] = replace(STATE.usual, workload="value", seed=0)
    values._take(replace(day, factors={(0, "time"): (1.0, 0.9, 1.0)}))
    now = changed_values(STATE.current())
    assert now is not None
    assert now.before is day.before, "a second change begins with the day as it was drawn"
    assert now.factors == {(0, "time"): (1.0, 0.9, 1.0)}
    values._take_back(now)
    assert STATE.current().workload == "value"
    assert (asked := STATE.asked()) is not None, "it is replayed again"
    assert asked.given is None
    mine = GivenWorkload("mine", "1", drawn(DRAWN_VALUE, 3))
    STATE.give(mine)
    own = changed_values(STATE.current())
    assert own is not None
    values._take(replace(own, weights=typed_weights(own.weights, {0: {"low: time": 3.0}})))
    assert STATE.given() is not mine
    changed = changed_values(STATE.current())
    assert changed is not None
    values._take_back(changed)
    assert STATE.given() is mine


def test_handles_move_what_they_show(day: ChangedValues, monkeypatch: pytest.MonkeyPatch) -> None:
    values.st.session_state[STATE.settings] = replace(STATE.usual, workload="value", seed=0)
    shown = dict[str, tuple[ValueHandles, Callable[[float, float, float], None]]]()
    put = lambda key, handles, take: shown.update({key: (handles, take)})  # noqa: E731
    monkeypatch.setattr(values, "show_value_function", put)
    now, mine = day, day.values.category == 1
    for of in values._TITLES:
        values._show_function(now, 1, of, mine)
        handles, take = shown[f"arrivals.value.{of}"]
        soft, hard, least = handles.at
        size = 60.0 if of == "time" else 1e3
        assert (soft * size, hard * size, least) == middle_of(getattr(day.values, of), mine)
        assert handles.end == 1.5 * hard
        assert len(handles.others) == 40
        take(0.5 * soft, hard, least)
        now = changed_values(STATE.current())
        assert now is not None
    assert now.factors == {
        (1, "time"): pytest.approx((0.5, 1.0, 1.0)),
        (1, "energy"): pytest.approx((0.5, 1.0, 1.0)),
    }


def test_the_editor_begins_anew_with_weights_of_another_hand(day: ChangedValues) -> None:
    first = editor_key(PUBLISHED_WEIGHTS)
    assert editor_key(PUBLISHED_WEIGHTS) == first
    second = editor_key(typed_weights(PUBLISHED_WEIGHTS, {0: {"low: time": 3.0}}))
    assert second != first
    assert editor_key(PUBLISHED_WEIGHTS) not in (first, second)


def test_the_hosts_that_were_drawn_come_back(day: ChangedValues) -> None:
    values.st.session_state[STATE.settings] = replace(STATE.usual, workload="value-testbed", seed=0)
    now = changed_values(STATE.current())
    assert now is not None
    values._take(replace(now, weights=typed_weights(now.weights, {0: {"low: time": 3.0}})))
    assert STATE.current().workload == "own"
    changed = changed_values(STATE.current())
    assert changed is not None
    values._take_back(changed)
    assert STATE.current().workload == "value-testbed"


def test_files_of_one_name_are_told_from_each_other(day: ChangedValues) -> None:
    one, other = (replace(day, before=replace(day.before, digest=text)) for text in "ab")
    assert one.given.digest != other.given.digest
    assert one.given.digest == replace(one).given.digest


def test_energy_counts_by_its_price_once(open_page: Open) -> None:
    said = {"arrivals_workload": "value", "arrivals_policies": "max-vptr"}
    prices = {"day_tariff": "0:0.3001 8:0.3002 20:0.3001"}
    page = open_page("arrivals", sample="two-by-two", **said, **prices)
    label = "Let energy count as it costs in each hour"
    settled(press(page, label))
    tables = [one.value for one in page.dataframe if "Category" in one.value]
    assert "high from 10:00: energy" in tables[0].columns
    assert "medium from 18:00: energy" in tables[0].columns
    assert button(page, label).disabled, "twice would count prices twice"


def test_a_day_without_value_functions_has_none(day: ChangedValues) -> None:
    bare = GivenWorkload("bare", "1", replace(day.before.file, values=None))
    values.st.session_state[STATE.settings] = STATE.usual
    STATE.give(bare)
    assert changed_values(STATE.current()) is None


@pytest.mark.parametrize(
    ("report", "taken"),
    [
        ({"soft": 1, "hard": 2.5, "least": 0.5}, [(1, 2.5, 0.5)]),
        ({"soft": -1, "hard": 2.5, "least": 0.5}, []),
        ({"soft": 1, "hard": 0, "least": 0.5}, []),
        ({"soft": 1, "hard": 2, "least": 1.5}, []),
        ({"soft": 1, "hard": True, "least": 0.5}, []),
        ({"soft": "1", "hard": 2, "least": 0.5}, []),
        ({"soft": 1, "hard": 2}, []),
        ({"soft": 1, "hard": float("nan"), "least": 0.5}, []),
        ("<b>", []),
    ],
)
def test_a_browser_that_reports_nonsense_changes_nothing(
    monkeypatch: pytest.MonkeyPatch, report: object, taken: list[object]
) -> None:
    monkeypatch.setattr("streamlit.session_state", {"f": {"moved": report}})
    found: list[object] = []
    in_browser._take_function("f", lambda *all_of: found.append(all_of))
    assert found == taken


def test_the_page_has_the_weights_and_takes_cores(open_page: Open) -> None:
    said = {"arrivals_workload": "value", "arrivals_policies": "max-vptr"}
    page = open_page("arrivals", sample="two-by-two", **said)
    tables = [one.value for one in page.dataframe if "Category" in one.value]
    assert tables[0]["Category"].tolist() == [*PUBLISHED_WEIGHTS.categories]
    put(page, "Cores", 128)
    settings: ArrivalsSettings = page.session_state[STATE.settings]
    assert settings.recipe is not None
    assert settings.recipe.name == "value-128-256"


@pytest.mark.thorough
def test_the_view_shows_what_more_would_earn(open_page: Open) -> None:
    said = {"arrivals_workload": "value", "arrivals_policies": "max-vptr"}
    page: AppTest = open_page("arrivals", sample="two-by-two", **said)
    settled(press(page, "Replay"))
    put(page, "A closer look at the day", "value")
    while any(one.label == "Stop" for one in page.button):
        settled(page)
    assert "cores more earn" in html(page)
    assert field(page, "Category").options == [*PUBLISHED_WEIGHTS.categories]
    assert not page.exception
