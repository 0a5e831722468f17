"""A goal on the page Trade-offs picks a schedule, is refused with a reason, and is dragged."""

import pytest
from pages import Open, html, parameter, run, settled
from streamlit.testing.v1 import AppTest
from trade_offs_page import QUICK, alerts, chosen, click, field, goals, idle_slider, passing, report

from core.engines.front.wish import StatedWish
from dashboard.parts.frame.trade_off_state import WISH


def test_a_deadline_picks_and_a_click_ends_the_wish(page: AppTest) -> None:
    goals(page).select("deadline").run()
    assert not page.exception
    field(page, "Done within").set_value("6:00").run()
    assert chosen(page).title == "Done within 6 h"
    assert chosen(page).schedule.makespan <= 6 * 3600
    assert float(parameter(page, "deadline")) == 21_600
    click(page, "study 0")
    assert goals(page).value is None
    assert chosen(page).title != "Done within 6 h"


def test_what_is_no_time_is_said_and_changes_nothing(page: AppTest) -> None:
    goals(page).select("deadline").run()
    before = parameter(page, "deadline")
    field(page, "Done within").set_value("<b>soon</b>").run()
    assert "“&lt;b&gt;soon&lt;/b&gt;” is not a valid time" in html(page)
    assert parameter(page, "deadline") == before
    field(page, "Done within").set_value("5 h 30 min").run()
    assert "is no time" not in html(page)
    assert float(parameter(page, "deadline")) == 19_800


def test_money_is_a_goal_whatever_the_axis_counts(page: AppTest) -> None:
    goals(page).select("money").run()
    page.number_input(key="trade_offs.price").set_value(0.5).run()
    field(page, "Spend at most").set_value("0.4 eur").run()
    assert chosen(page).title == "At most 0.4 EUR"
    assert chosen(page).schedule.energy <= 0.4 / 0.5 * 3.6e6
    assert parameter(page, "money") == "0.4"
    page.number_input(key="trade_offs.price").set_value(5.0).run()
    assert any("no schedule takes less than" in alert for alert in alerts(page))
    page.selectbox(key="trade_offs.axis").select("money").run()
    assert not page.exception, "the price is not asked for twice"


def test_the_line_of_a_wish_is_dragged_and_the_address_waits_for_the_end(page: AppTest) -> None:
    goals(page).select("deadline").run()
    before = parameter(page, "deadline")
    report(page, "trade_offs.handle", moved={"at": 5.5, "held": True, "move": 1})
    assert chosen(page).title == "Done within 5 h 30 min"
    assert parameter(page, "deadline") == before
    report(page, "trade_offs.handle", moved={"at": 5.25, "held": False, "move": 2})
    assert float(parameter(page, "deadline")) == 18_900


@pytest.mark.parametrize("at", [None, "far", -1, 0, float("nan"), True, [5], 10**400])
def test_nonsense_of_a_browser_moves_no_line(page: AppTest, at: object) -> None:
    goals(page).select("deadline").run()
    before = parameter(page, "deadline")
    report(page, "trade_offs.handle", moved={"at": at, "held": False, "move": at})
    assert parameter(page, "deadline") == before


def test_a_wish_is_not_answered_for_what_the_slider_passes(page: AppTest) -> None:
    goals(page).select("deadline").run()
    before = chosen(page)
    passing(page, 40, 10)
    settled(page)
    assert chosen(page) is before


@pytest.mark.parametrize(
    ("wish", "possible"),
    [
        ({"deadline": 60}, "no schedule takes less than"),
        ({"budget": 1000}, "no schedule takes less than"),
        ({"cap": 0.1}, "no schedule draws less than"),
    ],
)
def test_an_impossible_wish_of_the_address_says_what_is_possible(
    open_page: Open, wish: dict[str, float], possible: str
) -> None:
    page = settled(open_page("trade_offs", sample="testbed", idle=0.1, **QUICK, **wish))
    assert any(possible in alert for alert in alerts(page))
    assert chosen(page).schedule is not None, "the nearest is chosen"


def test_a_wish_is_answered_anew_for_new_settings(page: AppTest) -> None:
    goals(page).select("budget").run()
    before = chosen(page)
    idle_slider(page).set_value(30)
    settled(page.run())
    assert chosen(page).fingerprint_of_system != before.fingerprint_of_system


def test_a_goal_that_is_refused_stays_as_it_was_typed(open_page: Open) -> None:
    """Issue 33, point 22: what was typed is there to be mended, beside the reason."""
    page = settled(open_page("trade_offs", sample="two-by-two"))
    next(one for one in page.segmented_control if one.label == "Your goal").set_value("deadline")
    run(page)
    before = page.text_input[0].value
    page.text_input[0].set_value("4 hourz")
    run(page)
    assert page.text_input[0].value == "4 hourz"
    assert "wf-refused" in html(page)
    run(page)
    assert page.text_input[0].value == "4 hourz", "also when the page is drawn again"
    page.text_input[0].set_value("4 h")
    run(page)
    assert 'class="wf-refused"' not in html(page)
    assert page.text_input[0].value != before


def test_a_goal_that_was_refused_is_forgotten_with_another_goal(open_page: Open) -> None:
    """As after Back, or when a study is opened."""
    page = settled(open_page("trade_offs", sample="two-by-two"))
    next(one for one in page.segmented_control if one.label == "Your goal").set_value("deadline")
    run(page)
    page.text_input[0].set_value("4 hourz")
    run(page)
    page.session_state[WISH] = StatedWish("deadline", 7200.0)
    run(page)
    assert page.text_input[0].value == "2 h"
    assert 'class="wf-refused"' not in html(page)
