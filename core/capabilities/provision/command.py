"""`wattfront provision PLAN`: which machines to buy and to sell, and what that is worth."""

import argparse
import time
from collections.abc import Iterator
from typing import get_args

from core.capabilities.provision.face import BUDGET, given_plan, provisioned, refusing_infeasible
from core.capabilities.provision.files.plan_file import SCENARIO_COUNT, PlanFile
from core.capabilities.provision.fronts.answer import (
    USUAL_POINTS,
    add_front,
    find_front,
    found_so_far,
    front_faults,
)
from core.capabilities.provision.fronts.answer import told as told_of_front
from core.capabilities.provision.futures.uncertainty import Points
from core.capabilities.provision.goals.answer import find_goal, in_progress
from core.capabilities.provision.goals.answer import told as told_of_goal
from core.capabilities.provision.goals.flags import add_goal, goal_faults, goal_of
from core.capabilities.provision.goals.goal import Goal
from core.capabilities.provision.second_stages import MOST_CAUTION, Weights
from core.capabilities.provision.study_block import CAUTION
from core.capabilities.provision.told import told
from core.capabilities.provision.two_stage import SearchProgress
from core.capabilities.provision.words import METHODS
from core.shells.cli.answer import Answer, told_answer
from core.shells.cli.numbers import number_within, share_within, whole_within
from core.shells.cli.progress import Watch, watching
from core.shells.told.told import Told
from core.vocabulary.budget import Cancelled
from core.vocabulary.problems import refuse
from core.vocabulary.ranges import SEED
from core.vocabulary.say.words import Sense, counted, duration, share
from core.vocabulary.tolerances import METHODS_AGREE


def declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "plan",
        metavar="PLAN",
        help="a folder or .zip of CSV tables with plan.toml, an .xlsx workbook with a sheet plan, "
        "a .json document with an object plan, or the name of a sample plan",
    )
    parser.add_argument(
        "--scenarios",
        type=whole_within(SCENARIO_COUNT),
        metavar="K",
        help="how many futures to draw (default: as the plan says, or 3000)",
    )
    parser.add_argument(
        "--seed", type=whole_within(SEED), metavar="N", help="of the futures (default: the plan's)"
    )
    parser.add_argument(
        "--points",
        choices=get_args(Points),
        help="how futures are spread: independent draws, a Latin hypercube, or Sobol points",
    )
    parser.add_argument(
        "--budget",
        type=number_within(BUDGET),
        metavar="B",
        help="what the change may cost, in place of what the plan says",
    )
    parser.add_argument(
        "--method",
        choices=(*METHODS, "all"),
        default="all",
        help="the way to choose to show: rp (two-stage), mvp (for the mean future), ws (wait and "
        "see), the rules of thumb h1, h2 and h3, or all (the default)",
    )
    parser.add_argument(
        "--solver",
        choices=("decomposition", "direct"),
        default="decomposition",
        help="decomposition (the default), or the published program of all scenarios at once, "
        "which takes much longer",
    )
    counts = parser.add_mutually_exclusive_group()
    counts.add_argument(
        "--integer",
        action="store_true",
        help="buy and sell whole machines only (the default, but for another --objective, limits "
        "on means, --front and --solver direct, which take machines in parts)",
    )
    counts.add_argument(
        "--in-parts", action="store_true", help="numbers of machines need not be whole"
    )
    parser.add_argument(
        "--risk",
        type=share_within(CAUTION),
        default=0.0,
        metavar="CVAR",
        help="how much the mean of the worst 5 %% of futures counts (CVaR), from 0 (the default: "
        "only the mean of all counts) to 1, or in percent",
    )
    add_goal(parser)
    add_front(parser)


def run(arguments: argparse.Namespace) -> Answer:
    refuse(_faults(arguments))
    given = given_plan(arguments.plan)
    file = given.asked(arguments.scenarios, arguments.seed, arguments.points, arguments.budget, ())
    started = time.perf_counter()
    goal = goal_of(arguments, file.rate_unit)
    whole = _is_whole(arguments, goal, given.whole)
    with (
        watching(arguments.plan) as watch,
        refusing_infeasible(file, arguments.plan, whole=whole),
    ):
        try:
            said = _told(file, arguments, goal, watch, whole=whole)
        except Cancelled:
            raise KeyboardInterrupt from None
    took = ("took", duration(time.perf_counter() - started, Sense.PLAIN))
    return told_answer(arguments.plan, said, [took], given.problems)


def _faults(arguments: argparse.Namespace) -> Iterator[str]:
    """Why flags do not go together."""
    if arguments.solver == "direct" and arguments.integer:
        yield "--solver direct does not take --integer; leave one of them out"
    if arguments.solver == "direct" and arguments.risk:
        yield "--solver direct does not take --risk; leave one of them out"
    yield from goal_faults(arguments)
    yield from front_faults(arguments)


def _is_whole(arguments: argparse.Namespace, goal: Goal, usual: bool) -> bool:
    """Whether machines are whole, where that can be decided: as flags or else as usual."""
    if not goal.is_usual or arguments.solver == "direct" or arguments.front is not None:
        return False
    return arguments.integer or (usual and not arguments.in_parts)


def _told(
    file: PlanFile, arguments: argparse.Namespace, goal: Goal, watch: Watch, *, whole: bool
) -> Told:
    """What is said of the front, of the purchase for another goal, or of what to buy. Raises
    `InvalidInput`, `Infeasible` and `Cancelled`.
    """
    if arguments.front is not None:
        most = arguments.front_points or USUAL_POINTS
        shown = watch.showing(found_so_far)
        stop = watch.stop_was_asked
        front = find_front(file, arguments.front, most, should_stop=stop, report=shown)
        return told_of_front(front)
    if not goal.is_usual:
        report, stop = watch.showing(in_progress), watch.stop_was_asked
        best = find_goal(file, goal, arguments.plan, should_stop=stop, report=report)
        return told_of_goal(best)
    answer = provisioned(
        file,
        Weights(caution=min(arguments.risk, MOST_CAUTION)),
        arguments.solver,
        whole=whole,
        should_stop=watch.stop_was_asked,
        report=watch.showing(_progress),
    )
    return told(answer, [*METHODS] if arguments.method == "all" else [arguments.method])


def _progress(state: SearchProgress) -> str:
    """How far the search is, in one line."""
    off = (state.upper - state.lower) / (abs(state.upper) or 1.0)
    gap = share(max(off, METHODS_AGREE), Sense.UPPER_BOUND)
    return f"{counted(state.tries, 'purchase')} tried, gap at most {gap}"
