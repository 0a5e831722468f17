"""Alternatives that are compared on the same trials."""
