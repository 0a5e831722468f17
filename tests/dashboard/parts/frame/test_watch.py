"""What runs behind a page is looked in on until it ends, for each drawing of the page by itself."""

from collections.abc import Callable
from threading import Event
from types import SimpleNamespace
from typing import Any
from weakref import WeakSet

import pytest
import streamlit
from pages import Open, settled
from patience import PATIENCE

from core.engines.compute.task import Lost
from core.vocabulary.budget import Cancelled
from core.vocabulary.problems import InvalidInput, Problem
from dashboard.parts.frame import markup
from dashboard.parts.frame.watch import PREPARING, poll_seconds, show_end, watch
from dashboard.screens.profit import polish as profit_polish
from dashboard.server import background, computing
from dashboard.server.background import Job, Jobs, sessions_at_work


def test_many_look_less_often_each_so_that_all_together_look_no_more() -> None:
    assert poll_seconds(1) == poll_seconds(4) == 0.5
    for sessions in (30, 300):
        assert sessions / poll_seconds(sessions) == pytest.approx(10)


@pytest.mark.parametrize(("awaited", "stood_back"), [(True, 0), (False, 1)])
def test_what_nobody_waits_for_is_drawn_after_what_somebody_does(
    monkeypatch: pytest.MonkeyPatch, awaited: bool, stood_back: int
) -> None:
    looks, drawn_anew, behind = [], [], []
    monkeypatch.setattr(streamlit, "fragment", lambda look, **_: lambda: looks.append(look))
    monkeypatch.setattr(streamlit, "rerun", lambda: drawn_anew.append(1))
    monkeypatch.setattr(background.RIGHT_OF_WAY, "stand_back", lambda: behind.append(1))
    jobs = Jobs()
    watch(jobs, jobs.state(), awaited=awaited)
    (look,) = looks
    look()
    assert not drawn_anew
    jobs.ask("better", 0, lambda job: job.show(1)).wait(1, PATIENCE)
    monkeypatch.setattr("dashboard.parts.frame.watch.is_dialog_in_front", lambda: True)
    look()
    assert not drawn_anew, "the dialog would lose what is being typed"
    monkeypatch.setattr("dashboard.parts.frame.watch.is_dialog_in_front", lambda: False)
    look()
    assert (len(drawn_anew), len(behind)) == (1, stood_back)


@pytest.mark.parametrize(("ready", "said"), [(True, "Waiting …"), (False, PREPARING)])
def test_until_the_first_worker_is_there_it_is_said_what_takes_long(
    monkeypatch: pytest.MonkeyPatch, ready: bool, said: str
) -> None:
    captions, end = [], Event()
    monkeypatch.setattr(streamlit, "fragment", lambda look, **_: look)
    monkeypatch.setattr(streamlit, "caption", lambda words, **_: captions.append(words))
    monkeypatch.setattr(computing, "WORKERS", SimpleNamespace(ready=ready))
    jobs = Jobs()

    def wait(job: Job[None]) -> None:
        job.begin("Waiting")
        job.show(None)
        end.wait(PATIENCE)

    job = jobs.ask("wait", 0, wait)
    job.wait(1, PATIENCE)
    watch(jobs, jobs.state())
    end.set()
    assert captions == [said]


def test_sessions_at_work_are_those_with_something_running(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of this test alone: jobs of pages that others opened end when they end."""
    monkeypatch.setattr(background, "_EVERY", WeakSet())
    end, jobs, idle = Event(), Jobs(), Jobs()
    job = jobs.ask("wait", 0, lambda _: end.wait(PATIENCE) and None)
    assert sessions_at_work() == 1
    end.set()
    job.wait(1, PATIENCE)
    assert sessions_at_work() == 0
    assert not idle.running()


def test_each_drawing_has_a_watch_of_its_own(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    watches, plain = [], streamlit.fragment

    def noted(look, run_every=None):
        if run_every:
            watches.append(look.__qualname__)
        return plain(look, run_every=run_every)

    monkeypatch.setattr(streamlit, "fragment", noted)
    monkeypatch.setattr(profit_polish, "PAUSE_SECONDS", PATIENCE)
    page = open_page("profit", sample="testbed", idle=0.1)
    page.run()
    assert len(watches) == len(set(watches)) == 2
    (job,) = page.session_state["profit.jobs"].running()
    job.cancel()
    settled(page)
    page.run()
    assert len(watches) == 2, "nothing runs any more"


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
    monkeypatch.setattr(streamlit, "html", show("html"))
    monkeypatch.setattr(streamlit, "button", press)
    return shown


def job(failure: BaseException | None) -> Any:
    return SimpleNamespace(failure=failure)


LOST = (
    "The computation ended unexpectedly. Perhaps there was not enough memory. It has no result. "
    "Your work is not lost."
)


@pytest.mark.parametrize("label", ["Go on", "Go on with it"])
@pytest.mark.parametrize(
    ("failure", "first"),
    [
        (None, None),  # it runs or is done
        (Cancelled(), ("info", "The search was stopped.")),
        (Lost(), ("error", LOST)),
    ],
)
def test_it_says_how_the_job_ended_and_offers_to_go_on(
    said: Said, failure: BaseException | None, first: tuple[str, str] | None, label: str
) -> None:
    how = {} if label == "Go on" else {"label": label}
    show_end(job(failure), "The search was stopped.", lambda: said.append(("", "goes on")), **how)
    assert said == ([first, ("button", label), ("", "goes on")] if first else [])


def test_problems_of_what_was_given_stand_below_what_is_said_of_them(said: Said) -> None:
    failure = InvalidInput([Problem("plan", "", "budget", "is too small")])
    asked = job(failure), "It was stopped.", lambda: None
    show_end(*asked, refused="It cannot be:")
    assert said == [("error", "It cannot be:"), ("html", markup.problems(failure.problems))]
    with pytest.raises(InvalidInput):
        show_end(*asked)


def test_a_failure_that_nobody_expects_is_for_the_guard(said: Said) -> None:
    with pytest.raises(ZeroDivisionError):
        show_end(job(ZeroDivisionError()), "It was stopped.", lambda: None)
    assert said == []
