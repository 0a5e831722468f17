"""The view on fair shares in each of its states."""

import pytest
from pages import Open, charts
from streamlit.testing.v1 import AppTest

pytestmark = pytest.mark.usefixtures("computed_here")


@pytest.fixture
def page(open_page: Open) -> AppTest:
    return open_page("arrivals", sample="two-by-two", arrivals_view="shares")


def test_it_opens_with_an_answer_for_the_sample(page: AppTest) -> None:
    assert page.header[0].value == "Each bag can be done within 2.418 times what it takes alone."
    assert len(charts(page)) == 2
