"""The name of a job says which tasks of which schedule it runs, and no other job's name does."""

import re

import numpy as np
import pytest
from engines.slurm.tables import said, sheet
from hypothesis import given
from hypothesis import strategies as st
from strategies import schedules, systems

from core.engines.slurm.job_names import JobName, read_commands, schedule_digest
from core.files import inspect_schedule, write_schedule
from core.files.findings import Findings
from core.files.numbers import UnusableCell
from core.files.sheet import Sheet, SheetRow
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.ranges import MACHINE_COUNT, TASK_COUNT
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System

NAME = "wf-1a2b3c4d-5e6f7a8b-2-13-5-1000"
EIGHT = st.text("0123456789abcdef", min_size=8, max_size=8)
JOBS = st.builds(
    JobName,
    EIGHT,
    EIGHT,
    st.integers(0, 999_999),
    st.integers(1, int(MACHINE_COUNT.high)),
    st.integers(0, 999_999),
    st.integers(0, int(TASK_COUNT.high)),
)


def test_it_says_what_the_job_runs():
    assert JobName.parse(NAME) == JobName("1a2b3c4d", "5e6f7a8b", 1, 13, 4, 1000)
    assert str(JobName("1a2b3c4d", "5e6f7a8b", 1, 13, 4, 1000)) == NAME
    assert JobName("", "", 1, 13, 4, 1000).ending == "2-13-5-1000"


@given(JOBS)
def test_any_name_is_read_back(job):
    assert JobName.parse(str(job)) == job
    assert re.fullmatch(r"[a-z0-9-]{1,64}", str(job))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "wrap",
        NAME.upper(),
        f"{NAME} ",
        f"{NAME}\n",
        f"x{NAME}",
        NAME.removesuffix("-1000"),
        f"{NAME}-1",
        NAME.replace("1a2b3c4d", "1a2b3c4"),
        NAME.replace("5e6f7a8b", "5e6f7a8g"),
        NAME.replace("-2-", "-0-"),
        NAME.replace("-2-", "-02-"),
        NAME.replace("-13-", "-0-"),
        NAME.replace("-5-", "-0-"),
        NAME.replace("-1000", "-01"),
        NAME.replace("-1000", "-" + "9" * 14),
        NAME.replace("-13-", "-٣-"),
        "wf-" * 100_000,
    ],
)
def test_the_name_of_another_job_says_nothing(text):
    assert JobName.parse(text) is None


def test_a_digest_is_of_tasks_and_their_order_not_of_the_file(small, tmp_path):
    digest = schedule_digest(small.blocks(), small.system)
    assert re.fullmatch("[0-9a-f]{8}", digest)
    moved = Schedule(
        small.system,
        small.machine_type,
        small.machines,
        np.array([[2, 2, 0], [3, 0, 0], [0, 4, 2], [0, 0, 0]]),
    )
    assert schedule_digest(moved.blocks(), small.system) != digest


@given(schedule=schedules(systems(max_count=6)))
def test_a_schedule_has_the_same_digest_from_each_format(schedule, tmp_path_factory):
    folder, found = tmp_path_factory.mktemp("s"), set()
    for suffix in (".csv", ".json", ".xlsx"):
        write_schedule(schedule, folder / f"s{suffix}")
        stated = inspect_schedule(folder / f"s{suffix}", schedule.system).require()
        found.add(schedule_digest(stated.in_order(), schedule.system))
    assert len(found) == 1


def test_names_of_types_are_part_of_the_digest(named):
    digests = {
        schedule_digest(one.blocks(), one.system)
        for one in (
            named("xyz", "AB"),
            named("xyw", "AB"),
            named("xyz", "AC"),
            named(("xy", "z", "w"), "AB"),
            named(("x", "yz", "w"), "AB"),
        )
    }
    assert len(digests) == 5


HEADER = "task_type,command\n"


@pytest.fixture(scope="module")
def system():
    names = ("T1", "=T2", "$(touch pwned)")
    return System(tuple(map(TaskType, names)), (MachineType("M"),), [[1.0]] * 3)


def test_a_task_type_has_its_command_with_references(system):
    """What another table had wrong does not matter; lines of Windows become those of a shell."""
    findings = Findings()
    findings.error("map.csv", "", "", "is wrong; mend it")
    text = "T1,\"run {index} 'a, b'\"\n'=T2,sh -c '{task_type}'\n"
    text += '$(touch pwned),"a\r\nb\\\r\nc"\n'
    commands = read_commands(sheet(HEADER + text, findings), system, findings)
    assert len(said(findings)) == 1
    assert commands.label == "t.csv"
    assert commands.scripts == {
        0: "run \"${WATTFRONT_INDEX}\" 'a, b'",
        1: "sh -c ''\"${WATTFRONT_TASK_TYPE}\"''",
        2: "a\nb\\\nc",
    }
    assert commands.code == {0: [], 1: [("task_type", "sh")], 2: []}


NO_COMMAND = "task type 'T1' has no command; give one"
TWICE = "task type 'T1' is there twice; remove one row"


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("T1,run {x}\n", ["{x} is not a placeholder"]),
        ("T1,don't\n", ["' is opened, but not closed"]),
        ("T1,\n", [NO_COMMAND]),
        ("T1,  \n", [NO_COMMAND]),
        ("T1,a\x07b\n", ["has a control character; remove it"]),
        ("T1,a\nT1,b\n", [TWICE]),
        # A task type whose command is unusable is there already.
        ("T1,\nT1,a\n", [NO_COMMAND, TWICE]),
        ("T1,\nT1,\n", [NO_COMMAND, TWICE]),
    ],
)
def test_what_is_wrong_is_located(text, messages, system):
    findings = Findings()
    assert read_commands(sheet(HEADER + text, findings), system, findings) is None
    for (severity, row, column, found), message in zip(said(findings), messages, strict=True):
        assert (severity, column) == ("error", "command")
        assert row == ("line 3" if message == TWICE else "line 2")
        assert found.startswith(message)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (f"{HEADER}T1\nT1,b\n", "line 2 has 1 cells"),
        ("task_type,x\nT1,b\n", "column command is missing"),
        (f"{HEADER}T1,a\nT1,b\n", "is too large"),
    ],
)
def test_a_table_that_cannot_be_read_is_refused(system, monkeypatch, text, why):
    if why == "is too large":
        monkeypatch.setattr("core.files.limits.CELLS", 5)
    findings = Findings()
    assert read_commands(sheet(text, findings), system, findings) is None
    (problem,) = [one for one in findings.problems() if one.severity == "error"]
    assert why in problem.message
    assert problem.file == "t.csv"


def test_a_cell_that_is_neither_text_nor_a_number_is_located(system):
    cells = ["T1", UnusableCell("is an error of Excel; correct it")]
    rows = [SheetRow(1, ["task_type", "command"]), SheetRow(7, cells)]
    findings = Findings()
    assert read_commands(Sheet("t", rows, is_text=False), system, findings) is None
    expected = ("error", "line 7", "command", "is an error of Excel; correct it")
    assert said(findings) == [expected]


def test_a_task_type_of_another_system_is_not_used(system):
    findings = Findings()
    commands = read_commands(sheet(HEADER + "T9,don't\nT1,b\n", findings), system, findings)
    assert commands.scripts == {0: "b"}
    assert said(findings) == [
        (
            "warning",
            "line 2",
            "task_type",
            "task type 'T9' is not in the system; the row is not used",
        )
    ]
