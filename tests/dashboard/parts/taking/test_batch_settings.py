"""What is typed of batch scripts becomes what the command would make of files with the same
content; what is wrong is said first.
"""

import io
import stat
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from log_stores import dump, store_of

from core.capabilities.makespan.solve import solve
from core.engines.slurm.binding import COLUMNS, read_binding
from core.engines.slurm.job_arrays import job_arrays_of
from core.engines.slurm.job_names import read_commands
from core.engines.slurm.places import MAP, PlaceRow, nodes_of_machines, rows_of_machines
from core.engines.slurm.scripts import script_files
from core.files import read_system
from core.files.findings import Findings
from core.files.table_file import sheet_of_table
from core.vocabulary.budget import Effort
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.problems import InvalidInput, errors
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System
from dashboard.parts.taking import batch_settings
from dashboard.parts.taking.batch_settings import (
    COMMAND_OF_ALL,
    COMMANDS,
    MOST_ROWS,
    PREVIEW_LINES,
    BatchSettings,
    Foreseen,
    archive,
    changed,
    foresee,
    own_commands,
    preview,
    read_map,
)
from dashboard.screens.importing.log_answer import LogAsked, answer
from dashboard.workspace.export import file_name

HOSTILE = ("$(touch pwned)", "<b>=1+1</b>", "'; rm -rf / #", "-n", "T\N{RIGHT-TO-LEFT OVERRIDE}x")


def schedule_of(tasks: tuple[str, ...] = ("x", "y"), machines: tuple[str, ...] = ("A", "B")):
    """Machine A 1 and 2 run 3 tasks of the first type each, B 1 runs 2 of the second."""
    system = System(
        tuple(map(TaskType, tasks, (6, 2))),
        tuple(map(MachineType, machines, (2, 1))),
        np.array([[4.0, 9.0], [2.5, 1.5]]),
    )
    groups = np.array([0, 1]), np.array([2, 1]), np.array([[3, 0], [0, 2]])
    return Schedule(system, *groups)


@pytest.fixture(scope="module")
def schedule() -> Schedule:
    return schedule_of()


@pytest.fixture
def settings(schedule: Schedule) -> BatchSettings:
    """Every machine on a node of its own."""
    nodes = ("a1", "a2", "b1")
    rows = rows_of_machines(schedule.system)
    return BatchSettings(
        tuple(row._replace(node=node) for row, node in zip(rows, nodes, strict=True))
    )


def said(found: Foreseen) -> list[tuple[str, str, str, str]]:
    return [(one.severity, one.file, one.row, one.column) for one in found.problems]


def test_edits_are_of_the_rows_that_were_given() -> None:
    rows = (PlaceRow("A", "1"), PlaceRow("A", "2"), PlaceRow("B", "1"))
    state = {
        "edited_rows": {"2": {"node": "n3", "machine": None}, "0": {"node": "n1"}},
        "added_rows": [{"machine_type": "C", "_index": 7}, {}],
        "deleted_rows": [1],
    }
    assert changed(rows, state) == (
        PlaceRow("A", "1", "n1"),
        PlaceRow("B", "", "n3"),
        PlaceRow("C"),
        PlaceRow(),
    )
    many = {"edited_rows": {}, "added_rows": [{}] * MOST_ROWS, "deleted_rows": []}
    assert len(changed(rows, many)) == MOST_ROWS


def test_a_blank_command_is_the_command_of_all() -> None:
    edited = {"2": {"command": "b"}, "0": {"command": None}, 1: {}, "4": {"command": "  "}}
    assert own_commands({0: "a", 1: "c"}, edited) == ((1, "c"), (2, "b"))


def test_nothing_typed_is_no_error(schedule: Schedule) -> None:
    found = foresee(schedule, BatchSettings.of(schedule.system))
    assert said(found) == [("warning", "", "", "")]
    assert "no table binds machines to nodes" in found.problems[0].message
    assert (found.job_arrays, found.tasks, found.machines) == (3, 8, 3)
    assert found.ok


def test_all_typed_is_no_problem(schedule: Schedule, settings: BatchSettings) -> None:
    found = foresee(schedule, settings)
    assert found.problems == ()
    assert found.paths[:2] == ("tasks/1-x.sh", "tasks/2-y.sh")
    assert sorted(found.paths[2:]) == ["README.md", "cancel.sh", "plan.csv", "submit.sh"]


