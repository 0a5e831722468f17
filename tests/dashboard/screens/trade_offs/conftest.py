"""The page Trade-offs, opened."""

import pytest
from pages import Open, settled
from streamlit.testing.v1 import AppTest
from trade_offs_page import QUICK


@pytest.fixture
def page(open_page: Open) -> AppTest:
    return settled(open_page("trade_offs", sample="testbed", idle=0.1, **QUICK))
