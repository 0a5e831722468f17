"""`wattfront provision PLAN`: which machines to buy and to sell, and what that is worth."""

import argparse
import time
from collections.abc import Iterator
from dataclasses import replace

from core.capabilities.provision.face import given_plan, provisioned, refusing_infeasible
from core.capabilities.provision.files.plan_file import PlanFile
from core.capabilities.provision.fronts.answer import (
    USUAL_POINTS,
    add_front,
    find_front,
    found_so_far,
)
from core.capabilities.provision.fronts.answer import told as told_of_front
from core.capabilities.provision.goals.answer import GoalAnswer, find_goal, in_progress
from core.capabilities.provision.goals.answer import told as told_of_goal
from core.capabilities.provision.goals.goal import Goal, add_goal, goal_faults, goal_of
from core.capabilities.provision.settings import PlanAim, PlanAsked
from core.capabilities.provision.told import told
from core.capabilities.provision.two_stage import SearchProgress
from core.capabilities.provision.week_told import best_of_week, told_of_week
from core.capabilities.provision.words import METHODS
from core.shells.cli.answer import Answer, told_answer
from core.shells.cli.progress import Watch, watching
from core.shells.settings.forms import declare_flags, given_flags
from core.shells.settings.site import add_site, given_site
from core.shells.told.told import Told
from core.vocabulary.problems import refuse
from core.vocabulary.say.words import Sense, counted, duration, share
from core.vocabulary.tolerances import METHODS_AGREE


def declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "plan",
        metavar="PLAN",
        help="a folder or .zip of CSV tables with plan.toml, an .xlsx workbook with a sheet plan, "
        "a .json document with an object plan, or the name of a sample plan",
    )
    declare_flags(parser, PlanAsked, "scenarios", "seed", "points", "budget")
    parser.add_argument(
        "--method",
        choices=(*METHODS, "all"),
        default="all",
        help="the way to choose to show: rp (two-stage), mvp (for the mean future), ws (wait and "
        "see), the rules of thumb h1, h2 and h3, or all (the default)",
    )
    declare_flags(parser, PlanAsked, "solver")
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
    declare_flags(parser, PlanAim)
    _add_week(parser)
    add_goal(parser)
    add_front(parser)
    add_site(parser, "price", "carbon", "carbon_price", "pue")


def _add_week(parser: argparse.ArgumentParser) -> None:
    """The flags of what is sought for a week in place of another objective."""
    group = parser.add_mutually_exclusive_group()
    how = "whole machines, with the mean work of each hour; for the study of a system from a log"
    for sought, what in (
        ("wait", "the shortest queue over a week"),
        ("energy", "the least energy of a week, with a queue that is no longer than today's,"),
    ):
        said = f"look for {what} in place of the most reward: {how}"
        group.add_argument(
            f"--least-{sought}",
            action="store_const",
            const=sought,
            dest="sought",
            default="mean",
            help=said,
        )


def run(arguments: argparse.Namespace) -> Answer:
    refuse(_faults(arguments))
    given = given_plan(arguments.plan)
    asked = PlanAsked(**given_flags(arguments, PlanAsked))
    file = given.asked(asked, ())
    started = time.perf_counter()
    goal = goal_of(arguments, file.rate_unit)
    site = given_site(arguments)
    site = None if site is None else replace(site, currency=file.currency)
    usual = given.whole and not arguments.in_parts
    in_parts = not goal.is_usual or asked.solver == "direct" or arguments.front is not None
    whole = not in_parts and (arguments.integer or usual)
    aim = PlanAim(whole=whole, sought=arguments.sought, **given_flags(arguments, PlanAim))
    arrivals, use = given.seen.arrivals, given.seen.node_use
    with (
        watching(arguments.plan) as watch,
        refusing_infeasible(file, arguments.plan, whole=aim.is_whole(usual_goal=True)),
    ):
        if aim.of_week is not None:
            found = best_of_week(file, aim.of_week, arrivals, watch.stop_was_asked)
            said = told_of_week(found, site, use)
        elif arguments.front is not None:
            said = _front(file, arguments, watch)
        elif not goal.is_usual:
            said = told_of_goal(_goal(file, goal, arguments.plan, watch), site, use)
        else:
            stop, report = watch.stop_was_asked, watch.showing(_progress)
            answer = provisioned(
                file, aim, asked.solver, should_stop=stop, report=report, arrivals=arrivals
            )
            methods = [*METHODS] if arguments.method == "all" else [arguments.method]
            said = told(answer, methods, site, use)
    took = ("took", duration(time.perf_counter() - started, Sense.PLAIN))
    return told_answer(arguments.plan, said, [took], given.problems)


def _front(file: PlanFile, arguments: argparse.Namespace, watch: Watch) -> Told:
    """What is said of the front. Raises `InvalidInput`, `Infeasible` and `Cancelled`."""
    most = arguments.most or USUAL_POINTS
    stop, report = watch.stop_was_asked, watch.showing(found_so_far)
    return told_of_front(find_front(file, arguments.front, most, should_stop=stop, report=report))


def _goal(file: PlanFile, goal: Goal, name: str, watch: Watch) -> GoalAnswer:
    """The best purchase for a goal. Raises as `find_goal` does."""
    stop, report = watch.stop_was_asked, watch.showing(in_progress)
    return find_goal(file, goal, name, should_stop=stop, report=report)


def _faults(arguments: argparse.Namespace) -> Iterator[str]:
    """Why flags do not go together."""
    yield from goal_faults(arguments)
    if arguments.most is not None and arguments.front is None:
        yield "--front-points belongs to --front; give --front NAMES, too"
    objective = arguments.objective not in (None, "reward")
    goal = objective or arguments.at_least or arguments.at_most
    method, direct, sought = arguments.method, arguments.solver == "direct", arguments.sought
    of_machines = [("--integer", arguments.integer), ("--risk", arguments.caution)]
    of_answer = [*of_machines, ("--solver direct", direct)]
    of_front = [
        *(("--objective", objective), ("--at-least", arguments.at_least)),
        *(("--at-most", arguments.at_most), (f"--method {method}", method != "all")),
    ]
    of_parts = ("--front or --in-parts", arguments.front is not None or arguments.in_parts)
    of_goal = (f"--method {method}", method not in ("all", "rp"))
    for what, asked, others in (
        ("--solver direct", direct, of_machines),
        ("--objective, --at-least and --at-most", goal, [*of_answer, of_goal]),
        ("--front", arguments.front is not None, [*of_front, *of_answer]),
        (f"--least-{sought}", sought != "mean", [*of_front, *of_answer, of_parts]),
    ):
        for other, given in others:
            if asked and given:
                yield f"{other} does not go with {what}; leave one of them out"


def _progress(state: SearchProgress) -> str:
    """How far the search is, in one line."""
    off = (state.upper - state.lower) / (abs(state.upper) or 1.0)
    gap = share(max(off, METHODS_AGREE), Sense.UPPER_BOUND)
    return f"{counted(state.tries, 'purchase')} tried, gap at most {gap}"
