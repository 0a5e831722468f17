"""A page knows whether a dialog is in front of it, in the run in which it is shown only."""

from pages import Open, press, run

from dashboard.parts.fields.buttons import _IN_FRONT


def test_each_dialog_is_in_front_until_it_is_closed(open_page: Open) -> None:
    page = open_page("trade_offs", sample="two-by-two")
    assert _IN_FRONT not in page.session_state
    for label, open_key in (("Open files", "opener.open"), ("Help", "help.open")):
        press(page, label)
        assert _IN_FRONT in page.session_state
        del page.session_state[open_key]
        run(page)
        assert _IN_FRONT not in page.session_state
