"""Planned and measured agree with a count task by task, whatever happened."""

from collections import Counter, defaultdict
from dataclasses import replace
from itertools import product
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from capabilities.compare_run.conftest import AS_PLANNED, RUN, Row, dump
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.compare_run import recorded
from core.capabilities.compare_run.comparison import compare_run
from core.capabilities.compare_run.recorded import read_recorded
from core.engines.logs.reading.logs import read_logs
from core.engines.slurm.job_arrays import job_arrays_of
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System

ENDS = ("COMPLETED", "FAILED", "CANCELLED by 0", "TIMEOUT", "REQUEUED", "NODE_FAIL")
RUNNING = ("RUNNING", "PENDING")


def without(rows, *left_out):
    return tuple(row for k, row in enumerate(rows) if k not in left_out)


def changed(k, **changes):
    return tuple(replace(r, **changes) if j == k else r for j, r in enumerate(AS_PLANNED))


def moved(rows, seconds):
    return tuple(replace(r, start=r.start + seconds, end=r.end + seconds) for r in rows)


class TestAsPlanned:
    def test_nothing_deviates(self, compared):
        found = compared(*AS_PLANNED)
        assert (found.planned, found.makespan) == (16.0, 16.0)
        assert (found.tasks, found.ran, found.failed, found.missing) == (10, 10, 0, 0)
        machines = found.machines
        assert not machines.amiss.any()
        assert machines.machine_type.tolist() == [0, 0, 1]
        assert machines.machine.tolist() == [1, 2, 1]
        assert machines.planned.tolist() == machines.measured.tolist() == [16.0, 4.0, 4.0]
        assert machines.began.tolist() == machines.waited.tolist() == [0.0, 0.0, 0.0]
        assert machines.nodes == (("n0-1",), ("n0-2",), ("n1-1",))
        assert (found.run, found.runs, found.running, found.others) == (RUN, (RUN,), 0, 0)

    def test_pairs_have_the_seconds_of_their_tasks(self, compared):
        pairs = compared(*AS_PLANNED).pairs
        assert pairs.task_type.tolist() == [0, 1, 1]
        assert pairs.machine_type.tolist() == [0, 0, 1]
        assert pairs.planned.tolist() == pairs.measured.tolist() == [4.0, 2.0, 1.0]
        assert pairs.ran.tolist() == [4, 2, 4]

    def test_the_size_of_job_arrays_does_not_matter(self, plan, small, tmp_path):
        split = job_arrays_of(small.blocks(), small.system, 2)
        arrays = [
            Row(array, task, 100 * array + task, 100 * array + task + 1)
            for array, count in enumerate(split.blocks.count.tolist())
            for task in range(count)
        ]
        (tmp_path / "log").write_text(dump(split, arrays))
        store = read_logs([tmp_path / "log"])
        found = compare_run(read_recorded(plan, store))
        assert (found.ran, found.missing, found.others) == (10, 0, 0)
        assert found.machines.in_order.all()


OF_FIRST = {
    "a task that is not there": (without(AS_PLANNED, 1, 5), {"missing": 1, "waited": 4.0}),
    "one that did not complete": (changed(1, state="TIMEOUT"), {"ran": 4, "failed": 1}),
    "one that runs": (changed(4, state="RUNNING"), {"missing": 1, "failed": 0, "measured": 14.0}),
    "one that never started": (
        changed(4, state="CANCELLED", node="None assigned"),
        {"missing": 1, "failed": 0},
    ),
    "one that ran again": (
        (*changed(4, state="REQUEUED"), replace(AS_PLANNED[4], start=20, end=23)),
        {"ran": 5, "failed": 0, "again": 1, "measured": 23.0},
    ),
    "another order": (changed(3, start=-2, end=0), {"in_order": False}),
    "a start before an end": (changed(1, start=3), {"overlapping": 1, "waited": 0.0}),
    "one that lasts long": (changed(0, end=12), {"overlapping": 2, "waited": 0.0}),
    "a pause": (changed(1, start=5), {"overlapping": 0, "waited": 1.0, "amiss": False}),
    "another node": (changed(2, node="z"), {"elsewhere": 1, "nodes": ("n0-1", "z")}),
    "tasks of a block in any order": (
        (*changed(0, start=4, end=8)[:1], *changed(1, start=0, end=4)[1:]),
        {"in_order": True, "amiss": False},
    ),
}


