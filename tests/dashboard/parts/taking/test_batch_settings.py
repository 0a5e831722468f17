"""What is typed of batch scripts becomes what the command would make of files with the same
content; what is wrong is said first.
"""

import io
import stat
import zipfile
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from core.engines.slurm.binding import COLUMNS, read_binding
from core.engines.slurm.job_arrays import job_arrays_of
from core.engines.slurm.job_names import read_commands
from core.engines.slurm.scripts import script_files
from core.files.findings import Findings
from core.files.table_file import sheet_of_table
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.problems import InvalidInput, errors
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System
from dashboard.parts.taking import batch_settings
from dashboard.parts.taking.batch_settings import (
    COMMAND_OF_ALL,
    COMMANDS,
    MAP,
    MOST_ROWS,
    PREVIEW_LINES,
    ROWS_OF_MACHINES,
    BatchSettings,
    Foreseen,
    PlaceRow,
    archive,
    changed,
    foresee,
    own_commands,
    preview,
    read_map,
    rows_of_machines,
    rows_of_types,
)
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


def machines(*counts: int) -> System:
    kinds = tuple(MachineType(f"M{j}", count) for j, count in enumerate(counts))
    return System((TaskType("T", 1),), kinds, np.ones((1, len(counts))))


@pytest.mark.parametrize(
    ("count", "rows"),
    [(ROWS_OF_MACHINES - 1, 64), (ROWS_OF_MACHINES - 2, 63), (ROWS_OF_MACHINES, 2)],
)
def test_few_machines_have_a_row_each_and_many_have_one_a_type(count: int, rows: int) -> None:
    begun = BatchSettings.of(machines(count, 0, 1)).places
    assert len(begun) == rows
    assert not any(row.has_place for row in begun)
    assert all(row.machine == "" for row in begun) == (rows == 2)


def test_rows_of_machines_are_numbered_within_their_type() -> None:
    assert rows_of_machines(machines(2, 0, 1)) == (
        PlaceRow("M0", "1"),
        PlaceRow("M0", "2"),
        PlaceRow("M2", "1"),
    )
    assert rows_of_types(machines(2, 0, 1)) == (PlaceRow("M0"), PlaceRow("M2"))


def test_nodes_that_are_known_are_there_at_first() -> None:
    nodes = (("n8", "n9"), (), ("g1", "g1"))
    some = [row[1:3] for row in rows_of_machines(machines(3, 0, 2), nodes)]
    assert some == [("1", "n8"), ("2", "n9"), ("3", ""), ("1", "g1"), ("2", "g1")]
    assert [row.node for row in rows_of_types(machines(2, 0, 2), nodes)] == ["n[8-9]", ""]
    assert [row.node for row in rows_of_types(machines(3, 0, 2), nodes)] == ["", ""]
    begun = BatchSettings.of(machines(2), (("n8", "n9"),))
    assert begun.places == rows_of_machines(machines(2), nodes[:1])


def test_the_columns_are_those_of_a_map_file() -> None:
    assert PlaceRow._fields == COLUMNS


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
