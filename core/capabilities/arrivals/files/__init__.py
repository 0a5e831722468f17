"""Workloads and outcomes as files of any format."""
