"""Attempts that were lost belong to the run of the same job that goes on after them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from log_stores import dump, store_of

from core.engines.logs.types.accepting import Reason, accept, repeated, states_of
from core.engines.logs.types.requeued import LostWork, Requeued, requeued
from core.engines.logs.types.settings import RunSettings

LOST = ("PREEMPTED", "REQUEUED", "NODE_FAIL")
STARTS = [*(f"2024-03-01T00:00:0{second}" for second in range(6)), "Unknown"]


def _found(*logs: str) -> Requeued:
    with store_of(*logs) as store:
        return requeued(store, states_of(store), np.logical_or.reduce([*repeated(store).values()]))


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["7", "8", "7_1"]),
            st.sampled_from([*LOST, "COMPLETED", "PENDING"]),
            st.integers(0, len(STARTS) - 1),
        ),
        max_size=8,
        unique_by=lambda row: (row[0], row[2]),
    )
)
def test_an_attempt_is_lost_if_a_later_row_has_its_job(rows: list[tuple[str, str, int]]) -> None:
    """Row k ran for k + 1 s on 2 cores. What had not begun when the log was dumped comes last."""
    cells = [
        {"JobID": job, "State": state, "Start": STARTS[start], "Elapsed": f"00:00:0{k + 1}"}
        for k, (job, state, start) in enumerate(rows)
    ]
    found = _found(dump(*({**cell, "AllocCPUS": 2} for cell in cells), {"JobID": 99}))
    jobs = {
        job: sorted((row[2], k) for k, row in enumerate(rows) if row[0] == job)
        for job, _, _ in rows
    }
    lost, chains = [], []
    for attempts in jobs.values():
        chain: list[int] = []
        for place, (_, k) in enumerate(attempts):
            if rows[k][1] in LOST and place + 1 < len(attempts):
                chain.append(k)
                continue
            chains += [(k, chain[0])] if chain else []
            lost += chain
            chain = []
    assert np.flatnonzero(found.lost).tolist() == sorted(lost)
    assert sorted(zip(found.last.tolist(), found.first.tolist(), strict=True)) == sorted(chains)
    assert found.work.jobs == len(chains)
    assert found.work.attempts == len(lost)
    assert found.work.core_seconds == sum(2 * (k + 1) for k in lost)


def test_rows_that_are_listed_twice_are_no_attempts() -> None:
    row = {"JobID": 7, "State": "PREEMPTED"}
    assert not _found(dump(row, row)).lost.any()
    later = {"JobID": 7, "Start": "2024-03-02T00:00:00"}
    assert _found(dump(row, row, later)).lost.tolist() == [True, False, False]
    assert not _found("task,machine,seconds\na,b,1\n").lost.any()


@pytest.mark.parametrize(("cluster", "lost"), [("a", True), ("b", False)])
def test_a_job_of_another_cluster_is_another_one(cluster: str, lost: bool) -> None:
    """Its number is the same, and it begins later."""
    later = {"JobID": 7, "Start": "2024-03-02T00:00:00", "Cluster": cluster}
    found = _found(dump({"JobID": 7, "State": "PREEMPTED", "Cluster": "a"}, later))
    assert found.lost.tolist() == [lost, False]


def test_lost_attempts_are_no_runs_of_their_type() -> None:
    later = {"JobID": 7, "Start": "2024-03-02T00:00:00"}
    with store_of(dump({"JobID": 7, "State": "PREEMPTED"}, later)) as store:
        found = accept(store, RunSettings(states=("PREEMPTED", "COMPLETED")))
    assert [found.names[k] for k in found.of_run] == [Reason.LOST, ""]
    assert found.lost.jobs == 1


def test_what_was_lost_is_said_in_hours_of_the_unit() -> None:
    lost = LostWork(12, 15, 340 * 3600.0, 8 * 3600.0)
    assert lost.in_words() == "12 jobs were requeued, and 340 core-hours of work were lost"
    assert lost.in_words("nodes") == "12 jobs were requeued, and 8 node-hours of work were lost"
    assert LostWork(0, 0, 0.0, 0.0).in_words() == ""
