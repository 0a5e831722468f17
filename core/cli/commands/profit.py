"""`wattfront profit SYSTEM`: what running bag after bag earns, and a proof of what it could."""

import argparse
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from core.cli.answer import SUCCESS, UNVERIFIED, Answer
from core.cli.arguments import (
    add_effort,
    add_idle_power,
    add_system,
    number_within,
    read,
    refuse,
    refusing,
    with_idle_power,
)
from core.cli.profit_words import MoneyRate, profit_as_data, profit_report
from core.cli.progress import watching
from core.cli.quantities import POWER, reading
from core.cli.wishes import CARBON, CARBON_PRICE, MONEY, PUE
from core.files import SCHEDULE_SUFFIXES, write_schedule
from core.front.wish import Tariff
from core.problems import Problem
from core.profit.earn import Profit, earn
from core.profit.prices import price_steps
from core.profit.program import CapTooLow
from core.profit.terms import Terms, ratio_price
from core.relaxed import trace_front
from core.solve import DEFAULT_SECONDS
from core.system import Range, System
from core.words import HOUR

RATIO: Final = Range(0.0, 1e6, "times what the least energy costs")
ENERGY_PRICE: Final = Range(0.0, 1e9, "a kWh")
RATE: Final = Range(0.0, 1e12, "an hour")
# What electricity costs where only a ratio is given, as in the publication.
MONEY_A_JOULE: Final = 1.0


def declare(parser: argparse.ArgumentParser) -> None:
    add_system(parser)
    price = parser.add_mutually_exclusive_group(required=True)
    for group, name, metavar, reader, meaning in (
        (price, "ratio", "G", number_within(RATIO), "a bag brings G x what its least energy costs"),
        (price, "price", "MONEY", number_within(MONEY), "what a bag brings; needs --energy-price"),
        (
            parser,
            "energy-price",
            "PER_KWH",
            number_within(ENERGY_PRICE),
            "money a kWh; with --ratio alone a joule costs 1, and rates are a second's",
        ),
        (parser, "carbon", "KG_PER_KWH", number_within(CARBON), "kilograms of CO2 a kWh"),
        (parser, "carbon-price", "PER_KG", number_within(CARBON_PRICE), "money a kg of CO2"),
        (parser, "power-cap", "POWER", reading(POWER), f"at most so much on average: {POWER}"),
    ):
        group.add_argument(f"--{name}", type=reader, metavar=metavar, help=meaning)
    parser.add_argument(
        "--cap-at-machines", action="store_true", help="the cap leaves out what PUE adds"
    )
    add_idle_power(parser)
    parser.add_argument("--pue", type=number_within(PUE), default=1.0, metavar="X", help=f"{PUE}")
    parser.add_argument(
        "--overhead",
        type=number_within(MONEY),
        default=0.0,
        metavar="MONEY",
        help="what a bag costs besides",
    )
    for name, meaning in (("wear", "busy hour"), ("depreciation", "hour, busy or not,")):
        parser.add_argument(
            f"--{name}",
            type=_named_rate,
            nargs="+",
            action="extend",
            default=[],
            metavar="NAME=MONEY",
            help=f"what each {meaning} of one machine of a type costs",
        )
    add_effort(parser, DEFAULT_SECONDS)
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="FILE",
        help=f"write the schedule: {', '.join(SCHEDULE_SUFFIXES)}",
    )


def run(arguments: argparse.Namespace) -> Answer:
    refuse(_faults(arguments))  # before anybody waits for it
    started = time.perf_counter()
    found = read(arguments)
    system = with_idle_power(found.require(), arguments)
    refuse(_strangers(arguments, system))
    read_seconds = time.perf_counter() - started
    with refusing(CapTooLow, of=arguments.system), watching(arguments.system) as watch:
        terms = _terms(system, arguments)
        profit = earn(
            system,
            terms,
            seconds=arguments.seconds,
            threads=arguments.threads,
            seed=arguments.seed,
            should_stop=watch.stop_was_asked,
        )
        steps = price_steps(system, terms)
    money = MoneyRate(1.0 if arguments.energy_price is None else HOUR)
    seconds = {"read": read_seconds, **profit.seconds}
    said, problems = _written(profit, arguments)
    return Answer(
        {**profit_as_data(profit, steps, money), "seconds": seconds},
        profit_report(arguments.system, profit, steps, money, seconds) + said,
        (*problems, *found.problems),
        SUCCESS if profit.verified else UNVERIFIED,
    )


def _named_rate(text: str) -> tuple[str, float]:
    """Reads `GPU=0.2`; what is left of the last = is the name."""
    name, equals, rate = text.rpartition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"'{text}' is no NAME=MONEY, as in GPU=0.2")
    return name, number_within(RATE)(rate)


def _faults(arguments: argparse.Namespace) -> Iterator[str]:
    """What cannot end well, whatever the system."""
    if arguments.energy_price is None:
        if arguments.price is not None:
            yield "--price needs --energy-price, the money that a kWh costs (0 if it is free)"
        for name in ("carbon", "carbon_price"):
            if getattr(arguments, name) is not None:
                yield f"--{name.replace('_', '-')} needs --energy-price, the money that a kWh costs"
    if (arguments.carbon is None) != (arguments.carbon_price is None):
        yield "--carbon and --carbon-price need each other; give both, or neither"
    if arguments.cap_at_machines and arguments.power_cap is None:
        yield "--cap-at-machines is about --power-cap; give that, too"
    out: Path | None = arguments.output
    if out and out.suffix.casefold() not in SCHEDULE_SUFFIXES:
        yield f"{out} cannot be written: name a {', '.join(SCHEDULE_SUFFIXES)} file"
    elif out and not out.parent.is_dir():
        yield f"{out} cannot be written: there is no such folder; make it first"


def _strangers(arguments: argparse.Namespace, system: System) -> Iterator[str]:
    """Rates of machine types that are not there, or given twice."""
    known = [machine.name for machine in system.machine_types]
    for flag in ("wear", "depreciation"):
        names = [name for name, _ in getattr(arguments, flag)]
        for name in dict.fromkeys(names):
            if name not in known:
                yield f"--{flag}: there is no machine type '{name}'; there are {', '.join(known)}"
            elif names.count(name) > 1:
                yield f"--{flag}: machine type '{name}' is there twice; give one rate"


def _terms(system: System, arguments: argparse.Namespace) -> Terms:
    energy_price = MONEY_A_JOULE
    if arguments.energy_price is not None:
        energy_price = Tariff(
            arguments.energy_price, arguments.carbon or 0.0, arguments.carbon_price or 0.0
        ).per_joule
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


def _written(profit: Profit, arguments: argparse.Namespace) -> tuple[str, tuple[Problem, ...]]:
    """What is said of the file, on a line of its own, and what is wrong with it."""
    if not profit.verified:
        fault = "an independent check disagrees with the schedule; do not use it"
        return "", (Problem(arguments.system, "", "", fault),)
    if not arguments.output:
        return "", ()
    if profit.earnings is None:
        fault = "there is no schedule to write, because not to run is best"
        return "", (Problem(str(arguments.output), "", "", fault, "warning"),)
    write_schedule(profit.earnings.schedule, arguments.output)
    return f"\nwritten to {arguments.output}", ()
