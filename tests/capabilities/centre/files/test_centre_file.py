"""A day of a centre's files: its grid, its jobs in groups and in rows, and its curves."""

import numpy as np
import pytest
from capabilities.centre.drawn_days import days, plans
from capabilities.centre.files.centre_files import read
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.centre.files.centre_file import CentreFile, CentreJobs
from core.capabilities.centre.plan import DayPlan, executing, measured
from core.vocabulary.problems import InvalidInput

HEADER = "job,kind,servers,seconds,release,due,count\n"


def test_jobs_take_whole_steps() -> None:
    """Just below, at and above a whole number of steps."""
    rows = "a,cpu,1,899,0,,1\nb,cpu,1,900,900,900,1\nc,cpu,1,901,901,1350,1\n"
    day = read(jobs__csv=HEADER + rows).day_by_rows()
    assert day.jobs.length.tolist() == [1, 1, 2]
    assert day.jobs.release.tolist() == [0, 1, 2]
    assert day.jobs.due.tolist() == [16, 1, 1.5]
    assert day.jobs.names == ("a", "b", "c")


def test_other_steps() -> None:
    file = read()
    finer = file.with_step(300)
    assert (finer.grid.steps, finer.day().step) == (48, 300)
    assert finer.day().jobs.length.tolist() == [6, 12]
    assert finer.day().curves.carbon[::12].tolist() == file.day().curves.carbon[::4].tolist()
    assert read(jobs__csv=HEADER + "a,cpu,1,900,13500,,1\n").with_step(900).grid.steps == 16
    with pytest.raises(InvalidInput, match="has no whole number of steps of 1000 s"):
        file.with_step(1000)
    with pytest.raises(
        InvalidInput, match="jobs, row a, column seconds: cannot end within the day in"
    ):
        read(jobs__csv=HEADER + "a,cpu,1,900,13500,,1\n").with_step(3600)
    light = read(
        centre__toml="[room]\nlimit=27\nfirst=24\nheat_capacity=1e6\nleak=50\n"
        "[cooling]\nfan_watts=1\nfan_heat=500\ncompressor_watts=1\ncompressor_heat=5500\n"
        "[grid]\nlength='4h'\n"
    )
    with pytest.raises(InvalidInput, match="too long for the room"):
        light.with_step(3600)


@given(st.data())
def test_plans_by_rows_and_by_groups(data: st.DataObject) -> None:
    """A plan stays what it is when rows are told apart, and comes back."""
    day = data.draw(days())
    plan = data.draw(plans(day))
    file = CentreFile.of_day(day)
    split = [file.jobs]
    if len(file.jobs):
        split.append(_split(data, file))
    for jobs in split:
        rows = CentreFile(file.centre, file.grid, jobs, file.signals)
        by_rows = rows.plan_by_rows(plan)
        of_rows = rows.day_by_rows()
        counts = np.zeros(len(jobs), np.int64)
        np.add.at(counts, by_rows.group, by_rows.count)
        assert counts.tolist() == jobs.count.tolist()
        starts = by_rows.group, by_rows.start, by_rows.count
        assert (
            executing(of_rows, *starts) == executing(day, plan.group, plan.start, plan.count)
        ).all()
        back = rows.plan_by_groups(by_rows)
        assert measured(rows.day(), back).lateness == measured(day, plan).lateness
        assert len(set(zip(back.group.tolist(), back.start.tolist(), strict=True))) == len(
            back.group
        )
        assert (back.count >= 1).all()


def _split(data: st.DataObject, file: CentreFile) -> CentreJobs:
    """The jobs with each row as several, in another order."""
    jobs = file.jobs
    row = np.repeat(np.arange(len(jobs)), jobs.count)
    order = np.array(data.draw(st.permutations(row.tolist())))
    return CentreJobs(
        jobs.kind[order],
        jobs.servers[order],
        jobs.seconds[order],
        jobs.release[order],
        jobs.due[order],
        np.ones(len(order), np.int64),
    )


def test_the_first_start_is_of_the_first_row() -> None:
    """`render` (3) and `mesh` (2) are equal jobs; five start at three times."""
    file = read()
    plan = plan_of(file, [(0, 4, 2), (0, 0, 1), (0, 2, 2), (1, 1, 1)])
    found = file.plan_by_rows(plan)
    names = [file.jobs.names[row] for row in found.group.tolist()]
    rows = list(zip(names, found.start.tolist(), found.count.tolist(), strict=True))
    assert rows == [
        ("render", 0, 1),
        ("render", 2, 2),
        ("mesh", 4, 2),
        ("train", 1, 1),
    ]


def plan_of(file: CentreFile, starts: list[tuple[int, int, int]]) -> DayPlan:
    steps = file.grid.steps
    columns = np.array(starts).T
    awake = np.tile(file.centre.counts[:, None], steps)
    return DayPlan(*columns, awake, np.zeros(steps), np.zeros(steps, bool))
