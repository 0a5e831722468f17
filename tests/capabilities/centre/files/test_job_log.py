"""A day of an accounting log serves in place of jobs.csv, and it is said what was made of it."""

import gzip
from pathlib import Path

import pytest
from capabilities.centre.files.centre_files import TOML, changed, put, zipped

from core.capabilities.centre.files.centre_file import CentreFile
from core.capabilities.centre.files.centre_reader import inspect_centre, inspect_centre_bytes
from core.files.findings import Reading

SACCT = """\
JobID|Partition|State|Submit|Start|End|Elapsed|Timelimit|AllocCPUS|NNodes
1|cpu|COMPLETED|2026-03-02T00:10:00|2026-03-02T00:20:00|2026-03-02T01:20:00|01:00:00|02:00:00|64|2
2_7|gpu|COMPLETED|2026-03-02T00:00:00|2026-03-02T00:20:00|2026-03-02T00:50:00|00:30:00|01:00:00|8|1
3|cpu|COMPLETED|2026-03-03T00:10:00|2026-03-03T00:20:00|2026-03-03T01:20:00|01:00:00|02:00:00|64|1
4|cpu|COMPLETED|2026-03-02T01:00:00|2026-03-02T01:20:00|2026-03-02T01:20:00|00:00:00|02:00:00|64|1
5|cpu|COMPLETED|2026-03-02T01:00:00|2026-03-02T01:20:00|2026-03-02T02:20:00|01:00:00|02:00:00|640|5
6|old|COMPLETED|2026-03-02T01:00:00|2026-03-02T01:20:00|2026-03-02T02:20:00|01:00:00|02:00:00|64|1
7|cpu|COMPLETED|2026-03-02T03:30:00|2026-03-02T04:20:00|2026-03-02T05:20:00|01:00:00|02:00:00|64|1
"""
SWF = """\
; UnixStartTime: 1785538800
1 600 10 3600 48 -1 -1 48 7200 -1 1 1 1 1 1 1 -1 -1
2 1200 10 1800 16 -1 -1 16 -1 -1 1 1 1 1 1 1 -1 -1
"""
OF_MARCH = TOML + '[log]\nday = "2026-03-02"\n'


def reading(toml: str = OF_MARCH, **files: str | None) -> Reading[CentreFile]:
    logs = files or {"jobs__txt": SACCT}
    return inspect_centre_bytes("x.zip", zipped(changed(centre__toml=toml, jobs__csv=None, **logs)))


def test_the_jobs_of_a_day() -> None:
    """By the partition of the name of a kind; what the centre cannot run is left out and said."""
    found = reading()
    assert found.value is not None
    jobs = found.value.jobs
    assert jobs.names == ("2_7", "1")
    assert jobs.kind.tolist() == [1, 0]
    assert jobs.servers.tolist() == [1, 2]
    assert jobs.seconds.tolist() == [1800, 3600]
    assert jobs.release.tolist() == [0, 600]
    assert jobs.due.tolist() == [3600, 600 + 7200]
    assert [str(problem) for problem in found.problems] == [
        "warning: jobs.txt, row line 5: ran for no time, or the log does not say it; the job is "
        "left out",
        "warning: jobs.txt, row line 7: is of no kind of servers; the job is left out",
        "warning: jobs.txt, row line 6: takes more servers than its kind has; the job is left out",
        "warning: jobs.txt, row line 8: cannot end within the day; the job is left out",
    ]
    assert (
        "jobs.txt: 2 jobs that came in the day from 2026-03-02 00:00 on by its clock; each takes "
        "whole servers, for the time that it took" in found.notes
    )
    assert "jobs.txt: jobs are due their time limit after they were submitted" in found.notes


def test_one_kind_and_later_due_dates() -> None:
    found = reading(OF_MARCH + 'kind = "CPU"\ndue = 1.5\n')
    assert found.value is not None
    assert found.value.jobs.kind.tolist() == [0, 0, 0]
    assert found.value.jobs.due.tolist() == [1.5 * 3600, 600 + 1.5 * 7200, 3600 + 1.5 * 7200]
    said = "jobs.txt: jobs are due 1.5 times their time limit after they were submitted"
    assert said in found.notes


def test_a_log_by_processors_in_the_time_of_the_centre() -> None:
    """The log has jobs of the day of the centre, by its clock; without a limit a job is due after
    three times what it took.
    """
    found = reading(TOML + '[log]\nkind = "cpu"\ncores = 16\n', jobs__swf=SWF)
    assert found.value is not None
    jobs = found.value.jobs
    assert jobs.servers.tolist() == [3, 1]
    assert (jobs.due - jobs.release).tolist() == [7200, 5400]
    assert jobs.release.tolist() == [600, 1200]
    assert "jobs.swf: a server is taken to have 16 cores" in found.notes
    assert any("1 job asked for no time; due 3 times what it took" in note for note in found.notes)


def test_the_first_day_of_a_log_of_another_time() -> None:
    found = reading(TOML)
    assert found.value is not None
    assert found.value.jobs.names == ("2_7", "1")


def test_a_compressed_log_in_a_folder(tmp_path: Path) -> None:
    folder = put(tmp_path / "x", changed(centre__toml=OF_MARCH, jobs__csv=None))
    (folder / "jobs.txt.gz").write_bytes(gzip.compress(SACCT.encode()))
    assert inspect_centre(folder).require().jobs.names == ("2_7", "1")
    (folder / "jobs.csv").write_text("kind,seconds\ncpu,60\n")
    (problem,) = inspect_centre(folder).problems
    assert str(problem) == (
        "warning: jobs.txt.gz: is not read, since jobs.csv is there; remove one of the two"
    )


@pytest.mark.parametrize(
    ("toml", "files", "message"),
    [
        (
            TOML + '[log]\nday = "2026-05-01"\n',
            {},
            "jobs.txt: has no job that can run in the day from 2026-05-01 00:00 UTC on by its "
            "clock; say another day ([log] day)",
        ),
        (
            TOML + '[log]\nkind = "tpu"\n',
            {},
            "centre.toml [log], column kind: 'tpu' is not a kind in servers.csv; correct the name",
        ),
        (
            TOML + '[log]\nkinds = "tpu"\n',
            {},
            "centre.toml [log], column kinds: is not a key of a group of a log; did you mean kind?",
        ),
        (
            TOML,
            {"jobs__swf": SWF},
            "jobs.swf: does not say which kind of servers jobs take; say one ([log] kind)",
        ),
        (
            TOML,
            {"jobs__swf": SWF, "jobs__txt": SACCT},
            "x.zip: has several logs (jobs.swf, jobs.txt); keep one",
        ),
        (TOML, {"jobs__txt": "no log at all\n"}, "error: jobs.txt: is not recognised; give a dump"),
        (
            OF_MARCH,
            {"jobs__txt": SACCT.replace("Elapsed", "Time").replace("Start", "Begin")},
            "on by its clock; mend why the 6 that came are left out, or say another day ([log]",
        ),
        (
            OF_MARCH,
            {"jobs__txt": SACCT.replace("Elapsed", "Time").replace("Start", "Begin")},
            "ran for no time, or the log does not say it; 6 such jobs are left out",
        ),
        (
            OF_MARCH,
            {"jobs__txt": SACCT.replace("NNodes", "Nodes").replace("|8|", "|800|")},
            "takes more servers than its kind has if a server has 1 core ([log] cores);",
        ),
    ],
)
def test_each_fault_is_said(toml: str, files: dict[str, str | None], message: str) -> None:
    found = reading(toml, **files)
    assert found.value is None
    assert any(message in str(problem) for problem in found.problems), found.problems
