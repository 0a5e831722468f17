"""What a second of a core, and of a GB, is worth at the next hour, by the jobs of the last one.

The jobs to come are expected to be as those that came, and those that wait come first. A linear
program packs all of them, in parts, into what is not held by jobs that run; its duals are the
prices. No job is looked at before it arrives.
"""

from typing import Final

import numpy as np

from core.engines.lp.program import Program
from core.engines.replay.clock import OpenReplay
from core.engines.replay.policy import Prices
from core.engines.replay.workload import beside_each_other, rows_of
from core.vocabulary.arrays import FloatArray, IntArray

OFTEN: Final = 900.0
"""Prices are set anew after so many seconds."""
_LOOK_BACK: Final = 3600.0
"""The jobs that came within so many seconds are expected to come again. This and the former were
chosen on seeds from 100 on, which judge no policy.
"""
_FEW: Final = 5
"""With fewer jobs, nobody knows what is short."""


def prices_of_resources(run: OpenReplay) -> Prices:
    """The prices of cores and of further resources, the same in all pools."""
    workload, now = run.workload, run.now
    jobs, options = workload.jobs, workload.options
    span = min(_LOOK_BACK, now)
    came = np.arange(np.searchsorted(jobs.arrival, now - span), run.taken_in)
    if len(came) < _FEW:
        return Prices(further=(0.0,) * len(workload.pools.resources))
    waiting = run.waiting
    both = np.concatenate([came, waiting])
    late = np.concatenate([np.zeros(len(came)), now - jobs.arrival[waiting]])
    lot = np.repeat(np.arange(len(both)), np.diff(options.first)[both])
    option = rows_of(options.first, both)
    worth = workload.worth_of(both[lot], option, late[lot] + options.seconds[option])
    # The last of them ends so much later.
    after = float(np.minimum.reduceat(options.seconds, options.first[:-1])[came].mean())
    there, needs = _resources(run)
    free = np.maximum(there * (span + after) - _held(run, needs, span), 0.0)
    taken = needs[option] * options.seconds[option, None]
    scarce = np.flatnonzero(free > 0.0)
    program = Program()
    once = program.add_rows(-np.inf, np.ones(len(both)))
    within = program.add_rows(-np.inf, np.ones(len(scarce)))
    rows = np.broadcast_to(within, (len(lot), len(scarce)))
    scale = float(worth.max(initial=0.0)) or 1.0
    program.add_columns([(once[lot], 1.0), (rows, taken[:, scarce] / free[scarce])], -worth / scale)
    duals = scale * np.maximum(-program.minimise().duals[within], 0.0)
    found = np.zeros(len(there))
    found[scarce] = duals / free[scarce]
    return Prices(float(found[0]), further=tuple(found[1:].tolist()))


def _resources(run: OpenReplay) -> tuple[FloatArray, FloatArray]:
    """What all pools have together of cores and further resources, and what each option takes."""
    workload, pools = run.workload, run.workload.pools
    there = beside_each_other(pools.units * pools.cores, pools.further)
    further = workload.options.further
    return there.sum(axis=0), beside_each_other(workload.option_cores, further, pools.resources)


def _held(run: OpenReplay, needs: FloatArray, span: float) -> FloatArray:
    """What jobs that run, or have a promise, take within the next seconds."""
    outcome, underway = run.outcome(), run.underway
    option: IntArray = outcome.option[underway]
    first = np.maximum(outcome.start[underway], run.now)
    last = np.minimum(outcome.estimated_end[underway], run.now + span)
    return np.asarray(np.maximum(last - first, 0.0) @ needs[option])
