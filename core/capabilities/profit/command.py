"""`wattfront profit SYSTEM`: the profit of batch after batch and its upper bound, or which tasks to
accept before a deadline and what they earn.
"""

import argparse
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from core import System, Terms, earn, study, write_schedule
from core.capabilities.profit import CAPABILITY
from core.capabilities.profit.accept import accept
from core.capabilities.profit.day import day_of
from core.capabilities.profit.earn import Profit
from core.capabilities.profit.program import CapTooLow
from core.capabilities.profit.settings import DEADLINE, RATE, REWARD, Named, ProfitSettings
from core.capabilities.profit.sweep import price_steps
from core.capabilities.profit.told import (
    NO_BATCH,
    profit_progress,
    title,
    told,
    told_of_day,
    told_of_part,
)
from core.engines.relaxed import trace_front
from core.files.findings import shown, shown_list
from core.files.headings import TASK_TYPE
from core.files.schema import Column, Schema
from core.shells.cli.answer import Answer, told_answer
from core.shells.cli.arguments import (
    add_effort,
    add_system,
    effort_of,
    read,
    unit_of_effort,
    with_idle_power,
    without_work,
)
from core.shells.cli.outputs import (
    add_schedule_file,
    add_study_file,
    schedule_file_faults,
    settings_of,
    study_file_faults,
)
from core.shells.cli.progress import Watch, watching
from core.shells.settings.by_hour import read_rows, time_of_day
from core.shells.settings.forms import declare_flags, given_flags
from core.shells.settings.numbers import number_within, reading
from core.shells.settings.site import add_site, given_site, was_given
from core.shells.studies import Choice, write_study
from core.shells.told.told import Told
from core.vocabulary.budget import DEFAULT_SECONDS
from core.vocabulary.prices.site import ASSUMED
from core.vocabulary.problems import Problem, refuse, refusing
from core.vocabulary.ranges import Range
from core.vocabulary.say.columns import VERIFIED, size_in_words, took
from core.vocabulary.say.phrases import estimates_as_dict
from core.vocabulary.say.quantities import TIME
from core.vocabulary.say.words import HOUR
from core.vocabulary.schedule import Schedule
from core.vocabulary.without_work import WithoutWork


def named_rate(allowed: Range) -> Callable[[str], tuple[str, float]]:
    """A reader of `GPU=0.2`; the text before the last = is the name."""

    def read(text: str) -> tuple[str, float]:
        name, equals, rate = text.rpartition("=")
        if not equals:
            raise argparse.ArgumentTypeError(f"'{text}' is no NAME=MONEY, as in GPU=0.2")
        return name, number_within(allowed)(rate)

    return read


def read_rewards(text: str) -> Named:
    """Rewards from `render=0.2`, or from the file of that name. Raises `InvalidInput`."""
    if "=" not in text or os.path.lexists(text):
        return _rewards_in(Path(text))
    with refusing(argparse.ArgumentTypeError, of="--rewards"):
        return (named_rate(REWARD)(text),)


REWARDS: Final[Schema] = (TASK_TYPE, Column("reward", "number", unit="money", allowed=REWARD))


def _rewards_in(path: Path) -> Named:
    rows = read_rows(path, REWARDS, "rewards")
    return tuple(zip(rows.listed("task_type"), rows.numbers["reward"].tolist(), strict=True))


def declare(parser: argparse.ArgumentParser) -> None:
    add_system(parser)
    price = parser.add_mutually_exclusive_group()
    declare_flags(price, ProfitSettings, "ratio", "price")
    declare_flags(parser, WithoutWork)
    declare_flags(parser, ProfitSettings, "overhead")
    for name, meaning in (("wear", "busy hour"), ("depreciation", "hour, busy or not,")):
        parser.add_argument(
            f"--{name}",
            type=named_rate(RATE),
            nargs="+",
            action="extend",
            default=[],
            metavar="NAME=MONEY",
            help=f"what each {meaning} of one machine of a type costs",
        )
    add_site(parser)
    parser.add_argument(
        "--cap-at-machines", action="store_true", help="the power cap leaves out what PUE adds"
    )
    parser.add_argument(
        "--start",
        type=time_of_day,
        metavar="HOUR",
        help="with prices over the day, begin at this time, as 7.5 or 07:30 (default: when "
        "electricity costs least)",
    )
    _declare_part(parser)
    add_effort(parser, DEFAULT_SECONDS)
    add_schedule_file(parser)
    add_study_file(parser, "the front, the schedule and what it earns")


def _declare_part(parser: argparse.ArgumentParser) -> None:
    part = parser.add_argument_group(
        "only part of a batch",
        "which tasks to accept in place of --ratio or --price for all of them",
    )
    part.add_argument(
        "--deadline", type=reading(TIME), metavar="TIME", help=f"all is done within: {TIME}"
    )
    part.add_argument(
        "--rewards",
        nargs="+",
        action="extend",
        default=[],
        metavar="NAME=MONEY",
        help="what each task of a type brings, 0 for types that are not named; or a CSV file with "
        "the columns task_type,reward",
    )


