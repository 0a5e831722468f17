"""The page Work, and how to read its chart."""

from typing import Final

from dashboard.parts.machines.pairs import READING

READINGS: Final = (READING,)
