"""Whenever submit.sh stops, running it again submits each job array once."""

import re
import subprocess
import time
from itertools import pairwise

import pytest
from fake_slurm import FakeSlurm

from core.engines.slurm.job_arrays import job_arrays_of
from core.engines.slurm.scripts import script_files, write_scripts

ARRAYS = 7


@pytest.fixture
def folder(small, tmp_path):
    arrays = job_arrays_of(small.blocks(), small.system)
    write_scripts(script_files(arrays, None, None), tmp_path / "out")
    return tmp_path / "out"


def submit(slurm: FakeSlurm, folder) -> "subprocess.CompletedProcess[str]":
    return slurm.bash(folder / "submit.sh")


def has_each_once(slurm, folder):
    """Each job array is there once, after the one before it on its machine."""
    listed = [
        line.split()[1]
        for line in (folder / "submit.sh").read_text().splitlines()
        if line.startswith("array ")
    ]
    endings = ["-".join(job["name"].split("-")[3:]) for job in slurm.jobs]
    assert endings == listed
    assert len({job["name"].split("-")[2] for job in slurm.jobs}) == 1
    number = {ending: job["id"] for ending, job in zip(endings, slurm.jobs, strict=True)}
    for one, after in pairwise(listed):
        job = slurm.jobs[endings.index(after)]
        same = one.split("-")[:2] == after.split("-")[:2]
        waits = [word for word in job["words"] if word.startswith("--dependency")]
        assert waits == ([f"--dependency=afterany:{number[one]}"] if same else [])
    recorded = (folder / "submitted" / "jobs").read_text().split()
    assert sorted(map(int, recorded[1::3])) == sorted(number.values())


def test_again_submits_nothing_and_a_first_run_does_not_ask(slurm, folder):
    assert submit(slurm, folder).stdout.endswith("7 now, 0 before.\n")
    assert {call[0] for call in slurm.calls} == {"sbatch"}
    again = submit(slurm, folder)
    assert (again.returncode, again.stderr) == (0, "")
    assert again.stdout == "All 7 job arrays are submitted: 0 now, 7 before.\n"
    has_each_once(slurm, folder)


@pytest.mark.thorough
@pytest.mark.parametrize("forgotten", [False, True], ids=["in the queue", "ended long ago"])
@pytest.mark.parametrize("how", ["before", "after"])
@pytest.mark.parametrize("number", [0, 1, 6])
def test_killed_at_any_place_it_goes_on(slurm, folder, how, number, forgotten):
    """Slurm may have the job array already when submit.sh dies, and its job may even have ended."""
    slurm.crashes(how, number)
    assert submit(slurm, folder).returncode == -9
    assert len(slurm.jobs) == number + (how == "after")
    slurm.is_well()
    if forgotten:
        (slurm.home / "forgotten").touch()
    again = submit(slurm, folder)
    assert (again.returncode, again.stderr) == (0, "")
    has_each_once(slurm, folder)


@pytest.mark.thorough
def test_killed_again_and_again_it_comes_to_its_end(slurm, folder):
    for number in range(ARRAYS):
        slurm.crashes(["before", "after"][number % 2], number)
        submit(slurm, folder)
    slurm.is_well()
    assert submit(slurm, folder).returncode == 0
    has_each_once(slurm, folder)


def test_an_answer_that_comes_too_late_is_no_second_submission(slurm, folder):
    slurm.crashes("late", 2)
    ran = submit(slurm, folder)
    assert ran.returncode == 1
    assert "Socket timed out" in ran.stderr
    assert "then run submit.sh again" in ran.stderr
    slurm.is_well()
    assert submit(slurm, folder).returncode == 0
    has_each_once(slurm, folder)


def test_a_refusal_stops_and_says_what_to_do(slurm, folder):
    slurm.crashes("sbatch")
    ran = submit(slurm, folder)
    assert ran.returncode == 1
    assert re.search("does not take wf-.*; mend what it says above, then run submit", ran.stderr)
    assert not (folder / "submitted" / "next").exists()
    slurm.crashes("sacct")
    assert submit(slurm, folder).returncode == 0
    has_each_once(slurm, folder)


@pytest.mark.parametrize("cut", [1, 2, 5, 20, 45, None])
def test_a_record_that_was_cut_short_or_is_lost_is_made_whole(slurm, folder, cut):
    submit(slurm, folder)
    record = folder / "submitted" / "jobs"
    whole = record.read_text()
    if cut:
        record.write_text(whole[:-cut])
    else:
        record.unlink()
    assert submit(slurm, folder).stdout.endswith("0 now, 7 before.\n")
    assert sorted(record.read_text().split("\n")) == sorted(whole.split("\n"))
    has_each_once(slurm, folder)


@pytest.fixture
def doubtful(slurm, folder):
    """Slurm has the third job array, and submit.sh has died before it knew."""
    slurm.crashes("after", 2)
    submit(slurm, folder)
    return slurm


