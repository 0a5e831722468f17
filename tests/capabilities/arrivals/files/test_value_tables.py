"""Value functions, weights and periods in files: they read back, and faults have their places."""

from pathlib import Path

import numpy as np
import pytest

from core.capabilities.arrivals.files.workload_reader import inspect_workload
from core.capabilities.arrivals.files.workload_writer import write_workload
from core.capabilities.arrivals.made.recipes import recipe_named

POOLS = "pool,units,memory_gb\nA,8,16\n"
JOBS = "job,arrival,importance,category,time_soft,time_hard,time_least,energy_hard\n"
TWO = f"{JOBS}one,0,2,urgent,100,200,0.5,1000\ntwo,60,3,,,,,\n"
OPTIONS = (
    "job,pool,units,seconds,watts,memory_gb\none,A,2,100,5,4\none,A,1,150,9,4\ntwo,A,1,60,1,2\n"
)
WEIGHTS = (
    "category,period,time,energy\n"
    "usual,day,1,2\nusual,night,1,1\nurgent,day,10,1\nurgent,night,5,1\n"
)
PERIODS = "period,begin,end\nnight,0,8\nday,8,24\n"


def folder(path: Path, **tables: str) -> Path:
    given = {"pools": POOLS, "jobs": TWO, "options": OPTIONS, **tables}
    for name, text in given.items():
        (path / f"{name}.csv").write_text(text, encoding="utf-8")
    return path


def test_words_become_curves_priorities_and_extra_worth(tmp_path: Path) -> None:
    path = folder(tmp_path, weights=WEIGHTS, periods=PERIODS)
    file = inspect_workload(path).require()
    jobs, options = file.workload.jobs, file.workload.options
    # Time 0 is midnight; job one takes 500 J on its first option, and 1,350 J on the other.
    assert jobs.priority.tolist() == [10, 3]
    assert options.first.tolist() == [0, 1, 2]
    assert options.extra.tolist() == pytest.approx([2 * 1.0, 3.0])
    one, two = np.array([0]), np.array([1])
    assert file.workload.worth_of(one, one, np.array([150.0])) == pytest.approx([10 * 0.75 + 2])
    assert file.workload.worth_of(one, one, np.array([200.0])) == [0]
    assert file.workload.worth_of(two, two, np.array([1e6])) == [6]


def test_without_weights_time_and_energy_count_alike(tmp_path: Path) -> None:
    jobs = TWO.replace("urgent", "")
    file = inspect_workload(folder(tmp_path, jobs=jobs)).require()
    assert file.workload.jobs.priority.tolist() == [2, 3]
    assert file.workload.options.extra.tolist() == pytest.approx([2, 3])


@pytest.mark.parametrize("name", ["day", "day.zip", "day.xlsx", "day.json"])
def test_words_are_written_back(tmp_path: Path, name: str) -> None:
    recipe = recipe_named("value")
    assert recipe is not None
    drawn = recipe.draw(3)
    write_workload(drawn, tmp_path / name)
    read = inspect_workload(tmp_path / name).require()
    assert read.values is not None
    assert drawn.values is not None
    for mine, theirs in zip(drawn.values.time, read.values.time, strict=True):
        assert np.array_equal(mine, theirs)
    assert np.array_equal(drawn.values.weights.energy, read.values.weights.energy)
    assert np.array_equal(drawn.values.weights.period, read.values.weights.period)
    assert drawn.values.weights.first_hour == read.values.weights.first_hour == 22
    one, other = drawn.workload, read.workload
    assert np.array_equal(one.jobs.priority, other.jobs.priority)
    assert np.array_equal(one.options.extra, other.options.extra)
    assert np.array_equal(one.options.further, other.options.further)
    assert one.curves.pieces == other.curves.pieces


def test_thresholds_that_are_never_reached_are_blank(tmp_path: Path) -> None:
    file = inspect_workload(folder(tmp_path, weights=WEIGHTS, periods=PERIODS)).require()
    write_workload(file, tmp_path / "again")
    again = inspect_workload(tmp_path / "again").require()
    assert np.isinf(again.values.time.hard[1])
    assert (tmp_path / "again" / "jobs.csv").read_text().splitlines()[2].endswith(",,,1.0,0.0")


