"""A study file keeps a centre whole, with what is asked of it; the command reads it from there."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from any_settings import any_settings
from capabilities.centre.drawn_days import days
from capabilities.centre.files.centre_files import JOBS, read
from examples import examples
from hypothesis import given

from core import study
from core.capabilities.centre import CAPABILITY
from core.capabilities.centre.asked import MOST_ROWS, AskedCentre, fits_study
from core.capabilities.centre.day import CentreDay
from core.capabilities.centre.files.centre_file import CentreFile
from core.capabilities.centre.files.centre_reader import inspect_centre
from core.capabilities.centre.settings import DaySettings, PlanningSettings
from core.capabilities.centre.study_block import commands, written
from core.capabilities.centre.study_block import read as read_block
from core.files.findings import Findings
from core.files.samples.named import centre_folder, load_sample
from core.files.strict_json import Fields
from core.shells.studies import StudySettings, inspect_study, write_study
from core.vocabulary.prices.site import ASSUMED

Asked = Callable[..., Any]


def small() -> AskedCentre:
    file = read()
    planning = PlanningSettings(("edd",), forecast=True)
    return AskedCentre(file, "mine", DaySettings("carbon", None, seconds=0.0), planning)


def told(content: dict[str, object]) -> tuple[AskedCentre | None, list[str]]:
    findings = Findings()
    asked = read_block(Fields(content, "s.json [centre]", findings), None)
    assert not findings.notes
    return asked, [f"{one.file} {one.column}: {one.message}" for one in findings.problems()]


def text_of(asked: AskedCentre | None) -> str:
    return json.dumps(written(asked), allow_nan=False)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A study file with the small centre."""
    settings = StudySettings("mine", blocks=CAPABILITY.block(small()))
    front = study(load_sample("two-by-two"), method="bound")
    write_study(front, settings, tmp_path / "s.json")
    return tmp_path / "s.json"


@pytest.mark.parametrize("name", ["london", "parasol"])
def test_samples_come_back_to_the_last_byte(name: str) -> None:
    asked = AskedCentre(inspect_centre(centre_folder(name)).require(), name)
    back, problems = told(json.loads(text_of(asked)))
    assert problems == []
    assert text_of(back) == text_of(asked)


@examples(24)
@given(days(), any_settings(DaySettings), any_settings(PlanningSettings))
def test_what_is_written_is_read_back(
    day: CentreDay, settings: DaySettings, planning: PlanningSettings
) -> None:
    if not len(day.jobs):
        return
    day = replace(day, centre=replace(day.centre, limit=150.0))
    asked = AskedCentre(CentreFile.of_day(day), "mine", settings, planning)
    back, problems = told(json.loads(text_of(asked)))
    if any("cannot hold" in one for one in problems):
        return
    assert back is not None, problems
    # A whole number that was drawn comes back as 300.0, which JSON takes for the same.
    assert written(back) == written(asked)
    assert text_of(told(json.loads(text_of(back)))[0]) == text_of(back)
    assert (back.settings, back.planning, back.name) == (settings, planning, "mine")


def test_a_study_file_keeps_it(path: Path) -> None:
    found = inspect_study(path).require().settings.block(AskedCentre)
    assert found is not None
    assert text_of(found) == text_of(small())
    assert list(found.file.signals.forecast) == list(small().file.signals.forecast)
    lines = json.loads(path.read_text())["commands"]
    assert lines[-1] == (
        "wattfront centre s.json --minimise carbon --at-most late=any --method plan,edd "
        "--forecast --seconds 0"
    )


def test_its_command_answers_the_same(path: Path, wattfront: Asked, tmp_path: Path) -> None:
    line = json.loads(path.read_text())["commands"][-1].split()
    found = wattfront("centre", path, *line[3:], "--json").data
    folder = tmp_path / "centre"
    said = wattfront("convert", path, folder)
    assert said.out == f"{folder}: a centre with 6 servers and 6 jobs\n"
    again = wattfront("centre", folder, *line[3:], "--json").data
    assert found["plan"]["carbon"] == again["plan"]["carbon"] > 0
    assert found["jobs"] == 6


def test_a_centre_is_converted_without_loss(wattfront: Asked, tmp_path: Path) -> None:
    given: Path | str = "parasol"
    for name in ("a.json", "b", "c.zip", "d.json"):
        assert wattfront("convert", given, tmp_path / name, "--json").data["jobs"] == 200
        given = tmp_path / name
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "d.json").read_bytes()
    refused = wattfront("convert", "parasol", tmp_path / "a.xlsx")
    assert "name a folder, or a .zip or .json file" in refused.err