class TestWhatDeviates:
    @pytest.mark.parametrize("case", OF_FIRST)
    def test_the_first_machine_by_hand(self, compared, case):
        """The others are as planned, but for one whose only task is not there."""
        rows, expected = OF_FIRST[case]
        found = compared(*rows)
        assert found.running == (case == "one that runs")
        machines = found.machines
        assert {name: getattr(machines, name)[0] for name in expected} == expected
        assert machines.amiss.tolist() == [expected.get("amiss", True), len(rows) == 8, False]

    def test_a_row_that_is_there_twice_is_one_start(self, compared):
        running = [replace(AS_PLANNED[0], state="RUNNING", end=end) for end in (2, 99)]
        found = compared(*AS_PLANNED, *AS_PLANNED, *running)
        assert not found.machines.amiss.any()
        assert found.running == 0

    def test_blocks_that_start_in_the_same_second_are_in_order(self, tmp_path):
        types = (TaskType("x", 1), TaskType("y", 1)), (MachineType("A", 1),)
        system = System(*types, np.array([[0.1], [0.2]]))
        schedule = Schedule(system, np.array([0]), np.array([1]), np.array([[1, 1]]))
        plan = job_arrays_of(schedule.blocks(), system)
        assert plan.blocks.task_type.tolist() == [1, 0]
        (tmp_path / "log").write_text(dump(plan, [Row(0, 0, 5, 5), Row(1, 0, 5, 5)]))
        store = read_logs([tmp_path / "log"], folder=tmp_path)
        assert compare_run(read_recorded(plan, store)).machines.in_order.tolist() == [True]

    def test_an_unknown_node_is_not_another_one(self, compared, plan):
        text = dump(plan, AS_PLANNED).replace("n0-1|", "|", 1).replace("|n0-2|", "||")
        machines = compared(text=text).machines
        assert machines.elsewhere.tolist() == [0, 0, 0]
        assert machines.nodes == (("n0-1",), (), ("n1-1",))

    def test_later(self, compared):
        found = compared(
            *(replace(row, start=row.start + 3, end=row.end + 3) for row in AS_PLANNED[:5]),
            *AS_PLANNED[5:],
        )
        assert found.machines.began.tolist() == [3.0, 0.0, 0.0]
        assert found.machines.later.tolist() == [3.0, 0.0, 0.0]
        assert found.machines.most_deviating()[0] == 0

    def test_what_is_amiss_comes_first_then_what_is_most_off(self, compared):
        late = replace(AS_PLANNED[5], end=400)
        found = compared(*changed(9, state="FAILED")[:5], late, *changed(9, state="FAILED")[6:])
        assert found.machines.most_deviating().tolist() == [2, 1, 0]


class TestEnergy:
    def test_it_is_of_tasks_whose_energy_is_known(self, compared):
        rows = [replace(AS_PLANNED[0], joules="50"), replace(AS_PLANNED[9], joules="7")]
        found = compared(*rows, *AS_PLANNED[1:9]).energy
        assert (found.planned, found.measured, found.tasks) == (45.0, 57.0, 2)

    @pytest.mark.parametrize("joules", ["1", "0.5"])
    def test_little_energy_is_energy(self, compared, joules):
        found = compared(*changed(0, joules=joules)).energy
        assert (found.planned, found.measured) == (40, float(joules))

    @pytest.mark.parametrize("joules", ["", "0", "18446744073709551614"])
    def test_what_is_no_energy(self, compared, joules):
        assert compared(*changed(0, joules=joules)).energy is None


class TestOthers:
    def test_other_jobs_are_counted(self, compared, plan):
        line = AS_PLANNED[0].line(plan)
        lines = [
            line.replace(plan.digest, "ffffffff"),
            line.replace(f"wf-{plan.digest}", "blast"),
            line.replace("-1-1-1-0|", "-1-2-1-0|"),  # this task is not of that machine
            line.replace("-1-1-1-0|", "-1-1-3-0|"),  # there is no such task type
            line.replace("-1-1-1-0|", "-1-1-1-4|"),  # there is no such task
            line.replace("-1-1-1-0|", "-2-1-2-4|").replace("_0|", "_2|"),
        ]
        found = compared(*AS_PLANNED, lines=lines)
        assert found.others == 6
        assert not found.machines.amiss.any()

    def test_rows_of_tasks_that_wait_are_not_jobs_of_others(self, compared, plan):
        waiting = replace(AS_PLANNED[4], state="PENDING", node="None assigned").line(plan)
        found = compared(*without(AS_PLANNED, 4), lines=[waiting.replace("_1|", "_[1-7]|")])
        assert (found.missing, found.running, found.others) == (1, 0, 0)

    def test_the_last_run_counts_unless_another_is_asked_for(self, compared):
        later = [
            replace(row, run="0000000a", start=row.start + 99, end=row.end + 99)
            for row in AS_PLANNED[:7]
        ]
        found = compared(*later, *AS_PLANNED)
        assert (found.run, found.runs, found.ran) == ("0000000a", (RUN, "0000000a"), 7)
        found = compared(*later, *AS_PLANNED, run=RUN)
        assert (found.run, found.ran, found.others) == (RUN, 10, 0)

    def test_without_states_all_count_as_run(self, compared, plan):
        cells = [line.split("|") for line in dump(plan, changed(0, state="FAILED")).splitlines()]
        found = compared(text="".join("|".join(one[:2] + one[3:]) + "\n" for one in cells))
        assert (found.ran, found.knows_states) == (10, False)