@pytest.mark.parametrize(
    ("tables", "place", "message"),
    [
        (
            {"jobs": TWO.replace("100,200", "300,200")},
            ("one", "time_hard"),
            "is 200, but the soft threshold is 300 or more; correct one",
        ),
        (
            {"jobs": TWO.replace("0.5,1000", "1.5,1000")},
            ("one", "time_most"),
            "is 1, but the least value is 1.5 or more; correct one",
        ),
        (
            {"jobs": TWO.replace("200,0.5", "200,-1")},
            ("one", "time_least"),
            "is −1, but a value is 0 or more; correct one",
        ),
        (
            {"jobs": TWO.replace("100,200", "-5,200")},
            ("one", "time_soft"),
            "is −5, but a",
        ),
        ({"jobs": TWO.replace("0,2,urgent", "0,-2,urgent")}, ("one", "importance"), "is −2; use 0"),
        ({"jobs": TWO.replace("1000", "400")}, ("one", ""), "worth nothing on any option"),
        ({"jobs": TWO.replace("urgent", "odd")}, ("line 2", "category"), "not a category"),
        (
            {"jobs": TWO.replace(",energy_hard", ",curve").replace("1000", "constant")},
            ("", "curve"),
            "beside importance",
        ),
        (
            {"weights": WEIGHTS.replace("urgent,night,5,1\n", "")},
            ("urgent", "period"),
            "no weights in the period 'night'; add a row",
        ),
        ({"weights": WEIGHTS + "usual,day,3,3\n"}, ("line 6", "category"), "there twice"),
        (
            {"weights": WEIGHTS.replace("1,2", "-1,2")},
            ("usual", "time"),
            "is −1 in the period 'day'; a weight is 0 or more",
        ),
        ({"periods": "period,begin,end\nnight,0,8\nday,9,24\n"}, ("", "begin"), "leave 8:00 out"),
        ({"periods": "period,begin,end\nnight,0,8\nday,7,24\n"}, ("line 3", "begin"), "7:00"),
        ({"periods": "period,begin,end\nnight,0,8\nday,8,25\n"}, ("line 3", "end"), "25"),
        ({"periods": "period,begin,end\nnight,0,8\nnoon,8,24\n"}, ("line 3", "period"), "not a"),
        (
            {"pools": "pool,units\nA,8\n"},
            ("", "memory_gb"),
            "pools have no such column; add it to pools",
        ),
        (
            {"options": OPTIONS.replace("100,5,4", "100,5,40")},
            ("one", "memory_gb"),
            "takes 40 of A, which has 16",
        ),
        (
            {"pools": POOLS.replace("16", "-1")},
            ("A", "memory_gb"),
            "is -1; use",
        ),
    ],
)
def test_faults_have_their_places(
    tmp_path: Path, tables: dict[str, str], place: tuple[str, str], message: str
) -> None:
    given = {"weights": WEIGHTS, "periods": PERIODS, **tables}
    reading = inspect_workload(folder(tmp_path, **given))
    found = [(one.row, one.column) for one in reading.problems if message in one.message]
    assert place in found, [str(one) for one in reading.problems]


def test_of_many_faults_the_first_are_listed(tmp_path: Path) -> None:
    jobs = JOBS + "".join(f"j{k},{k},1,,100,50,0,1000\n" for k in range(1_000))
    options = "job,pool,units,seconds\n" + "".join(f"j{k},A,1,10\n" for k in range(1_000))
    reading = inspect_workload(folder(tmp_path, jobs=jobs, options=options))
    assert len(reading.problems) < 100
    assert "more" in reading.problems[-1].message


def test_several_periods_need_their_hours(tmp_path: Path) -> None:
    reading = inspect_workload(folder(tmp_path, weights=WEIGHTS))
    assert any("no table periods says when" in one.message for one in reading.problems)