def is_priced(arguments: argparse.Namespace) -> bool:
    """Whether the arguments say what a kWh costs."""
    return bool(was_given(arguments, "price", "day_tariff"))


def faults(arguments: argparse.Namespace) -> Iterator[str]:
    """Faults of the arguments that do not depend on the system."""
    prices = [name for name in ("ratio", "price") if getattr(arguments, name) is not None]
    if arguments.rewards and prices:
        yield f"--rewards pay for tasks one by one; leave out --{prices[0]}"
    if not (arguments.rewards or prices):
        yield "give --ratio or --price of a batch, or --rewards of tasks and a --deadline"
    if bool(arguments.rewards) != (arguments.deadline is not None):
        yield "--rewards and --deadline need each other; give both, or neither"
    if not is_priced(arguments):
        if arguments.price is not None or arguments.rewards:
            name = "--rewards" if arguments.rewards else "--price"
            yield f"{name} needs --energy-price, the money that a kWh costs (0 if it is free)"
        for flag in was_given(arguments, "carbon", "day_carbon", "carbon_price"):
            yield f"{flag} needs --energy-price, the money that a kWh costs"
    if arguments.cap_at_machines and arguments.power_cap is None:
        yield "--cap-at-machines is about --power-cap; give that, too"
    if arguments.start is not None and not was_given(arguments, "day_tariff"):
        yield "--start is about --day-tariff; give that, too"
    if arguments.deadline is not None and arguments.deadline not in DEADLINE:
        yield f"--deadline {arguments.deadline:g} s is out of range; give {DEADLINE}"
    if arguments.study and arguments.rewards:
        yield "a study file holds what batch after batch earns; leave out --study, or --rewards"
    yield from schedule_file_faults(arguments)
    yield from study_file_faults(arguments)


def strangers(arguments: argparse.Namespace, rewards: Named, system: System) -> Iterator[str]:
    """Faults of amounts for types that the system does not have, or that are given twice."""
    tasks, machines = system.task_names, system.machine_names
    for flag, kind, there, named in (
        ("wear", "machine", machines, arguments.wear),
        ("depreciation", "machine", machines, arguments.depreciation),
        ("rewards", "task", tasks, rewards),
    ):
        known, listed = set(there), shown_list(there)
        times = Counter(name for name, _ in named)
        for name, number in times.items():
            if name not in known:
                yield f"--{flag}: there is no {kind} type '{shown(name)}'; there are {listed}"
            elif number > 1:
                yield f"--{flag}: {kind} type '{shown(name)}' is there twice; give one rate"


def profit_settings_of(arguments: argparse.Namespace, rewards: Named = ()) -> ProfitSettings:
    """The settings that the arguments give; the cap is that of the whole site.

    Raises `InvalidInput` if prices over the day cannot be read.
    """
    site = given_site(arguments) or ASSUMED
    usual = ProfitSettings(by="bag" if arguments.ratio is None else "ratio", ratio=0.0, price=0.0)
    settings = replace(usual, **given_flags(arguments, ProfitSettings))
    if site.cap_kw is not None and arguments.cap_at_machines:
        site = replace(site, cap_kw=site.cap_kw * site.pue)
    settings = replace(
        settings,
        electricity="kWh" if is_priced(arguments) else "joule",
        deadline=arguments.deadline,
        rewards=rewards,
        site=site,
    )
    hours = settings.money.seconds / HOUR
    return replace(
        settings,
        wear=tuple((name, money * hours) for name, money in arguments.wear),
        depreciation=tuple((name, money * hours) for name, money in arguments.depreciation),
    )


def terms_of(system: System, settings: ProfitSettings, arguments: argparse.Namespace) -> Terms:
    """The terms for a system, with the cap as it was given."""
    if settings.by == "ratio":
        terms = settings.terms(trace_front(system))
    else:
        terms = settings.terms_at(settings.price, system)
    if arguments.power_cap is None:
        return terms
    at_machines: bool = arguments.cap_at_machines
    return replace(terms, power_cap=arguments.power_cap, cap_at_machines=at_machines)


@dataclass(frozen=True, eq=False, slots=True)
class _Question:
    """What the command was asked, after all input is read."""

    system: System
    settings: ProfitSettings
    terms: Terms
    arguments: argparse.Namespace
    read_seconds: float


