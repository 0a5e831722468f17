"""The samples, which are named systems, and random systems."""
