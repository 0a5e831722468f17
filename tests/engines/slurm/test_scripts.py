"""The scripts run each task once, in order, with its values; no name is ever run."""

import csv
import io
import os
import re
import subprocess
import zipfile
from collections import Counter
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from engines.slurm.tables import sheet
from engines.slurm.test_placeholders import HOSTILE
from hypothesis import given
from patience import PATIENCE
from strategies import schedules, systems

from core.engines.slurm.binding import read_binding
from core.engines.slurm.foreseen import foreseen
from core.engines.slurm.job_arrays import job_arrays_of
from core.engines.slurm.job_names import JobName, read_commands
from core.engines.slurm.requested import licences_within
from core.engines.slurm.scripts import (
    PLAN_COLUMNS,
    archived_scripts,
    check_scripts_folder,
    script_files,
    write_scripts,
)
from core.files.findings import Findings
from core.files.sheet import csv_cell, restored
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.problems import InvalidInput
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System

MAP = "machine_type,machine,node,constraint,partition\nA,,n[1-3],big,\nB,,,fast&new,long\n"
COMMANDS = (
    "task_type,command\n"
    'x,"printf \'<%s>\' {task_type} {index} {machine} {seconds} ""$#"""\n'
    "y,run\nz,run\n"
)


def written(schedule, folder, *, binding=None, commands=None, size=1001):
    system, findings = schedule.system, Findings()
    bound = binding and read_binding(sheet(binding), system, findings)
    told = commands and read_commands(sheet(commands), system, findings)
    assert not findings.failed
    arrays = job_arrays_of(schedule.blocks(), system, size)
    write_scripts(script_files(arrays, bound, told), folder)
    return arrays


def options(job):
    return dict(word[2:].partition("=")[::2] for word in job["words"] if word.startswith("--"))


def arguments(job):
    return [word for word in job["words"] if not word.startswith("--")]


def task(job, index, slurm, folder):
    """What one task of a job array prints."""
    script, *values = arguments(job)
    return slurm.bash(folder / script, *values, SLURM_ARRAY_TASK_ID=str(index))


def test_jobs_are_chains_on_their_nodes(small, slurm, tmp_path):
    arrays = written(small, tmp_path / "out", binding=MAP, commands=COMMANDS, size=2)
    ran = slurm.bash(tmp_path / "out" / "submit.sh")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.endswith("All 10 job arrays are submitted: 10 now, 0 before.\n")
    (run,) = {JobName.parse(job["name"]).run for job in slurm.jobs}
    number = 100
    for chain in arrays.chains():
        previous = None
        for array in chain:
            job = slurm.jobs[number - 100]
            assert JobName.parse(job["name"]) == JobName(
                arrays.digest,
                run,
                array.machine_type,
                array.machine,
                array.task_type,
                array.first_index,
            )
            place = (
                {"exclusive": "", "nodelist": f"n{array.machine}", "constraint": "big"}
                if array.machine_type == 0
                else {"nodes": "1", "exclusive": "", "constraint": "fast&new", "partition": "long"}
            )
            after = {"dependency": f"afterany:{previous}"} if previous else {}
            assert options(job) == place | after | {
                "parsable": "",
                "job-name": job["name"],
                "array": f"0-{array.tasks - 1}%1",
            }
            seconds = arrays.system.etc[array.task_type, array.machine_type]
            assert arguments(job) == [
                f"tasks/{array.task_type + 1}-{'xyz'[array.task_type]}.sh",
                str(array.first_index),
                f"{'AB'[array.machine_type]}-{array.machine}",
                repr(float(seconds)),
            ]
            previous, number = number, number + 1
    assert len(slurm.jobs) == number - 100


def test_a_task_gets_its_values_and_has_the_status_of_its_command(small, slurm, tmp_path):
    folder = tmp_path / "out"
    written(small, folder, commands=COMMANDS.replace("y,run", "y,exit 7"))
    slurm.bash(folder / "submit.sh")
    second, failing = (job for job in slurm.jobs if arguments(job)[2] == "A-2")
    assert task(second, 2, slurm, folder).stdout == "<x><5><A-2><4.0><0>"
    assert task(failing, 0, slurm, folder).returncode == 7


def test_without_commands_a_task_says_what_it_is(small, slurm, tmp_path):
    folder = tmp_path / "out"
    written(small, folder)
    slurm.bash(folder / "submit.sh")
    ran = task(slurm.jobs[-1], 1, slurm, folder)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout == "no command yet: task 1 of z on B-1\n"
    assert "No commands were given" in (folder / "README.md").read_text()
    assert options(slurm.jobs[0]) == {
        "nodes": "1",
        "exclusive": "",
        "parsable": "",
        "job-name": slurm.jobs[0]["name"],
        "array": "0-2%1",
    }


