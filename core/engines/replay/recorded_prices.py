"""Prices that a replay has found, for another replay of the same: finding them takes most of its
time.
"""

from collections.abc import Sequence

import numpy as np

from core.engines.replay.clock import OpenReplay
from core.engines.replay.outcome import PricesFrom
from core.engines.replay.policy import Prices
from core.vocabulary.budget import Budget


class RecordedPrices:
    """Sets the prices of a record, each at its time; before the first there are none."""

    def __init__(self, priced: Sequence[PricesFrom]) -> None:
        self._priced = priced

    def prices(self, run: OpenReplay, budget: Budget) -> Prices | None:
        del budget
        so_far = [one.prices for one in self._priced if one.time <= run.now]
        return so_far[-1] if so_far else None

    def again(self, run: OpenReplay) -> float:
        """When the next prices of the record begin (s)."""
        return min((one.time for one in self._priced if one.time > run.now), default=np.inf)
