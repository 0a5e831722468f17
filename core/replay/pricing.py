"""A policy by prices: a job runs where it is worth more than its energy, by the bound's price.

The price is that of the bound on the rest of the day: of the jobs that wait, of what runs, of the
energy that is left, and of the jobs that are expected. It is set anew as the day goes.
"""

from typing import Final

import numpy as np

from core.model.arrays import IntArray
from core.model.budget import Budget
from core.replay.bound import RestOfDay, WorthDual
from core.replay.clock import OpenReplay, ReplaySettings
from core.replay.energy import EnergyWindows
from core.replay.outcome import ReplayOutcome
from core.replay.policy import Blocked, Measure, Order, Policy, Prices
from core.replay.workload import ArrivingJobs, Options, Truth, Workload

BY_PRICES: Final = Policy("prices", Order.BEST, Measure.SURPLUS, Blocked.HOLD, drop_below=0.5)
_AGAIN: Final = 2 * 3600.0
"""Seconds after which prices are set anew."""
_SLOTS: Final = 12
_TEMPERATURES: Final = (0.3, 0.1, 0.03, 0.01)


def replay_with_prices(
    workload: Workload,
    truth: Truth,
    settings: ReplaySettings,
    forecast: Workload | None = None,
    budget: Budget | None = None,
) -> ReplayOutcome:
    """What comes of a workload if a job runs only where it is worth more than its energy, and the
    one that gains the most for a second of a core is next.

    `forecast` is another day on the same pools with the same curves, as of a history: the prices
    expect its jobs. Without it, they expect none. Jobs to come are not looked at.
    """
    budget = budget or Budget()
    run = OpenReplay(workload, truth, BY_PRICES, settings)
    if forecast is not None and forecast.curves != workload.curves:
        raise ValueError("a forecast has the curves of the workload")
    end = workload.horizon.end
    if not np.isfinite(end):
        end = float(workload.jobs.arrival.max(initial=0.0)) + run.every
    while run.now < end:
        run.set_prices(_prices_now(run, forecast, budget))
        run.run(run.now + _AGAIN, budget)
    run.run(np.inf, budget)
    return run.outcome()


def _prices_now(run: OpenReplay, forecast: Workload | None, budget: Budget) -> Prices:
    """A core costs 1 for a second; energy costs what it does in the bound on the rest."""
    workload, now = run.workload, run.now
    windows = EnergyWindows(run.windows.edges, np.maximum(run.left, 0.0))
    joule = np.zeros(len(windows.joules))
    rest = _jobs_of(workload, run.waiting)
    if forecast is not None:
        rest = _together(rest, _jobs_of(forecast, np.flatnonzero(forecast.jobs.arrival > now)))
    if len(rest.jobs) and np.isfinite(windows.joules).any():
        truth = Truth.as_estimated(len(rest.jobs))
        dual = WorthDual(rest, truth, windows, _SLOTS, budget, _held(run))
        _, joule = dual.prices(dual.solve(_TEMPERATURES)[1])
    return Prices(workload.pools.cores[:, None].astype(float), 3600.0, joule)


def _held(run: OpenReplay) -> RestOfDay:
    """What the jobs hold that run now, as far as is known."""
    outcome, jobs, options = run.outcome(), run.underway, run.workload.options
    option = outcome.option[jobs]
    return RestOfDay(
        run.now, options.pool[option], options.units[option], outcome.estimated_end[jobs]
    )


def _jobs_of(workload: Workload, jobs: IntArray) -> Workload:
    """A workload of these jobs alone."""
    options, all_jobs = workload.options, workload.jobs
    ways = np.diff(options.first)[jobs]
    first = np.concatenate([[0], np.cumsum(ways)])
    rows = np.repeat(options.first[jobs] - first[:-1], ways) + np.arange(first[-1])
    return Workload(
        workload.pools,
        ArrivingJobs(
            all_jobs.arrival[jobs],
            all_jobs.type[jobs],
            all_jobs.types,
            all_jobs.priority[jobs],
            all_jobs.urgency[jobs],
            all_jobs.curve[jobs],
        ),
        Options(
            first,
            options.pool[rows],
            options.units[rows],
            options.seconds[rows],
            options.watts[rows],
            options.state[rows],
            options.labels,
        ),
        workload.curves,
        workload.horizon,
    )


def _together(known: Workload, expected: Workload) -> Workload:
    """The jobs of both, those that are known first: they have arrived before now."""
    one, two, a, b = known.jobs, expected.jobs, known.options, expected.options
    jobs = ArrivingJobs(
        np.concatenate([one.arrival, two.arrival]),
        np.concatenate([one.type, two.type]),
        one.types,
        np.concatenate([one.priority, two.priority]),
        np.concatenate([one.urgency, two.urgency]),
        np.concatenate([one.curve, two.curve]),
    )
    options = Options(
        np.concatenate([a.first, b.first[1:] + a.first[-1]]),
        np.concatenate([a.pool, b.pool]),
        np.concatenate([a.units, b.units]),
        np.concatenate([a.seconds, b.seconds]),
        np.concatenate([a.watts, b.watts]),
        np.concatenate([a.state, b.state]),
        a.labels,
    )
    return Workload(known.pools, jobs, options, known.curves, known.horizon)
