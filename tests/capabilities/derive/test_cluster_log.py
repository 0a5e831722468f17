"""What is derived from a drawn log of a cluster is what an administrator could act upon."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from log_stores import store_of

from benchmarks.cluster_log import APPLICATIONS, KINDS, cluster_log
from core.capabilities.derive.told import jobs_in_words, notes
from core.engines.logs.derived.derivation import Derivation, derive
from core.engines.logs.derived.records import provenance
from core.engines.logs.derived.replayed import Replayed, replayed
from core.engines.logs.pairs.measuring import ValuesOfRuns
from core.engines.logs.reading.store import RunStore
from core.engines.logs.types.nodes import Nodes
from core.engines.logs.types.settings import STATISTICS, RunSettings, Statistic

JOBS = 2_400
EVERY = RunSettings(min_runs=1)
"""So that known pairs connect CPUs and GPUs, although there are few jobs."""


@cache
def log() -> str:
    return cluster_log(JOBS)


@pytest.fixture
def store() -> Iterator[RunStore]:
    with store_of(log()) as found:
        yield found


def names_of(found: Derivation) -> dict[tuple[str, str], tuple[int, int]]:
    system = found.system
    return {
        (task, machine): (i, j)
        for i, task in enumerate(system.task_names)
        for j, machine in enumerate(system.machine_names)
    }


def test_no_job_with_gpus_runs_where_there_are_none(store: RunStore) -> None:
    """Issue 33, point 1: a pair is estimated only where all that its runs asked for is."""
    found = derive(store, EVERY)
    pairs = names_of(found)
    assert len(pairs) == len(APPLICATIONS) * len(KINDS)
    for (task, kind), pair in pairs.items():
        one, node = APPLICATIONS[task], KINDS[kind]
        fits = one.gpus <= node.gpus and one.memory <= node.memory
        possible = np.isfinite(found.system.etc[pair])
        assert fits or not possible, (task, kind)
        assert possible or pair in found.misfits
    assert found.misfits[pairs["train-resnet", "cx"]].need == "gpus"
    assert found.misfits[pairs["assembly", "cy"]].need == "memory"
    assert found.misfits[pairs["vector", "cy"]].need == "features"
    assert found.misfits[pairs["cfd", "ga"]].need == "partition"
    assert np.isfinite(found.system.etc[pairs["post", "gv"]])
    assert any("pairs without a run cannot run: " in said for said in notes(found))


def test_the_provenance_has_the_reason_of_each_pair_that_cannot_run(store: RunStore) -> None:
    """Issue 33, point 1: nobody need guess why a pair is blank."""
    found = derive(store, EVERY)
    told = provenance(found, store)
    assert len(told["pairs"]) + len(told["cannot_run"]) == len(names_of(found))
    (resnet,) = [
        one
        for one in told["cannot_run"]
        if (one["task_type"], one["machine_type"]) == ("train-resnet", "cx")
    ]
    assert resnet["why"] == "gpus"
    assert resnet["words"] == "all its runs had at least 4 GPUs a node, and no run there had any"


@pytest.mark.parametrize("pair", [("train-resnet", "cx"), ("train-resnet", "*"), ("*", "cx")])
def test_somebody_may_allow_a_pair(store: RunStore, pair: tuple[str, str]) -> None:
    """Issue 33, point 1: what the log says can be overruled, and nothing else changes."""
    found = derive(store, EVERY)
    allowed = derive(store, replace(EVERY, allowed=(pair,)))
    place = names_of(found)["train-resnet", "cx"]
    assert np.isfinite(allowed.system.etc[place])
    assert allowed.system.estimated is not None
    assert allowed.system.estimated[place]
    assert place not in allowed.misfits
    assert found.misfits.keys() - allowed.misfits.keys() == {
        (i, j)
        for (task, kind), (i, j) in names_of(found).items()
        if (i, j) in found.misfits and pair[0] in ("*", task) and pair[1] in ("*", kind)
    }


def took(found: Derivation, store: RunStore) -> Replayed:
    what = replayed(found, store)
    assert what is not None
    return what


def counts_of(found: Derivation) -> np.ndarray:
    counts = np.zeros(found.system.etc.shape)
    for _, (task, machine, used) in found.classified.parts():
        np.add.at(counts, (task[used], machine[used]), 1)
    return counts


def test_the_tables_keep_the_time_and_energy_of_the_log(store: RunStore) -> None:
    """Issue 33, point 2: the sums over all pairs are those of the runs."""
    found = derive(store, EVERY)
    runs = ValuesOfRuns(store, found.classified, Nodes(store), found.machines)
    seconds = sum(values.sum() for _, values, _ in runs.seconds())
    joules = sum((values * time).sum() for _, values, time in runs.watts())
    counts, system = counts_of(found), found.system
    ran = counts > 0
    assert system.apc is not None
    assert (counts[ran] * system.etc[ran]).sum() == pytest.approx(seconds, rel=1e-12)
    assert (counts[ran] * (system.etc * system.apc)[ran]).sum() == pytest.approx(joules, rel=1e-12)
    what = took(found, store)
    assert what.seconds == pytest.approx(seconds, rel=1e-12)
    assert what.table_seconds == pytest.approx(seconds, rel=1e-12)
    assert what.joules == pytest.approx(joules, rel=1e-12)


@pytest.mark.parametrize("statistic", STATISTICS)
def test_what_the_log_did_is_priced_in_the_same_tables(
    store: RunStore, statistic: Statistic
) -> None:
    """Issue 33, point 2: nothing is compared with work that the tables do not hold."""
    found = derive(store, replace(EVERY, statistic=statistic))
    counts, system = counts_of(found), found.system
    ran = counts > 0
    assert system.apc is not None
    what = took(found, store)
    energies = what.energies
    assert energies is not None
    assert what.table_seconds == pytest.approx((counts[ran] * system.etc[ran]).sum())
    assert what.joules == pytest.approx((counts[ran] * (system.etc * system.apc)[ran]).sum())
    used = [row.split("|") for row in log().splitlines()[1:]]
    recorded = sum(int(row[-1]) for row in used if "." not in row[0] and row[8] == "COMPLETED")
    assert energies.recorded == recorded
    parts = energies.shared + energies.unknown + energies.typical + energies.idle
    assert energies.recorded + parts == pytest.approx(energies.tables)
    assert (abs(energies.typical) < 0.01 * recorded) == (statistic == "mean")


def test_steps_are_not_left_out(store: RunStore) -> None:
    """Issue 33, point 4: a job's steps are not rows that were left out."""
    found = derive(store)
    states = [row.split("|") for row in log().splitlines()[1:]]
    jobs = [row for row in states if "." not in row[0]]
    completed = sum(row[8] == "COMPLETED" for row in jobs)
    assert len(states) > len(jobs) == JOBS
    assert jobs_in_words(found) == f"{completed:,} of {JOBS:,} jobs"
    assert found.steps == len(states) - len(jobs)
    assert found.jobs == found.used + sum(found.left_out.values())
    assert found.rows == found.steps + found.used + sum(found.rejected.values())
    assert not any("step" in reason for reason in found.rejected)
