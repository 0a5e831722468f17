"""The small settings of a plan, and how the address says them. Tables stay with the session."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, get_args

from core.capabilities.provision.files.plan_file import RATE_UNITS, PlanSpread
from core.capabilities.provision.futures.uncertainty import Law, Points, Variation
from core.capabilities.provision.futures.varying import BY_ERROR, KINDS, WantedKinds
from core.capabilities.provision.goals.goal import Goal
from core.capabilities.provision.objectives import OBJECTIVES, PlanObjective
from core.capabilities.provision.plan import FAILURE_RATE, PRICE
from core.capabilities.provision.study_block import CAUTION
from core.vocabulary.ranges import MACHINE_COUNT, POWER, Range
from dashboard.screens.provision.inputs import (
    SCENARIOS,
    SEEDS,
    PlanInputs,
)
from dashboard.workspace.axis import CURRENCIES
from dashboard.workspace.parameters import Parameters
from dashboard.workspace.parameters import written as parameter

_PREFIX: Final = "provision_"
BUDGET: Final = Range(-PRICE.high, PRICE.high, "")
_YES: Final = "yes"
_NO: Final = "no"
COV: Final = Range(0.0, 10.0, "times the mean")
CORRELATION: Final = Range(0.0, 1.0, "")
LIMITS: Final[dict[str, tuple[str, Range]]] = {
    "budget": ("budget", BUDGET),
    "min_machines": ("least_machines", MACHINE_COUNT),
    "max_machines": ("most_machines", MACHINE_COUNT),
    "failure_rate": ("failure_rate", FAILURE_RATE),
    "power": ("power", POWER),
}
"""The limits by their parameters: the field of `LimitInputs`, and its range in SI units."""
MEAN_RATE: Final = Range(0.0, 1e12, "a second")
GOAL_LIMITS: Final[dict[str, tuple[PlanObjective, Range]]] = {
    "mean_reward": ("reward", MEAN_RATE),
    "mean_failures": ("failures", MEAN_RATE),
    "mean_power": ("power", POWER),
}
"""The limits on means by their parameters, with their ranges in SI units."""
SPREADS: Final = ("arrivals", "times", "powers")
OPERATIONS: Final[tuple[WantedKinds, ...]] = (
    0,
    BY_ERROR,
    *range(int(KINDS.low), int(KINDS.high) + 1),
)
LAWS: Final[tuple[Law, ...]] = tuple(law for law in get_args(Law) if law != "empirical")
PARAMETERS: Final = frozenset(
    f"{_PREFIX}{name}"
    for name in (
        *LIMITS,
        "objective",
        *GOAL_LIMITS,
        *SPREADS,
        *(f"{one}_law" for one in SPREADS),
        "correlation",
        "operations",
        "scenarios",
        "seed",
        "points",
        "currency",
        "rates",
        "whole",
        "caution",
    )
)


def written(inputs: PlanInputs, usual: PlanInputs) -> dict[str, str]:
    """The parameters of settings that differ from the usual; `read` is the inverse. Not in the
    address: a limit that was removed, what was seen of an empirical law, and what each type has of
    its own.
    """
    values: dict[str, str] = {}
    for name, (field, _) in LIMITS.items():
        value = getattr(inputs.limits, field)
        if value is not None and value != getattr(usual.limits, field):
            values[name] = parameter(float(value))
    for name, (objective, _) in GOAL_LIMITS.items():
        limit = getattr(inputs.goal, objective)
        if limit is not None and limit != getattr(usual.goal, objective):
            values[name] = parameter(float(limit))
    for name in SPREADS:
        now, before = getattr(inputs.spread, name), getattr(usual.spread, name)
        if now.law in LAWS and now.cov != before.cov:
            values[name] = parameter(float(now.cov))
        if now.law in LAWS and now.law != before.law:
            values[f"{name}_law"] = now.law
    for name, value, normal in (
        ("objective", inputs.goal.objective, usual.goal.objective),
        ("correlation", inputs.spread.correlation, usual.spread.correlation),
        ("operations", inputs.spread.operations, usual.spread.operations),
        ("scenarios", inputs.scenarios.count, usual.scenarios.count),
        ("seed", inputs.scenarios.seed, usual.scenarios.seed),
        ("points", inputs.scenarios.points, usual.scenarios.points),
        ("currency", inputs.currency, usual.currency),
        ("rates", *(one.rate_unit.removeprefix("1/") for one in (inputs, usual))),
        ("caution", inputs.caution, usual.caution),
    ):
        if value != normal:
            values[name] = parameter(value)
    if values or inputs.whole != usual.whole:
        values["whole"] = _YES if inputs.whole else _NO
    return {f"{_PREFIX}{name}": value for name, value in values.items()}


def read(
    given: Mapping[str, str], inputs: PlanInputs, usual: PlanInputs
) -> tuple[PlanInputs, tuple[str, ...]]:
    """The inputs with the small settings of an address, and where it has none the usual ones, in
    place of their own; and a sentence for each parameter that was ignored.
    """
    parameters = Parameters(given)
    limits = {
        field: parameters.number(_PREFIX + name, allowed, float)
        for name, (field, allowed) in LIMITS.items()
    }
    spread: dict[str, Any] = {name: _variation(parameters, name, usual.spread) for name in SPREADS}
    correlation = parameters.number(f"{_PREFIX}correlation", CORRELATION, float)
    scenarios: dict[str, Any] = {
        "count": parameters.number(f"{_PREFIX}scenarios", SCENARIOS, int),
        "seed": parameters.number(f"{_PREFIX}seed", SEEDS, int),
        "points": parameters.choice(f"{_PREFIX}points", get_args(Points)),
    }
    goal = _goal(parameters, usual.goal)
    currency = parameters.choice(f"{_PREFIX}currency", CURRENCIES)
    units = [unit.removeprefix("1/") for unit in RATE_UNITS]
    unit = parameters.choice(f"{_PREFIX}rates", units)
    whole = parameters.choice(f"{_PREFIX}whole", (_YES, _NO))
    caution = parameters.number(f"{_PREFIX}caution", CAUTION, float)
    if correlation is not None:
        spread["correlation"] = correlation
    wanted = parameters.choice(f"{_PREFIX}operations", [str(kinds) for kinds in OPERATIONS])
    if wanted is not None:
        spread["operations"] = BY_ERROR if wanted == BY_ERROR else int(wanted)
    return (
        replace(
            inputs,
            limits=replace(usual.limits, **_said(limits)),
            spread=replace(usual.spread, **spread),
            scenarios=replace(usual.scenarios, **_said(scenarios)),
            currency=currency or usual.currency,
            rate_unit=usual.rate_unit if unit is None else f"1/{unit}",
            whole=_is_whole(given, whole, usual),
            goal=goal,
            caution=usual.caution if caution is None else caution,
        ),
        tuple(parameters.notes),
    )


def _is_whole(given: Mapping[str, str], said: str | None, usual: PlanInputs) -> bool:
    """Whether machines are whole. Addresses of before, when they were usually in parts, say nothing
    of that.
    """
    if said is None:
        return usual.whole and not PARAMETERS & given.keys()
    return said == _YES


def _goal(parameters: Parameters, usual: Goal) -> Goal:
    """What is sought; the objective takes no limit."""
    objective = parameters.choice(f"{_PREFIX}objective", OBJECTIVES)
    goal = usual
    for parameter_name, (name, allowed) in GOAL_LIMITS.items():
        limit = parameters.number(_PREFIX + parameter_name, allowed, float)
        if limit is not None:
            goal = goal.with_limit(name, limit)
    return goal.seeking(next((one for one in OBJECTIVES if one == objective), goal.objective))


def _said(found: Mapping[str, Any]) -> dict[str, Any]:
    """What an address says."""
    return {name: value for name, value in found.items() if value is not None}


def _variation(parameters: Parameters, name: str, spread: PlanSpread) -> Variation:
    usual: Variation = getattr(spread, name)
    cov = parameters.number(_PREFIX + name, COV, float)
    law = parameters.choice(f"{_PREFIX}{name}_law", LAWS)
    if cov is None and law is None:
        return usual
    return Variation(usual.cov if cov is None else cov, law or usual.law)
