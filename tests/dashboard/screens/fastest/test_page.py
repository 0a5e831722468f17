"""The page answers for any system it is given, and says in words whatever goes wrong."""

from collections.abc import Callable

import pytest
import streamlit as st
from pages import Open, charts, figures
from streamlit.testing.v1 import AppTest

import core.capabilities.makespan.solve
from core.engines.relaxed import SolverFailed
from core.engines.verify.verdict import Verdict
from core.vocabulary.problems import Problem
from dashboard.workspace.session import WORKSPACE
from dashboard.workspace.upload import Upload
from dashboard.workspace.workspace import take_upload

UNSEEN = b"task_type,M\nunseen,%d\n"


@pytest.fixture
def page(open_page: Open) -> AppTest:
    return open_page("fastest", sample="two-by-two")


def give(page: AppTest, content: bytes) -> AppTest:
    """The page with an uploaded system in force."""
    upload = Upload.read("my-times.csv", content)
    page.session_state[WORKSPACE] = take_upload(page.session_state[WORKSPACE], upload)
    page.run()
    assert not page.exception
    return page


def test_the_answer_to_a_sample_is_there_already(open_page: Open) -> None:
    page = open_page("fastest")
    assert page.header[0].value.startswith("Done in 4")
    assert figures(page)["Lower bound"] == "43 min 17 s"
    assert len(charts(page)) == 3
    assert [button.label for button in page.download_button] == ["CSV", "JSON", "Excel"]


def test_the_page_says_what_was_checked(page: AppTest) -> None:
    assert any("every task is placed exactly once" in text.value for text in page.markdown)


@pytest.mark.parametrize("sample", ["e1", "testbed", "two-by-two"])
def test_every_sample_has_its_page(open_page: Open, sample: str) -> None:
    page = open_page("fastest", sample=sample)
    assert page.header[0].value.startswith("Done in")
    assert (figures(page)["Energy"] == "unknown") == (sample == "e1")


def test_the_idle_power_of_the_frame_is_the_idle_power_of_the_answer(open_page: Open) -> None:
    energies = {
        figures(open_page("fastest", sample="testbed", idle=idle))["Energy"] for idle in (0, 1)
    }
    assert len(energies) == 2


def test_without_polish_the_published_method_answers(
    page: AppTest, forget: Callable[[], None]
) -> None:
    forget()
    page.select_slider[0].set_value(0.0).run()
    assert not page.exception
    assert figures(page)["Makespan"] == "12 s"


def test_the_fastest_that_is_known_is_shown_with_any_polish(open_page: Open) -> None:
    st.cache_data.clear()  # what was solved for another test is not found anew, and so not known
    page = open_page("fastest", sample="two-by-two")
    assert figures(page)["Makespan"] == "11 s"
    page.select_slider[0].set_value(0.0).run()
    assert not page.exception
    assert figures(page)["Makespan"] == "11 s"


def test_one_machine_type_can_be_looked_at_alone(page: AppTest) -> None:
    page.selectbox[0].select(1).run()
    assert not page.exception
    assert page.selectbox[0].value == 1


@pytest.mark.usefixtures("computed_here")
def test_a_solver_that_gives_up_is_reported_without_a_traceback(
    page: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    def give_up(*_: object, **__: object) -> None:
        raise SolverFailed("the range of times may be too wide")

    monkeypatch.setattr(core, "solve", give_up)
    give(page, UNSEEN % 123)
    assert "gave up" in page.error[0].value
    assert page.text[0].value == "the range of times may be too wide"


@pytest.mark.usefixtures("computed_here")
def test_a_schedule_that_fails_its_check_is_not_called_verified(
    page: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    def faulty(*_: object) -> Verdict:
        problem = Problem("schedule", "M #1", "count", "3 tasks are missing")
        return Verdict((problem,), (), 1, 1, 1.0, None, 1.0, 0.0, 0.0)

    monkeypatch.setattr(core.capabilities.makespan.solve, "verify", faulty)
    give(page, UNSEEN % 321)
    assert "Do not use it" in page.error[0].value
    assert any("3 tasks are missing" in text.value for text in page.text)