def test_if_slurm_does_not_answer_nothing_is_submitted(doubtful, folder):
    doubtful.crashes("squeue")
    ran = submit(doubtful, folder)
    assert ran.returncode == 1
    assert "what Slurm has is unknown; run submit.sh again later" in ran.stderr
    assert len(doubtful.jobs) == 3


def test_without_accounting_the_queue_tells(doubtful, folder):
    """The job array of which nobody knows may have run to its end unseen."""
    doubtful.crashes("sacct")
    assert submit(doubtful, folder).returncode == 0
    has_each_once(doubtful, folder)


def test_without_accounting_and_queue_it_does_not_guess(doubtful, folder):
    doubtful.crashes("sacct")
    (doubtful.home / "forgotten").touch()
    ran = submit(doubtful, folder)
    assert ran.returncode == 1
    assert f"unknown whether {doubtful.jobs[2]['name']} was submitted; look for it" in ran.stderr
    assert len(doubtful.jobs) == 3
    (folder / "submitted" / "next").unlink()
    with (folder / "submitted" / "jobs").open("a") as record:
        record.write(f"{doubtful.jobs[2]['name']} 102 .\n")
    assert submit(doubtful, folder).returncode == 0
    has_each_once(doubtful, folder)


def test_two_at_once_are_one(slurm, folder):
    (folder / "submitted").mkdir()
    holder = subprocess.Popen(
        ["flock", str(folder / "submitted" / "lock"), "sleep", "60"], start_new_session=True
    )
    try:
        while (
            subprocess.run(
                ["flock", "-n", str(folder / "submitted" / "lock"), "true"], check=False
            ).returncode
            == 0
        ):
            time.sleep(0.01)
        ran = submit(slurm, folder)
        assert ran.returncode == 1
        assert "submit.sh or cancel.sh is at work here; wait until it has ended" in ran.stderr
        assert slurm.jobs == []
    finally:
        holder.kill()
        holder.wait()


def test_another_run_has_other_names(slurm, folder, tmp_path):
    submit(slurm, folder)
    for path in (folder / "submitted").iterdir():
        path.unlink()
    assert submit(slurm, folder).stdout.endswith("7 now, 0 before.\n")
    assert len({job["name"] for job in slurm.jobs}) == 2 * ARRAYS


def test_cancel_ends_the_last_job_arrays_first(slurm, folder):
    submit(slurm, folder)
    ran = slurm.bash(folder / "cancel.sh")
    assert (ran.returncode, ran.stdout) == (0, "Cancelled: 7 job arrays.\n")
    assert slurm.calls[-1] == ["scancel", *map(str, range(106, 99, -1))]


def test_after_cancel_nothing_is_submitted(slurm, folder):
    slurm.crashes("before", 3)
    submit(slurm, folder)
    slurm.is_well()
    assert slurm.bash(folder / "cancel.sh").stdout == "Cancelled: 3 job arrays.\n"
    ran = submit(slurm, folder)
    assert ran.returncode == 1
    assert "remove the folder submitted" in ran.stderr
    assert len(slurm.jobs) == 3


def test_cancel_before_submit_does_nothing(slurm, folder):
    ran = slurm.bash(folder / "cancel.sh")
    assert (ran.returncode, ran.stdout, slurm.calls) == (0, "Nothing was submitted.\n", [])
    assert submit(slurm, folder).returncode == 0


def test_cancel_without_jobs_calls_nobody(slurm, folder):
    submit(slurm, folder)
    (slurm.home / "forgotten").touch()
    assert slurm.bash(folder / "cancel.sh").stdout == "Cancelled: 0 job arrays.\n"
    assert slurm.calls[-1][0] == "squeue"


def test_cancel_leaves_the_jobs_of_others(slurm, folder):
    submit(slurm, folder)
    jobs = (slurm.home / "jobs").read_text()
    run = slurm.jobs[0]["name"].split("-")[2]
    other = run.replace(run[0], "0" if run[0] != "0" else "1")
    (slurm.home / "jobs").write_text(jobs.replace(run, other, 2))
    assert slurm.bash(folder / "cancel.sh").stdout == "Cancelled: 6 job arrays.\n"
    assert slurm.calls[-1] == ["scancel", *map(str, range(106, 100, -1))]


def test_it_may_be_run_from_anywhere(slurm, folder, tmp_path):
    """Also with a CDPATH that would lead elsewhere."""
    (tmp_path / "other" / "out").mkdir(parents=True)
    start = f"cd '{tmp_path}' && bash out/submit.sh"
    assert slurm.bash("-c", start, CDPATH=str(tmp_path / "other")).returncode == 0
    assert (folder / "submitted" / "jobs").exists()


def test_without_slurm_it_says_so(folder, tmp_path):
    ran = subprocess.run(
        ["/bin/bash", folder / "submit.sh"],
        env={"PATH": str(tmp_path / "bin")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode != 0
    assert not (folder / "submitted").exists()