def test_tasks_take_licences_for_their_watts_above_idle(slurm, tmp_path):
    """Rounded up, on each machine type; what the cap leaves is rounded down."""
    system = System(
        (TaskType("x", 2),),
        (MachineType("A", 1, 10.0, 1.0), MachineType("B", 1, 20.0)),
        np.ones((1, 2)),
        np.array([[55.2, 20.0]]),
    )
    schedule = Schedule(system, [0, 1], [1, 1], [[1], [1]])
    arrays = replace(
        job_arrays_of(schedule.blocks(), system), licences=licences_within(system, 99.9)
    )
    assert [problem.message for problem in foreseen(arrays, None, None) if problem.row] == []
    write_scripts(script_files(arrays, None, None), tmp_path / "job")
    submitted = (tmp_path / "job" / "submit.sh").read_text()
    taken = [line for line in submitted.splitlines() if line.startswith("array ")]
    assert ["--licenses=watts:46" in line for line in taken] == [True, False]
    assert "`Licenses=watts:69`" in (tmp_path / "job" / "README.md").read_text()
    short = replace(arrays, licences=licences_within(system, 70.0))
    (said,) = [problem for problem in foreseen(short, None, None) if problem.row]
    assert said.message.startswith("draws 46 W more than idle, and the cap leaves 40 W")


def test_options_of_sbatch_may_be_added_at_the_top_of_a_script(small, tmp_path):
    """Slurm reads them up to the first command."""
    written(small, tmp_path / "out", commands=COMMANDS)
    lines = (tmp_path / "out" / "tasks" / "1-x.sh").read_text().splitlines()
    assert lines[:2] == ["#!/bin/bash", "#SBATCH --output=output/%x-%a.txt"]
    assert "\n".join(lines).count("#SBATCH --") == 2


def time_limits(folder):
    """`--time` of each script."""
    scripts = sorted((folder / "tasks").iterdir())
    return [re.search(r"^#SBATCH --time=(.+)$", one.read_text(), re.M)[1] for one in scripts]


EACH_ON_BOTH = [[1, 1], [1, 1]]


@pytest.mark.parametrize(
    ("times", "tasks", "limits"),
    [
        ([[30.0, 30.0], [60.0, 60.0]], EACH_ON_BOTH, ["6", "7"]),
        ([[30.1, 1.0], [3600.0, 7200.0]], EACH_ON_BOTH, ["7", "245"]),
        ([[0.001, 0.001], [1e11, 1e11]], EACH_ON_BOTH, ["6", "UNLIMITED"]),
        # What a machine would take that does not run the type is no reason.
        ([[30.0, 9000.0], [30.0, 60.0]], [[2, 0], [0, 1]], ["6", "7"]),
    ],
)
def test_a_task_may_take_twice_as_long_as_planned_and_five_minutes(times, tasks, limits, tmp_path):
    """Issue 33, point 12: Slurm's DefaultTime does not end tasks that take as long as planned."""
    counts = np.sum(tasks, axis=0).tolist()
    system = System(tuple(map(TaskType, "xy", counts)), tuple(map(MachineType, "AB")), times)
    schedule = Schedule(system, np.array([0, 1]), np.array([1, 1]), np.array(tasks))
    written(schedule, tmp_path / "out")
    assert time_limits(tmp_path / "out") == limits


def test_machines_on_one_node_share_it(small, slurm, tmp_path):
    """Issue 33, point 12: a node is for one machine alone, unless the map gives it to several."""
    shared = "machine_type,machine,node\nA,1,n1\nA,2,n1\nA,3,n2\nB,1,n3\n"
    written(small, tmp_path / "out", binding=shared)
    slurm.bash(tmp_path / "out" / "submit.sh")
    alone = {options(job)["nodelist"]: "exclusive" in options(job) for job in slurm.jobs}
    assert alone == {"n1": False, "n2": True, "n3": True}


@given(schedule=schedules(systems(max_count=6, max_machine_types=2)))
def test_any_schedule_becomes_scripts_that_bash_reads(schedule, tmp_path_factory):
    folder = tmp_path_factory.mktemp("batch") / "out"
    written(schedule, folder)
    scripts = [folder / "submit.sh", folder / "cancel.sh", *(folder / "tasks").iterdir()]
    for script in scripts:
        assert re.fullmatch(r"[A-Za-z0-9_.-]+", script.name)
    joined = b"\n".join(script.read_bytes() for script in scripts)
    checked = subprocess.run(
        ["bash", "-n"], input=joined, capture_output=True, check=False, timeout=PATIENCE
    )
    assert (checked.returncode, checked.stderr) == (0, b"")


