"""The page Machines says what machine types are good for, and has all that is said of them."""

import pytest
from pages import Open, html, press, put, visit
from streamlit.testing.v1 import AppTest

from dashboard.workspace import workspace as step
from dashboard.workspace.draft import Change
from dashboard.workspace.session import WORKSPACE


def test_a_finding_stands_above_its_picture_and_the_table(open_page: Open) -> None:
    page = open_page("machines", sample="nine")
    assert page.header[0].value == (
        "5 of 9 machine types are the fastest or the thriftiest for some task type."
    )
    assert "M6 is fastest for 25 of 30 task types" in html(page)
    assert page.data_editor[0].editing_mode == "dynamic"


@pytest.mark.thorough
@pytest.mark.parametrize("detail", ["Best for", "Speed and energy"])
@pytest.mark.parametrize("sample", ["testbed", "e1"])
def test_every_detail_can_be_looked_at(open_page: Open, sample: str, detail: str) -> None:
    page = open_page("machines", sample=sample)
    put(page, "machines.detail", detail)
    asks_for_powers = any("energy is unknown" in caption.value for caption in page.caption)
    assert asks_for_powers == (sample == "e1" and detail == "Speed and energy")


@pytest.mark.parametrize(
    ("sample", "idle", "said"),
    [("nine", None, None), ("nine", "0.2", "20 %"), ("e1", None, None)],
)
def test_a_share_that_counts_in_place_of_the_table_is_said(
    open_page: Open, sample: str, idle: str | None, said: str | None
) -> None:
    page = open_page("machines", sample=sample, **({"idle": idle} if idle else {}))
    found = [one.value for one in page.caption if "counts as idle power" in one.value]
    assert len(found) == (said is not None)
    if said:
        assert found[0].startswith(f"{said} of the power at work")
        assert found[0].endswith("until the chip Idle power above is set to *As in the system*.")


def changed(page: AppTest, cells: dict[str, object]) -> AppTest:
    """The page after an edit of the first machine type."""
    now = page.session_state[WORKSPACE]
    draft = now.version.tables.changed("machines", Change({0: cells}))
    page.session_state[WORKSPACE] = step.edit(now, draft)
    return visit(page, "machines")


def test_undo_and_problems_are_those_of_work_too(open_page: Open) -> None:
    page = changed(open_page("machines", sample="two-by-two"), {"count": -1})
    assert "not in force yet" in page.error[0].value
    assert any("correct them on Machines or Work" in one.value for one in page.caption)
    visit(page, "work")
    assert '<td data-label="Where">Machine types</td>' in html(page)
    assert not press(page, "Undo").error
