"""What tests look for on the pages of the dashboard."""

from typing import Any

from streamlit.testing.v1 import AppTest

from dashboard.frame import AHEAD_CHART


def charts(page: AppTest) -> list[Any]:
    """The charts of a page, without the one that has browsers load what draws charts."""
    return [chart for chart in page.get("plotly_chart") if chart.key != AHEAD_CHART]
