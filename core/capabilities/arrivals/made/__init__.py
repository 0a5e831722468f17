"""Workloads that are drawn, or made of a log or a system."""
