"""Machines, seconds and watts of pairs are those that one works out by hand."""

import math
from collections.abc import Mapping

import numpy as np
import pytest
from examples import thorough
from hypothesis import given
from hypothesis import strategies as st
from log_stores import dump, store_of, swf
from scipy import stats

from core.engines.logs.pairs import machines as machines_module
from core.engines.logs.pairs.machines import MachinesSeen, find_machines, usual_unit
from core.engines.logs.pairs.measuring import (
    PairMeasurements,
    WeightedMeans,
    estimate,
    measure,
    values_left_out,
)
from core.engines.logs.types import classifying
from core.engines.logs.types.accepting import accept
from core.engines.logs.types.classifying import classify, find_task_types
from core.engines.logs.types.node_table import Machine, NodeTable
from core.engines.logs.types.nodes import Nodes
from core.engines.logs.types.rules import machine_rule, task_rule
from core.engines.logs.types.settings import MachineUnit, RunSettings, Statistic

Seen = tuple[MachinesSeen, PairMeasurements]


def seen(
    log: str,
    unit: MachineUnit,
    machines: str = "partition",
    table: Mapping[str, Machine] | None = None,
) -> Seen:
    """The machines and pairs of a log, by name of task and the rule for machine types."""
    settings = RunSettings(rare_below=1, machine=unit)
    with store_of(log) as store:
        nodes = Nodes(store)
        reasons = accept(store, settings)
        name = "name" if "name" in store.texts else "application"
        types = find_task_types(task_rule(name, store), store, reasons, settings)
        rule = machine_rule(machines, store, nodes, None)
        found = classify(store, types, rule, reasons, settings)
        there = find_machines(store, found, nodes, NodeTable(table or {}), unit)
        return there, measure(store, found, nodes, there, "median")


HOUR = "01:00:00"
WHOLE = {"AllocCPUS": 32, "AllocTRES": "cpu=32,gres/gpu=4", "Elapsed": HOUR}
"""A job on a whole node of 32 cores and 4 GPUs."""


@pytest.mark.parametrize(
    ("job", "hours"),
    [
        (WHOLE, 1),
        ({"AllocCPUS": 8}, 1 / 4),
        ({"AllocCPUS": 8, "AllocTRES": "gres/gpu=1"}, 1 / 4),
        ({"AllocCPUS": 4, "AllocTRES": "gres/gpu=2"}, 1 / 2),
        ({"AllocCPUS": 16, "AllocTRES": "gres/gpu=1"}, 1 / 2),
        ({"AllocCPUS": 128, "NNodes": 4}, 4),
        ({"AllocCPUS": 64, "NNodes": 4}, 2),
        ({"AllocCPUS": 16, "AllocTRES": "gres/gpu=8", "NNodes": 2}, 2),
        ({"AllocCPUS": 0, "NNodes": 3}, 3),
        ({"AllocCPUS": 96, "NNodes": "", "NodeList": "n[1-3]"}, 3),
    ],
)
def test_a_run_counts_the_share_of_nodes_that_it_took(
    job: Mapping[str, object], hours: float
) -> None:
    machines, pairs = seen(dump({**WHOLE, "JobName": "whole"}, {"Elapsed": HOUR, **job}), "node")
    assert (machines.cores.tolist(), machines.gpus.tolist()) == ([32], [4])
    measured = [estimate.value / 3600 for estimate in pairs.seconds.values()]
    assert hours in [pytest.approx(value) for value in measured]
    assert 1 in measured


@pytest.mark.parametrize(("unit", "expected"), [("core", [180, 360]), ("gpu", [60, 120])])
def test_each_core_and_each_gpu_counts(unit: MachineUnit, expected: list[float]) -> None:
    jobs = dump(*({"AllocCPUS": 3 * k, "AllocTRES": f"gres/gpu={k}", "JobName": k} for k in (1, 2)))
    _, pairs = seen(jobs, unit)
    assert sorted(estimate.value for estimate in pairs.seconds.values()) == expected


def test_a_run_never_counts_more_than_its_nodes() -> None:
    """Where a person says that nodes have fewer cores than the log does."""
    machines, pairs = seen(dump({**WHOLE}), "node", table={"cpu": Machine(cores=8, gpus=1)})
    assert machines.cores.tolist() == [8]
    assert pairs.seconds[0, 0].value == 3600


