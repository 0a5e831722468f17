"""Reward against power: the front, all that is possible, and how sure the means are."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.model.arrays import FloatArray
from core.model.budget import never
from core.model.problems import InvalidInput, Problem
from core.provision.fronts import FrontPoint, feasible_region, front_of_two
from core.provision.plan_file import PlanFile
from dashboard.provision.sweeps import TellStep, few_scenarios, tell_nobody

_GAP: Final = 0.01
_MOST_POINTS: Final = 12
_MOST_CORNERS: Final = 16


@dataclass(frozen=True, slots=True, eq=False)
class RewardPower:
    """Means of reward (a second) and watts: points of the front in their order, the outline of the
    95 % region of each that has an end, corners of all that is possible, and what each purchase of
    the front costs and changes. If what is possible has no end, it has no corners, and `endless`
    says why.
    """

    front: FloatArray
    regions: tuple[FloatArray, ...]
    possible: FloatArray
    points: tuple[FrontPoint, ...]
    endless: tuple[Problem, ...] = ()


def reward_and_power(
    file: PlanFile,
    *,
    should_stop: Callable[[], bool] = never,
    report: TellStep = tell_nobody,
) -> RewardPower:
    """The plan must have powers. `report` is told how many points there are."""
    scenarios = few_scenarios(file)
    found = front_of_two(
        file.plan,
        scenarios,
        ("reward", "power"),
        gap=_GAP,
        most=_MOST_POINTS,
        should_stop=should_stop,
        report=lambda points: report((len(points), None)),
    )
    regions = tuple(
        region.outline()
        for region in (point.region(found.names) for point in found.points)
        if np.isfinite(region.axes).all()
    )
    endless: tuple[Problem, ...] = ()
    try:
        possible = feasible_region(
            file.plan,
            scenarios,
            ("reward", "power"),
            gap=_GAP,
            most=_MOST_CORNERS,
            should_stop=should_stop,
        )
    except InvalidInput as refused:
        possible, endless = np.empty((0, 2)), refused.problems
    return RewardPower(found.chain, regions, possible, found.points, endless)
