"""A log becomes a system on the page: what it gives is shown before it is used."""

import pytest
from pages import Open, button, html, run
from streamlit.testing.v1 import AppTest

from dashboard.workspace.session import WORKSPACE

pytestmark = pytest.mark.usefixtures("computed_here")

LOG = "task,machine,seconds,watts\n" + "".join(
    f"{task},{machine},{seconds + change},300\n"
    for task, machine, seconds in [
        ("a", "x", 100),
        ("a", "y", 50),
        ("b", "x", 20),
        ("b", "y", 10),
        ("c", "x", 60),
    ]
    for change in (-1, 0, 1) * 4
)


def page_with(open_page: Open, log: bytes) -> AppTest:
    page = open_page("system", sample="testbed")
    page.segmented_control(key="start.source").set_value("log")
    run(page)
    page.file_uploader(key="log.files").upload("runs.csv", log)
    return run(page)


def test_a_log_is_previewed_and_used(open_page: Open) -> None:
    page = page_with(open_page, LOG.encode())
    assert "runs.csv (table of runs): 60 rows" in html(page)
    assert "60 of 60 rows used" in html(page)
    assert "1 pair estimated" in html(page)
    button(page, "Use this system").click()
    run(page)
    system = page.session_state[WORKSPACE].system
    assert system.task_names == ("a", "b", "c")
    assert system.estimated is not None
    assert system.estimated.sum() == 1


def test_what_is_no_log_is_refused_with_the_remedy(open_page: Open) -> None:
    page = page_with(open_page, b"hello\nworld\n")
    assert "runs.csv: is not recognised; give a dump of sacct" in html(page)