def test_a_study_without_a_centre_says_so(wattfront: Asked, tmp_path: Path) -> None:
    front = study(load_sample("two-by-two"), method="bound")
    write_study(front, StudySettings("mine"), tmp_path / "s.json")
    refused = wattfront("centre", tmp_path / "s.json")
    assert "the study has no day of a centre; give a centre" in refused.err
    assert wattfront("convert", tmp_path / "s.json", tmp_path / "s.zip", "--json").data["tasks"]


def test_nothing_asked_is_nothing_written() -> None:
    assert written(None) == {}
    assert commands(None) == []
    assert told({}) == (None, ['s.json [centre] file: is not an object; give "file": {...}'])


def test_of_what_is_usual_the_command_says_nothing() -> None:
    file = read()
    assert commands(AskedCentre(file, planning=PlanningSettings(()))) == [[]]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda it: it.update(minimise="watts"), "minimise: "),
        (lambda it: it.update(methods=["magic"]), "methods: 'magic' is no method"),
        (lambda it: it.update(speed=1), ": keys that are not used: speed; remove them"),
        (lambda it: it["file"]["centre"]["room"].update(limit=-300), "limit: -300 is out of range"),
        (lambda it: it["file"]["jobs"][1].__setitem__(3, "soon"), "seconds: "),
        (lambda it: it["file"].pop("servers"), ": has no table servers; add it"),
    ],
)
def test_what_is_wrong_is_named(change: Callable[[dict[str, Any]], object], said: str) -> None:
    content = json.loads(text_of(small()))
    change(content)
    _, (problem, *_) = told(content)
    assert problem.startswith("s.json [centre]")
    assert said in problem


def test_what_is_too_large_is_known() -> None:
    assert fits_study(read())
    many = JOBS.splitlines()[0] + "\n" + MOST_ROWS * ",cpu,1,900,0,9000,1\n"
    assert not fits_study(read(jobs__csv=many))


def test_a_study_is_checked_with_its_centre(path: Path, wattfront: Asked) -> None:
    found = wattfront("check", path, "--json")
    assert found.status == 0
    assert found.data["centre"] == {"steps": 16, "jobs": 6, "servers": 6}
    assert found.data["tasks"] == 12
    assert "centre: jobs      6 jobs in 2 groups of equal ones" in wattfront("check", path).out
    content = json.loads(path.read_text())
    content["settings"]["centre"]["file"]["centre"]["room"]["limit"] = 1e9
    path.write_text(json.dumps(content))
    refused = wattfront("check", path, "--json")
    assert refused.status == 2
    assert [one["column"] for one in refused.data["problems"]] == ["limit"]


def test_a_study_without_a_centre_is_checked_as_a_system(tmp_path: Path, wattfront: Asked) -> None:
    front = study(load_sample("two-by-two"), method="bound")
    write_study(front, StudySettings("mine"), tmp_path / "s.json")
    found = wattfront("check", tmp_path / "s.json", "--json")
    assert found.status == 0
    assert "centre" not in found.data


def test_a_plan_for_the_centre_of_a_study_is_judged(path: Path, wattfront: Asked) -> None:
    plan = path.parent / "plan.zip"
    told = wattfront("centre", path, "--seconds", 0, "-o", plan, "--json").data["plan"]
    found = wattfront("verify", path, plan, "--json")
    assert found.status == 0
    assert found.data["cost"] == pytest.approx(told["cost"])


def test_the_centre_of_a_study_pays_the_price_of_its_site(path: Path) -> None:
    settings = StudySettings(
        "mine", site=replace(ASSUMED, price=0.5), blocks=CAPABILITY.block(small())
    )
    write_study(study(load_sample("two-by-two"), method="bound"), settings, path)
    asked = inspect_study(path).require().settings.block(AskedCentre)
    assert asked is not None
    assert asked.here.day().curves.price.tolist() == [0.5] * 16


def test_a_study_is_still_its_system(path: Path, wattfront: Asked) -> None:
    """What is wrong with other parts of it, or with a schedule for it, is said as for any study."""
    stated = path.parent / "schedule.csv"
    stated.write_text("job,start\na,0\n")
    refused = wattfront("verify", path, stated, "--json").data["problems"]
    assert not any("plan" in one["message"] for one in refused)
    content = json.loads(path.read_text())
    content["settings"]["seed"] = "x"
    path.write_text(json.dumps(content))
    assert wattfront("check", path, "--json").data["machines"] == 2