@pytest.mark.parametrize(
    ("unit", "seconds", "count", "watts"),
    [
        ("node", 900, 1, 400),
        ("core", 8 * 3600, 32, 12.5),
        ("gpu", 3600, 4, 100),
        ("job", 3600, 1, 400),
    ],
)
def test_a_machine_may_be_a_node_a_core_a_gpu_or_a_job(
    unit: MachineUnit, seconds: float, count: int, watts: float
) -> None:
    part = {"AllocCPUS": 8, "AllocTRES": "gres/gpu=1", "ConsumedEnergyRaw": 400 * 3600}
    start = {"JobName": "whole", "Start": "2024-03-02T00:00:00"}
    machines, pairs = seen(dump({**WHOLE, **part}, {**WHOLE, **start}), unit)
    first = min(pairs.watts)
    assert pairs.seconds[first].value == pytest.approx(seconds)
    assert pairs.watts[first].value == pytest.approx(watts)
    assert machines.count.tolist() == [count]


@pytest.mark.parametrize(
    ("watts", "known"),
    [(0, False), (0.999, False), (1, True), (20_000, True), (20_001, False), ("", False)],
)
def test_watts_that_cannot_be_true_are_unknown(watts: float | str, known: bool) -> None:
    """A job that is a machine draws the power of all its nodes."""
    joules = watts if watts == "" else round(watts * 1000 * 2)
    job = {"Elapsed": "00:16:40", "NNodes": 2, "NodeList": "n[1-2]", "ConsumedEnergyRaw": joules}
    units: dict[MachineUnit, int] = {"node": 1, "job": 2}
    for unit, nodes in units.items():
        _, pairs = seen(dump(job), unit)
        found = [each.value for each in pairs.watts.values()]
        assert found == ([nodes * float(watts)] if known else [])


def test_nodes_are_counted_and_those_of_two_types_once() -> None:
    rows = [
        *[{"NodeList": "n[1-3]", "NNodes": 3, "Partition": "a"}] * 2,
        {"NodeList": "n3", "Partition": "b"},
        *[{"NodeList": "n[2,4-5]", "NNodes": 3, "Partition": "b"}] * 3,
        {"NodeList": "n5", "Partition": "c"},
    ]
    machines, _ = seen(dump(*rows), "node")
    assert machines.nodes.tolist() == [4 - 1, 2, 1]  # b, a, c: a type has one at least
    assert machines.shared == 3


def test_nodes_are_the_same_wherever_lists_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(1)
    rows = [
        {"NodeList": f"n[{k}-{k + m}]", "NNodes": m + 1, "Partition": p}
        for k, m, p in zip(
            random.integers(1, 50, 200),
            random.integers(0, 5, 200),
            random.choice([*"abc"], 200),
            strict=True,
        )
    ]
    whole, _ = seen(dump(*rows), "node")
    monkeypatch.setattr(classifying, "_AT_ONCE", 3)
    parts, _ = seen(dump(*rows), "node")
    assert whole.nodes.tolist() == parts.nodes.tolist()
    assert whole.shared == parts.shared > 0
    assert whole.nodes.sum() == len({f"n{j}" for r in rows for j in span(str(r["NodeList"]))})


def span(text: str) -> range:
    low, high = map(int, text[2:-1].split("-"))
    return range(low, high + 1)


def test_what_the_table_says_counts_more_than_what_the_log_shows() -> None:
    table = {"cpu": Machine(nodes=10, cores=64, gpus=8)}
    machines, pairs = seen(dump({**WHOLE}), "node", table=table)
    assert (machines.nodes.tolist(), machines.count.tolist()) == ([10], [10])
    assert pairs.seconds[0, 0].value == 1800
    assert seen(dump({**WHOLE}), "core", table=table)[0].count.tolist() == [640]


