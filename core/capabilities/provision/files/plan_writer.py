"""Writes a plan in every format in which systems are written; it is read back as it was."""

import math
from collections.abc import Sequence
from pathlib import Path

from core.capabilities.provision import SETTINGS
from core.capabilities.provision.files.plan_file import RATE_UNITS, PlanFile
from core.capabilities.provision.files.plan_settings import in_unit, settings_of
from core.files.beside import Additions
from core.files.system_file import write_beside
from core.vocabulary.arrays import FloatArray


def write_plan(file: PlanFile, path: str | Path) -> None:
    """Write .zip, .xlsx or .json, by the suffix; without one of these, a folder of CSV tables and
    `plan.toml`. Raises `InvalidInput` if it cannot be written.
    """
    write_beside(file.types, Path(path), additions_of(file))


def additions_of(file: PlanFile) -> Additions:
    """What a plan has beside the tables of its types."""
    plan, spread = file.plan, file.spread
    unit = _unit_for(file)
    rates = [in_unit(rate, unit) for rate in plan.arrival_rates.tolist()]
    failures = [in_unit(rate, unit) for rate in plan.failure_rates.tolist()]
    machines: dict[str, Sequence[float]] = {
        "resale": _numbers(plan.resales),
        "failure_rate": failures,
        "min": _numbers(plan.least),
        "time_cov": spread.times.covs,
        "power_cov": spread.powers.covs,
    }
    tasks: dict[str, Sequence[float]] = {"reward": _numbers(plan.rewards), "arrival_rate": rates}
    if any(spread.arrivals.covs):
        tasks["arrival_cov"] = spread.arrivals.covs
    used = {name: numbers for name, numbers in machines.items() if any(numbers)}
    if any(map(math.isfinite, plan.most)):
        used["max"] = _numbers(plan.most)
    return Additions(
        {SETTINGS: settings_of(file, unit)},
        tasks,
        {"price": _numbers(plan.prices), **used},
        [int(count) for count in plan.counts],
    )


def _numbers(values: FloatArray) -> list[float]:
    return [float(value) for value in values]


def _unit_for(file: PlanFile) -> str:
    """The unit of rates of the plan, if all are read back from it as they are; else a second."""
    limit = [file.limits.failure_rate] if math.isfinite(file.limits.failure_rate) else []
    rates = [*file.plan.arrival_rates.tolist(), *file.plan.failure_rates.tolist(), *limit]
    seconds = RATE_UNITS[file.rate_unit]
    exact = all(in_unit(rate, file.rate_unit) / seconds == rate for rate in rates)
    return file.rate_unit if exact else "1/s"
