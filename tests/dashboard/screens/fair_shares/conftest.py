"""The page Fair shares of a sample."""

import pytest
from pages import Open, settled
from streamlit.testing.v1 import AppTest


@pytest.fixture
def nothing_replayed_unasked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which takes seconds in each of these tests; `test_kept` has it."""
    monkeypatch.setattr("dashboard.screens.fair_shares.whole_panel.ask_kept", lambda *_: None)


@pytest.fixture
def page(open_page: Open) -> AppTest:
    return settled(open_page("fair_shares", sample="two-by-two"))
