"""The arguments of `wattfront profit`: their flags, the files that some of them take, their
contradictions, and the settings they give.
"""

import argparse
import math
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from core.capabilities.profit.settings import (
    DEADLINE,
    ENERGY_PRICE,
    HOURS,
    RATE,
    REWARD,
    WATTS_PER_KW,
    DailySteps,
    DayTariff,
    Named,
    ProfitSettings,
)
from core.capabilities.profit.terms import Terms
from core.engines.relaxed import trace_front
from core.files import limits
from core.files.columns import ReadColumns
from core.files.disk import read_file
from core.files.findings import Findings, Reading, Unreadable, shown, shown_list
from core.files.headings import TASK_TYPE
from core.files.numbers import parse_number
from core.files.schema import Column, Schema
from core.files.table_file import read_table
from core.shells.cli.arguments import add_effort, add_idle_power, add_system
from core.shells.cli.numbers import number_within, reading
from core.shells.cli.outputs import (
    add_schedule_file,
    add_study_file,
    schedule_file_faults,
    study_file_faults,
)
from core.shells.settings.forms import declare_flags, given_flags
from core.vocabulary.budget import DEFAULT_SECONDS
from core.vocabulary.problems import refuse, refusing
from core.vocabulary.ranges import Range
from core.vocabulary.say.money import currency_fault
from core.vocabulary.say.quantities import POWER, TIME
from core.vocabulary.say.words import HOUR
from core.vocabulary.system import System

_CLOCK: Final = re.compile(r"(\d{1,2}):([0-5]\d)")
_AN_HOUR: Final = f"0 to below {HOURS:g}, as 7, 7.5 or 07:30"
_NO_TIME: Final = f"is not a time of day; give {_AN_HOUR}"


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


def read_day_tariff(text: str) -> DailySteps:
    """Hours and prices from `0:0.20,7:0.35` or a file of that name. Raises `InvalidInput`."""
    if ":" not in text or os.path.lexists(text):
        steps = _steps_in(Path(text))
    else:
        with refusing(argparse.ArgumentTypeError, of="--day-tariff"):
            steps = tuple(_steps_of(text))
    if len({hour for hour, _ in steps}) < len(steps):
        refuse(["--day-tariff gives two prices from the same hour on; keep one"])
    return steps


def _steps_of(text: str) -> Iterator[tuple[float, float]]:
    for part in text.split(","):
        hour, colon, price = part.rpartition(":")
        begins = clock(hour)
        if not colon or math.isnan(begins):
            raise argparse.ArgumentTypeError(
                f"'{part}' is no HOUR:PRICE; give steps as 0:0.20,7:0.35,20:0.20, hours "
                f"{_AN_HOUR}, or a CSV file of {','.join(TARIFF_HEADER)}"
            )
        yield begins, number_within(ENERGY_PRICE)(price)


def time_of_day(text: str) -> float:
    """Reads a time of day, as hours."""
    hour = clock(text)
    if math.isnan(hour):
        raise argparse.ArgumentTypeError(f"'{text}' {_NO_TIME}")
    return hour


def clock(text: str) -> float:
    """Hours after midnight; NaN if the text is not a time of day."""
    if parts := _CLOCK.fullmatch(text.strip()):
        hour = int(parts[1]) + int(parts[2]) / 60
    else:
        number = parse_number(text)
        hour = math.nan if number is None else number
    return hour if 0 <= hour < HOURS else math.nan


REWARDS: Final[Schema] = (TASK_TYPE, Column("reward", "number", unit="money", allowed=REWARD))
TARIFF: Final[Schema] = (
    Column("from", "number", unit="hours", parse=clock, otherwise=_NO_TIME),
    Column("price", "number", unit="money", allowed=ENERGY_PRICE),
)
REWARDS_HEADER, TARIFF_HEADER = ([column.name for column in each] for each in (REWARDS, TARIFF))


def _rewards_in(path: Path) -> Named:
    rows = _rows(path, REWARDS, "rewards")
    return tuple(zip(rows.listed("task_type"), rows.numbers["reward"].tolist(), strict=True))


def _steps_in(path: Path) -> DailySteps:
    rows = _rows(path, TARIFF, "tariff")
    return tuple(zip(*(rows.numbers[name].tolist() for name in TARIFF_HEADER), strict=True))


