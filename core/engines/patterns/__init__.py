"""Patterns of whole tasks on single machines, and the prices at which they prove a bound."""
