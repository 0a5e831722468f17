"""Schedules go into a folder with an index, and nobody else's file is touched."""

import csv
import os

import pytest

from core.capabilities.trade_offs.schedule_folder import check_folder, write_schedules
from core.engines.front.study import study
from core.files import inspect_schedule
from core.files.samples.named import load_sample
from core.vocabulary.budget import Effort
from core.vocabulary.problems import InvalidInput


@pytest.fixture(scope="module")
def schedules():
    return study(load_sample("two-by-two"), effort=Effort(0)).schedules[:4]


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_each_is_a_file_and_a_row_of_the_index(schedules, tmp_path):
    folder = tmp_path / "front"
    write_schedules(schedules, [0.0, 0.1, 0.25, 0.5], folder)
    with (folder / "index.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    assert [row["file"] for row in rows] == [f"schedule-00{number}.csv" for number in (1, 2, 3, 4)]
    assert len(contents(folder)) == 5
    for row, schedule in zip(rows, schedules, strict=True):
        assert float(row["energy (J)"]) == schedule.energy
        assert float(row["makespan (s)"]) == schedule.makespan
        stated = inspect_schedule(folder / row["file"], schedule.system).require()
        assert stated.end.max() == pytest.approx(schedule.makespan)
    assert [row["gap"] for row in rows] == ["0.0", "0.1", "0.25", "0.5"]


def test_the_index_of_an_earlier_version_is_known(schedules, tmp_path):
    write_schedules(schedules, [0.0] * 4, tmp_path)
    index = tmp_path / "index.csv"
    rows = index.read_text().splitlines()
    index.write_text("\n".join(["file,energy,makespan,gap", *rows[1:]]) + "\n")
    write_schedules(schedules[:1], [0.0], tmp_path)
    assert sorted(contents(tmp_path)) == ["index.csv", "schedule-001.csv"]


def test_an_earlier_front_is_replaced_and_other_files_stay(schedules, tmp_path):
    write_schedules(schedules, [0.0] * 4, tmp_path)
    (tmp_path / "notes.txt").write_text("mine")
    write_schedules(schedules[:2], [0.0] * 2, tmp_path)
    assert sorted(contents(tmp_path)) == [
        "index.csv",
        "notes.txt",
        "schedule-001.csv",
        "schedule-002.csv",
    ]
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_a_file_that_an_index_names_but_that_is_none_of_ours_stays(schedules, tmp_path):
    write_schedules(schedules, [0.0] * 4, tmp_path)
    (tmp_path / "etc.csv").write_text("mine")
    with (tmp_path / "index.csv").open("a") as stream:
        stream.write("etc.csv,0,0,0\n../precious,0,0,0\n")
    write_schedules(schedules[:1], [0.0], tmp_path)
    assert (tmp_path / "etc.csv").read_text() == "mine"


@pytest.mark.parametrize("name", ["index.csv", "schedule-002.csv"])
def test_a_file_in_the_way_is_not_overwritten(schedules, tmp_path, name):
    (tmp_path / name).write_text("mine")
    with pytest.raises(InvalidInput, match=name):
        write_schedules(schedules, [0.0] * 4, tmp_path)
    assert contents(tmp_path) == {name: b"mine"}


def test_no_folder_can_be_made_of_a_file_or_without_a_place(tmp_path):
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file", tmp_path / "file" / "below", tmp_path / "a" / "b"):
        with pytest.raises(InvalidInput, match="cannot be written"):
            check_folder(folder)


@pytest.mark.parametrize("name", ["new", "."])
def test_a_folder_that_may_not_be_written_to_is_refused(tmp_path, monkeypatch, name):
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(InvalidInput, match="may not be written to"):
        check_folder(tmp_path / name)
