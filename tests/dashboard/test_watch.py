"""What runs behind a page is looked in on until it ends, for each drawing of the page by itself."""

import pytest
import streamlit
from pages import LONG, Open, settled

from dashboard.logic import profit_polish


def test_each_drawing_has_a_watch_of_its_own(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    watches, plain = [], streamlit.fragment

    def noted(look, run_every=None):
        if run_every:
            watches.append(look.__qualname__)
        return plain(look, run_every=run_every)

    monkeypatch.setattr(streamlit, "fragment", noted)
    monkeypatch.setattr(profit_polish, "PAUSE_SECONDS", LONG)
    page = open_page("profit", sample="testbed", idle=0.1)
    page.run()
    assert len(watches) == len(set(watches)) == 2
    (job,) = page.session_state["profit.jobs"].running()
    job.cancel()
    settled(page)
    page.run()
    assert len(watches) == 2, "nothing runs any more"
