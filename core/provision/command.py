"""`wattfront provision PLAN`: which machines to buy and to sell, and what that is worth."""

import argparse
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final, get_args

from core.cli.answer import Answer
from core.cli.arguments import located, refuse
from core.cli.numbers import number_within, share_within, whole_within
from core.cli.progress import Watch, watching
from core.cli.told import told_answer
from core.files.disk import STUDY_SUFFIX
from core.files.reading import Reading
from core.lp.program import Infeasible
from core.model.budget import Cancelled
from core.model.problems import InvalidInput, Problem
from core.model.ranges import SEED, Range
from core.model.tolerances import METHODS_AGREE
from core.provision.answer import Provisioning
from core.provision.clashes import refuse_clash
from core.provision.comparison import Comparison, beside_others, compare
from core.provision.confidence import out_of_sample
from core.provision.direct import decide_directly
from core.provision.front_answer import USUAL_POINTS, add_front, find_front, front_faults
from core.provision.front_answer import told as told_of_front
from core.provision.goal import Goal
from core.provision.goal_answer import find_goal, in_progress
from core.provision.goal_flags import add_goal, goal_faults, goal_of
from core.provision.goal_told import told as told_of_goal
from core.provision.plan_file import SCENARIO_COUNT, PlanFile
from core.provision.plan_reader import inspect_plan
from core.provision.scenarios import Scenarios
from core.provision.second_stages import MOST_CAUTION, SecondStages, Weights
from core.provision.study_block import CAUTION, provision_settings_in
from core.provision.told import told
from core.provision.two_stage import FullDecision, SearchProgress
from core.provision.uncertainty import Points
from core.provision.words import METHODS
from core.samples.plans import plan_folder
from core.say.words import Sense, counted, duration, share
from core.studies import inspect_study
from core.told.told import Told

BUDGET: Final = Range(-1e15, 1e15, "in the currency of the plan")
_REPETITIONS: Final = 16
_LEAST_FRESH: Final = 64


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
    reading, usual = _read(located(arguments.plan, plan_folder))
    file = _as_asked(reading.require(), arguments)
    started = time.perf_counter()
    goal = goal_of(arguments, file.rate_unit)
    whole = _is_whole(arguments, goal, usual)
    refuse_clash(file.plan, whole=whole, labels=file.labels)
    with watching(arguments.plan) as watch:
        try:
            said = _told(file, arguments, goal, watch, whole=whole)
        except Cancelled:
            raise KeyboardInterrupt from None
        except Infeasible:
            message = "no purchase keeps all limits; raise the budget or the limits of counts"
            raise InvalidInput([Problem(arguments.plan, "", "", message)]) from None
    took = ("took", duration(time.perf_counter() - started, Sense.PLAIN))
    return told_answer(arguments.plan, said, [took], reading.problems)


def _faults(arguments: argparse.Namespace) -> Iterator[str]:
    """Why flags do not go together."""
    if arguments.solver == "direct" and arguments.integer:
        yield "--solver direct does not take --integer; leave one of them out"
    if arguments.solver == "direct" and arguments.risk:
        yield "--solver direct does not take --risk; leave one of them out"
    yield from goal_faults(arguments)
    yield from front_faults(arguments)


def _read(path: Path) -> tuple[Reading[PlanFile], bool]:
    """The plan at a path, which may be that of a study file, and whether machines are usually
    whole.
    """
    if path.suffix.casefold() != STUDY_SUFFIX:
        return inspect_plan(path), True
    study = inspect_study(path)
    if study.value is not None and (asked := provision_settings_in(study.value.settings)):
        return Reading(asked.file, study.problems), asked.whole
    return inspect_plan(path), True


def _as_asked(file: PlanFile, arguments: argparse.Namespace) -> PlanFile:
    """The plan with what the flags say in place of what its files say."""
    asked = {"count": arguments.scenarios, "seed": arguments.seed, "points": arguments.points}
    given = {name: value for name, value in asked.items() if value is not None}
    limits = file.limits
    if arguments.budget is not None:
        limits = replace(limits, budget=arguments.budget)
    return replace(file, scenarios=replace(file.scenarios, **given), limits=limits)


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
        return told_of_front(find_front(file, arguments.front, most, watch))
    if not goal.is_usual:
        report, stop = watch.showing(in_progress), watch.stop_was_asked
        best = find_goal(file, goal, arguments.plan, should_stop=stop, report=report)
        return told_of_goal(best)
    answer = _answered(file, arguments, watch, whole=whole)
    return told(answer, [*METHODS] if arguments.method == "all" else [arguments.method])


def _answered(
    file: PlanFile, arguments: argparse.Namespace, watch: Watch, *, whole: bool
) -> Provisioning:
    started = time.perf_counter()
    plan, weights = file.plan, Weights(caution=min(arguments.risk, MOST_CAUTION))
    scenarios = file.sampling.scenarios(plan)
    if arguments.solver == "direct":
        found = _directly(file, scenarios, weights, watch)
    else:
        found = compare(
            plan,
            scenarios,
            weights,
            whole=whole,
            should_stop=watch.stop_was_asked,
            report=watch.showing(_progress),
        )
    count = max(file.scenarios.count // _REPETITIONS, _LEAST_FRESH)
    fresh = replace(file.sampling, count=count)
    beyond = out_of_sample(plan, found.decision.purchase, weights, fresh, _REPETITIONS)
    cheapest = arguments.solver != "direct"
    seconds = time.perf_counter() - started
    return Provisioning(file, found, seconds, {"rp": beyond}, cheapest)


def _directly(file: PlanFile, scenarios: Scenarios, weights: Weights, watch: Watch) -> Comparison:
    """All ways to choose, with the program of all scenarios at once."""
    purchase, value = decide_directly(file.plan, scenarios, weights)
    stages = SecondStages(file.plan, scenarios, weights)
    worth = stages.of(purchase.counts)
    lower = min(stages.aim(purchase, worth), value)
    decision = FullDecision(purchase, lower, value, 1, stages, worth)
    return beside_others(decision, should_stop=watch.stop_was_asked)


def _progress(state: SearchProgress) -> str:
    """How far the search is, in one line."""
    off = (state.upper - state.lower) / (abs(state.upper) or 1.0)
    gap = share(max(off, METHODS_AGREE), Sense.UPPER_BOUND)
    return f"{counted(state.tries, 'purchase')} tried, gap at most {gap}"
