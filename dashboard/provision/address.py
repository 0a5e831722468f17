"""The small settings of a plan, and how the address says them. Tables stay with the session."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, get_args

from core.model.ranges import MACHINE_COUNT, POWER, Range
from core.provision.plan import FAILURE_RATE, PRICE
from core.provision.plan_file import RATE_UNITS, PlanSpread, ScenarioSettings
from core.provision.uncertainty import Law, Points, Variation
from dashboard.provision.inputs import (
    SCENARIOS,
    SEEDS,
    USUAL_SCENARIOS,
    USUAL_SPREAD,
    LimitInputs,
    PlanInputs,
)
from dashboard.workspace.axis import CURRENCIES
from dashboard.workspace.parameters import Parameters
from dashboard.workspace.parameters import written as parameter

_PREFIX: Final = "provision_"
BUDGET: Final = Range(-PRICE.high, PRICE.high, "")
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
SPREADS: Final = ("arrivals", "times", "powers")
LAWS: Final = tuple(law for law in get_args(Law) if law != "empirical")
PARAMETERS: Final = frozenset(
    f"{_PREFIX}{name}"
    for name in (
        *LIMITS,
        *SPREADS,
        *(f"{one}_law" for one in SPREADS),
        "correlation",
        "scenarios",
        "seed",
        "points",
        "currency",
        "rates",
        "whole",
    )
)


def written(inputs: PlanInputs) -> dict[str, str]:
    """The parameters of settings that differ from the usual; `read` is the inverse. What was seen
    of an empirical law is not in the address.
    """
    values: dict[str, str] = {}
    for name, (field, _) in LIMITS.items():
        if (value := getattr(inputs.limits, field)) is not None:
            values[name] = parameter(float(value))
    for name in SPREADS:
        now, usual = getattr(inputs.spread, name), getattr(USUAL_SPREAD, name)
        if now.law in LAWS and now.cov != usual.cov:
            values[name] = parameter(float(now.cov))
        if now.law in LAWS and now.law != usual.law:
            values[f"{name}_law"] = now.law
    if inputs.spread.correlation:
        values["correlation"] = parameter(float(inputs.spread.correlation))
    usual = USUAL_SCENARIOS
    for name, value, normal in (
        ("scenarios", inputs.scenarios.count, usual.count),
        ("seed", inputs.scenarios.seed, usual.seed),
        ("points", inputs.scenarios.points, usual.points),
        ("currency", inputs.currency, CURRENCIES[0]),
        ("rates", inputs.rate_unit.removeprefix("1/"), "h"),
    ):
        if value != normal:
            values[name] = parameter(value)
    if inputs.whole:
        values["whole"] = "yes"
    return {f"{_PREFIX}{name}": value for name, value in values.items()}


def read(given: Mapping[str, str], inputs: PlanInputs) -> tuple[PlanInputs, tuple[str, ...]]:
    """The inputs with the small settings of an address in place of their own, and a sentence for
    each parameter that was ignored.
    """
    parameters = Parameters(given)
    limits = {
        field: parameters.number(_PREFIX + name, allowed, float)
        for name, (field, allowed) in LIMITS.items()
    }
    spread: dict[str, Any] = {name: _variation(parameters, name, inputs.spread) for name in SPREADS}
    correlation = parameters.number(f"{_PREFIX}correlation", CORRELATION, float)
    usual = USUAL_SCENARIOS
    count = parameters.number(f"{_PREFIX}scenarios", SCENARIOS, int)
    seed = parameters.number(f"{_PREFIX}seed", SEEDS, int)
    points: Points = parameters.choice(f"{_PREFIX}points", get_args(Points)) or usual.points  # type: ignore[assignment]
    currency = parameters.choice(f"{_PREFIX}currency", CURRENCIES)
    units = [unit.removeprefix("1/") for unit in RATE_UNITS]
    unit = parameters.choice(f"{_PREFIX}rates", units)
    whole = parameters.choice(f"{_PREFIX}whole", ("yes",))
    return (
        replace(
            inputs,
            limits=LimitInputs(**limits),
            spread=replace(inputs.spread, correlation=correlation or 0.0, **spread),
            scenarios=ScenarioSettings(
                count or usual.count, usual.seed if seed is None else seed, points
            ),
            currency=currency or inputs.currency,
            rate_unit=f"1/{unit or 'h'}",
            whole=whole is not None,
        ),
        tuple(parameters.notes),
    )


def _variation(parameters: Parameters, name: str, spread: PlanSpread) -> Variation:
    now: Variation = getattr(spread, name)
    usual: Variation = getattr(USUAL_SPREAD, name)
    cov = parameters.number(_PREFIX + name, COV, float)
    law = parameters.choice(f"{_PREFIX}{name}_law", LAWS)
    if now.law == "empirical" and cov is None and law is None:
        return now
    asked = usual.cov if cov is None else cov, law or usual.law
    # What each type has of its own is not in the address.
    return now if asked == (now.cov, now.law) else Variation(*asked)  # type: ignore[arg-type]
