"""Plans as files read back equal, are judged row by row, and say what is wrong."""

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from capabilities.centre.drawn_days import days, plans
from capabilities.centre.files.centre_files import put, read, zipped
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.centre.files.centre_file import CentreFile
from core.capabilities.centre.files.day_plan_file import (
    inspect_day_plan,
    inspect_day_plan_bytes,
    is_day_plan,
    planned_file,
    write_day_plan,
)
from core.capabilities.centre.judge import judged_plan
from core.capabilities.centre.plan import DayPlan
from core.vocabulary.problems import InvalidInput

SUFFIXES = ("", ".zip", ".xlsx", ".json")


def times(steps: int = 16) -> str:
    return "time,fan_speed,compressor\n" + "".join(f"{900 * k},0.5,\n" for k in range(steps))


USUAL = {
    "plan.toml": 'method = "mine"\n',
    "starts.csv": "job,start,count\nrender,0,1\nrender,1800,2\nmesh,5400,2\ntrain,900,1\n",
    "awake.csv": "kind,from,servers\ncpu,0,4\ngpu,0,1\ngpu,4500,0\n",
    "steps.csv": times(),
}


def said(**changes: str | None) -> list[str]:
    """All problems of the usual plan with some files changed: of the reader, or of the judge."""
    files = {**USUAL, **{name.replace("__", "."): text for name, text in changes.items()}}
    there = {name: text for name, text in files.items() if text is not None}
    found = inspect_day_plan_bytes("p.zip", zipped(there), read())
    problems = found.problems if found.value is None else found.value.judged().problems
    return [str(problem) for problem in problems]


def test_a_plan_of_a_few_lines(tmp_path: Path) -> None:
    file = read()
    path = put(tmp_path / "plan", USUAL)
    assert is_day_plan(path)
    assert not is_day_plan(tmp_path)
    found = inspect_day_plan(path, file).require()
    assert found.method == "mine"
    assert found.plan.awake.tolist() == [[4] * 16, [1] * 5 + [0] * 11]
    assert found.plan.speed.tolist() == [0.5] * 16
    assert not found.plan.compressor.any()
    assert found.judged().problems == ()
    grouped = found.grouped
    assert grouped.group.tolist() == [0, 0, 0, 1]
    assert grouped.start.tolist() == [0, 2, 6, 1]
    assert grouped.count.tolist() == [1, 2, 2, 1]
    assert judged_plan(file.day(), grouped).cost == found.judged().cost


@given(st.data(), st.sampled_from(SUFFIXES))
def test_any_plan_reads_back(data: st.DataObject, suffix: str) -> None:
    day = data.draw(days())
    plan = data.draw(plans(day))
    file = CentreFile.of_day(day)
    verdict = judged_plan(day, plan)
    planned = planned_file(file, plan, verdict, "any", "forecast")
    if not verdict.ok:
        planned = replace(planned, figures={})
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"plan{suffix}"
        write_day_plan(planned, path)
        assert is_day_plan(path)
        found = inspect_day_plan(path, file).require()
    for name in ("awake", "speed", "compressor"):
        assert (getattr(found.plan, name) == getattr(plan, name)).all()
    again = found.judged()
    assert again.ok == verdict.ok
    assert again.cost == verdict.cost
    assert (found.method, found.curves) == ("any", "forecast")


def test_a_plan_in_other_steps(tmp_path: Path) -> None:
    file = read().with_step(300)
    plan = DayPlan(
        np.array([0, 0, 0, 1]),
        np.array([0, 12, 18, 3]),
        np.array([2, 2, 1, 1]),
        np.tile(file.centre.counts[:, None], 48),
        np.full(48, 0.5),
        np.zeros(48, bool),
    )
    verdict = judged_plan(file.day(), plan)
    assert verdict.ok
    write_day_plan(planned_file(file, plan, verdict), tmp_path / "p")
    found = inspect_day_plan(tmp_path / "p", read()).require()
    assert found.file.grid.step == 300
    assert found.judged().ok
    write_day_plan(found, tmp_path / "p")
    text = (tmp_path / "p" / "plan.toml").read_text()
    (tmp_path / "p" / "plan.toml").write_text(text.replace(f"cost = {verdict.cost}", "cost = 0.01"))
    (problem,) = inspect_day_plan(tmp_path / "p", read()).require().judged().problems
    assert (problem.file, problem.column) == ("plan.toml", "cost")
    assert "is 0.01, but should be" in problem.message
    (tmp_path / "p" / "plan.toml").write_text("step = 1000\n")
    assert "no whole number of steps" in str(inspect_day_plan(tmp_path / "p", read()).problems[0])


