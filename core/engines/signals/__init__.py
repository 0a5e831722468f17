"""Curves over time, as forecast and as they came: prices, carbon, weather, power; and their files."""
