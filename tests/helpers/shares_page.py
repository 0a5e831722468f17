"""The view on fair shares, as tests see it, and bags of two machines to upload."""

from typing import Any

from books import zipped
from pages import charts, opened
from streamlit.testing.v1 import AppTest

from dashboard.screens.fair_shares.state import BagsDesk

BAGS = {
    "etc.csv": "task_type,A,B\nx,10,20\ny,10,\n",
    "tasks.csv": "task_type,count,release,data (MB)\nx,40,0,2\ny,10,60,0\n",
    "machines.csv": "machine_type,count,link (MB/s)\nA,2,10\nB,1,\n",
    "network.toml": "bandwidth = 5\n",
}


def given(page: AppTest, **changed: str) -> AppTest:
    """The page after bags were opened."""
    return opened(page, "fair_shares.bags", ("my bags.zip", zipped({**BAGS, **changed})))


def desk(page: AppTest) -> BagsDesk:
    found: BagsDesk = next(reversed(page.session_state["wattfront.fair_shares"].values()))
    return found


def table_with(page: AppTest, column: str) -> Any:
    return next(one.value for one in page.dataframe if column in one.value)


def drawn(page: AppTest) -> list[str]:
    return [one.key.removeprefix("fair_shares_") for one in charts(page)]
