"""`wattfront provision --front`: the front of two or three objectives, for people and programs."""

import argparse
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from core.capabilities.provision.answer import by_type
from core.capabilities.provision.files.plan_file import PlanFile
from core.capabilities.provision.fronts.front import (
    FrontPoint,
    ObjectiveFront,
    front_of_three,
    front_of_two,
    lines_for,
)
from core.capabilities.provision.goals.answer import mean_said
from core.capabilities.provision.objectives import OBJECTIVES, PlanObjective
from core.capabilities.provision.plan import Plan
from core.capabilities.provision.words import IN_PARTS, RewardRate, drawn_said, purchase_said
from core.shells.settings.forms import declare_flags
from core.shells.told.told import Told, ToldTable
from core.vocabulary.budget import never
from core.vocabulary.ranges import Range
from core.vocabulary.say.words import Sense, amount, begun, counted, joined, share
from core.vocabulary.setting import Flag, WholeIn, setting
from core.vocabulary.tolerances import METHODS_AGREE

POINTS: Final = Range(5, 1000, "points")
USUAL_POINTS: Final = 40
_OF_FRONT: Final = (2, 3)


@dataclass(frozen=True, slots=True, eq=False)
class FrontAnswer:
    """A front, of so many scenarios."""

    file: PlanFile
    front: ObjectiveFront
    scenarios: int
    seconds: float

    @property
    def has_all(self) -> bool:
        """Whether every vertex is there, to a millionth of the ranges."""
        return self.front.gap <= METHODS_AGREE


@dataclass(frozen=True, slots=True)
class FrontAsked:
    """How many points a front has at most."""

    most: int | None = setting(
        None,
        WholeIn(POINTS),
        flag=Flag(
            "N",
            f"at most so many points (default {USUAL_POINTS}); with enough, a front of two "
            "objectives has every vertex",
            name="--front-points",
        ),
    )


def add_front(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--front",
        type=_names,
        metavar="NAMES",
        help="the front of two or three objectives in place of one purchase, such as reward,power "
        f"(of {', '.join(OBJECTIVES)})",
    )
    declare_flags(parser, FrontAsked)


def names_fault(names: Sequence[str]) -> str | None:
    """Why a front cannot be that of these objectives; None if it can."""
    if not {*names} <= {*OBJECTIVES} or len({*names}) < len(names):
        said = ",".join(map(str, names))
        return f"'{said}' are no different objectives; there are {', '.join(OBJECTIVES)}"
    return None if len(names) in _OF_FRONT else "a front has two or three objectives"


def find_front(
    file: PlanFile,
    names: Sequence[PlanObjective],
    most: int,
    *,
    should_stop: Callable[[], bool] = never,
    report: Callable[[Sequence[FrontPoint]], None] | None = None,
) -> FrontAnswer:
    """The front of these objectives, with at most so many points. Raises `InvalidInput`,
    `Infeasible` and `Cancelled`.
    """
    started = time.perf_counter()
    scenarios = file.sampling.scenarios(file.plan)
    if len(names) == 2:
        find = partial(front_of_two, gap=METHODS_AGREE, most=most)
    else:
        find = partial(front_of_three, lines=lines_for(len(names), most))
    front = find(file.plan, scenarios, tuple(names), should_stop=should_stop, report=report)
    return FrontAnswer(file, front, len(scenarios), time.perf_counter() - started)


def as_data(answer: FrontAnswer) -> dict[str, object]:
    """The answer as data: rewards, failures and power a second and in watts."""
    front, plan = answer.front, answer.file.plan
    return {
        "objectives": [*front.names],
        "points": [point_as_data(plan, front.names, point) for point in front.points],
        "gap": front.gap,
        "every_vertex": answer.has_all if len(front.names) == 2 else None,
        "scenarios": answer.scenarios,
        "seconds": answer.seconds,
    }


def point_as_data(
    plan: Plan, names: Sequence[PlanObjective], point: FrontPoint
) -> dict[str, object]:
    """A purchase, the means of all objectives, and for those of the front the covariance of the
    estimates and half of each axis of the region that has the true means.
    """
    at = [OBJECTIVES.index(name) for name in names]
    axes = point.region(names).axes
    known = point.estimates > 1
    return {
        "buy": by_type(plan, point.purchase.buy),
        "sell": by_type(plan, point.purchase.sell),
        **{
            name: None if math.isnan(mean) else mean
            for name, mean in zip(OBJECTIVES, point.objectives.tolist(), strict=True)
        },
        "estimates": point.estimates,
        "covariance": point.covariance[np.ix_(at, at)].tolist() if known else None,
        "region95": axes.tolist() if np.isfinite(axes).all() else None,
    }


def told(answer: FrontAnswer) -> Told:
    """A line a point: its means, and what is bought and sold."""
    file, front = answer.file, answer.front
    rate = RewardRate.of(file)
    rows = tuple(
        (
            *(
                mean_said(name, float(point.objectives[OBJECTIVES.index(name)]), rate)
                for name in front.names
            ),
            purchase_said(file.plan, point.purchase),
        )
        for point in front.points
    )
    budget = amount(file.limits.budget, Sense.PLAIN, file.currency)
    return Told(
        lead=f"Front of {joined(front.names)}: {counted(len(front.points), 'point')}.",
        sentences=(
            f"Decided on {drawn_said(file.scenarios)}, with a budget of {budget}: "
            f"{gap_said(front)}.",
            "Between two points, a mix of both purchases is possible.",
            IN_PARTS,
        ),
        tables=(ToldTable("Points of the front", (*map(begun, front.names), ""), rows),),
        data=as_data(answer),
    )


def gap_said(front: ObjectiveFront) -> str:
    """How much of the front is there."""
    if len(front.names) == 2 and front.gap <= METHODS_AGREE:
        return "every vertex is there (proven to a millionth of the ranges)"
    most = share(max(front.gap, METHODS_AGREE), Sense.UPPER_BOUND)
    return f"nothing is further beyond than {most} of the ranges of the objectives (proven)"


def _names(text: str) -> tuple[PlanObjective, ...]:
    """A reader of names of objectives, with commas between."""
    said = [part.strip() for part in text.split(",")]
    if fault := names_fault(said):
        raise argparse.ArgumentTypeError(fault)
    return tuple(name for part in said for name in OBJECTIVES if name == part)


def found_so_far(points: Sequence[FrontPoint]) -> str:
    return f"{counted(len(points), 'point')} found"
