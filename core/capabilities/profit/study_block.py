"""The settings of profit in a study file; missing ones have their defaults."""

from collections.abc import Collection
from dataclasses import fields, replace
from typing import Final, get_args

from core.capabilities.profit.settings import NAMED, RATE, REWARD, Named, PriceBasis, ProfitSettings
from core.files.strict_json import Fields
from core.shells.settings.forms import flag_words, read_block, shell_word
from core.shells.settings.site import read_site, site_words
from core.vocabulary.prices.site import ASSUMED, Site
from core.vocabulary.ranges import Range
from core.vocabulary.say.words import HOUR, JOULES_PER_KWH
from core.vocabulary.system import System

_FORMERLY: Final = {
    "energy_price": "price",
    **{
        name: name for name in ("carbon", "carbon_price", "pue", "cap_kw", "day_tariff", "currency")
    },
}
"""What the block said of the site until 0.2.0, and what the site calls it."""


def read(given: Fields, system: System | None, site: Site | None = None) -> ProfitSettings:
    """The settings, valid only if nothing was reported. Types must be those of the system."""
    own = {field.name for field in fields(ProfitSettings)} - {"site"}
    given.warn_of_unused(own | _FORMERLY.keys())
    found = read_block(given, ProfitSettings)
    if given.has("by"):
        found["by"] = given.one_of("by", get_args(PriceBasis))
    tasks = None if system is None else set(system.task_names)
    machines = None if system is None else set(system.machine_names)
    for name, names, allowed in (
        ("wear", machines, RATE),
        ("depreciation", machines, RATE),
        ("rewards", tasks, REWARD),
    ):
        if given.has(name):
            found[name] = _read_named(given, name, names, allowed)
    said = {now: given.content[name] for name, now in _FORMERLY.items() if given.has(name)}
    if said:
        site = read_site(Fields({"carbon": 0.0} | said, given.label, given.findings))
    return ProfitSettings(**found, site=site or ASSUMED)


def written(settings: ProfitSettings) -> dict[str, object]:
    """The settings that differ from their defaults, with types by name."""
    given = {field.name: getattr(settings, field.name) for field in fields(ProfitSettings)}
    unused = {"site", "price" if settings.by == "ratio" else "ratio"}
    return {
        name: dict(value) if name in NAMED else value
        for name, value in given.items()
        if value not in (None, ()) and name not in unused
    }


def commands(settings: ProfitSettings) -> list[list[object]]:
    """The arguments of `wattfront profit SYSTEM`: for batch after batch, and for part of one."""
    priced: list[object] = [f"--{settings.by.replace('bag', 'price')}"]
    priced += [settings.ratio if settings.by == "ratio" else settings.price]
    costs = _costs(settings)
    lines = [[*priced, *_site(settings), *costs]]
    if settings.deadline is not None and settings.rewards:
        site = replace(settings.site, day_tariff=(), day_carbon=())
        part = ["--deadline", settings.deadline, *_named("rewards", settings.rewards, 1.0)]
        lines.append([*part, *_site(replace(settings, by="bag", site=site)), *costs])
    return lines


def _read_named(given: Fields, key: str, names: Collection[str] | None, allowed: Range) -> Named:
    """Money for each named type."""
    named = Fields.of(given.content, key, given.label, given.findings)
    for name in named.content:
        if names is not None and name not in names:
            named.error(name, "is no type of the system; correct the name")
    return tuple((name, named.number(name, allowed)) for name in named.content)


def _site(settings: ProfitSettings) -> list[object]:
    """The site; with its price, unless a batch is priced by its joules, and each costs 1."""
    site, price = settings.site, settings.site.price
    if settings.electricity == "joule":
        price = JOULES_PER_KWH
        site = replace(site, carbon=ASSUMED.carbon, carbon_price=0.0, day_carbon=())
    is_priced = settings.electricity == "kWh" or settings.by == "bag" or site.day_tariff
    words: list[object] = ["--energy-price", price] if is_priced else []
    return [*words, *site_words(replace(site, price=ASSUMED.price))]


def _costs(settings: ProfitSettings) -> list[object]:
    words = flag_words(settings, ProfitSettings(), "overhead")
    hourly = HOUR / settings.money.seconds
    for flag, rates in (("wear", settings.wear), ("depreciation", settings.depreciation)):
        words += _named(flag, rates, hourly)
    return words


def _named(flag: str, named: Named, factor: float) -> list[object]:
    """The flags of named amounts; with its flag in one word where a name begins with a dash."""
    pairs = [f"{name}={shell_word(money * factor)}" for name, money in named]
    words: list[object] = [pair for pair in pairs if not pair.startswith("-")]
    dashed = [f"--{flag}={pair}" for pair in pairs if pair.startswith("-")]
    return [*([f"--{flag}", *words] if words else []), *dashed]
