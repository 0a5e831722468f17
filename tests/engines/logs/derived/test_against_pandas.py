"""What is derived from a log is what plain pandas computes from the same file, row by row."""

import math
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from io import StringIO

import numpy as np
import pandas as pd
import pytest
from examples import seeds
from log_stores import dump, store_of
from scipy import stats

from core.engines.logs.derived.derivation import Derivation, derive
from core.engines.logs.pairs.measuring import Estimate
from core.engines.logs.types.node_table import NodeTable
from core.engines.logs.types.settings import STATISTICS, RunSettings
from core.vocabulary.problems import InvalidInput

BEGIN = datetime(2024, 3, 1, tzinfo=UTC)
STATES = (*["COMPLETED"] * 3, "FAILED", "CANCELLED by 1000", "TIMEOUT", "RUNNING")
NODES = {"cpu": "c", "gpu": "g-a100-", "fat": "f"}
CORES = {"cpu": 8, "gpu": 16, "fat": 32}
CASES = 24


@dataclass
class Case:
    log: str
    settings: RunSettings


def some_case(seed: int) -> Case:
    random = np.random.default_rng(seed)
    rows = []
    for number in range(int(random.integers(30, 250))):
        partition = str(random.choice([*NODES]))
        first, nodes = int(random.integers(1, 5)), int(random.choice([1, 1, 1, 2, 3]))
        last = first + nodes - 1
        stem = NODES[partition]
        if random.random() < 0.04:
            partition = "fat"  # some partitions share nodes
        cores = int(random.integers(1, CORES[partition] + 1)) * nodes
        elapsed = int(random.choice([0, *random.integers(1, 90_000, 20)]))
        days, rest = divmod(elapsed, 86_400)
        clock = f"{rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02}"
        start = BEGIN + timedelta(seconds=int(random.integers(0, 10**6)))
        gpus = f",gres/gpu={random.integers(1, 4)}" if partition == "gpu" else ""
        watts = float(random.choice([0.1, 200, 300, 450, 1e7]))
        rows.append(
            {
                "JobID": random.choice([f"{number + 1}", f"{number + 1}_7"]),
                "JobName": f"{random.choice(['sort', 'align', 'md', 'x'])}_{random.integers(3)}",
                "Account": random.choice(["a", "b", ""]),
                "Partition": partition,
                "NodeList": f"{stem}[{first}-{last}]" if nodes > 1 else f"{stem}{first}",
                "NNodes": nodes,
                "AllocCPUS": cores,
                "AllocTRES": f"cpu={cores},node={nodes}{gpus}",
                "State": random.choice(STATES),
                "Start": start.strftime("%Y-%m-%dT%H:%M:%S"),
                "Elapsed": f"{days}-{clock}" if days else clock,
                "ConsumedEnergyRaw": random.choice(["", f"{watts * elapsed * nodes:.0f}"]),
            }
        )
    again = random.choice(len(rows), len(rows) // 20, replace=False)
    rows += [rows[k] for k in again.tolist()]  # as where dumps overlap
    begin = BEGIN.timestamp() + float(random.integers(0, 300_000))
    settings = RunSettings(
        task_type=str(random.choice(["name", "stem", "account", "stem+account", "pattern:_(.)"])),
        machine_type=str(random.choice(["partition", "prefix", "pattern:^[a-z]", "one"])),
        machine=[None, "node", "core", "gpu", "job"][int(random.integers(5))],
        states=("COMPLETED",) if random.random() < 0.7 else ("COMPLETED", "TIMEOUT"),
        statistic=[*STATISTICS][int(3 * random.random())],
        min_runs=int(random.integers(1, 4)),
        rare="gather" if random.random() < 0.5 else "drop",
        rare_below=int(random.integers(1, 30)),
        begin=begin if random.random() < 0.3 else None,
        end=begin + 500_000 if random.random() < 0.3 else None,
    )
    return Case(dump(*rows), settings)


def seconds_of(text: str) -> float:
    days, _, clock = text.rpartition("-")
    hours, minutes, seconds = map(int, clock.split(":"))
    return int(days or 0) * 86_400 + hours * 3_600 + minutes * 60 + seconds


def node_names(text: str) -> list[str]:
    match = re.fullmatch(r"(.*)\[(\d+)-(\d+)\]", text)
    if not match:
        return [text]
    return [f"{match[1]}{k}" for k in range(int(match[2]), int(match[3]) + 1)]


def reason_of(row: pd.Series, settings: RunSettings, seen: set[tuple[str, str]]) -> str:
    """Why a row is not used, as far as its types do not matter."""
    state = row.State.split(" ")[0]
    job = (row.JobID, row.Start)
    twice = job in seen
    seen.add(job)
    if state not in settings.states:
        return f"has not ended ({state})" if state == "RUNNING" else f"ended as {state}"
    if row.seconds <= 0:
        return "took 0 s"
    start = pd.Timestamp(row.Start, tz="UTC").timestamp()
    if not (settings.begin or -math.inf) <= start < (settings.end or math.inf):
        return "outside the window"
    if settings.machine == "gpu" and row.gpus == 0:
        return "had no GPU"
    return "listed twice" if twice else ""


def task_of(row: pd.Series, rule: str) -> str:
    stem = row.JobName.split("_")[0]
    account = row.Account or "(none)"
    return {
        "name": row.JobName,
        "stem": stem,
        "account": account,
        "stem+account": f"{stem}, {account}",
        "pattern:_(.)": row.JobName[-1],
    }[rule]


def machine_of(row: pd.Series, rule: str) -> str:
    prefix = re.sub(r"\d+$", "", node_names(row.NodeList)[0]).rstrip("-")
    return {
        "partition": row.Partition,
        "prefix": prefix,
        "pattern:^[a-z]": prefix[0],
        "one": "machine",
    }[rule]


def expected(case: Case) -> pd.DataFrame:
    """All rows, with why each is not used, its types, its seconds on one machine and its watts."""
    settings = case.settings
    table = pd.read_csv(StringIO(case.log), sep="|", dtype=str, keep_default_na=False)
    table["seconds"] = table.Elapsed.map(seconds_of)
    table["gpus"] = [int(re.findall(r"gpu=(\d+)|$", cell)[0] or 0) for cell in table.AllocTRES]
    table["cores"], table["nodes"] = table.AllocCPUS.astype(int), table.NNodes.astype(int)
    seen: set[tuple[str, str]] = set()
    table["reason"] = [reason_of(row, settings, seen) for row in table.itertuples()]
    table["task"] = [task_of(row, settings.task_type or "") for row in table.itertuples()]
    table["machine"] = [machine_of(row, settings.machine_type or "") for row in table.itertuples()]
    used = table[table.reason == ""]
    counts = used.task.value_counts()
    rare = [task for task in counts.index if counts[task] < (settings.rare_below or 0)]
    if settings.rare == "drop":
        table.loc[(table.reason == "") & table.task.isin(rare), "reason"] = "rare task type"
    else:
        table.loc[table.task.isin(rare), "task"] = "(others)"
    used = table[table.reason == ""]
    unit = settings.machine or "node"
    share = {"job": 1, "core": table.cores, "gpu": table.gpus}.get(unit, table.nodes)
    each = pd.Series(1.0, table.index)
    if unit != "job":
        per_node = {
            name: (np.ceil(rows.cores / rows.nodes).max(), np.ceil(rows.gpus / rows.nodes).max())
            for name, rows in used.groupby("machine")
        }
        cores = table.machine.map(lambda name: per_node.get(name, (1, 0))[0])
        gpus = table.machine.map(lambda name: per_node.get(name, (1, 0))[1])
        each = {"core": cores, "gpu": gpus}.get(unit, each)
        if unit == "node":
            share = np.maximum(table.cores / cores, table.gpus / gpus.where(gpus > 0, np.inf))
            share = np.minimum(share, table.nodes)
    table["value"] = table.seconds * share
    joules = pd.to_numeric(table.ConsumedEnergyRaw, errors="coerce")
    watts = joules / (table.seconds * table.nodes).where(table.seconds > 0)
    watts = watts.where((watts >= 1) & (watts <= 20_000))
    table["watts"] = watts * table.nodes if unit == "job" else watts / each
    pairs = used.groupby(["task", "machine"]).size()
    enough = pairs[pairs >= settings.min_runs].reset_index()
    few = ~(table.task.isin(enough.task) & table.machine.isin(enough.machine))
    too_few = "too few runs of its task type or machine type"
    table.loc[(table.reason == "") & few, "reason"] = too_few
    return table


def agrees(found: Estimate, values: pd.Series, weights: pd.Series, statistic: str) -> None:
    ordered = np.sort(values.dropna().to_numpy())
    assert found.runs == len(ordered)
    if not found.runs:
        return
    spread = np.quantile(ordered, [0.1, 0.25, 0.75, 0.9])
    np.testing.assert_allclose(found[4:], spread)
    if statistic == "median":
        assert found.value == pytest.approx(values.median())
    elif statistic == "trimmed":
        assert found.value == pytest.approx(stats.trim_mean(ordered, 0.2))
    else:
        weights = weights[values.notna()]
        mean = np.average(values.dropna(), weights=weights)
        assert found.value == pytest.approx(mean)
        if len(ordered) < 2:
            assert math.isnan(found.low)
            return
        squares = np.square(weights * (values.dropna() - mean)).sum()
        error = math.sqrt(squares * len(ordered) / (len(ordered) - 1)) / weights.sum()
        reach = stats.t.ppf(0.975, len(ordered) - 1) * error
        np.testing.assert_allclose((found.low, found.high), (max(mean - reach, 0), mean + reach))


def agree(found: Derivation, table: pd.DataFrame, case: Case) -> None:
    reasons = found.classified.reasons
    assert [reasons.names[k] for k in reasons.of_run] == table.reason.tolist()
    assert found.rows == len(table) == found.used + sum(found.rejected.values())
    rejected = table.reason[table.reason != ""].value_counts()
    assert dict(found.rejected) == rejected.to_dict()
    used = table[table.reason == ""]
    system = found.system
    counts = dict(zip(system.task_names, system.task_counts.tolist(), strict=True))
    assert counts == used.task.value_counts().to_dict()
    assert set(system.machine_names) == set(used.machine)
    for i, task in enumerate(system.task_names):
        for j, machine in enumerate(system.machine_names):
            rows = used[(used.task == task) & (used.machine == machine)]
            seconds, watts = found.runs.of(i, j)
            agrees(seconds, rows.value, pd.Series(1.0, rows.index), case.settings.statistic)
            agrees(watts, rows.watts, rows.value, case.settings.statistic)
            measured = len(rows) >= case.settings.min_runs
            assert found.measured[i, j] == measured
            assert system.etc[i, j] == (pytest.approx(seconds.value) if measured else math.inf)


@pytest.mark.parametrize("seed", seeds(8, CASES))
def test_all_rows_types_and_pairs_agree(seed: int) -> None:
    case = some_case(seed)
    table = expected(case)
    with store_of(case.log) as store:
        if not (table.reason == "").any():
            with pytest.raises(InvalidInput):
                derive(store, case.settings, NodeTable())
            return
        found = derive(store, case.settings, NodeTable(), estimates=False)
        agree(found, table, case)


@pytest.mark.parametrize("seed", range(4))
def test_machines_are_counted_once(seed: int) -> None:
    """A node that ran jobs of several machine types is of that with most of its runs."""
    case = some_case(seed)
    settings = RunSettings(
        task_type="stem", machine_type="partition", machine="node", rare_below=1, min_runs=1
    )
    table = expected(Case(case.log, settings))
    on_nodes: dict[str, dict[str, int]] = {}
    order = [*table[table.reason == ""].machine.value_counts(sort=False).index]
    for row in table[table.reason == ""].itertuples():
        for node in node_names(row.NodeList):
            runs = on_nodes.setdefault(node, dict.fromkeys(order, 0))
            runs[row.machine] += 1
    with store_of(case.log) as store:
        found = derive(store, settings, estimates=False)
    names = found.system.machine_names
    counted = dict.fromkeys(names, 0)
    for runs in on_nodes.values():
        counted[max(names, key=lambda name, runs=runs: (runs[name], -names.index(name)))] += 1
    assert dict(zip(names, found.system.machine_counts.tolist(), strict=True)) == {
        name: max(count, 1) for name, count in counted.items()
    }
    assert found.machines.shared == sum(
        sum(count > 0 for count in runs.values()) > 1 for runs in on_nodes.values()
    )
