"""What is changed inside Streamlit and Plotly, each with its upstream issue and its test."""
