"""What deviates is said, a sentence each; what does not is not."""

from dataclasses import replace

import numpy as np
import pytest
from capabilities.compare_run.conftest import AS_PLANNED

from core.capabilities.compare_run.told import (
    machine_rows,
    nodes_in_words,
    notes,
    remarks,
    sentence,
    signed,
)

KEPT = "Every machine kept the order of the schedule."


def changed(*changes, without=()):
    rows = list(AS_PLANNED)
    for k, values in changes:
        rows[k] = replace(rows[k], **values)
    return [row for k, row in enumerate(rows) if k not in without]


def test_what_went_as_planned(compared):
    found = compared(*AS_PLANNED)
    assert sentence(found) == "Planned for 16 s; it took 16 s (0 %)."
    assert [*notes(found)] == ["All 10 tasks ran.", KEPT]
    assert (len(found.pairs), len(found.machines)) == (3, 3)


def test_tasks_that_did_not_run(compared):
    found = compared(*changed((0, {"state": "FAILED"}), (9, {"state": "RUNNING"}), without=(8,)))
    assert next(notes(found)) == (
        "Of 10 tasks, 7 ran, 1 failed and 2 are missing. 1 of the missing had started and not "
        "ended."
    )
    assert [remarks(found, k) for k in range(3)] == ["1 failed", "", "2 missing"]
    found = compared(*changed(without=(9,)))
    assert next(notes(found)) == "Of 10 tasks, 9 ran and 1 is missing."


def test_nothing_ended(compared):
    found = compared(replace(AS_PLANNED[0], state="RUNNING"))
    assert sentence(found) == "Planned for 16 s; nothing has ended yet."
    assert [*notes(found)] == [
        "Of 10 tasks, 0 ran and 10 are missing. 1 of the missing had started and not ended."
    ]


def test_each_way_in_which_machines_deviate(compared):
    again = replace(AS_PLANNED[4], start=20, end=22)
    rows = changed((4, {"state": "REQUEUED"}), (6, {"end": 2}), (9, {"node": "z"}))
    found = compared(*rows, again)
    assert [*notes(found)][1:5] == [
        KEPT,
        "1 task started more than once, as after a requeue.",
        "1 task started before another one on the same machine had ended.",
        "1 task ran on another node than the others of their machine.",
    ]
    assert [remarks(found, k) for k in range(3)] == [
        "1 started again",
        "",
        "1 overlapping, 1 on another node",
    ]
    found = compared(*changed((3, {"start": -2, "end": 0})))
    assert [*notes(found)][1] == "1 machine did not keep the order of the schedule."
    assert remarks(found, 0) == "order not kept"


def test_the_machine_that_waited_longest(compared):
    found = compared(*changed((4, {"start": 15, "end": 17}), (9, {"start": 8, "end": 9})))
    assert [*notes(found)][2] == (
        "Between their tasks, machines waited 6 s in total, B #1 the longest (5 s): Slurm takes "
        "time to start each task, and other jobs may hold a node."
    )


def test_the_pair_most_unlike_its_plan(compared):
    rows = [replace(row, end=row.start) if k > 5 else row for k, row in enumerate(AS_PLANNED)]
    rows[5] = replace(rows[5], end=7)
    said = [*notes(compared(*rows))]
    # Of three tasks of 4 s and one of 7 s the median is 4 s; less than a second is 0 s for sacct.
    assert said[-1] == (
        "The pair most unlike its plan is y on B: a task took 0 s (median), planned 1 s (−100 %)."
    )


@pytest.mark.parametrize(("seconds", "there"), [(4, False), (5, True)])
def test_a_pair_as_planned_is_not_named(compared, seconds, there):
    rows = [replace(row, start=5 * k, end=5 * k + seconds) for k, row in enumerate(AS_PLANNED[:3])]
    said = [*notes(compared(*rows))]
    assert (
        any("x on A: a task took 5 s (median), planned 4 s (+25 %)" in one for one in said) == there
    )
    assert any("most unlike" in one for one in said) == there


def test_energy(compared):
    found = compared(*changed((0, {"joules": "50"}), (9, {"joules": "7"})))
    assert [*notes(found)][
        -1
    ] == "2 tasks took 57 J at work; planned for the same tasks: 45 J (+26.7 %)."
    assert found.energy is not None
    without = replace(found, energy=replace(found.energy, planned=None))
    assert [*notes(without)][-1] == (
        "2 tasks took 57 J; without powers (APC), nothing was planned."
    )
    nothing = replace(found, energy=replace(found.energy, planned=0.0))
    assert "planned for the same tasks: 0 J" in [*notes(nothing)][-1]


def test_what_was_left_out(compared):
    found = compared(*AS_PLANNED)
    runs = ("00000001", "0000000b", "0000000c")
    one, many = replace(found, others=1, runs=runs[:2]), replace(found, others=2_000, runs=runs)
    assert [*notes(one)][2:] == [
        "1 other job in the log was left out.",
        "The scripts were run 2 times; this is run 00000001, and 0000000b was left out.",
    ]
    assert [*notes(many)][2:] == [
        "2,000 other jobs in the log were left out.",
        "The scripts were run 3 times; this is run 00000001, and 0000000b, 0000000c were left out.",
    ]
    (unknown,) = [*notes(replace(found, knows_states=False))][2:]
    assert unknown == (
        "The log has no column State, so every task that ended counts as run; dump it with State "
        "to see failures."
    )


def test_rows_of_the_table(compared):
    rows = changed((4, {"start": 17, "end": 19}), (5, {"end": 1}), without=(6, 7, 8, 9))
    found = compared(*rows)
    assert [*machine_rows(found, np.array([2, 0, 1]))] == [
        ("B #1", "–", "4 s", "–", "–", "0 s", "4 missing"),
        ("A #1", "n0-1", "16 s", "19 s", "+3 s", "3 s", ""),
        ("A #2", "n0-2", "4 s", "1 s", "−3 s", "0 s", ""),
    ]
    assert nodes_in_words(["a", "b", "c", "d"]) == "a, b, c and 1 more"
    assert [signed(seconds) for seconds in (0.0, 1.0, 0.5)] == ["0 s", "+1 s", "+500 ms"]


@pytest.mark.parametrize(("tasks", "said"), [(1, "The task ran."), (2, "All 2 tasks ran.")])
def test_few_tasks(compared, tasks, said):
    found = compared(*AS_PLANNED)
    machines = replace(found.machines, tasks=np.array([tasks, 0, 0]), ran=np.array([tasks, 0, 0]))
    assert next(notes(replace(found, machines=machines))) == said
    none = replace(machines, ran=np.array([0, 0, 0]), failed=np.array([tasks, 0, 0]))
    assert f"0 ran and {tasks} failed." in next(notes(replace(found, machines=none)))
