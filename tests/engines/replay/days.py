"""Days with an energy budget, and the replays by which prices are set on them."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from engines.replay.workloads import lone_jobs

from core.engines.replay.clock import OpenReplay, ReplaySettings
from core.engines.replay.energy import EnergyWindows
from core.engines.replay.policy import Policy
from core.engines.replay.pricing import BY_PRICES, Foresight
from core.engines.replay.workload import Horizon, Options, Pools, Truth, Workload
from core.engines.replay.worth import WorthCurves, WorthPiece
from core.vocabulary.budget import Budget


def priced(joules: EnergyWindows) -> ReplaySettings:
    return ReplaySettings(joules, pricing=Foresight())


def alternating_day() -> tuple[Workload, EnergyWindows]:
    """Jobs of worth 1 and 9 take turns, 5 min apart; energy is there for half of them."""
    jobs = 24
    plainly = lone_jobs(300.0 * np.arange(jobs))
    workload = replace(
        plainly,
        jobs=replace(plainly.jobs, priority=np.where(np.arange(jobs) % 2, 9.0, 1.0)),
        options=replace(plainly.options, seconds=np.full(jobs, 100.0)),
        horizon=Horizon(0.0, 7200.0),
    )
    return workload, EnergyWindows(np.array([0.0, 7200.0]), np.array([1000.0 * jobs / 2]))


def begun(
    workload: Workload,
    windows: EnergyWindows,
    now: float,
    *,
    policy: Policy = BY_PRICES,
    truth: Truth | None = None,
) -> OpenReplay:
    """A replay that has come to `now`, of jobs that take as long as is estimated, or otherwise."""
    truth = truth or Truth.as_estimated(len(workload.jobs))
    run = OpenReplay(workload, truth, policy, ReplaySettings(windows))
    run.run(now, Budget())
    return run


def halfway(now: float) -> OpenReplay:
    """An alternating day that has come to `now`."""
    return begun(*alternating_day(), now)


def hundred_small_and_fifty_large() -> tuple[Workload, Truth]:
    """The small ones come in the first minutes, the large ones from 6 h on; all take 5 % of their
    estimates. After ten hours they are worth nothing.
    """
    number = np.arange(150)
    large = number >= 100
    plainly = lone_jobs(np.where(large, 6 * 3600.0 + 1200.0 * (number - 100), number))
    workload = replace(
        plainly,
        pools=Pools.of(("A",), [100]),
        jobs=replace(plainly.jobs, priority=np.full(150, 4.0), urgency=np.ones(150)),
        options=Options.of(
            150,
            0,
            np.where(large, 10, 1),
            np.where(large, 20_000.0, 7200.0),
            np.where(large, 100.0, 10.0),
        ),
        curves=WorthCurves(
            ((WorthPiece(0.0, 1.0, 1.0, 0.0), WorthPiece(36_000.0, 0.0, 0.0, 0.0)),), ("c",)
        ),
        horizon=Horizon(0.0, 86_400.0),
    )
    return workload, Truth(np.full(150, 0.05), np.ones(150))


def replays_of_the_rest(run: OpenReplay, foresight: Foresight | None = None) -> list[OpenReplay]:
    """The replays by which prices are set."""
    tried: list[OpenReplay] = []

    class Watched(OpenReplay):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            tried.append(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.engines.replay.rest_of_day.OpenReplay", Watched)
        (foresight or Foresight()).prices(run, Budget())
    return tried
