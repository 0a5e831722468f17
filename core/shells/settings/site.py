"""The site as one group of flags, shared by all commands that need it, and in study files."""

import argparse
from dataclasses import replace
from typing import Final

from core.files.strict_json import Fields
from core.shells.settings.forms import (
    declare_flags,
    flag_name,
    flag_words,
    given_flags,
    read_block,
    shell_word,
)
from core.shells.settings.numbers import reading
from core.vocabulary.prices.day import DayTariff
from core.vocabulary.prices.site import ANY_PRICE, WATTS_PER_KW, Site
from core.vocabulary.prices.tariff import CARBON
from core.vocabulary.say.money import currency_fault
from core.vocabulary.say.quantities import POWER
from core.vocabulary.setting import settings_in

_PREFIX: Final = "site_"
PRICES: Final = tuple(name for name in settings_in(Site) if name != "cap_kw")
"""All but the power cap."""
_MEANS: Final = {"price": "day_tariff", "carbon": "day_carbon"}
"""What a kWh has, and the steps over the day whose mean it is if nothing else is given."""


def add_site(parser: argparse.ArgumentParser, *names: str) -> None:
    """The flags of these settings of the site, or of all; those not given are None."""
    wanted = names or tuple(settings_in(Site))
    group = parser.add_argument_group("site", "what its energy costs: the same for every command")
    declare_flags(group, Site, *wanted, prefix=_PREFIX)
    if "cap_kw" in wanted:
        group.add_argument(
            "--power-cap",
            type=reading(POWER),
            metavar="POWER",
            help=f"at most so much on average: {POWER}",
        )
    if "currency" in wanted:
        usual = Site().currency
        group.add_argument(
            "--currency", type=_currency, metavar="WORD", help=f"of all money (default {usual})"
        )


def given_site(arguments: argparse.Namespace, known: Site | None = None) -> Site | None:
    """The site of the flags; what is not given is `known`, or else assumed. None if nothing is
    either. Raises `InvalidInput` if a file of steps over the day cannot be read.
    """
    found = given_flags(arguments, Site, prefix=_PREFIX)
    for name, steps in _MEANS.items():
        if steps in found:
            found.setdefault(name, DayTariff.of_day(found[steps]).mean)
        elif name in found:
            found[steps] = ()  # or what is known by hour would hold
    if getattr(arguments, "power_cap", None) is not None:
        found["cap_kw"] = arguments.power_cap / WATTS_PER_KW
    if getattr(arguments, "currency", None) is not None:
        found["currency"] = arguments.currency
    return replace(known or Site(), **found) if found else known


def was_given(arguments: argparse.Namespace, *names: str) -> list[str]:
    """The flags of these settings, or of all of them, that were given."""
    flags = {name: one.flag for name, one in settings_in(Site).items() if one.flag is not None}
    return [
        flag_name(name, flag)
        for name, flag in flags.items()
        if name in (names or flags) and getattr(arguments, _PREFIX + name, None) is not None
    ]


def site_words(site: Site) -> list[object]:
    """The words of a command line that give the site."""
    words = flag_words(site, Site())
    if site.cap_kw is not None:
        words += ["--power-cap", f"{shell_word(site.cap_kw)}kW"]
    return words if site.currency == Site().currency else [*words, "--currency", site.currency]


def read_site(given: Fields) -> Site:
    """The site, valid only if nothing was reported; what is not said is assumed."""
    given.warn_of_unused(settings_in(Site))
    by_hand: dict[str, object] = dict.fromkeys(("price", "carbon", "currency"))
    found = read_block(replace(given, content=given.content | by_hand), Site)
    for name, allowed in (("price", ANY_PRICE), ("carbon", CARBON)):
        if given.has(name):
            found[name] = given.number(name, allowed)
    if given.has("currency"):  # which may be any
        found["currency"] = given.currency("currency")
    return Site(**found)


def _currency(text: str) -> str:
    if (fault := currency_fault(text)) is not None:
        raise argparse.ArgumentTypeError(f"'{text}' {fault}")
    return text
