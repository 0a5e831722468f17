"""A Streamlit page to compare the dashboard with: one chart with one line."""

import streamlit as st

st.plotly_chart({"data": [{"x": [1, 2, 3], "y": [1, 3, 2], "mode": "lines"}]}, key="front")
