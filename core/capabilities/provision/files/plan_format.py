"""Plans of any format: a system with prices, rewards and rates, and settings beside it."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from core.capabilities.provision import SETTINGS
from core.capabilities.provision.files.plan_file import RATE_UNITS, PlanFile, PlanSpread, node_hours
from core.capabilities.provision.files.plan_settings import (
    PlanSettings,
    cov_fault,
    in_unit,
    read_settings,
    settings_of,
)
from core.capabilities.provision.futures.uncertainty import Variation
from core.capabilities.provision.plan import MachineOffer, Plan, TaskDemand
from core.capabilities.provision.rules import PurchaseRule, UnreadableRule, read_rule
from core.files.beside import Additions, NumberColumns, ReadParts
from core.files.findings import Findings, Reading, shown
from core.files.headings import column_beside
from core.files.numbers import parse_share
from core.files.schema import Column
from core.files.system_file import inspect_parts, inspect_parts_bytes, write_beside
from core.vocabulary.arrays import FloatArray
from core.vocabulary.problems import InvalidInput, placed
from core.vocabulary.say.words import YEAR, typed
from core.vocabulary.system import System

_MISSING: Final = (
    "is missing, so this is no plan; add it with at least a budget ([limits], budget = 400000)"
)


def read_plan(path: str | Path) -> PlanFile:
    """The plan at `path`. Raises `InvalidInput`, which lists all errors by file, row and column."""
    return inspect_plan(Path(path)).require()


def inspect_plan(path: Path) -> Reading[PlanFile]:
    """The plan at `path`, or all its errors, and warnings; the content never makes it raise."""
    return _reading(path.name, partial(inspect_parts, path, SETTINGS))


def inspect_plan_bytes(name: str, data: bytes) -> Reading[PlanFile]:
    """`inspect_plan` for the content of a file of this name, such as an upload."""
    return _reading(name, partial(inspect_parts_bytes, name, data, SETTINGS))


def _reading(label: str, inspect: Callable[[Findings], ReadParts | None]) -> Reading[PlanFile]:
    def read(findings: Findings) -> PlanFile | None:
        parts = inspect(findings)
        return None if parts is None else plan_file_of(parts, findings)

    return Reading.of(label, read)


def _labels(parts: ReadParts) -> dict[str, str]:
    """Where the file has its tables and limits, by the names that problems of a plan have."""
    return {**parts.labels, SETTINGS: f"{parts.source.label} [limits]"}


def plan_file_of(parts: ReadParts, findings: Findings) -> PlanFile | None:
    """The plan of the parts of a system; what is wrong is reported."""
    content = parts.settings
    if content is None:
        findings.error(parts.source.label, "", "", _MISSING)
        content = {"limits": {"budget": 0}}
    elif not content and any(each.file == parts.source.label for each in findings.problems()):
        content = {"limits": {"budget": 0}}  # what is wrong with it was said
    settings = read_settings(content, parts.source, findings)
    seconds = RATE_UNITS[settings.rate_unit]
    tasks = NumberColumns.of_tasks(parts, findings)
    machines = NumberColumns.of_machines(parts, findings)
    by_work = tasks.is_there and "reward" not in tasks.cells
    demands = _demands(tasks, seconds, parts.types if by_work else None)
    offers = _offers(machines, parts, seconds)
    spread = _with_covs(settings.spread, tasks, machines)
    _check(demands, offers, settings, parts, findings)
    rules = _rules(settings.rules, parts, findings)
    if findings.failed or parts.types is None:
        return None
    return PlanFile(
        parts.types,
        offers,
        demands,
        settings.limits,
        spread,
        settings.scenarios,
        settings.currency,
        settings.rate_unit,
        rules,
        _labels(parts),
        by_work,
    )


def _rules(texts: Sequence[str], parts: ReadParts, findings: Findings) -> tuple[PurchaseRule, ...]:
    """The rules about machine types; what cannot be understood is reported."""
    rows: list[PurchaseRule] = []
    for text in texts:
        try:
            rows += read_rule(text, parts.machine_names)
        except UnreadableRule as refusal:
            label = f"{parts.source.label} [limits]"
            findings.error(label, "", "rules", f"rule '{shown(text)}' {refusal}")
    return tuple(rows)


def _check(
    demands: tuple[TaskDemand, ...],
    offers: tuple[MachineOffer, ...],
    settings: PlanSettings,
    parts: ReadParts,
    findings: Findings,
) -> None:
    """Report what contradicts itself, in the words of the files; but for times and powers."""
    alike = np.ones((len(demands), len(offers)))
    powers = None if parts.types is not None and parts.types.apc is None else alike
    try:
        found = Plan(demands, offers, alike, settings.limits, powers).warnings
    except InvalidInput as refused:
        found = refused.problems
    findings.extend(
        placed(problem, _labels(parts))
        for problem in found
        if problem.column  # names were checked before, too
    )


def _column(name: str) -> Column:
    return column_beside(SETTINGS, name)


def _demands(
    tasks: NumberColumns, seconds: float, by_work_of: System | None
) -> tuple[TaskDemand, ...]:
    if by_work_of is None:
        rewards = np.nan_to_num(tasks.numbers(_column("reward")))
    else:
        rewards = node_hours(by_work_of)
    rates = np.nan_to_num(tasks.numbers(_column("arrival_rate"))) / seconds
    return tuple(map(TaskDemand, tasks.names, rewards.tolist(), rates.tolist()))


def _offers(machines: NumberColumns, parts: ReadParts, seconds: float) -> tuple[MachineOffer, ...]:
    """What can be bought; what cannot be read contradicts nothing."""
    prices, most = (machines.numbers(_column(name)) for name in ("price", "max"))
    resales, failures, least = (
        np.nan_to_num(machines.numbers(_column(name))) for name in ("resale", "failure_rate", "min")
    )
    types: System | None = parts.types
    failures /= seconds
    if "failure_rate" not in machines.cells:
        failures = np.nan_to_num(machines.numbers(_column("failures_a_year"))) / YEAR
    columns = (
        np.where(np.isnan(prices), resales, prices),
        resales,
        failures,
        np.array(parts.machine_counts, float),
        least,
        np.where(np.isnan(most), np.maximum(least, 0.0), most),
        np.zeros(len(least)) if types is None else types.always_on.idle_power,
    )
    return tuple(map(MachineOffer, machines.names, *(column.tolist() for column in columns)))


def _with_covs(spread: PlanSpread, tasks: NumberColumns, machines: NumberColumns) -> PlanSpread:
    """The spread with the coefficients of single types, where a column has them."""
    return replace(
        spread,
        arrivals=_own_covs(spread.arrivals, tasks, "arrival_cov"),
        times=_own_covs(spread.times, machines, "time_cov"),
        powers=_own_covs(spread.powers, machines, "power_cov"),
    )


def _own_covs(variation: Variation, columns: NumberColumns, column: str) -> Variation:
    if column not in columns.cells:
        return variation
    asked = replace(_column(column), blank=variation.cov, parse=parse_share)
    covs = np.nan_to_num(columns.numbers(asked)).tolist()
    for row, cov in enumerate(covs):
        if cov < 0:
            columns.at(column, row, f"{typed(cov)} is below 0; give 0 or more")
        elif fault := cov_fault(cov, variation.law):
            columns.at(column, row, fault)
    if variation.law == "empirical":
        columns.at(column, 0, "does not belong to the empirical law; remove the column")
        return variation
    return replace(variation, covs=tuple(covs))


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
    tasks: dict[str, Sequence[float]] = {} if file.by_work else {"reward": _numbers(plan.rewards)}
    tasks["arrival_rate"] = rates
    if any(spread.arrivals.covs):
        tasks["arrival_cov"] = spread.arrivals.covs
    # What types say would hold where the plan does not say it.
    said = {"failure_rate" if one == "failures_a_year" else one for one in file.types.optional}
    used = {name: numbers for name, numbers in machines.items() if name in said or any(numbers)}
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
