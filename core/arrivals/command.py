"""`wattfront replay WORKLOAD`: what comes of work that arrives, under each policy."""

import argparse
import math
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple, get_args

from core.arrivals.asked import COMMAND_USUAL, ArrivalsSettings
from core.arrivals.from_logs import LogWork
from core.arrivals.given_logs import is_log_alone, read_log_work
from core.arrivals.outcome_writer import refuse_outcome_path, write_outcome
from core.arrivals.policies import (
    LENIENCY,
    POLICIES,
    PUBLISHED_LENIENCY,
    EnergyFilter,
    FilterName,
    PolicySwitches,
    UnknownPolicy,
    policy_named,
)
from core.arrivals.recipes import DRAWN_JOBS, RECIPES, recipe_named
from core.arrivals.study_block import arrivals_in
from core.arrivals.told import told
from core.arrivals.trials import (
    JoulesAllowed,
    ReplayComparison,
    ReplayQuestion,
    compare_policies,
    outcome_of_trial,
    settings_of_trial,
)
from core.arrivals.uncertain_methods import BAG_METHODS, WEIGHED, bag_of
from core.arrivals.words import replay_failures, replay_progress
from core.arrivals.workload_file import WorkloadFile
from core.arrivals.workload_reader import inspect_workload
from core.cli.answer import BROKEN, INTERRUPTED, SUCCESS, UNVERIFIED, Answer
from core.cli.arguments import engine_argument, located, refuse, refusing
from core.cli.numbers import number_within
from core.cli.progress import watching
from core.cli.told import told_answer
from core.engine.executors import (
    ENGINE_VARIABLE,
    ENGINES_IN_WORDS,
    HERE,
    EngineRefused,
    engine_named,
    usual_engine,
)
from core.files.disk import STUDY_SUFFIX
from core.files.document import STUDY_FORMAT
from core.logs.reading.logs import refusal_of
from core.model.problems import InvalidInput, Problem
from core.model.ranges import Range
from core.replay.clock import EVERY
from core.say.quantities import ENERGY, TIME, read_quantity
from core.say.words import typed
from core.settings.forms import declare_flags, given_flags
from core.studies import inspect_study

ALL: Final = "all"
NO_BUDGET: Final = "none"
_SECONDS: Final = Range(0.001, 1e9, "s")
_HEAD: Final = 200
_PREPARATION: Final = "core.arrivals.preparation"


def declare(parser: argparse.ArgumentParser) -> None:
    recipes = ", ".join(RECIPES)
    parser.add_argument(
        "workload",
        metavar="WORKLOAD",
        help="a folder, .zip, .xlsx or .json with tables of pools, jobs and options, or a CSV "
        "file of jobs (see docs/arrivals.md); an accounting log (SWF or sacct); a study file with "
        "such a question; the name of a sample; or one that is drawn anew for each trial: "
        f"{recipes}",
    )
    parser.add_argument(
        "--policy",
        action="append",
        metavar="NAME",
        help=f"{', '.join(POLICIES)}; for bags of tasks also {', '.join(BAG_METHODS)}; or {ALL} "
        "(the default). Can be given several times",
    )
    limit = parser.add_mutually_exclusive_group()
    limit.add_argument(
        "--budget",
        dest="joules",
        type=_joules,
        metavar="GJ",
        help="the energy that jobs may draw in a day, in gigajoules or with a unit as in 2.8MJ; "
        f"{NO_BUDGET}: no limit (default: that of the workload, or no limit)",
    )
    declare_flags(limit, ArrivalsSettings, "budget")
    declare_flags(parser, ArrivalsSettings, "drop_below")
    parser.add_argument(
        "--filter",
        type=_filter,
        metavar="KIND:LENIENCY",
        help="leave out options that take much energy, for policies that do not look at energy: "
        "resource:4 by core-seconds, or task:2 by jobs",
    )
    parser.add_argument(
        "--every",
        type=_seconds,
        metavar="TIME",
        help=f"time between mapping events, as 60s (default: {typed(EVERY)}s, or that of a drawn "
        "workload)",
    )
    declare_flags(parser, ArrivalsSettings, "exchange", "days", "seed")
    parser.add_argument(
        "--engine",
        type=engine_argument,
        metavar="ENGINE",
        help=f"where it is computed: {ENGINES_IN_WORDS} (default: the environment variable "
        f"{ENGINE_VARIABLE}, or else {HERE})",
    )
    parser.add_argument(
        "--no-bound",
        action="store_true",
        help="leave out what no policy could have beaten, which takes some seconds a trial",
    )
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="OUTCOME",
        help="write the outcome of one policy in the first trial, .csv or .parquet, with its "
        "workload beside it; wattfront verify judges it",
    )


