"""The small settings of a plan, and how the address says them. Tables stay with the session."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from core.capabilities.provision.files.plan_file import RATE_UNITS, PlanSpread
from core.capabilities.provision.futures.uncertainty import Variation
from core.capabilities.provision.goals.goal import Goal
from dashboard.screens.provision.inputs import PlanInputs
from dashboard.workspace.axis import CURRENCIES
from dashboard.workspace.parameters import (
    Parameters,
    parameters_of,
    read_settings,
    written_settings,
)

_PREFIX: Final = "provision_"
_YES: Final = "yes"
_NO: Final = "no"
SPREADS: Final = ("arrivals", "times", "powers")
_GROUPS: Final = ("limits", "goal", "spread", "scenarios")
"""The fields of `PlanInputs` that have settings of their own."""
_NO_INPUTS: Final = PlanInputs((), ())
PARAMETERS: Final = frozenset(f"{_PREFIX}{name}" for name in ("currency", "rates", "whole")).union(
    parameters_of(PlanInputs, _PREFIX),
    *(parameters_of(type(getattr(_NO_INPUTS, group)), _PREFIX) for group in _GROUPS),
    *(parameters_of(Variation, f"{_PREFIX}{name}") for name in SPREADS),
)


def written(inputs: PlanInputs, usual: PlanInputs) -> dict[str, str]:
    """The parameters of settings that differ from the usual; `read` is the inverse. Not in the
    address: what was seen of an empirical law, and what each type has of its own.
    """
    values = written_settings(inputs, usual, _PREFIX)
    for group in _GROUPS:
        values |= written_settings(getattr(inputs, group), getattr(usual, group), _PREFIX)
    for name in SPREADS:
        now, before = getattr(inputs.spread, name), getattr(usual.spread, name)
        if now.law != "empirical":
            values |= written_settings(now, before, f"{_PREFIX}{name}")
    if inputs.currency != usual.currency:
        values[f"{_PREFIX}currency"] = inputs.currency
    if inputs.rate_unit != usual.rate_unit:
        values[f"{_PREFIX}rates"] = inputs.rate_unit.removeprefix("1/")
    if values or inputs.whole != usual.whole:
        values[f"{_PREFIX}whole"] = _YES if inputs.whole else _NO
    return values


def read(
    given: Mapping[str, str], inputs: PlanInputs, usual: PlanInputs
) -> tuple[PlanInputs, tuple[str, ...]]:
    """The inputs with the small settings of an address, and where it has none the usual ones, in
    place of their own; and a sentence for each parameter that was ignored.
    """
    parameters = Parameters(given)
    groups: dict[str, Any] = {
        group: read_settings(parameters, getattr(usual, group), _PREFIX) for group in _GROUPS
    }
    groups["spread"] = _spread(parameters, groups["spread"])
    groups["goal"] = _goal(groups["goal"], usual.goal)
    currency = parameters.choice(f"{_PREFIX}currency", CURRENCIES)
    units = [unit.removeprefix("1/") for unit in RATE_UNITS]
    unit = parameters.choice(f"{_PREFIX}rates", units)
    whole = parameters.choice(f"{_PREFIX}whole", (_YES, _NO))
    found = replace(
        inputs,
        **groups,
        currency=currency or usual.currency,
        rate_unit=usual.rate_unit if unit is None else f"1/{unit}",
        whole=_is_whole(given, whole, usual),
        caution=read_settings(parameters, usual, _PREFIX).caution,
    )
    return found, tuple(parameters.notes)


def _is_whole(given: Mapping[str, str], said: str | None, usual: PlanInputs) -> bool:
    """Whether machines are whole. Addresses of before, when they were usually in parts, say nothing
    of that.
    """
    if said is None:
        return usual.whole and not PARAMETERS & given.keys()
    return said == _YES


def _goal(said: Goal, usual: Goal) -> Goal:
    """What is sought; the objective takes no limit."""
    return said if said == usual else said.seeking(said.objective)


def _spread(parameters: Parameters, usual: PlanSpread) -> PlanSpread:
    """How quantities vary. What was seen of one, or of each type, goes with another law or number;
    a number alone is of the usual law, and a law alone has the usual number.
    """
    found: dict[str, Any] = {}
    for name in SPREADS:
        before: Variation = getattr(usual, name)
        said = read_settings(parameters, before, f"{_PREFIX}{name}")
        if said != before:
            found[name] = Variation(said.cov, said.law)
    return replace(usual, **found)
