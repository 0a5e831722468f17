"""An unforeseen failure ends in an apology with an identifier; the log has the rest."""

import re

import pytest
from patience import PATIENCE
from streamlit.testing.v1 import AppTest


def fails() -> None:
    import streamlit as st

    from dashboard.server.guard import guarded

    def run() -> None:
        raise KeyError("secret <detail>")

    guarded(run, "Some page")
    st.text("the rest of the frame")


def stops() -> None:
    import streamlit as st

    from dashboard.server.guard import guarded

    guarded(st.stop, "Some page")
    st.text("not reached")


def presses() -> None:
    import streamlit as st

    from dashboard.server.guard import callback

    @callback
    def press(divisor: int) -> None:
        st.session_state["quotient"] = 1 / divisor

    st.button("press", on_click=press, args=(0,))
    st.button("again", on_click=press, args=(2,))
    st.text(st.session_state.get("quotient", "none"))


def test_a_failure_is_an_apology_and_no_traceback(caplog: pytest.LogCaptureFixture) -> None:
    page = AppTest.from_function(fails).run()
    assert not page.exception
    (apology,) = (error.value for error in page.error)
    assert "secret" not in apology
    identifier = re.search(r"\*\*([0-9a-f]{8})\*\*", apology)
    assert identifier is not None
    assert f"failure {identifier[1]} in Some page" in caplog.text
    assert "secret <detail>" in caplog.text
    assert page.text[0].value == "the rest of the frame"


def test_a_page_may_stop_itself() -> None:
    page = AppTest.from_function(stops).run()
    assert not page.error
    assert not page.text


def test_a_callback_that_fails_is_an_apology_above_the_page(
    caplog: pytest.LogCaptureFixture,
) -> None:
    page = AppTest.from_function(presses).run()
    page.button[0].click().run()
    assert not page.exception
    assert len(page.error) == 1
    assert page.text[0].value == "none"
    assert "ZeroDivisionError" in caplog.text
    page.button[1].click().run()
    assert not page.error
    assert page.text[0].value == "0.5"


def computes() -> None:
    import streamlit as st
    import tasks

    from dashboard.server import guard
    from dashboard.workspace import asking

    def run() -> None:
        task = tasks.die if st.session_state.setdefault("deadly", True) else tasks.number
        st.session_state["deadly"] = False
        st.text(f"done in {asking.compute(task)}")

    guard.guarded(run, "Some page")


def test_a_computation_that_dies_is_said_and_can_be_gone_on_with(
    caplog: pytest.LogCaptureFixture,
) -> None:
    page = AppTest.from_function(computes, default_timeout=PATIENCE).run()
    assert not page.exception
    assert "ended unexpectedly" in page.error[0].value
    assert "Sorry" not in page.error[0].value
    assert "Some page" in caplog.text
    page.button[0].click().run()
    assert not page.error
    assert page.text[0].value.startswith("done in ")


def closed() -> None:
    from core.vocabulary.budget import Cancelled
    from dashboard.server.guard import guarded

    def run() -> None:
        raise Cancelled("nobody is there")

    guarded(run, "Some page")


def test_what_a_closed_tab_leaves_is_no_failure(caplog: pytest.LogCaptureFixture) -> None:
    page = AppTest.from_function(closed).run()
    assert not page.error
    assert not page.exception
    assert "Some page" not in caplog.text
