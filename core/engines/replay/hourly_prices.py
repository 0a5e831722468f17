"""What a core and a GB are worth in each hour of a day, by the prices of a bound."""

from typing import Final, NamedTuple

import numpy as np

from core.engines.replay.bound import WorthBound
from core.engines.replay.workload import Workload, beside_each_other
from core.vocabulary.arrays import FloatArray
from core.vocabulary.prices.day import by_hour_of_day
from core.vocabulary.say.words import DAY

CORES: Final = "cores"


class HourlyPrices(NamedTuple):
    """`worth[p, r, h]`: what 1 of resource r of pool p is worth from hour h of the day to the next.
    The resources are cores, and then the further ones; the pools have `amounts[p, r]` of them. By
    duality nobody can earn more than that above the bound with 1 more for that hour.
    """

    pools: tuple[str, ...]
    resources: tuple[str, ...]
    amounts: FloatArray
    worth: FloatArray

    @classmethod
    def of(cls, workload: Workload, found: WorthBound) -> "HourlyPrices | None":
        """The prices of a bound. None where there is nothing but units, or where the horizon is not
        one day; it begins at midnight.
        """
        pools, (begin, end) = workload.pools, workload.horizon
        if pools.further is None or end - begin != DAY:
            return None
        seconds = found.edges - begin
        spent = np.cumsum(found.pools * np.diff(seconds), axis=2)
        each = np.apply_along_axis(
            lambda until: by_hour_of_day(seconds, np.append(0.0, until)), 2, spent
        )
        each[:, 0] /= pools.cores[:, None]
        amounts = beside_each_other(pools.units * pools.cores, pools.further)
        return cls(pools.names, (CORES, *pools.resources), amounts, each)
