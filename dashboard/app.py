"""What Streamlit runs for every page: what comes first, then all the rest."""

from pathlib import Path

import streamlit as st

from dashboard.ahead import load_charts


def main() -> None:
    icon = Path(__file__).parent / "assets" / "icon.png"
    st.set_page_config(page_title="Wattfront", page_icon=icon, layout="wide")
    load_charts()
    # A second, when a server has only just started: what is above is with the browser by then.
    from dashboard.navigation import show

    show()


main()
