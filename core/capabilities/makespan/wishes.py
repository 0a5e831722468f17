"""The wishes of `wattfront solve`: their flags, and what these ask for."""

import argparse
from collections.abc import Iterator
from typing import Final

from core.engines.front.tariff import CARBON, CARBON_PRICE, MONEY, PUE, Tariff
from core.engines.front.wish import WISH_KINDS, StatedWish
from core.shells.cli.numbers import number_within, reading
from core.vocabulary.ranges import Range
from core.vocabulary.say.quantities import ENERGY, POWER, TIME

PRICE: Final = Range(1e-9, 1e9, "a kWh")
EXCHANGE_RATE: Final = Range(0.0, 1e15, "J/s")


def add_wishes(parser: argparse.ArgumentParser) -> None:
    """Add the flags of wishes; those not given are None."""
    wishes = parser.add_argument_group("wishes", "give at most one of the first five")
    for name, metavar, read, meaning in (
        ("deadline", "TIME", reading(TIME), f"the least energy, done within this time: {TIME}"),
        (
            "energy-budget",
            "ENERGY",
            reading(ENERGY),
            f"the shortest makespan with at most this energy: {ENERGY}",
        ),
        (
            "power-cap",
            "POWER",
            reading(POWER),
            f"the shortest makespan at no more than this average power: {POWER}",
        ),
        (
            "exchange-rate",
            "J_PER_S",
            number_within(EXCHANGE_RATE),
            "the least energy and time together, where a second is worth this many joules",
        ),
        (
            "cost-budget",
            "MONEY",
            number_within(MONEY),
            "the shortest makespan for at most this much money; needs --price",
        ),
        ("price", "PER_KWH", number_within(PRICE), "money a kWh"),
        ("carbon", "KG_PER_KWH", number_within(CARBON), "kilograms of CO2 a kWh (default 0)"),
        ("carbon-price", "PER_KG", number_within(CARBON_PRICE), "money a kg of CO2 (default 0)"),
        (
            "pue",
            "X",
            number_within(PUE),
            "joules that the site draws for each joule of its machines (default 1)",
        ),
    ):
        wishes.add_argument(f"--{name}", type=read, metavar=metavar, help=meaning)


def wish_faults(arguments: argparse.Namespace) -> Iterator[str]:
    """Contradictions among the flags of wishes."""
    kinds = _given(arguments, *(kind.flag for kind in WISH_KINDS))
    if len(kinds) > 1:
        yield f"{' and '.join(kinds)} are more than one wish; give one of them"
    prices = _given(arguments, "price", "carbon", "carbon-price", "pue")
    if arguments.cost_budget is None and prices:
        yield f"{', '.join(prices)}: only for --cost-budget; leave it out"
    if arguments.cost_budget is not None and arguments.price is None:
        yield "--cost-budget needs --price, the money that a kWh costs"
    if kinds and arguments.minimise:
        yield f"{kinds[0]} sets what is minimised; leave out --minimise"
    if kinds and arguments.method not in ("lp", "paper"):
        yield f"--method {arguments.method} takes no wish; for {kinds[0]} use lp or paper"


def asked(arguments: argparse.Namespace) -> StatedWish | None:
    """The wish that was asked for, or None."""
    for kind in WISH_KINDS:
        amount = getattr(arguments, _name(kind.flag))
        if amount is not None:
            return StatedWish(kind.parameter, amount)
    return None


def tariff_of(arguments: argparse.Namespace) -> Tariff | None:
    """The tariff of a wish in money; None for all others."""
    if arguments.cost_budget is None:
        return None
    return Tariff(
        arguments.price,
        arguments.carbon or 0.0,
        arguments.carbon_price or 0.0,
        arguments.pue or 1.0,
    )


def _given(arguments: argparse.Namespace, *names: str) -> list[str]:
    return [f"--{name}" for name in names if getattr(arguments, _name(name)) is not None]


def _name(flag: str) -> str:
    return flag.replace("-", "_")
