"""The page Trade-offs, opened."""

import pytest
from pages import settled
from trade_offs_page import QUICK


@pytest.fixture
def page(open_page):
    return settled(open_page("trade_offs", sample="testbed", idle=0.1, **QUICK))
