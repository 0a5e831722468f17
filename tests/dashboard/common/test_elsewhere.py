"""Whatever Wattfront reads is recognised wherever it is dropped; one click takes it there."""

import io
import zipfile
from pathlib import Path

import pytest
from pages import Open, html, press, run, settled
from streamlit.testing.v1 import AppTest

from core.files import write_system
from core.samples.named import load_sample
from core.samples.plans import plan_folder
from dashboard.common.elsewhere import kind_of, read_system

DUMP = (Path(__file__).parents[2] / "logs" / "dumps" / "real" / "parsable2.txt").read_bytes()
SWF = b"; MaxProcs: 8\n" + b"".join(
    b"%d %d 5 60 4 -1 -1 4 200 -1 1 3 1 7 1 -1 -1 -1\n" % (k, 10 * k) for k in range(1, 10)
)
JOBS = b"arrival,seconds\n0,60\n5,70\n"
TABLE = b"task,machine,seconds\na,m,60\na,m,61\na,m,62\n"
ETC = b"task,fast,slow\nsort,1,2\n"


def packed(folder: Path) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for path in folder.iterdir():
            if path.is_file():
                archive.write(path, path.name)
    return stream.getvalue()


def system_zip(tmp_path: Path) -> bytes:
    write_system(load_sample("two-by-two"), tmp_path / "mine.zip")
    return (tmp_path / "mine.zip").read_bytes()


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        ("a.txt", DUMP, "log"),
        ("a.swf", SWF, "log"),
        ("runs.csv", TABLE, "log"),
        ("jobs.csv", JOBS, "workload"),
        ("etc.csv", ETC, "system"),
        ("plan.zip", packed(plan_folder("e1")), "plan"),
        ("s.json", b'{"format": "wattfront-study"', "study"),
        ("a.txt", b"hello", None),
        ("a.bin", bytes(range(256)), None),
        ("", b"", None),
    ],
)
def test_kinds(name: str, data: bytes, kind: str | None) -> None:
    """Issue 33, point 7."""
    assert kind_of(name, data) == kind


def test_what_is_no_system_is_not_read_as_one(tmp_path: Path) -> None:
    assert read_system({"a.txt": DUMP}) is None
    assert read_system({"jobs.csv": JOBS}) is None
    read = read_system({"etc.csv": ETC})
    assert read is not None
    assert read.system is not None
    without_header = read_system({"a.txt": DUMP.partition(b"\n")[2]})
    assert without_header is not None
    assert [p.message for p in without_header.problems] == [
        "has no header; dump it again without --noheader"
    ]
    faulty = read_system({"etc.csv": ETC + b"sort,1,x\n"})
    assert faulty is not None
    assert faulty.problems


def test_a_log_that_is_dropped_as_a_system(open_page: Open) -> None:
    """Issue 33, point 7: it had 1,001 problems. A click derives a system from it."""
    page = open_page("system", sample="two-by-two")
    page.segmented_control(key="start.source").set_value("file")
    page = run(page)
    page.file_uploader[0].upload("dump.txt", DUMP)
    page = run(page)
    assert not page.error
    assert "dump.txt is an accounting log." in html(page)
    page = settled(settled(press(page, "Derive a system from it")))
    assert not page.error
    assert "dump.txt (Slurm sacct)" in html(page)
    assert "dump.txt, from another uploader" in html(page)
    page = press(page, "Remove")
    assert "Slurm sacct" not in html(page)


def log_page(open_page: Open, **files: bytes) -> AppTest:
    page = open_page("system", sample="two-by-two")
    page.segmented_control(key="start.source").set_value("log")
    page = run(page)
    for name, data in files.items():
        page.file_uploader(key="log.files").upload(name.replace("_", "."), data)
    return settled(settled(run(page)))


def test_a_system_that_is_dropped_as_a_log(open_page: Open, tmp_path: Path) -> None:
    """Issue 33, point 7."""
    page = log_page(open_page, mine_zip=system_zip(tmp_path))
    assert "mine.zip is a system." in html(page)
    page = press(page, "Open it on System")
    assert page.session_state["wattfront.workspace"].title == "mine.zip"


def test_a_bad_file_beside_good_logs(open_page: Open, tmp_path: Path) -> None:
    """Issue 33, point 5: the good ones are used, the bad one is named, with where it belongs."""
    page = log_page(open_page, a_txt=DUMP, bad_txt=b"hello", jobs_csv=JOBS)
    assert "a.txt (Slurm sacct)" in html(page)
    assert [warning.value for warning in page.warning][:1] == [
        "2 logs cannot be read; the others are in use:"
    ]
    assert "bad.txt: is not recognised" in html(page)
    assert "jobs.csv is a workload." in html(page)
    assert not page.error


def test_a_log_that_is_dropped_as_a_workload(open_page: Open) -> None:
    """Issue 33, point 7: its own page takes it first."""
    page = open_page("arrivals", sample="two-by-two")
    page.file_uploader(key="arrivals.file").upload("month.swf", SWF)
    page = run(page)
    assert not page.error
    assert "month.swf is an accounting log." in html(page)
    labels = [one.label for one in page.button]
    replay, derive = "Replay its jobs on Arrivals", "Derive a system from it"
    assert labels.index(replay) < labels.index(derive)
    page = settled(settled(press(page, replay)))
    assert "month.swf: 9 jobs on 8 cores" in html(page)


def test_a_workload_that_is_dropped_as_a_plan(open_page: Open) -> None:
    """Issue 33, point 7."""
    page = open_page("provision", sample="two-by-two", provision_scenarios=4)
    page.file_uploader(key="provision.file").upload("jobs.csv", JOBS)
    page = run(page)
    assert not page.error
    page = press(page, "Open it on Arrivals")
    assert "jobs.csv, from another uploader" in html(page)
    assert page.selectbox[0].value == "own"


def test_a_plan_that_is_dropped_as_a_workload(open_page: Open) -> None:
    """Issue 33, point 7."""
    page = open_page("arrivals", sample="two-by-two")
    page.file_uploader(key="arrivals.file").upload("plan.zip", packed(plan_folder("e1")))
    page = run(page)
    assert "plan.zip is a plan of what to buy." in html(page)
    page = press(page, "Open it on Provision")
    assert page.session_state["wattfront.workspace"].title == "plan.zip"
