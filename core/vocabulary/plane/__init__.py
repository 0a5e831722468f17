"""The plane of energy and makespan: geometry on rows of points; knows no system."""
