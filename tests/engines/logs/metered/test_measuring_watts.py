"""Watts of samples are those of what ran on the node at that time, and of nothing else."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime
from statistics import median
from typing import NamedTuple
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from log_stores import dump, store_of

from core.engines.logs.derived.derivation import Derivation, derive
from core.engines.logs.metered import measuring_watts as room
from core.engines.logs.metered.power_samples import PowerSamples
from core.engines.logs.types.node_table import Machine, NodeTable
from core.engines.logs.types.settings import RunSettings
from core.vocabulary.problems import InvalidInput

SETTINGS = RunSettings(task_type="name", machine_type="prefix", rare_below=1, min_runs=1)
BEGIN = 1_700_000_000
CORES = 4


class Run(NamedTuple):
    node: str
    task: str
    begin: int
    end: int
    cores: int = CORES
    state: str = "COMPLETED"


class Sample(NamedTuple):
    node: str
    begin: float
    end: float
    watts: float


def samples_of(samples: Sequence[Sample], *, is_absolute: bool = False) -> PowerSamples:
    nodes = tuple(dict.fromkeys(sample.node for sample in samples))
    node = np.array([nodes.index(sample.node) for sample in samples], np.int64)
    begin, end, watts = (np.array([sample[k] for sample in samples], np.float64) for k in (1, 2, 3))
    return PowerSamples(nodes, node, begin + BEGIN, end + BEGIN, watts, is_absolute, ())


def clock(seconds: int) -> str:
    return datetime.fromtimestamp(BEGIN + seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S")


def derived(
    runs: Sequence[Run],
    samples: PowerSamples,
    table: NodeTable | None = None,
    settings: RunSettings = SETTINGS,
    *,
    framed: bool = True,
) -> Derivation:
    """The system of these runs; if `framed`, between two others that failed, so that all are of
    the time of which the log has all jobs.
    """
    runs = [*(FRAME if framed else ()), *runs]
    rows = [
        {
            "JobName": run.task,
            "NodeList": run.node,
            "NNodes": len(run.node.split(",")),
            "AllocCPUS": run.cores,
            "State": run.state,
            "Start": clock(run.begin),
            "End": clock(run.end),
            "Elapsed": f"00:{(run.end - run.begin) // 60:02}:{(run.end - run.begin) % 60:02}",
        }
        for run in runs
    ]
    with store_of(dump(*rows)) as store:
        return derive(store, settings, table, samples=samples)


FRAME = [Run("n9", "x", time, time + 1, state="FAILED") for time in (-99, 40_000)]
NODES = ("n1", "n2", "m1")
ANCHORS = [*(Run(node, "a", 60, 62) for node in NODES), Run("n2", "a", 80, 82)]
"""So each kind has a node with all cores in one run, and its task types are known."""
RUNS = st.builds(
    lambda node, task, begin, length, cores, state: Run(
        node, task, begin, begin + length, cores, state
    ),
    st.sampled_from(NODES),
    st.sampled_from("ab"),
    st.integers(0, 40),
    st.integers(1, 20),
    st.sampled_from([1, 2, 4]),
    st.sampled_from(["COMPLETED", "COMPLETED", "FAILED"]),
)
SAMPLES = st.builds(
    lambda node, begin, length, watts: Sample(node, begin, begin + length, watts),
    st.sampled_from(NODES),
    st.integers(-5, 70),
    st.sampled_from([0, 0, 1, 2, 5]),
    st.integers(50, 60),
)


def second_by_second(
    runs: Sequence[Run], samples: Sequence[Sample]
) -> tuple[dict[str, float], dict[tuple[str, str], float]]:
    """Medians of idle watts by kind of node, and of busy watts of tasks alone on whole nodes."""
    idle: defaultdict[str, list[float]] = defaultdict(list)
    busy: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    first, last = min(run.end for run in runs), max(run.begin for run in runs)
    for sample in samples:
        on_node = [run for run in runs if run.node == sample.node]
        events = {time for run in on_node for time in (run.begin, run.end)}
        changes = any(sample.begin < event < sample.end for event in events)
        if sample.begin < first or sample.end > last or changes:
            continue
        there = [run for run in on_node if run.begin <= sample.begin < run.end]
        shares: defaultdict[str, float] = defaultdict(float)
        for run in there:
            shares[run.task if run.state == "COMPLETED" else "?"] += run.cores / CORES
        if not there:
            idle[sample.node[0]].append(sample.watts)
        elif [*shares] in (["a"], ["b"]) and min(shares.values()) >= 0.95:
            busy[next(iter(shares)), sample.node[0]].append(sample.watts)
    return (
        {kind: median(values) for kind, values in idle.items()},
        {pair: median(values) for pair, values in busy.items()},
    )


@given(st.lists(RUNS, max_size=12), st.lists(SAMPLES, min_size=1, max_size=25))
def test_samples_count_where_a_reference_counts_them_second_by_second(
    runs: list[Run], samples: list[Sample]
) -> None:
    runs = [*runs, *ANCHORS]
    inside = Sample("n1", 65, 65, 55)  # so that some sample is of the time of the log
    with patch.object(room, "FEWEST", 1):
        found = derived(runs, samples_of([*samples, inside]), framed=False)
    idle, busy = second_by_second(runs, [*samples, inside])
    tasks, machines = found.system.task_names, found.system.machine_names
    metered = found.metered
    whole = {pair: metered.busy[pair].value for pair in metered.whole}
    assert {(tasks[i], machines[j]): watts for (i, j), watts in whole.items()} == busy
    measured = {machines[j]: one.value for j, one in metered.idle.items() if one.low != one.low}
    assert measured == idle


def node_hours(
    random: np.random.Generator, runs: Sequence[Run], watts: dict[str, float], idle: float
) -> list[Sample]:
    """A sample each second of what a node draws, with noise of 2 W."""
    found = []
    for second in range(max(run.end for run in runs)):
        there = [run for run in runs if run.begin <= second < run.end]
        drawn = idle + sum((watts[run.task] - idle) * run.cores / CORES for run in there)
        found.append(Sample("n1", second, second, drawn + random.normal(0, 2)))
    return found


WATTS = {"a": 200.0, "b": 310.0, "c": 250.0}


def shared(random: np.random.Generator) -> list[Run]:
    """Runs on parts of a node: two slots of half of it, with pauses, and one whole run."""
    runs = [Run("n1", "c", 0, 60)]
    for _ in range(2):
        time = 60
        while time < 3000:
            length = int(random.integers(20, 120))
            runs.append(Run("n1", "ab"[int(random.integers(2))], time, time + length, 2))
            time += length + int(random.integers(0, 90))
    return runs


def test_watts_that_are_known_are_found_within_their_noise() -> None:
    random = np.random.default_rng(3)
    runs = shared(random)
    found = derived(runs, samples_of(node_hours(random, runs, WATTS, 90.0)))
    names = found.system.task_names
    assert found.metered.idle[0].value == pytest.approx(90, abs=0.5)
    assert found.system.idle_power.tolist() == [found.metered.idle[0].value]
    assert found.power_source == "samples"
    apc = found.system.apc
    assert apc is not None
    for i, name in enumerate(names):
        assert apc[i, 0] == pytest.approx(WATTS[name], abs=1)
        one = found.metered.busy[i, 0]
        alone = (i, 0) in found.metered.whole
        assert alone or one.low <= WATTS[name] <= one.high
        assert one.quarter < one.value < one.three_quarters


def test_task_types_that_always_run_together_are_not_told_apart() -> None:
    random = np.random.default_rng(4)
    runs = [Run("n1", "c", 0, 20)]
    for time in range(40, 900, 40):
        runs += [Run("n1", task, time, time + 30, 2) for task in "ab"]
    found = derived(runs, samples_of(node_hours(random, runs, WATTS, 90.0)))
    names = [found.system.task_names[i] for i, _ in found.metered.busy]
    assert names == ["c"]


def test_idle_watts_may_come_from_what_ran_at_once() -> None:
    random = np.random.default_rng(5)
    runs = [Run("n1", "c", 0, 60)]
    for time in range(60, 2400, 60):
        cores = 1 + (time // 60) % 3
        runs.append(Run("n1", "a", time, time + 60, cores))
    found = derived(runs, samples_of(node_hours(random, runs, WATTS, 90.0)))
    assert found.metered.idle[0].value == pytest.approx(90, abs=2)
    assert found.metered.idle[0].low <= 90 <= found.metered.idle[0].high


def test_what_a_person_says_of_idle_watts_comes_first() -> None:
    random = np.random.default_rng(3)
    runs = shared(random)
    samples = samples_of(node_hours(random, runs, WATTS, 90.0))
    found = derived(runs, samples, NodeTable({"n": Machine(idle_watts=70)}))
    assert found.system.idle_power.tolist() == [70]


def test_watts_are_of_what_counts_as_a_machine() -> None:
    random = np.random.default_rng(3)
    runs = shared(random)
    samples = samples_of(node_hours(random, runs, WATTS, 90.0))
    core = RunSettings("name", "prefix", "core", rare_below=1, min_runs=1)
    found = derived(runs, samples, settings=core)
    assert found.system.idle_power.tolist() == [pytest.approx(90 / CORES, abs=0.5)]
    apc = found.system.apc
    assert apc is not None
    row = found.system.task_names.index("c")
    assert apc[row, 0] == pytest.approx(250 / CORES, abs=0.5)
    with pytest.raises(InvalidInput, match="let a machine be a node, a core or a GPU"):
        derived(runs, samples, settings=RunSettings("name", "prefix", "job", min_runs=1))


@pytest.mark.parametrize("hours", [-2, 0, 1])
def test_samples_of_another_clock_are_moved(hours: int) -> None:
    random = np.random.default_rng(6)
    runs = [Run("n1", "c", k * 2400, k * 2400 + 1200 + 60 * (k % 5)) for k in range(12)]
    moved = [
        one._replace(begin=one.begin - hours * 3600, end=one.end - hours * 3600)
        for one in node_hours(random, runs, WATTS, 90.0)[::10]
    ]
    found = derived(runs, samples_of(moved, is_absolute=True))
    assert found.metered.idle[0].value == pytest.approx(90, abs=1)
    said = " ".join(found.metered.notes)
    assert ("the samples were moved" in said) == bool(hours)
    assert not hours or f"{abs(hours)} h {'later' if hours > 0 else 'earlier'}" in said
    still = derived(runs, samples_of(moved))  # without a zone, nobody moves them
    assert "moved" not in " ".join(still.metered.notes)


@pytest.mark.parametrize(
    ("sample", "said"),
    [
        (Sample("x9", 10, 10, 90), "none of the nodes of the samples"),
        (Sample("n1", 90_000, 90_000, 90), "no sample is of a node that ran a used job, from 20"),
    ],
)
def test_samples_of_another_cluster_or_time_are_refused(sample: Sample, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        derived([Run("n1", "a", 0, 60)], samples_of([sample]))


def test_nodes_that_the_log_does_not_know_are_named() -> None:
    samples = samples_of([Sample("n1", 10, 10, 90), Sample("zz", 10, 10, 90)])
    said = derived([Run("n1", "a", 0, 60)], samples).metered.notes
    assert "Nodes with samples that the log does not know: zz." in said
    assert "1 of 2 samples of power are of nodes and of the time of the log." in said


def test_runs_on_several_nodes_are_on_each() -> None:
    runs = [Run("n1,n2", "a", 0, 60, 8), Run("n1", "b", 100, 110)]
    samples = [Sample(node, k, k, 150 + k % 2) for k in range(60) for node in ("n1", "n2")]
    found = derived(runs, samples_of(samples))
    assert found.metered.busy[found.system.task_names.index("a"), 0].runs == 120


def test_a_job_that_two_dumps_list_counts_once() -> None:
    runs = [Run("n1", "a", 0, 60), Run("n1", "b", 100, 110)]
    samples = samples_of([Sample("n1", k, k, 150) for k in range(60)])
    once = derived(runs, samples)
    with store_of(dump(EARLY, AGAIN, AGAIN, LATE)) as store:
        twice = derive(store, SETTINGS, samples=samples)
    assert [one.runs for one in once.metered.busy.values()] == [60]
    assert [one.runs for one in twice.metered.busy.values()] == [60]


EARLY = {"JobID": 1, "NodeList": "n9", "Start": clock(-99), "Elapsed": "00:00:01"}
AGAIN = {"JobID": 2, "NodeList": "n1", "JobName": "a", "Start": clock(0)}
LATE = {"JobID": 3, "NodeList": "n2", "Start": clock(500)}


def test_outside_the_time_of_the_log_nothing_is_known() -> None:
    """A job that ended before the first day of a dump, or began after its last, is not in it."""
    runs = [Run("n1", "a", 0, 600), Run("n2", "b", 500, 520), Run("n2", "b", 900, 950)]
    samples = [Sample(node, k, k, 90) for node in ("n1", "n2") for k in range(0, 1000, 10)]
    said = derived(runs, samples_of(samples), framed=False).metered.notes
    assert any(note.startswith("78 of 200 samples of power are of nodes and") for note in said)


def test_a_log_without_times_is_refused() -> None:
    samples = samples_of([Sample("n1", 10, 10, 90)])
    with (
        store_of("task,machine,seconds\na,n1,10\nb,n1,20\n") as store,
        pytest.raises(InvalidInput, match="does not say when jobs ran"),
    ):
        derive(store, RunSettings(min_runs=1), samples=samples)


def test_samples_that_never_see_an_idle_node_are_not_moved() -> None:
    random = np.random.default_rng(8)
    runs = [Run("n1", "ab"[k % 2], k * 600, (k + 1) * 600) for k in range(40)]
    samples = [Sample("n1", k, k, 200 + 20 * random.normal()) for k in range(0, 24_000, 30)]
    found = derived(runs, samples_of(samples, is_absolute=True))
    assert "moved" not in " ".join(found.metered.notes)
