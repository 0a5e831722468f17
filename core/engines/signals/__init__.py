"""Curves over time, as forecast and as they came, and the files that have them."""
