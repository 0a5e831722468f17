"""What Streamlit runs for every page: what comes first, then all the rest."""

from pathlib import Path

import streamlit as st

from dashboard.ahead import load_charts
from dashboard.loading import load


def main() -> None:
    icon = Path(__file__).parent / "assets" / "icon.png"
    st.set_page_config(page_title="Wattfront", page_icon=icon, layout="wide")
    load_charts()  # with the browser before the rest is loaded, in a server just started
    show = load()
    show()


main()