class _Given(NamedTuple):
    """The workload that was named: itself, or the name of a recipe; the seconds between events;
    and what its files say.
    """

    source: WorkloadFile | str
    every: float
    of_bags: bool
    problems: tuple[Problem, ...]
    notes: tuple[str, ...]


def run(arguments: argparse.Namespace) -> Answer:
    with refusing(EngineRefused, of=""):
        engine: str = arguments.engine or usual_engine()
    refuse(_faults(arguments))
    if arguments.output is not None:
        refuse_outcome_path(arguments.output)
    given = _given(arguments.workload)
    policies = _policies(arguments.policy or [ALL], given)
    refuse(_clashes(arguments, policies, given))
    asked = replace(COMMAND_USUAL, **given_flags(arguments, ArrivalsSettings))
    question = ReplayQuestion(
        given.source,
        policies,
        PolicySwitches(asked.drop_below, arguments.filter),
        JoulesAllowed(arguments.joules, asked.budget),
        arguments.every or given.every,
        asked.seed,
        asked.days,
        not arguments.no_bound,
        asked.exchange,
    )
    refuse(_no_bags(question))
    with (
        refusing(EngineRefused, of=""),
        watching(arguments.workload) as watch,
        engine_named(engine, _PREPARATION) as used,
    ):
        found = compare_policies(
            question,
            used,
            should_stop=watch.stop_was_asked,
            report=watch.showing(replay_progress),
        )
        if found.complete and arguments.output is not None:
            _write(found, arguments.output)
    return _answer(arguments, found, given)


def _answer(arguments: argparse.Namespace, found: ReplayComparison, given: _Given) -> Answer:
    problems = [Problem("", "", "", said) for said in replay_failures(found)]
    done, asked = len(found.common), found.question.trials
    if not found.common and not found.failed:
        raise KeyboardInterrupt
    if not found.complete:
        said = f"{done:,} of {asked:,} trials are done; the figures are of these"
        problems.append(Problem("", "", "", said, "warning"))
    problems += [Problem("", "", "", note, "warning") for note in given.notes]
    answered, facts = told(found, arguments.workload), []
    if arguments.output is not None and found.complete:
        answered = replace(answered, data={**answered.data, "path": str(arguments.output)})
        facts.append(("written to", str(arguments.output)))
    verified = all(found.means(policy).verified for policy in found.question.policies)
    status = SUCCESS if verified else UNVERIFIED
    if not found.complete:
        status = BROKEN if found.failed else INTERRUPTED
    answer = told_answer(arguments.workload, answered, facts, (*problems, *given.problems))
    return replace(answer, status=status)


def _write(found: ReplayComparison, path: Path) -> None:
    question = found.question
    policy = question.policies[0]
    unlimited = found.unlimited.get(0)
    outcome, _ = outcome_of_trial(question, 0, policy, unlimited)
    settings = settings_of_trial(question, 0, unlimited)
    write_outcome(outcome, path, replace(settings, windows=outcome.windows))


def _given(name: str) -> _Given:
    recipe = recipe_named(name)
    if recipe is not None and not os.path.lexists(name):
        return _Given(name, recipe.every, recipe.of_bags, (), ())
    path = located(name, _sample)
    if _is_study(path):
        return _in_study(path)
    if is_log_alone(path):
        found = read_log_work([path], LogWork())
        return _Given(found.file, EVERY, False, found.problems, found.notes)
    reading = inspect_workload(path)
    if reading.value is None and (why := refusal_of(path)):
        raise InvalidInput([Problem(path.name, "", "", why)])
    return _Given(reading.require(), EVERY, False, reading.problems, reading.notes)


def _is_study(path: Path) -> bool:
    """Whether a file says in its first bytes that it is a study, as Wattfront writes them."""
    if path.suffix.casefold() != STUDY_SUFFIX or not path.is_file():
        return False
    with path.open("rb") as stream:
        return STUDY_FORMAT.encode() in stream.read(_HEAD)


def _in_study(path: Path) -> _Given:
    """The workload that a study file asks about."""
    reading = inspect_study(path)
    asked = arrivals_in(reading.require().settings)
    if asked is None:
        message = "the study does not ask about work that arrives; replay a workload"
        raise InvalidInput([Problem(path.name, "", "", message)])
    question = asked.settings.question(asked.given)
    return _Given(question.source, question.every, asked.settings.of_bags, reading.problems, ())


