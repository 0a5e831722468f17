"""The browser's history has an entry for each change that a person made, even one told late."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Page

import dashboard

SCRIPT: Final = (Path(dashboard.__file__).parent / "assets" / "history.js").read_text()
Told = Callable[..., list[str]]


@pytest.fixture
def told(page: Page) -> Told:
    """Does things on an empty page one after the other: "click", "field", a key, milliseconds that
    pass by the page's clock, or a query that is told; returns the queries that Back leads through
    from then on.
    """
    html = f"<script type=module>{SCRIPT.replace('export default function', 'function start')}\n"
    page.route(
        "**/*", lambda route: route.fulfill(body=f"{html}start();</script><p>page</p><input>")
    )
    # Not Playwright's clock, which would stop that of all pages to come.
    page.add_init_script("window.passed = 1_000; performance.now = () => window.passed;")
    page.goto("http://history.test/page?at=0")

    def do(*steps: str | int) -> list[str]:
        for step in steps:
            if isinstance(step, int):
                page.evaluate("step => { window.passed += step; }", step)
            elif step == "click":
                page.locator("p").click()
            elif step == "field":
                page.locator("input").click()
            elif "=" in step:
                page.evaluate("query => history.pushState({}, '', '?' + query)", step)
            else:
                page.keyboard.press(step)
        passed = []
        while "at=0" not in page.url:
            passed.append(page.url.partition("?")[2])
            page.go_back()
        return passed

    return do


@pytest.mark.thorough
def test_each_change_has_an_entry(told: Told) -> None:
    assert told("click", "at=1", "click", "at=2") == ["at=2", "at=1"]


@pytest.mark.thorough
def test_so_have_two_that_were_made_before_the_first_was_told(told: Told) -> None:
    assert told("click", 400, "click", "at=1", "at=2") == ["at=2", "at=1"]


@pytest.mark.thorough
def test_so_have_three(told: Told) -> None:
    steps = ("click", 400, "click", "at=1", 400, "click", "at=2", "at=3")
    assert told(*steps) == ["at=3", "at=2", "at=1"]


@pytest.mark.thorough
def test_what_nobody_asked_for_has_none(told: Told) -> None:
    assert told("click", "at=1", "at=2") == ["at=2"]


@pytest.mark.thorough
def test_what_is_typed_is_one_change(told: Told) -> None:
    typed = ("field", 300, "1", 150, "2", 150, "Enter")
    assert told(*typed, "at=1", "at=2") == ["at=2"]
    assert told("field", "1", "Enter", "at=3") == ["at=3"]


@pytest.mark.thorough
def test_what_a_wish_picks_a_moment_later_has_none(told: Told) -> None:
    steps = ("click", 400, "click", "deadline=2&chosen=a", "deadline=2&chosen=b")
    assert told(*steps) == ["deadline=2&chosen=b"]
