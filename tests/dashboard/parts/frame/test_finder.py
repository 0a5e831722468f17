"""Ctrl-K goes to what the browser says that a person chose, if it is there."""

from dataclasses import replace
from typing import Any

import pytest
from pages import Open, parameter, run
from trade_offs_page import report

from dashboard.pages import PAGES
from dashboard.parts.frame import finder
from dashboard.workspace.session import WORKSPACE

PROFIT = next(k for k, page in enumerate(PAGES) if page.title == "Profit")


@pytest.mark.parametrize(
    ("kind", "number", "machine", "title", "said"),
    [
        ("Page", PROFIT, 0, "Profit", {}),
        ("Machine type", 2, 0, "Schedule", {"machines_at": "3"}),
        ("Machine", 0, 1, "Schedule", {"machines_at": "1.1"}),
        ("Task type", 1, 0, "Schedule", {"machines_tasks": "2"}),
        ("Machine type", 4, 0, "Schedule", {}),
        ("Page", len(PAGES), 0, "Work", {}),
        ("Page", -1, 0, "Work", {}),
        ("Page", True, 0, "Work", {}),
        ("Anything", 0, 0, "Work", {}),
    ],
)
def test_a_place_opens_where_it_is_shown(
    open_page: Open, kind: str, number: int, machine: int, title: str, said: dict[str, str]
) -> None:
    page = open_page("work", sample="testbed")
    place = {"kind": kind, "number": number, "machine": machine, "at": 1}
    report(page, "wattfront.finder", go=place)
    assert page.title[0].value == title
    assert {
        name: parameter(page, name) for name in page.query_params if name.startswith("machines_")
    } == said


def test_all_pages_and_types_can_be_found_but_no_types_of_a_system_that_is_gone(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    offered: list[list[finder.Destination]] = []
    monkeypatch.setattr(finder, "find_places", lambda places, *_: offered.append(places))
    open_page("about", sample="testbed")
    open_page("about", kept="1234")
    there, gone = ({(one["kind"], one["name"]) for one in places} for places in offered)
    assert gone == {("Page", page.title) for page in PAGES}
    assert there - gone == {
        *(("Machine type", f"cluster {k}") for k in range(1, 5)),
        *(("Task type", name) for name in ("IS.8", "MG.8", "MG.16", "IS_CG.8")),
    }


def test_a_reload_hears_from_the_browser_that_the_study_is_saved(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[dict[str, object] | None] = []
    real = finder.find_places

    def find_places(*given: Any) -> None:
        said.append(given[3])
        real(*given)

    monkeypatch.setattr(finder, "find_places", find_places)
    page = open_page("work", sample="two-by-two")
    assert said[-1] is None, "the address has all of it"
    now = page.session_state[WORKSPACE]
    version = replace(now.version, edited=True)
    page.session_state[WORKSPACE] = replace(now, version=version)
    run(page)
    assert said[-1] is not None
    assert not said[-1]["is_saved"]
    for digest in ("another", 3, said[-1]["digest"]):
        assert not said[-1]["is_saved"]
        report(page, "wattfront.finder", saved={"digest": digest, "at": 1})
    assert said[-1]["is_saved"]
