"""What Streamlit runs for every page."""

from pathlib import Path

import streamlit as st

from dashboard.loading import load


def main() -> None:
    icon = Path(__file__).parent / "assets" / "icon.png"
    st.set_page_config(page_title="Wattfront", page_icon=icon, layout="wide")
    show = load()
    show()


main()
