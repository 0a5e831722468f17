"""Rates at which bags advance together for ever: the largest least weighted throughput."""

import numpy as np

from core.capabilities.fair_shares.bags import BagWork
from core.engines.lp.program import Program
from core.vocabulary.arrays import FloatArray


def steady_rates(work: BagWork, weights: FloatArray) -> FloatArray:
    """Tasks a second of each bag (line) on each worker (column).

    Each bag advances in proportion to its weight, as fast as links, machines and master allow; a
    bag of weight 0 not at all.
    """
    rates = np.zeros(work.seconds.shape)
    bags = np.flatnonzero(weights > 0)
    if not len(bags):
        return rates
    alone = work.throughput[bags]
    shares = weights[bags] / alone
    shares = shares / shares.max()
    program = Program(solver="simplex")
    workers = work.seconds.shape[1]
    together = program.add_rows(np.zeros(len(bags)), 0.0)
    cpus = program.add_rows(-np.inf, np.ones(workers))
    links = program.add_rows(-np.inf, np.ones(workers))
    master = program.add_rows(-np.inf, np.ones(1))
    bag, worker = np.nonzero(np.isfinite(work.seconds[bags]))
    columns = program.add_columns(
        [
            (together[bag], 1.0),
            (cpus[worker], (alone[:, None] * work.seconds[bags])[bag, worker]),
            (links[worker], (alone[:, None] * work.link_seconds[bags])[bag, worker]),
            (np.repeat(master, len(bag)), (alone * work.master_seconds[bags])[bag]),
        ]
    )
    program.add_columns([(together[None], -shares[None])], costs=-1.0)
    found = np.maximum(program.minimise().values[columns], 0.0)
    rates[bags[bag], worker] = found * alone[bag]
    return rates