@given(schedule=schedules(systems(max_count=6)))
def test_the_plan_has_each_job_array(schedule, tmp_path_factory):
    folder = tmp_path_factory.mktemp("batch") / "out"
    arrays = written(schedule, folder)
    with (folder / "plan.csv").open(encoding="utf-8", newline="") as stream:
        header, *rows = csv.reader(stream, strict=True)
    assert tuple(header) == PLAN_COLUMNS
    assert [
        (restored(row[0]), int(row[1]), restored(row[4]), *map(int, row[5:7]), float(row[8]))
        for row in rows
    ] == [
        (
            arrays.system.machine_names[array.machine_type],
            array.machine,
            arrays.system.task_names[array.task_type],
            array.first_index,
            array.tasks,
            array.end,
        )
        for chain in arrays.chains()
        for array in chain
    ]
    for row in rows:
        assert not re.match(r"[=+\-@]", row[0] + row[4])
        job = JobName.parse(f"wf-{'0' * 8}-{'0' * 8}-{row[3]}")
        assert arrays.system.machine_names[job.machine_type] == restored(row[0])


@pytest.mark.parametrize("number", range(0, len(HOSTILE), 5))
def test_hostile_names_are_never_run(named, slurm, tmp_path, number):
    """A canary in the folder, in the home and in the working folder would show it."""
    names = [*HOSTILE, *HOSTILE][number : number + 5]
    schedule = named(names[:3], names[3:])
    command = '"printf \'%s|%s|%s\' {task_type} \'{machine}\' ""{index}"""'
    rows = [f"{csv_cell(name)},{command}\n" for name in names[:3]]
    commands = "task_type,command\n" + "".join(rows)
    folder = tmp_path / "out dir $(touch pwned)"
    written(schedule, folder, commands=commands)
    before = files(tmp_path)
    assert slurm.bash(folder / "submit.sh", HOME=str(tmp_path)).returncode == 0
    seen = Counter()
    for job in slurm.jobs:
        name = JobName.parse(job["name"])
        size = int(re.fullmatch(r"0-(\d+)%1", options(job)["array"])[1]) + 1
        ran = task(job, 0, slurm, folder)
        assert ran.stderr == ""
        kind, machine = schedule.system.task_names[name.task_type], names[3:][name.machine_type]
        assert ran.stdout == f"{kind}|{machine}-{name.machine}|{name.first_index}"
        seen[name.task_type] += size
    assert seen == {0: 7, 1: 8, 2: 2}
    assert slurm.bash(folder / "cancel.sh", HOME=str(tmp_path)).returncode == 0
    made = {path for path in files(tmp_path) - before if "/submitted/" not in path}
    assert {path.removeprefix(str(tmp_path)) for path in made} <= {"/slurm/jobs", "/slurm/calls"}
    assert not [path for path in files(tmp_path) if path.endswith("pwned")]


def files(folder):
    return {os.path.join(top, name) for top, _, names in os.walk(folder) for name in names}  # noqa: PTH118


def test_the_readme_counts_what_runs(named, tmp_path):
    schedule = named("xyz", "AB")
    system = replace(schedule.system, etc=schedule.system.etc * 1.00049)
    arrays = written(replace(schedule, system=system), tmp_path / "out")
    said = (tmp_path / "out" / "README.md").read_text()
    # The two machines A 1 and A 2 take 17 * 1.00049 = 17.00833 s: what is planned is spent, so it
    # is rounded up.
    assert "runs 17 tasks on 4 machines, planned for 17.01 s, as 7 job arrays." in said
    assert f"wf-{arrays.digest}-5e6f7a8b-2-13-5-1000" in said
    assert "No commands were given, so write them into these scripts." in said
    written(schedule, tmp_path / "told", commands=COMMANDS)
    assert "No commands" not in (tmp_path / "told" / "README.md").read_text()


FILES = {
    "README.md": ["a\n"],
    "submit.sh": ["b\n", "計\n"],
    "cancel.sh": ["c\n"],
    "plan.csv": ["d\n"],
    "tasks/1-x.sh": ["e\n"],
}


def content(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in folder.rglob("*")
        if path.is_file()
    }


def nothing_beside(folder):
    return not [path for path in folder.parent.iterdir() if path.name.startswith(".wattfront")]


WRITTEN = {name: "".join(lines) for name, lines in FILES.items()}


@pytest.mark.parametrize("before", ["nothing", "an empty folder", "earlier scripts"])
def test_it_is_written_where_nothing_else_is(tmp_path, before):
    folder = tmp_path / "out"
    if before != "nothing":
        folder.mkdir()
    if before == "earlier scripts":
        write_scripts(FILES | {"tasks/2-old.sh": ["old\n"]}, folder)
    write_scripts(FILES, folder)
    assert content(folder) == WRITTEN
    assert nothing_beside(folder)


