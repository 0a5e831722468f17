"""`wattfront replay WORKLOAD`: what comes of work that arrives, under each policy."""

import argparse
import math
from dataclasses import replace
from pathlib import Path
from typing import Final, get_args

from core.capabilities.arrivals.asked import COMMAND_USUAL, ArrivalsSettings
from core.capabilities.arrivals.face import BETWEEN_EVENTS, refuse_output, replayed
from core.capabilities.arrivals.files.weights_file import read_weights
from core.capabilities.arrivals.generating import add_log_work, given_log_work
from core.capabilities.arrivals.given import ALL, AskedReplay, GivenWork, given_work
from core.capabilities.arrivals.made.recipes import (
    DRAWN_VALUE,
    OF_VALUE,
    RECIPES,
    value_recipe,
)
from core.capabilities.arrivals.policies import (
    LENIENCY,
    POLICIES,
    PUBLISHED_LENIENCY,
    STOPPING,
    VALUE,
    EnergyFilter,
    FilterName,
    StopName,
)
from core.capabilities.arrivals.question import JoulesAllowed
from core.capabilities.arrivals.study_block import QUESTIONS
from core.capabilities.arrivals.told import replay_failures, told
from core.capabilities.arrivals.trials import ReplayComparison
from core.capabilities.arrivals.uncertain.methods import BAG_METHODS
from core.engines.logs.reading.logs import LogProgress
from core.engines.replay.clock import EVERY
from core.engines.replay.stopping.rules import Stopping
from core.engines.replay.value import ValueWeights
from core.shells.cli.answer import BROKEN, INTERRUPTED, SUCCESS, UNVERIFIED, Answer, told_answer
from core.shells.cli.arguments import add_engine, engine_of
from core.shells.cli.progress import watching
from core.shells.settings.forms import declare_flags, given_flags
from core.shells.settings.numbers import number_within
from core.shells.settings.site import PRICES, add_site, given_site
from core.vocabulary.problems import InvalidInput, Problem, refuse
from core.vocabulary.say.quantities import ENERGY, TIME, read_quantity
from core.vocabulary.say.words import typed
from core.vocabulary.setting import strange

NO_BUDGET: Final = "none"
TARIFF: Final = "tariff"


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
        help=f"{', '.join(POLICIES)}; those that stop jobs: {', '.join(STOPPING)}; for value of "
        f"service: {', '.join(VALUE)}; for bags of tasks also {', '.join(BAG_METHODS)}; or {ALL} "
        "(the default: those that stop none, or those for value of service where jobs have it). "
        "Can be given several times",
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
    declare_flags(parser, ArrivalsSettings, "cores", "memory", "memory_weight")
    parser.add_argument(
        "--weights",
        metavar="FILE",
        help="for value of service: a CSV file with category, period, time and energy, what counts "
        "how much, beside periods.csv; or a folder with weights.csv and periods.csv. "
        f"{TARIFF}: energy counts as much more as it costs in that hour at the site",
    )
    parser.add_argument(
        "--question",
        choices=QUESTIONS,
        help="of a study file that asks both: what policies do (arrivals), or what methods for "
        "bags of tasks do (late; default: the first that is there)",
    )
    parser.add_argument(
        "--stop",
        choices=get_args(StopName),
        help="how policies stop jobs that run for others: not at all, and look at what can start "
        "now (now); for more of their measure (greedy), by the largest difference (diff), as the "
        "better order of two (pair), by tiers as Slurm does, or by prices",
    )
    declare_flags(parser, Stopping)
    add_log_work(parser, "the jobs of an accounting log")
    add_engine(parser)
    add_site(parser, *PRICES)
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


