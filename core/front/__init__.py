"""The trade-off between energy and makespan: its geometry, and what can be said of it."""