def test_a_person_may_run_what_is_for_persons(tmp_path):
    write_scripts(FILES, tmp_path / "out")
    runs = {name for name in FILES if (tmp_path / "out" / name).stat().st_mode & 0o100}
    assert runs == {"submit.sh", "cancel.sh"}


@pytest.mark.parametrize(
    ("there", "said"),
    [
        ("notes.txt", "notes.txt there is not one of batch scripts"),
        ("submit.sh", "submit.sh there is not one of batch scripts"),
        ("tasks/1-x.sh", "tasks there is not one of batch scripts"),
        (".hidden", ".hidden there is not one of batch scripts"),
    ],
)
def test_a_folder_with_something_else_is_refused_and_unchanged(tmp_path, there, said):
    path = tmp_path / "out" / there
    path.parent.mkdir(parents=True)
    path.write_text("mine")
    with pytest.raises(InvalidInput, match=said):
        write_scripts(FILES, tmp_path / "out")
    assert content(tmp_path / "out") == {there: "mine"}


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("mine", "mine there is not"),
        ("output", "output"),
        ("submitted", "its jobs were submitted; choose another folder"),
    ],
)
def test_so_are_earlier_scripts_with_something_else_or_that_were_submitted(tmp_path, more, said):
    write_scripts(FILES, tmp_path / "out")
    (tmp_path / "out" / more).mkdir()
    for write in (check_scripts_folder, partial(write_scripts, FILES)):
        with pytest.raises(InvalidInput, match=said):
            write(tmp_path / "out")
    assert content(tmp_path / "out") == WRITTEN


def test_so_is_what_is_not_a_folder(tmp_path):
    (tmp_path / "file").write_text("mine")
    (tmp_path / "there").mkdir()
    (tmp_path / "link").symlink_to("there")
    (tmp_path / "loose").symlink_to("nowhere")
    for name in ("file", "link", "loose"):
        with pytest.raises(InvalidInput, match="it is not a folder; choose another place"):
            check_scripts_folder(tmp_path / name)
    with pytest.raises(InvalidInput, match="there is no folder to make it in"):
        check_scripts_folder(tmp_path / "no" / "out")


@pytest.mark.parametrize("earlier", [False, True])
def test_a_failure_leaves_what_was_there(tmp_path, earlier):
    folder = tmp_path / "out"
    if earlier:
        write_scripts(FILES, folder)

    def lines():
        yield "one\n"
        raise OSError(28, "No space left on device")

    with pytest.raises(InvalidInput, match="No space left on device"):
        write_scripts({"submit.sh": ["x"], "plan.csv": lines()}, folder)
    assert folder.exists() == earlier
    assert not earlier or content(folder) == WRITTEN
    assert nothing_beside(folder)


def test_the_earlier_scripts_come_back_if_the_new_ones_cannot_take_their_place(
    tmp_path, monkeypatch
):
    folder = tmp_path / "out"
    write_scripts(FILES, folder)
    rename = type(folder).rename

    def failing(path, target):
        if path.name.startswith(".wattfront") and (path / "submit.sh").read_text() == "new":
            raise OSError(13, "Permission denied")
        return rename(path, target)

    monkeypatch.setattr(type(folder), "rename", failing)
    with pytest.raises(InvalidInput, match="Permission denied"):
        write_scripts(FILES | {"submit.sh": ["new"]}, folder)
    assert content(folder) == WRITTEN
    assert nothing_beside(folder)


def test_the_least_that_is_a_folder_of_scripts(tmp_path):
    """`submit.sh` and `plan.csv`: less may be somebody's own."""
    for name in ("submit.sh", "plan.csv"):
        (tmp_path / name).write_text("mine")
    check_scripts_folder(tmp_path)
    (tmp_path / "plan.csv").unlink()
    with pytest.raises(InvalidInput, match=r"submit\.sh there is not one"):
        check_scripts_folder(tmp_path)


def test_an_archive_has_the_same_files_in_one_folder():
    with zipfile.ZipFile(io.BytesIO(archived_scripts(FILES, "wattfront"))) as archive:
        modes = {one.filename: one.external_attr >> 16 & 0o777 for one in archive.infolist()}
        assert modes == {
            f"wattfront/{name}": 0o755 if name in ("submit.sh", "cancel.sh") else 0o644
            for name in FILES
        }
        for name, lines in FILES.items():
            assert archive.read(f"wattfront/{name}").decode() == "".join(lines)