def test_clocks_are_for_people(tmp_path: Path) -> None:
    file = read()
    found = inspect_day_plan(put(tmp_path / "plan", USUAL), file).require()
    write_day_plan(found, tmp_path / "again")
    starts = (tmp_path / "again" / "starts.csv").read_text().splitlines()
    assert starts[0] == "job,start,count,clock"
    assert starts[1] == "render,0.0,1,2026-08-01T00:00:00+01:00"
    awake = (tmp_path / "again" / "awake.csv").read_text().splitlines()
    assert awake[1:] == [
        "cpu,0.0,4,2026-08-01T00:00:00+01:00",
        "gpu,0.0,1,2026-08-01T00:00:00+01:00",
        "gpu,4500.0,0,2026-08-01T01:15:00+01:00",
    ]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"starts__csv": USUAL["starts.csv"].replace("mesh", "mash")},
            "starts.csv, row line 4, column job: 'mash' is not a job of the centre; correct the "
            "name",
        ),
        (
            {"starts__csv": USUAL["starts.csv"].replace("mesh,5400,2", "mesh,5400,1")},
            "starts.csv, row mesh, column job: has 1 start, but there are 2 such jobs; give as "
            "many starts",
        ),
        (
            {"starts__csv": USUAL["starts.csv"].replace("train,900,1\n", "")},
            "starts.csv, row train, column job: never starts; give a row with its start",
        ),
        (
            {"starts__csv": USUAL["starts.csv"].replace("train,900", "train,901")},
            "starts.csv, row line 5, column start: is 901 s, which is not when a step of 900 s "
            "begins; give a multiple of 900 s",
        ),
        (
            {"starts__csv": USUAL["starts.csv"].replace("train,900", "train,0")},
            "starts.csv, row line 5, column start: is 0 s, before the release at 900 s; start the "
            "job then or later",
        ),
        (
            {"starts__csv": USUAL["starts.csv"].replace("mesh,5400", "mesh,2700")},
            "awake.csv, row line 2 (at 2700 s), column awake: is 4, but 8 servers at work; let "
            "more be awake, or start jobs at another time",
        ),
        (
            {"awake__csv": USUAL["awake.csv"].replace("4500", "3600")},
            "awake.csv, row line 4 (at 3600 s), column awake: is 0, but 1 server at work; let more "
            "be awake, or start jobs at another time",
        ),
        (
            {"awake__csv": USUAL["awake.csv"].replace("gpu,0,1", "gpu,900,1")},
            "awake.csv, column from: does not say how many of gpu are awake at 0 s; add it",
        ),
        (
            {"awake__csv": USUAL["awake.csv"].replace("4500", "14400")},
            "awake.csv, row line 4, column from: is 14400 s, outside the day of 14400 s; remove "
            "the row, or correct it",
        ),
        (
            {"awake__csv": USUAL["awake.csv"] + "cpu,0,3\n"},
            "awake.csv, row line 5, column from: is there twice for this kind; keep one row",
        ),
        (
            {"awake__csv": USUAL["awake.csv"] + "tpu,0,3\n"},
            "awake.csv, row line 5, column kind: 'tpu' is not a kind of servers of the centre; "
            "correct the name",
        ),
        (
            {"awake__csv": USUAL["awake.csv"].replace("cpu,0,4", "cpu,0,5")},
            "awake.csv, row line 2 (at 0 s), column awake: is 5, of 4 servers; give "
            "numbers that there are",
        ),
        (
            {"steps__csv": times(15)},
            "awake.csv: has 15 steps, but the day has 16 steps; give a row for each",
        ),
        (
            {"steps__csv": times().replace("1800,", "1900,")},
            "steps.csv, row line 4, column time: is 1900 s, but row 3 is the step at 1800 s; give "
            "a row for each step of 900 s, in order",
        ),
        (
            {"steps__csv": times().replace("1800,0.5,", "1800,1.5,")},
            "steps.csv, row line 4, column fan_speed: is 1.5; give 0 to 1, a share of the full "
            "speed",
        ),
        (
            {"steps__csv": times().replace("1800,0.5,", "1800,0.5,yes")},
            "steps.csv, row line 4, column compressor: runs beside the fan at 0.5 of its speed; "
            "let one of them run",
        ),
        ({"awake__csv": None}, "p.zip: has no table awake; add it"),
        (
            {"steps__csv": None},
            "p.zip: has no steps.csv, so it is no plan of a day; give a folder that has one",
        ),
        (
            {"plan__toml": "late_jobs = 1\n"},
            "plan.toml, column late_jobs: is 1, but should be 0; correct it",
        ),
    ],
)
def test_each_fault_is_said(changes: dict[str, str | None], message: str) -> None:
    assert said(**changes)[0] == f"error: {message}"