def test_without_names_of_nodes_those_at_work_together_are_counted() -> None:
    random = np.random.default_rng(2)
    begins, lengths = random.integers(0, 500, 60), random.integers(1, 90, 60)
    cores = random.integers(1, 9, 60)
    rows = [
        {2: b, 4: n, 5: c, 16: k % 2}
        for k, (b, n, c) in enumerate(zip(begins, lengths, cores, strict=True))
    ]
    machines, _ = seen(swf(*rows), "core")
    most = [
        max(
            sum(c for k, (b, n, c) in runs if k % 2 == kind and b <= moment < b + n)
            for moment in range(600)
        )
        for runs in [[*enumerate(zip(begins, lengths, cores, strict=True))]]
        for kind in (0, 1)
    ]
    assert sorted(machines.count.tolist()) == sorted(most)
    jobs, _ = seen(swf(*rows), "job", "one")
    together = [
        sum(b <= moment < b + n for b, n in zip(begins, lengths, strict=True))
        for moment in range(600)
    ]
    assert jobs.count.tolist() == [max(together)]


def test_moments_farther_apart_miss_short_runs_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machines_module, "_MOMENTS", 11)  # a hundred seconds apart
    rows = [{2: 0, 4: 1000}, {2: 150, 4: 100}, {2: 150, 4: 49}, {2: 201, 4: 98}]
    machines, _ = seen(swf(*rows), "core", "one")
    assert machines.count.tolist() == [2]


@pytest.mark.parametrize(
    ("header", "unit", "count"),
    [
        ("; MaxProcs: 128\n; MaxNodes: 64\n", "core", 128),
        ("; MaxProcs: 128\n; MaxNodes: 64\n", "node", 64),
        ("; MaxProcs: 128 (two clusters)\n", "core", 128),
        ("; MaxProcs: -1\n", "core", 3),
        ("; MaxProcs: many\n", "core", 3),
        ("; MaxNodes: 64\n", "core", 3),
    ],
)
def test_the_header_of_a_log_says_its_machines(header: str, unit: MachineUnit, count: int) -> None:
    machines, _ = seen(swf({5: 3}, header=header), unit, "one")
    assert machines.count.tolist() == [count]


def test_machine_types_in_a_table_of_runs_are_counted_by_their_runs_together() -> None:
    log = "task,machine,seconds,start\na,x,10,100\na,x,10,105\na,x,10,110\na,y,10,100\n"
    assert seen(log, "node", "machine")[0].count.tolist() == [2, 1]
    assert seen(log, "node", "one")[0].count.tolist() == [2]


@pytest.mark.parametrize(
    ("log", "unit"),
    [
        (dump({}), "node"),
        (dump({}, without=["NodeList"]), "node"),
        (dump({}, without=["NodeList", "NNodes"]), "core"),
        (dump({}, without=["NodeList", "NNodes", "AllocCPUS"]), "job"),
        (swf({}), "core"),
        ("task,machine,seconds\na,b,1\n", "node"),
    ],
)
def test_a_machine_is_a_node_where_the_log_knows_nodes(log: str, unit: str) -> None:
    with store_of(log) as store:
        assert usual_unit(store, Nodes(store)) == unit


