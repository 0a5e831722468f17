"""What options are charged for under prices, and their sizes, by which policies by prices compare
them.
"""

from typing import NamedTuple

import numpy as np

from core.engines.replay.policy import Prices
from core.engines.replay.workload import Workload
from core.vocabulary.arrays import FloatArray
from core.vocabulary.tolerances import NOT_DIVISIBLE


class Charges(NamedTuple):
    """What options are charged: for each option, its `price` (worth) and its `size`; of each job,
    the `least_size`.

    A size is the root of the seconds times the root of the price for each second; where nothing
    has a price, of the cores. So of two jobs that take as much, the wide one comes before the long
    one: what is wide finds its place less often, and waits longer for it.
    """

    price: FloatArray
    size: FloatArray
    least_size: FloatArray

    @classmethod
    def of(cls, workload: Workload, prices: Prices) -> "Charges":
        options = workload.options
        cores = options.units * workload.pools.cores[options.pool]
        rate = prices.of(cores.astype(float), options.watts)
        size = np.sqrt(
            options.seconds * np.sqrt(np.maximum(np.where(rate > 0.0, rate, cores), NOT_DIVISIBLE))
        )
        least = np.minimum.reduceat(size, options.first[:-1]) if len(size) else size
        return cls(rate * options.seconds, size, least)

    @classmethod
    def none(cls) -> "Charges":
        """For policies that look at no prices."""
        nothing = np.zeros(0)
        return cls(nothing, nothing, nothing)
