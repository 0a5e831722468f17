"""Has the browser of somebody new load what draws charts, while the first page is computed.

Imports little, so that it comes before all that takes long.
"""

from typing import Final

import pandas  # noqa: F401  # plotly uses it once anybody imports it, even if half loaded
import streamlit as st

CHART: Final = "ahead_chart"
_SENT: Final = "ahead.sent"


def load_charts() -> None:
    """Sends a chart that nobody sees, once a session."""
    with st.container(key="ahead"):
        if _SENT not in st.session_state:
            st.session_state[_SENT] = True
            st.plotly_chart({"data": [{"y": [0]}]}, key=CHART)
