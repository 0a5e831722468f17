"""The arguments of `wattfront profit`: their flags, the files that some of them take, their
contradictions, and the settings they give.
"""

import argparse
import os
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from core.capabilities.profit.settings import DEADLINE, RATE, REWARD, Named, ProfitSettings
from core.capabilities.profit.terms import Terms
from core.engines.relaxed import trace_front
from core.files.findings import shown, shown_list
from core.files.headings import TASK_TYPE
from core.files.schema import Column, Schema
from core.shells.cli.arguments import add_effort, add_system
from core.shells.cli.outputs import (
    add_schedule_file,
    add_study_file,
    schedule_file_faults,
    study_file_faults,
)
from core.shells.settings.by_hour import read_rows, time_of_day
from core.shells.settings.forms import declare_flags, given_flags
from core.shells.settings.numbers import number_within, reading
from core.shells.settings.site import add_site, given_site, was_given
from core.vocabulary.budget import DEFAULT_SECONDS
from core.vocabulary.prices.site import ASSUMED
from core.vocabulary.problems import refusing
from core.vocabulary.ranges import Range
from core.vocabulary.say.quantities import TIME
from core.vocabulary.say.words import HOUR
from core.vocabulary.system import System
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
