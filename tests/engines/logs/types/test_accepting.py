"""Every run is a measurement, or has one reason why it is none."""

import numpy as np
import pytest
from log_stores import dump, store_of, swf

from core.engines.logs.reading.store import Stopped
from core.engines.logs.types import repeats
from core.engines.logs.types.accepting import Reason, accept, state_counts
from core.engines.logs.types.settings import RunSettings


def reasons(*logs: str, settings: RunSettings | None = None) -> list[str]:
    with store_of(*logs) as store:
        found = accept(store, settings or RunSettings())
    return [found.names[k] for k in found.of_run]


def test_states_that_are_no_measurement_are_named() -> None:
    states = ["COMPLETED", "CD", "FAILED", "CANCELLED by 7", "TIMEOUT", "NODE_FAIL", "PREEMPTED"]
    found = reasons(dump(*({"State": s} for s in [*states, "OUT_OF_ME+", "RUNNING", "", "1"])))
    assert found == [
        "",
        "",
        "ended as FAILED",
        "ended as CANCELLED",
        "ended as TIMEOUT",
        "ended as NODE_FAIL",
        "ended as PREEMPTED",
        "ended as OUT_OF_MEMORY",
        "has not ended (RUNNING)",
        "",
        "ended as 1",
    ]


def test_other_states_can_be_measurements() -> None:
    log = dump({"State": "TIMEOUT"}, {"State": "COMPLETED"})
    assert reasons(log, settings=RunSettings(states=("TIMEOUT",))) == ["", "ended as COMPLETED"]


def test_states_beyond_thirty_share_a_reason() -> None:
    found = reasons(dump(*({"State": f"S{k}"} for k in range(31))))
    assert found == [*(f"ended as S{k}" for k in range(30)), Reason.OTHER_STATE]


def test_numbers_of_swf_are_states_beside_other_formats() -> None:
    found = reasons(swf({11: 0}, {11: 1}, {11: 5}, {11: -1}), dump({}, {"State": "FAILED"}))
    cancelled, failed = "ended as CANCELLED", "ended as FAILED"
    assert found == [failed, "", cancelled, "", "", failed]


def test_a_run_without_a_duration_is_none() -> None:
    log = dump({"Elapsed": "00:00:00"}, {"Elapsed": ""}, {"Elapsed": "00:00:01"})
    assert reasons(log) == ["took 0 s", "no duration", ""]


def test_the_window_has_its_begin_and_not_its_end() -> None:
    at = [f"1970-01-01T00:00:{second}" for second in ("09", "10", "19", "20")]
    window = RunSettings(begin=10, end=20)
    found = reasons(dump(*({"Start": start} for start in [*at, "Unknown"])), settings=window)
    outside = "outside the window"
    assert found == [outside, "", "", outside, outside]


def test_parts_and_waiting_tasks_are_no_runs() -> None:
    found = reasons(dump({"JobID": "7+1"}, {"JobID": "8_[1-4]", "State": "PENDING"}, {"JobID": 9}))
    assert found == ["part of a heterogeneous job", "not started", ""]


def test_what_overlapping_dumps_repeat_counts_once() -> None:
    rows = [{"JobID": k % 5} for k in range(1, 11)] + [{"JobID": "3_1"}, {"JobID": "3_1"}]
    again = {"JobID": 1, "Start": "2024-03-02T00:00:00"}  # requeued
    found = reasons(dump(*rows, again))
    assert found == [""] * 5 + ["listed twice"] * 4 + ["", "", "listed twice", ""]


def test_jobs_of_two_clusters_are_not_the_same() -> None:
    assert reasons(dump({"JobID": 7, "Cluster": "a"}, {"JobID": 7, "Cluster": "b"})) == ["", ""]


def test_repeats_are_found_across_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repeats, "_AT_ONCE", 3)
    random = np.random.default_rng(4)
    jobs = random.integers(1, 30, 80).tolist()
    seen: set[int] = set()
    expected = ["listed twice" if job in seen else seen.add(job) or "" for job in jobs]
    assert reasons(dump(*({"JobID": job} for job in jobs))) == expected


def test_jobs_tasks_and_starts_are_told_apart() -> None:
    """All of a grid, as where arrays start at the same moment."""
    starts = ["1970-01-01T00:00:00", "2024-03-01T00:00:00", "2024-03-01T00:00:01"]
    rows = [
        {"JobID": f"{job}_{task}" if task else job, "Start": start}
        for job in (*range(1, 12), 2**20, 2**40)
        for task in (*range(6), 2**20)
        for start in starts
    ]
    assert set(reasons(dump(*rows))) == {""}
    assert reasons(dump(*rows, *rows)).count("listed twice") == len(rows)


def test_reasons_are_counted_wherever_blocks_end(monkeypatch: pytest.MonkeyPatch) -> None:
    states = ["TIMEOUT", "FAILED", "COMPLETED", "FAILED"]
    again = {"JobID": 3, "State": "COMPLETED"}
    log = dump(*({"State": state} for state in states), again)
    for size in (100, 2):
        monkeypatch.setattr("core.engines.logs.reading.store._BLOCK", size)
        with store_of(log) as store:
            found = accept(store, RunSettings())
        counted = [*found.counts().items()]
        assert counted == [("ended as FAILED", 2), ("listed twice", 1), ("ended as TIMEOUT", 1)]


def test_tables_of_runs_have_no_jobs_to_repeat() -> None:
    assert reasons("task,machine,seconds\n" + "a,b,5\n" * 3, dump({}, {})) == [""] * 5


def test_a_machine_that_a_run_did_not_have_cannot_be_measured() -> None:
    log = dump({"AllocCPUS": 0}, {"AllocTRES": "gres/gpu=1", "AllocCPUS": 1})
    assert reasons(log, settings=RunSettings(machine="core")) == ["cores are unknown", ""]
    assert reasons(log, settings=RunSettings(machine="gpu")) == ["had no GPU", ""]
    assert reasons(log, settings=RunSettings(machine="node")) == ["", ""]


def test_states_are_counted_the_most_frequent_first() -> None:
    with store_of(dump(*[{"State": "FAILED"}] * 2, *[{}] * 3, {"State": ""})) as store:
        assert [*state_counts(store).items()] == [("COMPLETED", 3), ("FAILED", 2), ("", 1)]
    with store_of("task,machine,seconds\na,b,1\n") as store:
        assert state_counts(store) == {}


def test_it_can_be_stopped() -> None:
    with store_of(dump({})) as store, pytest.raises(Stopped):
        accept(store, RunSettings(), lambda: True)
