"""A day of a centre is answered when the page opens, and what is asked is answered anew."""

import pytest
from pages import Open, charts, figures, settled

pytestmark = pytest.mark.usefixtures("computed_here")


def test_the_sample_is_answered_when_the_page_opens(open_page: Open) -> None:
    page = settled(open_page("centre"))
    assert page.header[0].value.startswith("You can pay ")
    assert len(charts(page)) == 1
    assert "No plan has less than" in figures(page)
    print(page.header[0].value)