def with_places(settings: BatchSettings, change: str) -> BatchSettings:
    first, second, third = settings.places
    if change == "a place is missing":
        return replace(settings, places=(first, second._replace(node=" "), third))
    wrong = PlaceRow("B", "7", "b7"), PlaceRow("Z", "1", "z")
    return replace(settings, places=(PlaceRow(), *settings.places, *wrong))


@pytest.mark.parametrize(
    ("change", "faults"),
    [
        ("a place is missing", [("error", MAP, "A", "node")]),
        (
            "two rows are wrong",
            [("error", MAP, "row 5", "machine"), ("warning", MAP, "row 6", "machine_type")],
        ),
        ({"command": "run {nobody}"}, [("error", COMMAND_OF_ALL, "row 1", "command")]),
        ({"command": "run {nobody}", "own_commands": ((0, "a"), (1, "b"))}, []),
        ({"own_commands": ((1, "run {nobody}"),)}, [("error", COMMANDS, "row 2", "command")]),
        ({"command": " "}, [("warning", "", "", "")]),
        ({"command": "", "own_commands": ((1, "b"),)}, [("error", COMMANDS, "x", "command")]),
    ],
)
def test_a_fault_is_said_once_and_where_it_is(
    schedule: Schedule,
    settings: BatchSettings,
    change: str | dict[str, Any],
    faults: list[tuple[str, str, str, str]],
) -> None:
    asked = (
        with_places(settings, change) if isinstance(change, str) else replace(settings, **change)
    )
    found = foresee(schedule, asked)
    assert said(found) == faults
    assert found.ok == all(fault[0] != "error" for fault in faults)


