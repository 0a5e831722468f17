"""Reads accounting logs: Slurm's `sacct`, the Standard Workload Format, and tables of runs.

A log is read once, block by block, into a `RunStore` on disk: one array a column. What is asked of
it later (types, times, windows) needs only the columns concerned.
"""
