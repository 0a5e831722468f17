"""What rules for types are made of."""

from collections.abc import Mapping
from typing import Any, Final, Protocol

import numpy as np

from core.model.arrays import IntArray

RunBlock = Mapping[str, np.ndarray[Any, Any]]
"""Columns of some runs."""

UNKNOWN: Final = -1
"""No type."""
PART_BITS: Final = 21


class RuleRefused(ValueError):
    """A rule cannot be used; the message says why, and the remedy."""


class RulePart(Protocol):
    """One word of a rule: a small number for each run, and what it means."""

    columns: tuple[str, ...]

    def keys(self, block: RunBlock) -> IntArray:
        """A number below 2^`PART_BITS` for each run; `UNKNOWN` where the word says nothing."""

    def label(self, key: int) -> str:
        """What a number means."""
