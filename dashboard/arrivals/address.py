"""The settings of the page Arrivals, and how the address says them."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from core.arrivals.asked import (
    BUDGET_SHARE,
    DAY_SEED,
    DAYS,
    JOBS,
    WORKLOADS,
    ArrivalsSettings,
)
from core.arrivals.policies import DROP, POLICIES
from core.arrivals.uncertain import MACHINES
from core.arrivals.uncertain_methods import BAG_METHODS, EXCHANGE
from dashboard.arrivals.settings import ERRORS, FILTER_NAMES
from dashboard.workspace.parameters import Parameters
from dashboard.workspace.parameters import written as parameter

_PREFIX: Final = "arrivals_"
_NONE: Final = "none"
_FIELDS: Final = (
    *("workload", "jobs", "seed", "days", "policies"),
    *("budget", "drop_below", "filter", "errors", "machines", "methods", "exchange"),
)
_VIEW: Final = f"{_PREFIX}view"
_SHARES: Final = "shares"
PARAMETERS: Final = frozenset((*(f"{_PREFIX}{name}" for name in _FIELDS), _VIEW))


def view_of(given: Mapping[str, str]) -> str:
    """The view that an address asks for."""
    return _SHARES if given.get(_VIEW) == _SHARES else "policies"


def said_of(view: str) -> dict[str, str]:
    """The parameter of a view, but for the first; `view_of` is the inverse."""
    return {_VIEW: view} if view == _SHARES else {}


def written(settings: ArrivalsSettings) -> dict[str, str]:
    """The parameters of settings that differ from the usual ones; `read` is the inverse, but for a
    workload of a person's own, which stays with the session.
    """
    usual = ArrivalsSettings()
    found = {}
    for name in _FIELDS:
        value = getattr(settings, name)
        if value != getattr(usual, name) and value != "own":
            found[_PREFIX + name] = _NONE if value in (None, ()) else parameter(value)
    return found


def read(given: Mapping[str, str]) -> tuple[ArrivalsSettings, tuple[str, ...]]:
    """The settings of an address, and a sentence for each parameter that was ignored."""
    parameters = Parameters(given)
    found: dict[str, Any] = {
        "workload": parameters.choice(
            f"{_PREFIX}workload", [name for name in WORKLOADS if name != "own"]
        ),
        "jobs": parameters.number(f"{_PREFIX}jobs", JOBS, int),
        "seed": parameters.number(f"{_PREFIX}seed", DAY_SEED, int),
        "days": parameters.number(f"{_PREFIX}days", DAYS, int),
        "errors": parameters.choice(f"{_PREFIX}errors", tuple(ERRORS)),
        "machines": parameters.choice(f"{_PREFIX}machines", tuple(map(str, MACHINES))),
        "drop_below": parameters.number(f"{_PREFIX}drop_below", DROP, float),
        "exchange": parameters.number(f"{_PREFIX}exchange", EXCHANGE, float),
    }
    said: dict[str, Any] = {name: value for name, value in found.items() if value is not None}
    for name, known in (("policies", POLICIES), ("methods", BAG_METHODS)):
        if given.get(_PREFIX + name) == _NONE:
            said[name] = ()
        elif chosen := parameters.choices(_PREFIX + name, tuple(known)):
            said[name] = chosen
    if given.get(f"{_PREFIX}budget") == _NONE:
        said["budget"] = None
    elif (budget := parameters.number(f"{_PREFIX}budget", BUDGET_SHARE, float)) is not None:
        said["budget"] = budget
    if "machines" in said:
        said["machines"] = int(said["machines"])
    if kind := parameters.choice(f"{_PREFIX}filter", FILTER_NAMES):
        said["filter"] = kind
    return replace(ArrivalsSettings(), **said), tuple(parameters.notes)
