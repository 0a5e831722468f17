"""Navigation and the frame of every page; run by `streamlit run dashboard/app.py`."""

from pathlib import Path

import streamlit as st

HERE = Path(__file__).parent

st.set_page_config(page_title="Wattfront", page_icon=HERE / "assets" / "icon.png", layout="wide")
st.navigation([st.Page(HERE / "views" / "fastest.py", title="Fastest schedule")]).run()