def run(arguments: argparse.Namespace) -> Answer:
    engine = engine_of(arguments)
    asked = _asked(arguments)
    refuse_output(arguments.output, asked.policies)
    with watching(arguments.workload) as watch:
        said = watch.showing(LogProgress.in_words)
        given = given_work(
            _drawn_on(arguments),
            watch.stop_was_asked,
            said,
            arguments.question,
            given_log_work(arguments),
        )
        found = replayed(
            given.asked(replace(asked, weights=_weights(arguments, given))),
            engine,
            arguments.output,
            should_stop=watch.stop_was_asked,
            report=watch.showing(lambda done: done.in_words("replay")),
        )
    return _answer(arguments, found, given)


def _drawn_on(arguments: argparse.Namespace) -> str:
    """The workload, on the cores and the memory that flags say."""
    amounts = given_flags(arguments, ArrivalsSettings)
    names = ("cores", "memory") if arguments.sizes is None else ("cores",)  # the memory of a log
    told = {name: amounts[name] for name in names if name in amounts}
    name: str = arguments.workload
    if not told:
        return name
    if name != DRAWN_VALUE:
        flags = " and ".join(f"--{one}" for one in told)
        refuse([f"{flags}: for the workload {DRAWN_VALUE} only, and {name} is another"])
    refuse(strange(**{f"--{one}": (amount, OF_VALUE[one]) for one, amount in told.items()}))
    usual = replace(COMMAND_USUAL, **told)
    return value_recipe(usual.cores, usual.memory).name


def _weights(arguments: argparse.Namespace, given: GivenWork) -> ValueWeights | None:
    """The weights that were given; those by tariff are the weights of the workload with energy
    that counts as much more as it costs in that hour.
    """
    if arguments.weights is None:
        return None
    if arguments.weights != TARIFF:
        return read_weights(Path(arguments.weights))
    site, values = given_site(arguments, given.site), given.asked(AskedReplay()).file(0).values
    tariff = None if site is None else site.day
    if tariff is None or values is None:
        why = "the jobs have no value functions; leave it out"
        if tariff is None:
            why = "the price of energy is the same at all hours; give --day-tariff"
        raise InvalidInput([Problem("", "", "", f"--weights {TARIFF}: {why}")])
    return values.weights.at_prices(tariff.of_hours)


def _asked(arguments: argparse.Namespace) -> AskedReplay:
    told = given_flags(arguments, ArrivalsSettings)
    return AskedReplay(
        tuple(arguments.policy or (ALL,)),
        JoulesAllowed(arguments.joules, told.get("budget")),
        told.get("drop_below"),
        arguments.filter,
        arguments.every,
        told.get("exchange"),
        told.get("days", COMMAND_USUAL.days),
        told.get("seed", COMMAND_USUAL.seed),
        not arguments.no_bound,
        arguments.stop,
        Stopping(**given_flags(arguments, Stopping)),
        memory_weight=told.get("memory_weight", COMMAND_USUAL.memory_weight),
    )


def _answer(arguments: argparse.Namespace, found: ReplayComparison, given: GivenWork) -> Answer:
    problems = [Problem("", "", "", said) for said in replay_failures(found)]
    done, asked = len(found.common), found.question.trials
    if not found.common and not found.failed:
        raise KeyboardInterrupt
    if not found.complete:
        said = f"{done:,} of {asked:,} trials are done; the figures are of these"
        problems.append(Problem("", "", "", said, "warning"))
    problems += [Problem("", "", "", note, "warning") for note in given.notes]
    site = given_site(arguments, given.site)
    answered, facts = told(found, arguments.workload, site, given), []
    if arguments.output is not None and found.complete:
        answered = replace(answered, data={**answered.data, "path": str(arguments.output)})
        facts.append(("written to", str(arguments.output)))
    status = UNVERIFIED if found.refused else SUCCESS
    if not found.complete:
        status = BROKEN if found.failed else INTERRUPTED
    answer = told_answer(arguments.workload, answered, facts, (*problems, *given.problems))
    return replace(answer, status=status)


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
    if value not in BETWEEN_EVENTS:
        raise argparse.ArgumentTypeError(f"{text} is out of range; give {BETWEEN_EVENTS}")
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
