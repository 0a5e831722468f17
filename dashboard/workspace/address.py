"""The address of a page: query parameters that open the same view again, and nothing personal.

It is `sample=nine&idle=0.2`, or every parameter of a random system, or the key of a system that the
server keeps; what is said of the site; and the key of the chosen schedule. Parameters that cannot
be read are ignored, and the page says so.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, get_args, get_type_hints

from core import InvalidInput
from core.files.findings import shown
from core.files.samples.generate import (
    POWER_METHODS,
    TIME_METHODS,
    Consistency,
    Generation,
    PowerMethod,
    Spread,
    TimeMethod,
    bounds,
)
from core.files.samples.named import SYSTEMS
from core.vocabulary.prices.site import ASSUMED, CARBON, WATTS_PER_KW, Site
from core.vocabulary.ranges import Range
from core.vocabulary.without_work import AS_GIVEN, WithoutWork
from dashboard.workspace.page_state import all_parameters
from dashboard.workspace.parameters import (
    Parameters,
    parameters_of,
    read_settings,
    written_settings,
)

SEED: Final = Range(0, 2**53 - 1, "")
"""A browser cannot represent larger whole numbers exactly."""

_CHOICES: Final = {"consistency": get_args(Consistency), "spread": get_args(Spread)}
_METHODS: Final[dict[str, Mapping[str, type[Any]]]] = {
    "etc": TIME_METHODS,
    "apc": POWER_METHODS,
}
_GENERATION: Final = frozenset(
    {
        *bounds(Generation),
        *_CHOICES,
        *_METHODS,
        *(
            f"{table}_{name}"
            for table, methods in _METHODS.items()
            for kind in methods.values()
            for name in bounds(kind)
        ),
    }
)
_FORMERLY: Final = {
    "profit_energy_price": "price",
    **{f"profit_{name}": name for name in ("carbon", "carbon_price", "pue", "currency")},
    **{f"profit_{name}": name for name in ("cap_kw", "day_tariff")},
    "provision_currency": "currency",
}
"""What addresses of the pages Profit and What to buy said of the site, until 0.2.0."""
SYSTEM: Final = (
    frozenset({"sample", "kept", "chosen", "provision_power", *_FORMERLY})
    | parameters_of(WithoutWork)
    | parameters_of(Site)
    | _GENERATION
)


@dataclass(frozen=True, slots=True)
class AddressSettings:
    """What an address says: at most one of a sample, a random system and the key of a kept system;
    what machines draw without work, the site, and the key of the chosen schedule.
    """

    sample: str | None = None
    generation: Generation | None = None
    kept: str | None = None
    idle: WithoutWork = AS_GIVEN
    chosen: str | None = None
    site: Site = ASSUMED


def parameter_ranges() -> dict[str, Range]:
    """The range of each numeric parameter of a random system on the page."""
    return bounds(Generation) | {"seed": SEED}


def written(settings: AddressSettings) -> dict[str, str]:
    """The query parameters of settings. `read` is the inverse."""
    parameters: dict[str, str] = {}
    if settings.sample:
        parameters["sample"] = settings.sample
    elif settings.kept:
        parameters["kept"] = settings.kept
    elif settings.generation:
        parameters |= _written_generation(settings.generation)
    parameters |= written_settings(settings.idle, AS_GIVEN)
    if settings.chosen:
        parameters["chosen"] = settings.chosen
    return parameters | written_settings(settings.site, ASSUMED)


def read(parameters: Mapping[str, str]) -> tuple[AddressSettings, tuple[str, ...]]:
    """The settings, and a sentence for each parameter that was ignored."""
    reader = Parameters(parameters)
    notes = reader.notes
    notes += [
        f"“{shown(name)}” is not a parameter of this page"
        for name in parameters
        if name not in SYSTEM | all_parameters()
    ]
    sample = parameters.get("sample")
    if sample is not None and sample not in SYSTEMS:
        notes.append(f"there is no sample “{shown(sample)}”")
        sample = None
    kept = parameters.get("kept")
    generation = None
    if not sample and not kept and not _GENERATION.isdisjoint(parameters):
        generation = _read_generation(reader)
    idle = read_settings(reader, AS_GIVEN)
    chosen = parameters.get("chosen")
    site = read_settings(Parameters(_as_now(parameters), notes), ASSUMED)
    settings = AddressSettings(sample, generation, None if sample else kept, idle, chosen, site)
    return settings, tuple(notes)


def _as_now(parameters: Mapping[str, str]) -> dict[str, str]:
    """The parameters under the names of now; what has both is under that of now. The page Profit
    assumed no carbon, so that its price alone cost nothing.
    """
    moved = {now: parameters[name] for name, now in _FORMERLY.items() if name in parameters}
    with suppress(KeyError, ValueError):  # which was watts of the machines
        moved["cap_kw"] = repr(float(parameters["provision_power"]) / WATTS_PER_KW)
    if "carbon_price" in moved:
        moved = {"carbon": str(CARBON.low)} | moved
    return moved | dict(parameters)


def _written_generation(wanted: Generation) -> dict[str, str]:
    parameters = {name: f"{getattr(wanted, name)!r}" for name in bounds(Generation)}
    parameters |= {name: getattr(wanted, name) for name in _CHOICES}
    for table, methods in _METHODS.items():
        method: TimeMethod | PowerMethod | None = getattr(wanted, table)
        if method is None:
            continue
        parameters[table] = next(name for name, kind in methods.items() if type(method) is kind)
        for name in bounds(type(method)):
            parameters[f"{table}_{name}"] = f"{getattr(method, name)!r}"
    return parameters


def _read_generation(reader: Parameters) -> Generation | None:
    """A random system; a parameter that is missing or unreadable has its usual value."""
    kinds = get_type_hints(Generation)
    given: dict[str, Any] = {}
    for name, allowed in parameter_ranges().items():
        given[name] = reader.number(name, allowed, kinds[name])
    for name, choices in (_CHOICES | {t: tuple(m) for t, m in _METHODS.items()}).items():
        given[name] = reader.choice(name, choices)
    try:
        for table, methods in _METHODS.items():
            if given[table]:
                kind = methods[given[table]]
                given[table] = kind(**_read_method(table, kind, reader))
        return Generation(**{name: value for name, value in given.items() if value is not None})
    except InvalidInput as invalid:
        for problem in invalid.problems:
            reader.notes.append(f"the random system was not drawn: {problem.message}")
        return None


def _read_method(table: str, kind: type, reader: Parameters) -> dict[str, float]:
    values = {
        name: reader.number(f"{table}_{name}", allowed, float)
        for name, allowed in bounds(kind).items()
    }
    return {name: value for name, value in values.items() if value is not None}
