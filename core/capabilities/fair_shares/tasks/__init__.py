"""Whole tasks of bags that arrive: what comes of them under a policy, by events."""
