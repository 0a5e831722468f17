"""A job that ended early says how, and can go on."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
import streamlit

from core.engines.compute.task import Lost
from core.vocabulary.budget import Cancelled
from dashboard.parts.frame.watch import show_end

Said = list[tuple[str, str]]


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> Said:
    """What is shown, by its kind; buttons are pressed at once."""
    shown: Said = []

    def show(kind: str) -> Callable[..., None]:
        return lambda words, **_: shown.append((kind, words))

    def press(label: str, *, on_click: Callable[[], None], **_: object) -> None:
        shown.append(("button", label))
        on_click()

    monkeypatch.setattr(streamlit, "info", show("info"))
    monkeypatch.setattr(streamlit, "error", show("error"))
    monkeypatch.setattr(streamlit, "button", press)
    return shown


def job(failure: BaseException | None) -> Any:
    return SimpleNamespace(failure=failure)


@pytest.mark.parametrize(
    ("failure", "first"),
    [
        (Cancelled(), ("info", "The search was stopped.")),
        (
            Lost(),
            (
                "error",
                "The computation ended unexpectedly. It has no result. Your work is not lost.",
            ),
        ),
    ],
)
def test_it_says_how_the_job_ended_and_offers_to_go_on(
    said: Said, failure: BaseException, first: tuple[str, str]
) -> None:
    def go_on() -> None:
        said.append(("", "goes on"))

    show_end(job(failure), "The search was stopped.", go_on)
    assert said == [first, ("button", "Go on"), ("", "goes on")]
    said.clear()
    show_end(job(failure), "The search was stopped.", go_on, "Go on with it")
    assert said == [first, ("button", "Go on with it"), ("", "goes on")]


def test_nothing_is_said_of_a_job_that_runs_or_is_done(said: Said) -> None:
    show_end(job(None), "It was stopped.", lambda: None)
    assert said == []


def test_a_failure_that_nobody_expects_is_for_the_guard(said: Said) -> None:
    with pytest.raises(ZeroDivisionError):
        show_end(job(ZeroDivisionError()), "It was stopped.", lambda: None)
    assert said == []
