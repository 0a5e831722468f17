"""Handles stand on the corners of the target, and what they report is the target by the hour."""

from typing import Any

import pytest
from shown_days import small_answer

from core.vocabulary.problems import InvalidInput
from core.vocabulary.say.units import Unit
from dashboard.parts.fields import in_browser
from dashboard.parts.fields.in_browser import MOST_CORNERS, StepHandles
from dashboard.screens.centre import target_panel
from dashboard.screens.centre.inputs import with_target
from dashboard.screens.centre.target_panel import read_target, show_target_handles

KW = Unit("kW", 1000.0)


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The handles that are shown, what they report to, and the target that is set."""
    found: dict[str, Any] = {}

    def put(chart: str, handles: StepHandles, take: Any) -> None:
        found.update(chart=chart, handles=handles, take=take)

    monkeypatch.setattr(target_panel, "show_step_handles", put)
    monkeypatch.setattr(target_panel.state, "set_target", lambda one: found.update(target=one))
    return found


def test_handles_are_at_the_corners_and_report_hours(shown: dict[str, Any]) -> None:
    show_target_handles(with_target(small_answer().file, ((0.0, 1.5), (2.0, 0.5))), KW, 3000.0)
    handles = shown["handles"]
    assert handles.at == [(0.0, 1.5), (2.0, 0.5)]
    assert (handles.end, handles.step, handles.most) == (4.0, 0.25, 3.0)
    assert handles.times[8] == "02:00"
    shown["take"]([(0.0, 1.5), (1.75, 0.6)])
    assert shown["target"] == ((0.0, 1.5), (1.75, 0.6))


def test_a_corner_above_the_chart_is_at_its_edge(shown: dict[str, Any]) -> None:
    show_target_handles(with_target(small_answer().file, ((0.0, 900.0), (2.0, 0.5))), KW, 3000.0)
    assert shown["handles"].at == [(0.0, 3.0), (2.0, 0.5)]


def test_there_are_none_without_a_target_or_with_many_corners(shown: dict[str, Any]) -> None:
    show_target_handles(small_answer().file, KW, 3000.0)
    many = tuple((k / 4, 0.5 + k % 2) for k in range(MOST_CORNERS + 1))
    show_target_handles(with_target(small_answer().file, many), KW, 3000.0)
    assert shown == {}
    show_target_handles(with_target(small_answer().file, many[:-1]), KW, 3000.0)
    assert len(shown["handles"].at) == MOST_CORNERS


def test_only_corners_in_order_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a browser reports is checked."""
    found: list[Any] = []
    reports: list[Any] = [
        [[0, 1], [2, 3.5]],
        [],
        [[0, 1], [0, 2]],
        [[2, 1], [1, 2]],
        [[0, -1]],
        [[0, True]],
        [[0, float("nan")]],
        [[0, 1, 2]],
        ["ab"],
        "ab",
        None,
        [[k, 1] for k in range(MOST_CORNERS + 1)],
    ]
    for told in reports:
        monkeypatch.setattr(in_browser, "_report", lambda *_, told=told: {"at": told})
        in_browser._take_steps("k", found.append)
    assert found == [[(0.0, 1.0), (2.0, 3.5)]]


def test_a_target_is_read_as_people_write_it() -> None:
    assert read_target("0:15, 17:7 21:15") == ((0.0, 15.0), (17.0, 7.0), (21.0, 15.0))
    assert read_target("  ") == ()
    for wrong in ("15", "25:1", "0:x", "0:-1", "0:1 0:2"):
        with pytest.raises(InvalidInput):
            read_target(wrong)