@st.composite
def histories(draw):
    """Any starts of the tasks of the plan, but for one task of which there is at least one."""
    tasks = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (2, 0), *((3, k) for k in range(4))]
    rows = [Row(2, 0, 0, draw(st.integers(0, 5)))]
    for array, task in tasks:
        for start in draw(st.sets(st.integers(0, 40), max_size=2)):
            end = start + draw(st.integers(0, 9))
            state = draw(st.sampled_from((*ENDS[:1], *ENDS, *RUNNING)))
            node = draw(st.sampled_from(("", "", "p", "q")))
            joules = draw(st.sampled_from(("", "0", "12", "100")))
            if (array, task, start) != (2, 0, 0):
                rows.append(Row(array, task, start, end, state, node, joules))
    return draw(st.permutations(rows))


@given(rows=histories())
def test_a_count_task_by_task_finds_the_same(plan, rows):
    """Also if each machine is a part of the records by itself."""
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as monkeypatch:
        path = Path(folder) / "log"
        path.write_text(dump(plan, rows))
        store = read_logs([path], "sacct", folder=Path(folder))
        found = compare_run(read_recorded(plan, store))
        monkeypatch.setattr(recorded, "PART_SIZE", 1)
        in_parts = compare_run(read_recorded(plan, store))
    check(found, plan, rows)
    check(in_parts, plan, rows)


def check(found, plan, rows):
    """Compare with a count by other code: task by task, in Python."""
    machine_of = [0, 0, 1, 2]
    ended = [row for row in rows if row.state not in RUNNING]
    begin = min((row.start for row in ended), default=0)
    fates = defaultdict(list)
    for row in rows:
        fates[row.array, row.task].append(row)
    counts = plan.blocks.count.tolist()
    ran, failed, missing, again, running = Counter(), Counter(), Counter(), Counter(), 0
    seconds = defaultdict(list)
    joules, tasks = 0, 0
    for array, count in enumerate(counts):
        for task in range(count):
            starts = fates[array, task]
            done = [row for row in starts if row.state not in RUNNING]
            completed = [row for row in done if row.state == "COMPLETED"]
            machine = machine_of[array]
            again[machine] += len(done) > 1
            if completed:
                ran[machine] += 1
                last = max(completed, key=lambda row: row.start)
                seconds[array].append(last.end - last.start)
                if last.joules not in ("", "0"):
                    joules, tasks = joules + int(last.joules), tasks + 1
            elif done:
                failed[machine] += 1
            else:
                missing[machine] += 1
                running += bool(starts)
    machines = found.machines
    assert found.running == running
    assert found.makespan == (max(row.end for row in ended) - begin if ended else None)
    for j in range(3):
        mine = sorted(
            (row for row in ended if machine_of[row.array] == j),
            key=lambda r: (r.start, r.array, r.task),
        )
        counts = (machines.ran[j], machines.failed[j], machines.missing[j], machines.again[j])
        assert counts == (ran[j], failed[j], missing[j], again[j])
        assert machines.in_order[j] == all(
            not (one.start < other.start and one.array > other.array)
            for one, other in product(mine, mine)
        )
        latest, waited, overlapping = None, 0, 0
        for row in mine:
            if latest is not None:
                waited += max(row.start - latest, 0)
                overlapping += row.start < latest
            latest = row.end if latest is None else max(latest, row.end)
        assert machines.waited[j] == waited
        assert machines.overlapping[j] == overlapping
        nodes = Counter(row.line(plan).split("|")[5] for row in mine)
        assert set(machines.nodes[j]) == set(nodes)
        assert machines.elsewhere[j] == sum(nodes.values()) - max(nodes.values(), default=0)
        if mine:
            assert machines.measured[j] == max(row.end for row in mine) - begin
            assert machines.began[j] == mine[0].start - begin
        else:
            assert np.isnan(machines.measured[j])
            assert np.isnan(machines.began[j])
    by_pair = {(0, 0): [*seconds[0], *seconds[2]], (1, 0): seconds[1], (1, 1): seconds[3]}
    assert {
        (i, j): (n, m)
        for i, j, n, m in zip(
            found.pairs.task_type.tolist(),
            found.pairs.machine_type.tolist(),
            found.pairs.ran.tolist(),
            found.pairs.measured.tolist(),
            strict=True,
        )
    } == {pair: (len(times), median(times)) for pair, times in by_pair.items() if times}
    assert (
        (found.energy.measured, found.energy.tasks) == (joules, tasks)
        if tasks
        else not found.energy
    )