def _sample(name: str) -> Path:
    from core.samples.workloads import workload_folder  # not needed for a path

    try:
        return workload_folder(name)
    except ValueError as unknown:
        sizes = f"{DRAWN_JOBS.low:,} to {DRAWN_JOBS.high:,}"
        drawn = f"{', '.join(RECIPES)}, and budget-N with N jobs a day ({sizes})"
        raise ValueError(f"{unknown}; these are drawn: {drawn}") from unknown


def _policies(asked: list[str], given: _Given) -> tuple[str, ...]:
    if ALL in asked:
        return tuple(BAG_METHODS) if given.of_bags else tuple(POLICIES)
    with refusing(UnknownPolicy, of=""):
        for name in asked:
            if name not in BAG_METHODS:
                policy_named(name)
    return tuple(dict.fromkeys(asked))


def _faults(arguments: argparse.Namespace) -> Iterator[str]:
    """Why flags do not go together."""
    one = arguments.policy is not None and len(arguments.policy) == 1 and arguments.policy != [ALL]
    if arguments.output is not None and not one:
        yield "--output takes the outcome of one policy; name it with --policy"


def _clashes(
    arguments: argparse.Namespace, policies: tuple[str, ...], given: _Given
) -> Iterator[str]:
    """Why flags do not fit the workload."""
    told = given_flags(arguments, ArrivalsSettings)
    if told.get("days", 1) > 1 and not isinstance(given.source, str):
        yield (
            f"--trials {told['days']}: {arguments.workload} is one workload, and a replay of "
            "it gives the same each time; leave --trials out, or name one that is drawn: "
            f"{', '.join(RECIPES)}"
        )
    limited = arguments.joules not in (None, math.inf) or "budget" in told
    for method in _first_of_bags(policies):
        if limited:
            yield f"{method} knows no energy budget; leave the budget out, or the method"
        if "drop_below" in told:
            yield f"{method} does all jobs and drops none; leave --drop out, or the method"
        if arguments.filter is not None:
            yield f"{method} uses no energy filter; leave --filter out, or the method"
    if arguments.every is not None and not any(map(_has_events, policies)):
        yield f"{policies[0]} plans at no fixed times; leave --every out, or choose batch methods"
    if "exchange" in told and WEIGHED.name not in policies:
        yield f"--exchange-rate is for the method {WEIGHED.name}; add it, or leave the rate out"


def _first_of_bags(policies: tuple[str, ...]) -> list[str]:
    return [policy for policy in policies if policy in BAG_METHODS][:1]


def _no_bags(question: ReplayQuestion) -> Iterator[str]:
    """Why a workload is none for methods for bags, if there are any. Raises `InvalidInput` for what
    they do not take.
    """
    for method in _first_of_bags(question.policies):
        bag_of(question.file(0).workload)
        if math.isfinite(question.day_joules(0, None)):
            yield (
                f"{method} knows no energy budget, and the workload has one; add --budget none, or "
                "leave the method out"
            )


def _has_events(policy: str) -> bool:
    """Whether it decides every so many seconds."""
    return policy not in BAG_METHODS or BAG_METHODS[policy].when == "batch"


def _joules(text: str) -> float:
    """Joules of a number of gigajoules, or of a quantity with its unit; infinite for no limit."""
    if text == NO_BUDGET:
        return math.inf
    try:
        giga = float(text)
    except ValueError:
        giga = math.nan
    try:
        return read_quantity(text if math.isnan(giga) else f"{giga!r}GJ", ENERGY)
    except ValueError as refused:
        raise argparse.ArgumentTypeError(str(refused)) from None


def _seconds(text: str) -> float:
    try:
        value = read_quantity(text, TIME)
    except ValueError as refused:
        raise argparse.ArgumentTypeError(str(refused)) from None
    if value not in _SECONDS:
        raise argparse.ArgumentTypeError(f"{text} is out of range; give {_SECONDS}")
    return value


def _filter(text: str) -> EnergyFilter:
    name, _, leniency = text.partition(":")
    for kind in get_args(FilterName):
        if name == kind:
            usual = PUBLISHED_LENIENCY[kind]
            return EnergyFilter(kind, number_within(LENIENCY)(leniency) if leniency else usual)
    raise argparse.ArgumentTypeError(
        f"'{text}' is no filter; give resource:LENIENCY or task:LENIENCY, as resource:4"
    )
