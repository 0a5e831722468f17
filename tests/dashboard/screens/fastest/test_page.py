"""The page answers for any system it is given, and says in words whatever goes wrong."""

from collections.abc import Callable

import pytest
import streamlit as st
from pages import Open, charts, figures, own
from streamlit.testing.v1 import AppTest


@pytest.fixture
def page(open_page: Open) -> AppTest:
    return open_page("fastest", sample="two-by-two")


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
    own(page.selectbox)[0].select(1).run()
    assert not page.exception
    assert own(page.selectbox)[0].value == 1
