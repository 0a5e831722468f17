"""Watts of monitoring: samples of files, joined with the runs of a log by node and time."""
