"""The arguments of `wattfront profit`: what they are, what does not go together, what they mean."""

import argparse
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from core.cli.arguments import add_effort, add_idle_power, add_system, number_within
from core.cli.profit_tables import named_rate, read_day_tariff, time_of_day
from core.cli.quantities import POWER, TIME, reading
from core.cli.schedule_file import add_schedule_file, schedule_file_faults
from core.files.findings import shown, shown_list
from core.front.wish import Tariff
from core.profit.conditions import RANGES, RATE, Named, day_tariff
from core.profit.tariff import DayTariff
from core.profit.terms import Terms, ratio_price
from core.relaxed import trace_front
from core.solve import DEFAULT_SECONDS
from core.system import System
from core.words import HOUR

# What electricity costs where only a ratio is given, as in the publication.
MONEY_A_JOULE: Final = 1.0


def declare(parser: argparse.ArgumentParser) -> None:
    add_system(parser)
    price = parser.add_mutually_exclusive_group()
    for group, name, metavar, reader, meaning in (
        (price, "ratio", "G", _number("ratio"), "a bag brings G x what its least energy costs"),
        (price, "price", "MONEY", _number("price"), "what a bag brings; needs --energy-price"),
        (
            parser,
            "energy-price",
            "PER_KWH",
            _number("energy_price"),
            "money a kWh (default: the mean of --day-tariff); with --ratio alone a joule costs 1, "
            "and rates are a second's",
        ),
        (parser, "carbon", "KG_PER_KWH", _number("carbon"), "kilograms of CO2 a kWh"),
        (parser, "carbon-price", "PER_KG", _number("carbon_price"), "money a kg of CO2"),
        (parser, "power-cap", "POWER", reading(POWER), f"at most so much on average: {POWER}"),
    ):
        group.add_argument(f"--{name}", type=reader, metavar=metavar, help=meaning)
    parser.add_argument(
        "--cap-at-machines", action="store_true", help="the cap leaves out what PUE adds"
    )
    add_idle_power(parser)
    parser.add_argument(
        "--pue", type=_number("pue"), default=1.0, metavar="X", help=f"{RANGES['pue']}"
    )
    parser.add_argument(
        "--overhead",
        type=_number("overhead"),
        default=0.0,
        metavar="MONEY",
        help="what a bag costs besides",
    )
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


def _declare_part(parser: argparse.ArgumentParser) -> None:
    part = parser.add_argument_group(
        "only part of a bag", "which tasks to accept in place of --ratio or --price for all of them"
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
        "prices over the day", "when to begin one bag, and what it then earns"
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


def _number(name: str) -> Callable[[str], float]:
    return number_within(RANGES[name])


def is_priced(arguments: argparse.Namespace) -> bool:
    """Whether it is known what a kWh costs."""
    return arguments.energy_price is not None or arguments.day_tariff is not None


def faults(arguments: argparse.Namespace) -> Iterator[str]:
    """What cannot end well, whatever the system."""
    prices = [name for name in ("ratio", "price") if getattr(arguments, name) is not None]
    if arguments.rewards and prices:
        yield f"--rewards pay for tasks one by one; leave out --{prices[0]}"
    if not (arguments.rewards or prices):
        yield "give --ratio or --price of a bag, or --rewards of tasks and a --deadline"
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
    if arguments.deadline is not None and arguments.deadline not in RANGES["deadline"]:
        yield f"--deadline {arguments.deadline:g} s is out of range; give {RANGES['deadline']}"
    yield from schedule_file_faults(arguments)


def strangers(arguments: argparse.Namespace, rewards: Named, system: System) -> Iterator[str]:
    """Money for types that are not there, or given twice."""
    machines = [machine.name for machine in system.machine_types]
    tasks = [task.name for task in system.task_types]
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


def tariff_of(arguments: argparse.Namespace) -> DayTariff | None:
    if arguments.day_tariff is None:
        return None
    steps = read_day_tariff(arguments.day_tariff)
    carbon = arguments.carbon or 0.0, arguments.carbon_price or 0.0
    return day_tariff(steps, *carbon, arguments.pue)


def terms_of(system: System, arguments: argparse.Namespace, tariff: DayTariff | None) -> Terms:
    energy_price = MONEY_A_JOULE
    if arguments.energy_price is not None:
        energy_price = Tariff(
            arguments.energy_price, arguments.carbon or 0.0, arguments.carbon_price or 0.0
        ).per_joule
    elif tariff is not None:
        energy_price = tariff.mean / arguments.pue
    terms = Terms(
        price=arguments.price or 0.0,
        energy_price=energy_price,
        pue=arguments.pue,
        overhead=arguments.overhead,
        wear=_rates(system, arguments.wear),
        depreciation=_rates(system, arguments.depreciation),
        power_cap=float("inf") if arguments.power_cap is None else arguments.power_cap,
        cap_at_machines=arguments.cap_at_machines,
    )
    if arguments.ratio is None:
        return terms
    return replace(terms, price=ratio_price(trace_front(system), arguments.ratio, energy_price))


def _rates(system: System, named: list[tuple[str, float]]) -> tuple[float, ...]:
    """Money a second, a machine type each."""
    hourly = dict(named)
    return tuple(hourly.get(machine.name, 0.0) / HOUR for machine in system.machine_types)