def run(arguments: argparse.Namespace) -> Answer:
    refuse(faults(arguments))  # before the long computation
    rewards = tuple(pair for text in arguments.rewards for pair in read_rewards(text))
    settings = profit_settings_of(arguments, rewards)
    started = time.perf_counter()
    found = read(arguments)
    system = with_idle_power(found.require(), arguments)
    refuse(strangers(arguments, rewards, system))
    read_seconds = time.perf_counter() - started
    with refusing(CapTooLow, of=arguments.system), watching(arguments.system) as watch:
        terms = terms_of(system, settings, arguments)
        question = _Question(system, settings, terms, arguments, read_seconds)
        answer = _part_of_one(question) if rewards else _bag_after_bag(question, watch)
    return replace(answer, problems=(*answer.problems, *found.problems))


def _bag_after_bag(question: _Question, watch: Watch) -> Answer:
    system, terms, settings = question.system, question.terms, question.settings
    arguments = question.arguments
    profit = earn(
        system,
        terms,
        effort=effort_of(arguments),
        should_stop=watch.stop_was_asked,
        report=watch.showing(profit_progress(settings.money, unit_of_effort(arguments))),
    )
    said = told(profit, price_steps(system, terms), settings, trace_front(system))
    schedule = None if profit.earnings is None else profit.earnings.schedule
    why_none = "there is no schedule to write, because running nothing is best"
    written, problems = _write_schedule(schedule, why_none, arguments, verified=profit.verified)
    if arguments.study and profit.verified:
        written += _write_study(question, profit, watch)
    said = _with_start(said, schedule, terms, question)
    return _answer(question, said, profit.seconds, written, problems)


def _part_of_one(question: _Question) -> Answer:
    """The answer for part of one batch: which tasks to accept."""
    system, arguments, deadline = question.system, question.arguments, question.arguments.deadline
    rewards = question.settings.rewards_in(system)
    started = time.perf_counter()
    part = accept(system, question.terms, rewards, deadline)
    seconds = {"accept": time.perf_counter() - started}
    why_none = "there is no schedule to write, because no task is worth accepting"
    written, problems = _write_schedule(part.schedule, why_none, arguments, verified=part.verified)
    if written and part.accepted.sum() < system.tasks:
        written += "; wattfront verify takes it with --part, for tasks are left out"
    terms = replace(question.terms, price=float(rewards @ part.accepted))
    said = told_of_part(part, deadline, question.settings.money)
    said = _with_start(said, part.schedule, terms, question)
    return _answer(question, said, seconds, written, problems)


def _answer(
    question: _Question,
    said: Told,
    seconds: Mapping[str, float],
    written: str,
    problems: tuple[Problem, ...],
) -> Answer:
    """What is said, and about what system, with which check and in which time."""
    spent = {"read": question.read_seconds, **seconds}
    facts = [
        ("system", size_in_words(question.system)),
        ("verified", VERIFIED[said.data["verified"] is True]),
        ("took", took(spent)),
    ]
    also = {**estimates_as_dict(question.system), "seconds": spent}
    answer = told_answer(question.arguments.system, said, facts, problems, also)
    return replace(answer, text=answer.text + written)


def _with_start(said: Told, schedule: Schedule | None, terms: Terms, question: _Question) -> Told:
    """What is said, and when to begin one batch if prices change over the day."""
    tariff = question.settings.site.day
    if tariff is None:
        return said
    if schedule is None:
        return said.beside(NO_BATCH)
    day = day_of(schedule, terms, tariff)
    hour: float | None = question.arguments.start
    chosen = day.best if hour is None else day.at(hour * HOUR)
    return said.beside(told_of_day(day, chosen, question.settings.money))


def _write_study(question: _Question, profit: Profit, watch: Watch) -> str:
    """Write the study with the schedule found as the chosen one. Returns a line about the file."""
    arguments, choice = question.arguments, None
    if profit.earnings is not None:
        choice = Choice(profit.earnings.schedule, title(profit, question.settings.money))
    front = study(question.system, method="bound", should_stop=watch.stop_was_asked)
    study_settings = replace(
        settings_of(arguments),
        idle=without_work(arguments),
        method=front.method,
        site=None if question.settings.site.is_assumed else question.settings.site,
        blocks=CAPABILITY.block(question.settings),
    )
    write_study(front, study_settings, arguments.study, choice)
    return f"\nwritten to {arguments.study}: the study"


def _write_schedule(
    schedule: Schedule | None, why_none: str, arguments: argparse.Namespace, *, verified: bool
) -> tuple[str, tuple[Problem, ...]]:
    """Write the schedule. Returns a line about the file, and its problems."""
    if not verified:
        fault = "an independent check disagrees with the schedule; do not use it"
        return "", (Problem(arguments.system, "", "", fault),)
    if not arguments.output:
        return "", ()
    if schedule is None:
        return "", (Problem(str(arguments.output), "", "", why_none, "warning"),)
    write_schedule(schedule, arguments.output)
    return f"\nwritten to {arguments.output}", ()