def test_some_types_can_be_left_out() -> None:
    rows = [{"JobName": n, "Partition": p} for n, p in ("ax", "ay", "bx", "by", "cy")]
    machines, pairs = seen(dump(*rows), "node")
    tasks, types = np.array([True, False, True]), np.array([True, False])
    less = pairs.only(tasks, types)
    kept = {(i // 2, j): e for (i, j), e in pairs.seconds.items() if i != 1 and j == 0}
    assert less.seconds == kept
    assert len(kept) in (1, 2)
    assert math.isnan(less.of(5, 5)[0].value)
    some = machines.only(types)
    for of_type in (some.cores, some.gpus, some.memory, some.nodes, some.count):
        assert len(of_type) == 1


VALUES = st.lists(st.floats(0, 1e9), min_size=1, max_size=60)


@given(VALUES)
def test_estimates_are_those_of_numpy_and_scipy(values: list[float]) -> None:
    ordered = np.sort(values)
    median, trimmed = estimate(ordered, "median"), estimate(ordered, "trimmed")
    spread = np.quantile(ordered, [0.1, 0.25, 0.75, 0.9])
    for found in (median, trimmed):
        assert found.runs == len(values)
        np.testing.assert_allclose(found[4:], spread, rtol=1e-9, atol=1e-9)
        assert math.isnan(found.low) or found.low <= found.value * (1 + 1e-9)
    assert median.value == pytest.approx(np.median(ordered))
    assert trimmed.value == pytest.approx(stats.trim_mean(ordered, 0.2), rel=1e-9, abs=1e-9)


def means_of(groups: np.ndarray, values: np.ndarray, weights: np.ndarray) -> WeightedMeans:
    """The means of three groups, whose values come in two blocks."""
    means = WeightedMeans(3)
    for add in (means.add, means.add_spread):
        for half in (slice(None, 7), slice(7, None)):
            add(groups[half], values[half], weights[half])
    return means


@given(st.lists(st.tuples(st.integers(0, 2), st.floats(0, 1e6)), max_size=40))
def test_the_mean_and_its_interval_are_those_of_scipy(drawn: list[tuple[int, float]]) -> None:
    groups, values = np.array([g for g, _ in drawn], int), np.array([v for _, v in drawn])
    means = means_of(groups, values, np.ones(len(values)))
    for group in range(3):
        own = values[groups == group]
        value, low, high = means.of(group)
        assert value == pytest.approx(own.mean() if len(own) else math.nan, nan_ok=True)
        assert math.isnan(low) == (len(own) < 2)
        if len(own) >= 2:
            reach = stats.t.ppf(0.975, len(own) - 1) * stats.sem(own)
            assert (low, high) == pytest.approx((max(value - reach, 0), value + reach), abs=1e-6)


def test_long_runs_count_more_in_a_mean_of_watts() -> None:
    """Issue 33, point 2: 10 s at 100 W and 30 s at 200 W are 40 s at 175 W."""
    means = means_of(np.zeros(2, int), np.array([100.0, 200.0]), np.array([10.0, 30.0]))
    assert means.of(0)[0] == 175


@pytest.mark.parametrize(
    "count",
    [
        *(*range(1, 16), 40, 59, 399, 400, 401, 440, 444, 1_000, 99_999),
        *map(thorough, [*range(16, 40), *range(41, 59), *range(395, 399), *range(402, 440)]),
        *map(thorough, [441, 442, 443, 445]),
    ],
)
def test_an_interval_contains_the_median_with_95_percent(count: int) -> None:
    """Of the counts around the limit of the exact formula, and of some beyond."""
    left_out = values_left_out(count)

    def coverage(out: int) -> float:
        return float(1 - 2 * stats.binom.cdf(out, count, 0.5))

    if left_out >= 0:
        assert coverage(left_out) >= 0.95
    assert coverage(left_out + 2) < 0.95
    if count <= 400:
        assert coverage(left_out + 1) < 0.95


@pytest.mark.parametrize("count", [4, 5, 9, 10, 11, 50])
def test_the_interval_of_a_trimmed_mean_is_that_of_yuen(count: int) -> None:
    values = np.sort(np.random.default_rng(count).lognormal(3, 1, count))
    cut = int(0.2 * count)
    moved = stats.mstats.winsorize(values, (0.2, 0.2))
    error = np.std(moved, ddof=1) / ((1 - 2 * cut / count) * math.sqrt(count))
    reach = stats.t.ppf(0.975, count - 2 * cut - 1) * error
    found = estimate(values, "trimmed")
    assert found.low == pytest.approx(max(found.value - reach, 0))
    assert found.high == pytest.approx(found.value + reach)


@pytest.mark.parametrize(("statistic", "fewest"), [("median", 6), ("trimmed", 4)])
def test_so_many_values_are_the_fewest_with_an_interval(statistic: Statistic, fewest: int) -> None:
    """Nothing is estimated from nothing."""
    for count in range(fewest + 1):
        found = estimate(np.arange(1.0, count + 1), statistic)
        assert (found.runs, math.isnan(found.value)) == (count, count == 0)
        assert math.isfinite(found.low) == math.isfinite(found.high) == (count >= fewest)
    assert statistic == "trimmed" or (found.low, found.high) == (1, 6)


def test_an_outlier_moves_nothing() -> None:
    values = np.array([9.0, 10, 10, 10, 11, 1e12])
    assert estimate(values, "median").value == 10
    assert estimate(values, "trimmed").value == 10.25
    assert estimate(values, "trimmed").high < 12
    assert estimate(np.array([1.0, 1, 1, 100]), "trimmed").low == 0
