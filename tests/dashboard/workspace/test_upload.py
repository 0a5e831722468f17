"""An upload or a paste is a system, perhaps of a study, or a list of everything to mend."""

import numpy as np
import pytest
from studied import as_file

from core.engines.compute.task import packed, unpacked
from core.engines.front.study import study
from core.files.numbers import UnusableCell
from core.files.samples.named import load_sample
from core.shells.studies import Choice, StudySettings
from core.vocabulary.budget import Effort
from dashboard.workspace.upload import Upload

GOOD = b"task_type,GPU,CPU\nT1,3,4\n"
BAD = b"task_type,GPU,CPU\nT1,-3,abc\n<b>x</b>,1,2\n"


def test_a_good_file_is_a_system_without_a_headline_of_problems() -> None:
    upload = Upload.read("etc.csv", b"task_type,GPU,CPU\nT1,3,4\n")
    assert upload.system is not None
    assert upload.system.machine_types[0].name == "GPU"
    assert upload.problems == ()


def test_every_problem_of_a_bad_file_has_its_row() -> None:
    upload = Upload.read("my-times.csv", BAD)
    assert upload.system is None
    places = {(p.file, p.row, p.column) for p in upload.problems}
    assert ("my-times.csv", "T1", "GPU") in places
    assert ("my-times.csv", "T1", "CPU") in places
    assert upload.headline == "2 problems in the uploaded file"


def test_warnings_alone_are_called_warnings() -> None:
    document = (
        b'{"format": "wattfront-system", "version": 1, "etc": [[1]], "apc": [[5]], '
        b'"task_types": [{"name": "T", "count": 1}], '
        b'"machine_types": [{"name": "M", "count": 1, "idle_power": 9}]}'
    )
    upload = Upload.read("mine.json", document)
    assert upload.system is not None
    assert upload.headline == "1 warning in the uploaded file"


def test_problems_of_several_files_are_counted_by_file() -> None:
    upload = Upload.together({"times.csv": BAD, "power.csv": BAD.replace(b"T1,-3", b"T1,3")})
    assert upload.headline == "3 problems in 2 uploaded files"
    assert upload.by_file == "2 in times.csv and 1 in power.csv"
    assert Upload.together({"times.csv": BAD}).by_file == ""


@pytest.mark.parametrize("mark", ["\t", ";", ","])
def test_pasted_cells_may_be_parted_as_spreadsheets_do(mark: str) -> None:
    etc = "\tGPU\tCPU\nT1\t3\t\nT2\t\t4\n".replace("\t", mark)
    apc = "\tCPU\tGPU\nT2\t40\t\nT1\t\t300\n".replace("\t", mark)
    upload = Upload.pasted(etc, apc)
    assert upload.problems == ()
    assert upload.system is not None
    assert upload.system.apc is not None
    assert upload.system.etc.tolist() == [[3, np.inf], [np.inf, 4]]
    assert upload.system.apc[0, 0] == 300


def test_a_paste_may_have_one_machine_type_and_a_blank_corner() -> None:
    upload = Upload.pasted("\tM\nT\t1\n", "\tM\nT\t5\n")
    assert upload.problems == ()


def test_powers_may_be_left_out_of_a_paste() -> None:
    upload = Upload.pasted("\tM\tN\nT\t1\t2", " \n")
    assert upload.system is not None
    assert upload.system.apc is None


def test_every_problem_of_a_paste_is_listed_with_its_table() -> None:
    upload = Upload.pasted("\tM\nT\t1,5\n", "\tN\nT\t1\n")
    assert upload.system is None
    assert {p.file for p in upload.problems} == {"pasted ETC", "pasted APC"}
    assert upload.headline.endswith("in the pasted text")


def test_an_empty_paste_says_what_to_give() -> None:
    upload = Upload.pasted("")
    assert upload.system is None
    assert "give a header" in upload.problems[0].message


def test_a_study_file_is_its_system_its_settings_and_its_choice() -> None:
    found = study(load_sample("two-by-two"), effort=Effort(0))
    asked = StudySettings("two-by-two", seconds=0.0)
    choice = Choice(found.schedules[0], "Thriftiest")
    document = as_file(found, asked, choice)
    upload = Upload.read("study.JSON", document)
    assert (upload.system, upload.problems) == (found.system, ())
    assert upload.opened is not None
    assert upload.opened.settings == asked
    assert upload.opened.choice is not None
    assert upload.opened.choice.title == "Thriftiest"


def test_a_study_that_is_not_sound_is_no_system_either() -> None:
    upload = Upload.read("study.json", b'{"format": "wattfront-study", "version": 1}')
    assert (upload.system, upload.opened) == (None, None)
    assert "has no system" in upload.problems[0].message


def test_what_can_be_mended_here_comes_with_its_tables() -> None:
    upload = Upload.read("my-times.csv", BAD)
    assert upload.mending is not None
    assert upload.problems == upload.mending.problems
    mended = upload.mending.tables["etc"].with_cells({(1, 1): "3", (1, 2): "4"})
    better = upload.mended(upload.mending.changed("etc", mended))
    assert (better.name, better.problems) == ("my-times.csv", ())
    assert (
        Upload.read("my-times.csv", BAD.replace(b"abc", b"4").replace(b"-3", b"3")).mending is None
    )


@pytest.mark.parametrize("content", [BAD, b'{"format": "wattfront-system", "version": 1}', GOOD])
def test_an_upload_may_be_read_in_another_process(content: bytes) -> None:
    here, there = Upload.read("mine", content), unpacked(packed(Upload.read("mine", content)))
    assert (there.system, there.problems) == (here.system, here.problems)
    assert (there.mending is None) == (here.mending is None)
    if here.mending is not None:
        assert there.mending.tables == here.mending.tables
        assert there.mending.problems == here.mending.problems


def test_a_cell_that_holds_no_text_says_why_after_a_journey_too() -> None:
    cell = unpacked(packed(UnusableCell("holds a formula")))
    assert (cell, cell.why) == ("\x1a", "holds a formula")
