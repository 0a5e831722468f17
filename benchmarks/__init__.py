"""Measurements of Wattfront and of rivals: `python -m benchmarks` writes RESULTS.md."""
