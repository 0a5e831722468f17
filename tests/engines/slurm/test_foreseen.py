"""What Slurm cannot express is said before, with what to do about it."""

from dataclasses import replace

import numpy as np
import pytest
from engines.slurm.tables import sheet

from core.engines.slurm import foreseen as room
from core.engines.slurm.binding import read_binding
from core.engines.slurm.foreseen import foreseen
from core.engines.slurm.job_arrays import job_arrays_of
from core.engines.slurm.job_names import read_commands
from core.files.findings import Findings
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.schedule import StatedBlocks
from core.vocabulary.system import System

MAP = "machine_type,machine,node,constraint\n"
ALL = MAP + 'A,,"n[1-3]",\nB,,"m[1-2]",\n'
COMMANDS = "task_type,command\nx,run\ny,run\nz,run\n"


def problems(schedule, binding=ALL, commands=COMMANDS, size=1001):
    system, findings = schedule.system, Findings()
    bound = None if binding is None else read_binding(sheet(binding), system, findings)
    told = None if commands is None else read_commands(sheet(commands), system, findings)
    assert not findings.failed
    found = list(foreseen(job_arrays_of(schedule.blocks(), system, size), bound, told))
    assert all("; " in one.message for one in found)
    assert {one.file for one in found} <= {"", "t.csv", "the schedule"}
    return [(one.severity, one.row, one.column, one.message) for one in found]


def test_a_schedule_that_runs_as_planned_has_no_problem(small):
    assert problems(small) == []


def test_without_tables_slurm_chooses_and_scripts_only_print(small):
    found = problems(small, None, None)
    assert [severity for severity, *_ in found] == ["warning"] * 2
    assert "no table binds machines to nodes" in found[0][3]
    assert "no commands are given" in found[1][3]


def test_each_machine_at_work_needs_a_place(small):
    """B 2 has no task, so nobody asks for it."""
    found = problems(small, MAP + "A,2,n1,\nB,2,n2,\n")
    assert [one[:3] for one in found] == [("error", name, "node") for name in ("A", "A", "B")]
    assert found[0][3] == "machine 1 has tasks, but no place in the table; add a row for it"
    assert "machine 3 " in found[1][3]


def test_a_node_of_two_machines_is_said_once_for_each_other_machine(small):
    found = problems(small, MAP + "A,1,n1,\nA,2,n1,\nA,3,n1,\nB,,,fast\n")
    assert [one[:3] for one in found] == [("warning", "A", "node")] * 2
    assert "node n1 is for two machines, A #1 and A #2, which run there at once" in found[0][3]
    assert "A #1 and A #3" in found[1][3]


def test_each_task_type_at_work_needs_a_command(small):
    tasks = small.tasks.copy()
    tasks[:, 2] = 0
    system = small.system.with_counts(np.array([7, 8, 0]), small.system.machine_counts)
    idle = replace(small, system=system, tasks=tasks)
    assert problems(idle, commands="task_type,command\nx,run\ny,run\n") == []
    found = problems(small, commands="task_type,command\ny,run\n")
    assert [one[:3] for one in found] == [("error", name, "command") for name in ("x", "z")]


@pytest.mark.parametrize(
    ("size", "said"),
    [
        (4, []),
        (3, ["1 block of equal tasks is larger than a job array may be, and is split"]),
        (2, ["3 blocks of equal tasks are larger than a job array may be, and are split"]),
    ],
)
def test_blocks_larger_than_a_job_array_are_counted(small, size, said):
    found = problems(small, size=size)
    assert [one[3][: len(text)] for one, text in zip(found, said, strict=True)] == said
    assert all("MaxArraySize" in one[3] and one[:3] == ("warning", "", "") for one in found)


@pytest.mark.parametrize(("most", "said"), [(17, 0), (16, 1)])
def test_more_tasks_than_slurm_holds_jobs_are_said(small, most, said, monkeypatch):
    assert room.USUAL_MOST_JOBS == 10_000
    monkeypatch.setattr(room, "USUAL_MOST_JOBS", most)
    found = problems(small)
    assert len(found) == said
    assert all("has 17 tasks, and Slurm holds 16 jobs" in one[3] for one in found)


@pytest.mark.parametrize(
    ("starts", "said"),
    [
        ([0.0, 2.0, 0.0], None),
        ([0.5, 2.5, 0.0], "has 1 wait between tasks"),
        ([0.5, 3.0, 0.5], "has 3 waits between tasks"),
        ([0.0, 2.0000005, 0.0], None),
        ([0.0, 2.00001, 0.0], "has 1 wait between tasks"),
    ],
)
def test_waiting_is_said(starts, said):
    system = System((TaskType("T", 5),), (MachineType("A", 2),), np.array([[1.0]]))
    start = np.array(starts)
    stated = StatedBlocks(
        *map(np.array, ([0, 0, 0], [1, 1, 2], [0, 0, 0], [2, 1, 2])),
        start,
        start + np.array([2, 1, 2]),
    )
    found = list(foreseen(job_arrays_of(stated.in_order(), system), None, None))[2:]
    assert [one.message[: len(said or "")] for one in found] == ([said] if said else [])


def test_names_that_need_quotation_marks_are_listed(named):
    schedule = named(("x y", "-y", "$(z)"), ("A", "計"))
    commands = "task_type,command\nx y,run\n'-y,run\n$(z),run\n"
    (found,) = problems(schedule, MAP + "A,,n[1-3],\n計,,m[1-2],\n", commands)
    assert found[0] == "warning"
    assert "need quotation marks in a shell (x y, -y, $(z), 計)" in found[3]


@pytest.mark.parametrize(
    ("command", "names", "said"),
    [
        ("sh -c 'run {task_type}'", ("x", "A"), None),
        ("sh -c 'run {task_type}'", ("$(x)", "A"), "{task_type} is '$(x)', which sh may read"),
        ("sh -c 'run {machine}'", ("x", "A"), None),
        ("sh -c 'run {machine}'", ("x", "`A`"), "{machine} is '`A`', which sh may read as code"),
        ("eval run {machine}", ("x", "`A`"), "{machine} is '`A`', which eval may read as code"),
        ("run {machine} {task_type}", ("$(x)", "`A`"), None),
    ],
)
def test_a_name_that_a_program_would_read_as_code_is_an_error(named, command, names, said):
    task, machine = names
    schedule = named((task, "y", "z"), (machine, "B"))
    commands = f'task_type,command\n{task},{command}\ny,"{command}"\nz,run\n'
    found = [one for one in problems(schedule, None, commands) if one[0] == "error"]
    for severity, row, column, message in found:
        assert (severity, column) == ("error", "command")
        assert row in (task, "y")
        assert message.startswith(said)
        assert message.endswith("or rename it")
    assert bool(found) == bool(said)


def test_a_machine_type_matters_to_tasks_that_it_runs(named):
    schedule = named("xyz", ("A", "`B`"))
    commands = "task_type,command\nx,eval {machine}\ny,run\nz,run\n"
    assert [one[0] for one in problems(schedule, None, commands)] == ["warning", "warning"]
