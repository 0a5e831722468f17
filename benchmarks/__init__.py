"""What is timed, against whom: `python -m benchmarks` writes RESULTS.md."""