def test_where_it_is_too_hot() -> None:
    warm = zipped(USUAL)
    file = read()
    hot = replace(file, centre=replace(file.centre, limit=24.0, first=24.0))
    found = inspect_day_plan_bytes("p.zip", warm, hot).require().judged()
    assert found.problems[0].file == "steps.csv"
    assert found.problems[0].row.startswith("line ")
    assert "above the limit of 24 °C" in found.problems[0].message


def test_paths_that_cannot_be(tmp_path: Path) -> None:
    found = inspect_day_plan(put(tmp_path / "plan", USUAL), read()).require()
    with pytest.raises(InvalidInput, match=r"name a folder, or a .zip, .xlsx or .json file"):
        write_day_plan(found, tmp_path / "x.csv")
    with pytest.raises(InvalidInput, match="there is no such folder"):
        write_day_plan(found, tmp_path / "none" / "x")


def test_blanks_units_and_a_job_a_row() -> None:
    """A start is of one job, a step without cooling has none, and titles may say the unit."""
    files = {
        "starts.csv": "job,start (s)\nrender,0\nrender,1800\nrender,1800\nmesh,5400\nmesh,5400\n"
        "train,900\n",
        "awake.csv": "kind,from [s],servers\ncpu,0,4\ngpu,0,1\n",
        "steps.csv": "time (s),fan_speed,compressor\n"
        + "".join(f"{900 * k},{'' if k else 0.5},\n" for k in range(16)),
    }
    found = inspect_day_plan_bytes("p.zip", zipped(files), read())
    assert found.problems == ()
    assert found.value is not None
    assert found.value.plan.count.tolist() == [1] * 6
    assert found.value.plan.speed.tolist() == [0.5] + [0.0] * 15
    assert not found.value.plan.compressor.any()
    assert (found.value.curves, found.value.method, found.value.figures) == ("came", "", {})


def test_a_plan_is_judged_under_the_curves_that_it_names() -> None:
    """Carbon came otherwise than it was forecast."""
    carbon = {}
    for name in ("came", "forecast"):
        files = {**USUAL, "plan.toml": f'curves = "{name}"\n'}
        found = inspect_day_plan_bytes("p.zip", zipped(files), read()).require()
        assert found.curves == name
        carbon[name] = found.judged().carbon
        assert carbon[name] == judged_plan(read().day(name), found.grouped).carbon
    assert carbon["came"] != carbon["forecast"]
    assert said(plan__toml='curves = "actual"\n') == [
        "error: plan.toml, column curves: 'actual' is not one of came, forecast; give one of them"
    ]
    files = {**USUAL, "plan.toml": "costs = 3\n"}
    (problem,) = inspect_day_plan_bytes("p.zip", zipped(files), read()).problems
    assert str(problem) == ("warning: plan.toml: keys that are not used: costs; remove them")
