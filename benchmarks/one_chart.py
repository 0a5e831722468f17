"""A page of Streamlit that the dashboard is measured beside: one chart, of one line."""

import streamlit as st

st.plotly_chart({"data": [{"x": [1, 2, 3], "y": [1, 3, 2], "mode": "lines"}]}, key="front")
