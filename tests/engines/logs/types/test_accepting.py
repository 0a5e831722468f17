"""Every run is a measurement, or has one reason why it is none."""

import numpy as np
import pytest
from log_stores import dump, store_of, swf

from core.engines.logs.reading.store import RunStore
from core.engines.logs.types import accepting
from core.engines.logs.types.accepting import Reason, accept, repeated, state_counts
from core.engines.logs.types.settings import RunSettings


def reasons(*logs: str, settings: RunSettings | None = None) -> list[str]:
    with store_of(*logs) as store:
        found = accept(store, settings or RunSettings())
    return [found.names[k] for k in found.of_run]


def test_states_that_are_no_measurement_are_named() -> None:
    states = {
        **dict.fromkeys(("COMPLETED", "CD", ""), ""),
        **{state: f"ended as {state}" for state in ("FAILED", "TIMEOUT", "NODE_FAIL", "PREEMPTED")},
        **{"CANCELLED by 7": "ended as CANCELLED", "OUT_OF_ME+": "ended as OUT_OF_MEMORY"},
        **{"RUNNING": "has not ended (RUNNING)", "1": "ended as 1"},
    }
    assert reasons(dump(*({"State": state} for state in states))) == [*states.values()]


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


def test_repeats_are_found_across_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accepting, "_AT_ONCE", 3)
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


def rows_of(store: RunStore) -> dict[str, list[str]]:
    """The log and the line of each run that is repeated."""
    found: dict[str, list[str]] = {}
    for reason, rows in repeated(store).items():
        logs, lines = store.column("log")[rows], store.column("line")[rows]
        found[reason] = [f"{log}:{line}" for log, line in zip(logs, lines, strict=True)]
    return found


MONDAY, TUESDAY = {"JobID": 7}, {"JobID": 8, "Start": "2024-03-02T00:00:00"}
ONCE_MORE = MONDAY | {"Start": "2024-03-02T00:00:00"}
RUNNING = dump({"State": "RUNNING", "Elapsed": "00:00:30"})
ENDED = dump({"State": "COMPLETED", "Elapsed": "00:01:00"})
TABLE = "task,machine,seconds\na,m,5\na,m,5\n"
PARTS = [{1: 5, 3: 0, 4: 40, 11: 2}, {1: 5, 3: 90, 4: 20, 11: 3}]
SUMMED = [{1: 5, 4: 60}, *PARTS]
SUMMED_ALONE = swf({1: 5, 4: 60}, {1: 5, 3: 0, 4: 40, 11: 2})
DUMPED = dump({"JobID": 5, "State": 2, "Start": "2024-03-02T00:00:00"}, {"JobID": 5})


@pytest.mark.parametrize(
    ("logs", "twice", "parts"),
    [
        # Of two dumps that overlap, each job counts once, and again where it started once more.
        ([dump(MONDAY, TUESDAY), dump(TUESDAY, ONCE_MORE)], ["1:2"], []),
        ([dump({**MONDAY, "Cluster": "a"}, {**MONDAY, "Cluster": "b"})], [], []),
        # The last word counts of a job that was running, in whichever order dumps are given.
        ([RUNNING, ENDED], ["0:2"], []),
        ([ENDED, RUNNING], ["1:2"], []),
        ([ENDED, ENDED + "\n"], ["1:2"], []),
        # A log may be given twice, also a table of runs, whose rows have no numbers.
        ([TABLE, TABLE], ["1:2", "1:3"], []),
        ([TABLE, TABLE + "b,m,4\n"], [], []),
        # SWF logs number jobs from 1 and seconds from 0, each its own.
        ([swf({4: 60}, {4: 50}), swf({4: 61}, {4: 50, 5: 2}, {4: 9})], [], []),
        ([swf({4: 60}, {4: 50}), swf({4: 60}, {4: 51}, {4: 9})], ["1:2"], []),
        # States 2 to 4 are parts, which a summary in the same log counts; without, they are all
        # that there is. One that lasted as long as its job does not put the summary aside.
        ([swf({1: 5, 4: 60}, *PARTS, {1: 6, 11: 4})], [], ["0:3", "0:4"]),
        ([swf(*PARTS), swf({1: 5, 4: 60})], [], []),
        ([swf({1: 5, 2: 0, 4: 60, 11: 4}, {1: 5, 2: 0, 4: 60})], [], ["0:2"]),
        ([swf(*PARTS), swf(*PARTS, {1: 9})], ["1:2", "1:3"], []),
        (
            [swf(*SUMMED), swf({}), swf(*({**row, 1: 6} for row in SUMMED))],
            [],
            ["0:3", "0:4", "2:3", "2:4"],
        ),
        # Parts of a log that is given twice are parts.
        ([SUMMED_ALONE, SUMMED_ALONE], ["1:2"], ["0:3", "1:3"]),
        # A dump of `sacct` may call a state 2, whatever that means; its jobs are its own.
        ([swf({1: 5, 11: 2}), DUMPED], [], []),
    ],
)
def test_each_job_counts_once(logs: list[str], twice: list[str], parts: list[str]) -> None:
    """Issue 33, point 9: no run has two reasons."""
    with store_of(*logs) as store:
        assert rows_of(store) == {Reason.TWICE: twice, Reason.PART: parts}


def test_of_a_log_given_twice_and_a_later_dump_each_job_counts_once() -> None:
    """Issue 33, point 9: whichever has the last word."""
    early, late = ({"JobID": 7, "Elapsed": f"00:0{minutes}:00"} for minutes in (1, 2))
    for first, second in ((early, late), (late, early)):
        again = dump(first)
        with store_of(again, again, dump(second)) as store:
            dropped = rows_of(store)[Reason.TWICE]
            assert dropped == (["0:2", "1:2"] if second is late else ["1:2", "2:2"])
