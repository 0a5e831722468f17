"""How people are told that a time or a power is an estimate and not a measurement."""

from typing import Final

import numpy as np

from core.vocabulary.say.words import counted
from core.vocabulary.system import System

SIGN: Final = "≈"
"""Stands before every value of an estimated pair."""


def estimates_in_words(system: System) -> str:
    """`23 of 180 pairs are estimates`, out of the pairs that can run; empty if none is one."""
    number = system.estimated_pairs
    if not number:
        return ""
    possible = int(np.isfinite(system.etc).sum())
    able = "" if possible == system.etc.size else " that can run"
    what = "is an estimate" if number == 1 else "are estimates"
    return f"{number:,} of {counted(possible, 'pair')}{able} {what}"


def estimates_in_a_sentence(system: System) -> str:
    """`23 of 180 pairs are estimates, not measurements.`; empty if none is one."""
    said = estimates_in_words(system)
    what = "a measurement" if system.estimated_pairs == 1 else "measurements"
    return f"{said}, not {what}." if said else ""