def test_what_is_too_large_to_plan_is_said(
    schedule: Schedule, settings: BatchSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = foresee(schedule, replace(settings, max_array_size=1))
    assert small.job_arrays == 8
    assert said(small) == [("warning", "the schedule", "", "")]
    monkeypatch.setattr("core.engines.slurm.job_arrays.MOST_JOB_ARRAYS", 7)
    refused = foresee(schedule, replace(settings, max_array_size=1))
    assert said(refused) == [("error", "the schedule", "", "")]
    assert "MaxArraySize" in refused.problems[0].message
    assert not refused.ok


def unpacked(data: bytes) -> dict[str, tuple[str, int]]:
    with zipfile.ZipFile(io.BytesIO(data)) as zipped:
        return {
            one.filename: (zipped.read(one).decode(), one.external_attr >> 16)
            for one in zipped.infolist()
        }


def test_the_archive_is_what_the_command_writes(
    schedule: Schedule, settings: BatchSettings
) -> None:
    settings = replace(settings, own_commands=((1, "train {index}"),), max_array_size=2)
    findings, system = Findings(), schedule.system
    table = ",".join(COLUMNS) + "\nA,1,a1,,\nA,2,a2,,\nB,1,b1,,\n"
    told = f"task_type,command\nx,{settings.command}\ny,train {{index}}\n"
    bound = read_binding(sheet_of_table("m.csv", table.encode(), "map", findings), system, findings)
    commands = read_commands(
        sheet_of_table("c.csv", told.encode(), "commands", findings), system, findings
    )
    assert not findings.problems()
    wanted = script_files(job_arrays_of(schedule.blocks(), system, 2), bound, commands)
    found = unpacked(archive(schedule, settings, "jobs"))
    assert {name: text for name, (text, _) in found.items()} == {
        f"jobs/{name}": "".join(lines) for name, lines in wanted.items()
    }
    modes = {name: mode for name, (_, mode) in found.items()}
    runs = {"jobs/submit.sh", "jobs/cancel.sh"}
    assert all(stat.S_ISREG(mode) for mode in modes.values())
    assert {name for name, mode in modes.items() if stat.S_IMODE(mode) == 0o755} == runs
    assert {stat.S_IMODE(modes[name]) for name in modes.keys() - runs} == {0o644}


def test_page_and_command_have_the_same_scripts_of_a_log(
    wattfront: Callable[..., Any], tmp_path: Path
) -> None:
    """Issue 35: nodes, partitions and requests of a log, also several nodes, from derived files."""
    log = dump(
        *[{"JobName": "a", "NodeList": f"n{k}", "AllocCPUS": 8, "ReqMem": "2Gn"} for k in (1, 2)],
        *[{"JobName": "a", "NodeList": "n[1-2]", "NNodes": 2, "AllocCPUS": 16}] * 3,
        *[{"JobName": "b", "NodeList": "g1", "Partition": "gpu", "Timelimit": "03:00:00"}] * 3,
    )
    (tmp_path / "log.txt").write_text(log)
    (tmp_path / "run.csv").write_text("task_type,command\na,run {index}\nb,run {index}\n")
    cluster, plan = tmp_path / "cl", tmp_path / "s.csv"
    assert wattfront("derive", tmp_path / "log.txt", "-o", cluster).status == 0
    assert wattfront("solve", cluster, "--seconds", 0, "-o", plan).status == 0
    with store_of(log) as store:
        found = answer(store.folder, LogAsked())
    assert found.system == read_system(cluster)
    nodes = nodes_of_machines(found.seen.node_use, found.system)
    typed = BatchSettings.of(found.system, nodes, found.seen.requests)
    schedule = solve(found.system, effort=Effort(0)).schedule
    page = unpacked(archive(schedule, replace(typed, command="run {index}"), "out"))
    told = ("--to", "slurm", "--commands", tmp_path / "run.csv", "-o", tmp_path / "out")
    exported = wattfront("export", cluster, plan, *told)
    assert "tasks of a request 2 nodes at once" in exported.err
    written = {name: (tmp_path / name).read_text() for name in page}
    assert written == {name: text for name, (text, _) in page.items()}
    submit = written["out/submit.sh"]
    assert "--nodelist=g1 --partition=gpu" in submit
    assert "--cpus-per-task=8 --mem=2048M --nodes=2 --ntasks=2 tasks/1-a.sh" in submit
    assert "--time=180" in written["out/tasks/2-b.sh"]


def test_the_archive_is_the_same_each_time(schedule: Schedule, settings: BatchSettings) -> None:
    assert archive(schedule, settings, "jobs") == archive(schedule, settings, "jobs")


def test_nothing_is_made_while_anything_is_wrong(
    schedule: Schedule, settings: BatchSettings
) -> None:
    wrong = replace(settings, command="run {nobody}")
    for make in (archive, preview):
        with pytest.raises(InvalidInput, match="nobody"):
            make(schedule, wrong, "jobs")


def test_a_preview_is_the_beginning_of_a_file(
    schedule: Schedule, settings: BatchSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = preview(schedule, settings, "tasks/1-x.sh")
    assert script.startswith("#!/bin/bash\n")
    assert script.endswith('on "${WATTFRONT_MACHINE}"')
    monkeypatch.setattr(batch_settings, "PREVIEW_LINES", 3)
    assert preview(schedule, settings, "plan.csv").count("\n") == 3
    assert preview(schedule, settings, "plan.csv").endswith("\n…")
    monkeypatch.setattr(batch_settings, "PREVIEW_LINES", PREVIEW_LINES)
    monkeypatch.setattr(batch_settings, "_PREVIEW_CHARACTERS", 20)
    assert len(preview(schedule, settings, "submit.sh")) == 22


@pytest.mark.parametrize("name", HOSTILE)
def test_names_of_strangers_stay_names(name: str) -> None:
    schedule = schedule_of((name, "y"), (name, "B"))
    places = (PlaceRow(name, "", "n[1-2]"), PlaceRow("B", "1", "b"))
    found = foresee(schedule, BatchSettings(places))
    assert not errors(found.problems)
    assert any("quotation marks" in one.message for one in found.problems)
    paths = unpacked(archive(schedule, BatchSettings(places), file_name(name, "", "slurm")))
    assert all(set(path) <= set(SAFE) for path in paths)
    assert len({path.split("/")[0] for path in paths}) == 1


SAFE = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./"


def test_a_map_file_fills_the_table_as_it_is() -> None:
    reading = read_map("m.csv", b"machine_type,node,machine\nA,n[1-2],\nB, b1 ,1\n")
    assert reading.value == (PlaceRow("A", "", "n[1-2]"), PlaceRow("B", "1", "b1"))
    assert reading.problems == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"node\nn1\n", "column machine_type is missing"),
        (b"", ""),
        (b"machine_type,node\nB,n2\nA,n1,7\n", "3 cells"),
        (b"\x00\x01", ""),
        (b"machine_type\n" + b"A\n" * (MOST_ROWS + 1), "too large"),
    ],
)
def test_a_map_file_that_cannot_be_used_changes_nothing(text: bytes, message: str) -> None:
    reading = read_map("m.csv", text)
    problems = reading.problems
    assert not reading.ok
    assert message in problems[0].message
    assert {one.file for one in problems} == {"m.csv"}


def test_a_map_file_of_the_most_rows_is_read() -> None:
    reading = read_map("m.csv", b"machine_type\n" + b"A\n" * MOST_ROWS)
    assert (len(reading.require()), reading.problems) == (MOST_ROWS, ())
