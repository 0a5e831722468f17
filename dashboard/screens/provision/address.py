"""The small settings of a plan, and how the address says them. Tables stay with the session."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from core.capabilities.provision.files.plan_file import (
    RATE_UNITS,
    SPREADS,
    PlanSpread,
    ScenarioSettings,
)
from core.capabilities.provision.futures.uncertainty import Variation
from core.capabilities.provision.goals.goal import Goal
from core.vocabulary.setting import settings_in
from dashboard.screens.provision.inputs import LimitInputs, PlanInputs
from dashboard.workspace.parameters import (
    Parameters,
    parameters_of,
    read_settings,
    written_settings,
)

_PREFIX: Final = "provision_"
_GROUPS: Final = {
    "limits": LimitInputs,
    "goal": Goal,
    "spread": PlanSpread,
    "scenarios": ScenarioSettings,
}
"""The fields of `PlanInputs` that have settings of their own."""
_RATES: Final = f"{_PREFIX}rates"
_WHOLE: Final = f"{_PREFIX}whole"
LEAST_WAIT: Final = f"{_PREFIX}least_wait"
"""What addresses of before have for the least wait: yes."""
PARAMETERS: Final = frozenset({_RATES, LEAST_WAIT}).union(
    *(parameters_of(kind, _PREFIX) for kind in (PlanInputs, *_GROUPS.values())),
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
    if inputs.rate_unit != usual.rate_unit:
        values[_RATES] = inputs.rate_unit.removeprefix("1/")
    if values:  # addresses of before, which say nothing of it, are of machines in parts
        values |= written_settings(inputs, replace(inputs, whole=not inputs.whole), _PREFIX)
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
    unit = parameters.choice(_RATES, [unit.removeprefix("1/") for unit in RATE_UNITS])
    groups["rate_unit"] = usual.rate_unit if unit is None else f"1/{unit}"
    said = read_settings(parameters, usual, _PREFIX)
    groups |= {name: getattr(said, name) for name in settings_in(PlanInputs)}
    if given.get(LEAST_WAIT) == "yes" and said.of_week is None:
        groups["sought"] = "wait"
    if _WHOLE not in given and PARAMETERS & given.keys():
        groups["whole"] = False
    return replace(inputs, **groups), tuple(parameters.notes)


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
