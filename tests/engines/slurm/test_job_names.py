"""The name of a job says which tasks of which schedule it runs, and no other job's name does."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import schedules, systems

from core.engines.slurm.job_names import JobName, schedule_digest
from core.files import inspect_schedule, write_schedule
from core.vocabulary.ranges import MACHINE_COUNT, TASK_COUNT
from core.vocabulary.schedule import Schedule

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