def _rows(path: Path, schema: Schema, title: str) -> ReadColumns:
    """The rows of a file, at least one. Raises `InvalidInput` with all problems."""
    label = path.name or str(path)

    def read(findings: Findings) -> ReadColumns | None:
        rows = read_table(label, read_file(path), schema, findings, title, limits.ROWS)
        if rows is not None and not len(rows) and not findings.failed:
            header = ",".join(column.name for column in schema)
            raise Unreadable(f"has no rows; give {header} and a row each")
        return rows

    return Reading.of(label, read).require()


USUAL_CURRENCY: Final = ProfitSettings().currency


def declare(parser: argparse.ArgumentParser) -> None:
    add_system(parser)
    price = parser.add_mutually_exclusive_group()
    declare_flags(price, ProfitSettings, "ratio", "price")
    declare_flags(parser, ProfitSettings, "energy_price", "carbon", "carbon_price")
    parser.add_argument(
        "--power-cap",
        type=reading(POWER),
        metavar="POWER",
        help=f"at most so much on average: {POWER}",
    )
    parser.add_argument(
        "--cap-at-machines", action="store_true", help="the cap leaves out what PUE adds"
    )
    add_idle_power(parser)
    declare_flags(parser, ProfitSettings, "pue", "overhead")
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
    _declare_part(parser)
    _declare_day(parser)
    add_effort(parser, DEFAULT_SECONDS)
    add_schedule_file(parser)
    add_study_file(parser, "the front, the schedule and what it earns")
    parser.add_argument(
        "--currency",
        type=_currency,
        metavar="WORD",
        help=f"what the study calls money (default {USUAL_CURRENCY})",
    )


def _currency(text: str) -> str:
    if (fault := currency_fault(text)) is not None:
        raise argparse.ArgumentTypeError(f"'{text}' {fault}")
    return text


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


def _declare_day(parser: argparse.ArgumentParser) -> None:
    day = parser.add_argument_group(
        "prices over the day", "when to begin one batch, and what it then earns"
    )
    day.add_argument(
        "--day-tariff",
        metavar="HOUR:PRICE,...",
        help="money a kWh from an hour of the day on, as 0:0.20,7:0.35,20:0.20; or a CSV file with "
        "the columns from,price",
    )
    day.add_argument(
        "--start",
        type=time_of_day,
        metavar="HOUR",
        help="begin at this time of day, as 7.5 or 07:30 (default: when electricity costs least)",
    )


def is_priced(arguments: argparse.Namespace) -> bool:
    """Whether the arguments say what a kWh costs."""
    return arguments.energy_price is not None or arguments.day_tariff is not None


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
        for name in ("carbon", "carbon_price"):
            if getattr(arguments, name) is not None:
                yield f"--{name.replace('_', '-')} needs --energy-price, the money that a kWh costs"
    if (arguments.carbon is None) != (arguments.carbon_price is None):
        yield "--carbon and --carbon-price need each other; give both, or neither"
    if arguments.cap_at_machines and arguments.power_cap is None:
        yield "--cap-at-machines is about --power-cap; give that, too"
    if arguments.start is not None and arguments.day_tariff is None:
        yield "--start is about --day-tariff; give that, too"
    if arguments.deadline is not None and arguments.deadline not in DEADLINE:
        yield f"--deadline {arguments.deadline:g} s is out of range; give {DEADLINE}"
    if arguments.study and arguments.rewards:
        yield "a study file holds what batch after batch earns; leave out --study, or --rewards"
    if arguments.currency is not None and arguments.study is None:
        yield "--currency is about --study; give that, too"
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
    steps = () if arguments.day_tariff is None else read_day_tariff(arguments.day_tariff)
    a_kwh = arguments.energy_price
    if a_kwh is None:  # the mean of the day tariff
        a_kwh = DayTariff.of_day(steps).mean if steps else 0.0
    usual = ProfitSettings(by="bag" if arguments.ratio is None else "ratio", ratio=0.0, price=0.0)
    settings = replace(usual, **given_flags(arguments, ProfitSettings))
    cap = arguments.power_cap
    if cap is not None and arguments.cap_at_machines:
        cap *= settings.pue
    settings = replace(
        settings,
        electricity="kWh" if is_priced(arguments) else "joule",
        energy_price=a_kwh,
        currency=arguments.currency or USUAL_CURRENCY,
        cap_kw=None if cap is None else cap / WATTS_PER_KW,
        deadline=arguments.deadline,
        rewards=rewards,
        day_tariff=steps,
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
