"""What is written of a centre reads back equal, in every format."""

import json
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from capabilities.centre.drawn_days import STEP, days
from capabilities.centre.files.centre_files import CARBON, TOML, read, reading
from hypothesis import given
from hypothesis import strategies as st
from strategies import names

from core.capabilities.centre.centre import LinearRoom
from core.capabilities.centre.day import CentreDay
from core.capabilities.centre.files.centre_file import CentreFile
from core.capabilities.centre.files.centre_reader import (
    centre_in_document,
    inspect_centre,
)
from core.capabilities.centre.files.centre_writer import document_of_centre, write_centre
from core.capabilities.centre.made import made_day
from core.files.findings import Findings
from core.vocabulary.problems import InvalidInput

COLUMNS = ("kind", "width", "length", "release", "due", "count")


def assert_same(one: CentreDay, other: CentreDay) -> None:
    assert one.centre == other.centre
    for name in COLUMNS:
        assert getattr(one.jobs, name).tolist() == getattr(other.jobs, name).tolist()
    for name, values in vars(one.curves).items():
        assert values == pytest.approx(getattr(other.curves, name), rel=1e-12, abs=1e-12)
    assert (one.step, one.feed_in, one.peak_price) == (other.step, other.feed_in, other.peak_price)
    assert one.begins == other.begins


@given(days(), st.sampled_from(["", ".zip", ".json"]), names())
def test_any_day(day: CentreDay, suffix: str, name: str) -> None:
    if not len(day.jobs):
        return
    if isinstance(day.centre.room, LinearRoom):
        assert day.centre.room.step_seconds == STEP
    first, *others = day.centre.kinds
    kinds = (replace(first, name=name), *(kind for kind in others if kind.name != name))
    if len(kinds) == len(day.centre.kinds):
        day = replace(day, centre=replace(day.centre, kinds=kinds))
    day = replace(day, centre=replace(day.centre, limit=150.0), begins=1_785_538_800.0)
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"centre{suffix}"
        write_centre(CentreFile.of_day(day), path)
        found = inspect_centre(path)
    if any("cannot hold" in problem.message for problem in found.problems):
        return
    assert found.value is not None, found.problems
    assert_same(found.value.day(), day)


def test_made_days(tmp_path: Path) -> None:
    day = made_day("medium", "g2", "B", 3)
    for name in ("made", "made.zip", "made.json", "made"):
        write_centre(CentreFile.of_day(day), tmp_path / name)
        assert_same(inspect_centre(tmp_path / name).require().day(), day)


def test_curves_of_other_dates_stay_known_as_such(tmp_path: Path) -> None:
    file = read(centre__toml=TOML + "[moved]\ncarbon = 365\n")
    assert {kind.name: days for kind, days in file.moved.items()} == {"carbon": 365}
    assert file.fingerprint != read().fingerprint
    for name in ("x", "x.zip", "x.json"):
        write_centre(file, tmp_path / name)
        found = inspect_centre(tmp_path / name).require()
        assert (found.moved, found.fingerprint) == (file.moved, file.fingerprint)


@pytest.mark.parametrize("said", ["carbon = 0.5", "carbon = 1e6", "weather = 1"])
def test_curves_are_moved_by_whole_days(said: str) -> None:
    (problem,) = reading(centre__toml=f"{TOML}[moved]\n{said}\n").problems
    assert problem.file == "centre.toml [moved]"


def test_forecasts_panels_names_and_times(tmp_path: Path) -> None:
    toml = TOML + "[panels]\ncount = 3\nrated_kw = 0.5\nperformance_ratio = 0.75\n"
    file = read(centre__toml=toml, signals_sun__csv=CARBON.replace("value", "sun"))
    for name in ("x", "x.zip", "x.json"):
        write_centre(file, tmp_path / name)
        found = inspect_centre(tmp_path / name).require()
        assert_same(found.day(), file.day())
        assert_same(found.day("forecast"), file.day("forecast"))
        assert (found.signals.panels, found.grid) == (file.signals.panels, file.grid)
        assert found.jobs.names == file.jobs.names
        assert found.known_at(5400).carbon.tolist() == file.known_at(5400).carbon.tolist()
    toml = (tmp_path / "x" / "centre.toml").read_text()
    assert 'begin = "2026-08-01T00:00:00+01:00"' in toml
    findings = Findings()
    again = centre_in_document(document_of_centre(file), "study", findings)
    assert again is not None
    assert_same(again.day(), file.day())


def test_a_folder_is_replaced_but_not_mixed(tmp_path: Path) -> None:
    file = read()
    write_centre(file, tmp_path / "x")
    (tmp_path / "x" / "notes.txt").write_text("mine")
    write_centre(file, tmp_path / "x")
    assert (tmp_path / "x" / "notes.txt").read_text() == "mine"
    (tmp_path / "x" / "signals" / "price.csv").write_text("time,price\n")
    with pytest.raises(InvalidInput, match=r"has signals/price.csv, which would be read with it"):
        write_centre(file, tmp_path / "x")
    other = tmp_path / "other"
    other.mkdir()
    (other / "thesis.txt").write_text("mine")
    with pytest.raises(InvalidInput, match=r"has other files and no servers.csv"):
        write_centre(file, other)
    with pytest.raises(InvalidInput, match=r"name a folder, or a .zip or .json file"):
        write_centre(file, tmp_path / "x.csv")
    with pytest.raises(InvalidInput, match="there is no such folder"):
        write_centre(file, tmp_path / "none" / "x")


def test_jobs_without_a_due_date_stay_so(tmp_path: Path) -> None:
    file = read(jobs__csv="kind,seconds\ncpu,900\n")
    write_centre(file, tmp_path / "x")
    assert np.isnan(inspect_centre(tmp_path / "x").require().jobs.due).all()


def test_the_same_centre_is_the_same_text() -> None:
    """In whatever order its curves were read."""
    file = read(signals_price__csv=CARBON.replace("value", "price"))
    came = dict(reversed(list(file.signals.came.items())))
    other = replace(file, signals=replace(file.signals, came=came))
    assert list(came) != list(file.signals.came)
    assert json.dumps(document_of_centre(other)) == json.dumps(document_of_centre(file))
