"""How long a test waits for what must happen, however busy the computer is."""

from typing import Final

PATIENCE: Final = 300.0
"""Seconds. Nobody waits longer than it takes; what takes longer hangs."""
