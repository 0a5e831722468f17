"""How run times vary about those of their pair: an empirical law for plans."""

from typing import Final

import numpy as np

from core.logs.pairs.grouping import ValuesByPair
from core.logs.pairs.measuring import MachinesSeen, Stop, ValuesOfRuns
from core.logs.reading.store import RunStore
from core.logs.types.classifying import Classified
from core.logs.types.nodes import Nodes
from core.model.arrays import BoolArray, FloatArray
from core.model.budget import never

RATIOS: Final = 1000
"""Ratios that are kept of more: quantiles at equal distances."""


def time_ratios(
    store: RunStore,
    found: Classified,
    machines: MachinesSeen,
    pairs: BoolArray,
    should_stop: Stop = never,
) -> FloatArray:
    """The time of each run as a share of the mean of its pair, the smallest first; of more than
    `RATIOS`, quantiles. Only runs of these `pairs` (task types x machine types) count.

    Raises `Stopped`.
    """
    runs = ValuesOfRuns(store, found, Nodes(store), machines)
    counts = np.zeros(pairs.size, np.int64)
    for pair, *_ in runs.seconds(should_stop):
        counts += np.bincount(pair[pair >= 0], minlength=pairs.size)
    groups = ValuesByPair(counts)
    for pair, seconds, _ in runs.seconds(should_stop):
        groups.add(pair, seconds)
    of_pairs = [groups.sorted_values(int(k)) for k in np.flatnonzero(pairs.ravel() * counts)]
    ratios = np.sort(np.concatenate([values / values.mean() for values in of_pairs]))
    if len(ratios) <= RATIOS:
        return ratios
    at = (np.arange(RATIOS) + 0.5) / RATIOS * len(ratios)
    return np.asarray(ratios[at.astype(np.int64)])
