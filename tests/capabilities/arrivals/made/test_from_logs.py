"""A log becomes the jobs that it has: when they came, what they asked for, what they took."""

from datetime import datetime
from pathlib import Path

import numpy as np
import pytest

from core.capabilities.arrivals.made.from_logs import LogWork, LogWorkload, _Busy, workload_of_log
from core.capabilities.arrivals.policies import policy_named
from core.engines.logs.reading.logs import read_logs
from core.engines.replay.classes import JobClass, classes_of_rows
from core.engines.replay.clock import replay
from core.engines.replay.judge import judge_outcome
from core.vocabulary.problems import InvalidInput

DUMPS = Path(__file__).parents[3] / "engines" / "logs" / "dumps" / "real"
HEADER = "; MaxProcs: 64\n"


def _line(job: int, submit: float, run: float, cores: int, asked: float) -> str:
    return f"{job} {submit} 5 {run} {cores} -1 -1 {cores} {asked} -1 1 1 1 1 1 1 -1 -1\n"


def _made(*paths: Path, work: LogWork | None = None) -> LogWorkload:
    store = read_logs(paths)
    try:
        return workload_of_log(store, work or LogWork(), paths[0].name)
    finally:
        store.close()


def _of(tmp_path: Path, text: str, work: LogWork | None = None) -> LogWorkload:
    path = tmp_path / "a.swf"
    path.write_text(text)
    return _made(path, work=work)


def test_arrival_estimate_truth_and_units_are_those_of_the_log(tmp_path: Path) -> None:
    text = HEADER + _line(1, 100, 50, 4, 200) + _line(2, 90, 30, 64, 30)
    found = _of(tmp_path, text, LogWork(watts=10.0))
    workload = found.file.workload
    assert workload.jobs.arrival.tolist() == [0, 10]
    assert workload.options.units.tolist() == [64, 4]
    assert workload.options.seconds.tolist() == [30, 200]
    assert workload.options.watts.tolist() == [640, 40]
    assert found.file.truth.time.tolist() == [1, 0.25]
    assert workload.pools.units.tolist() == [64]
    assert found.notes == ()


def test_an_estimate_is_raised_to_the_truth_and_counted(tmp_path: Path) -> None:
    text = HEADER + "".join([_line(1, 0, 50, 1, 20), _line(2, 1, 50, 1, -1), _line(3, 2, 9, 1, 10)])
    found = _of(tmp_path, text)
    assert found.file.workload.options.seconds.tolist() == [50, 50, 10]
    assert found.file.truth.time.tolist() == [1, 1, 0.9]
    assert found.problems == ()
    assert found.notes == (
        "1 job ran longer than asked for; the longer time is used",
        "1 job asked for no time; the time that it took is used",
    )


def test_rows_that_cannot_be_replayed_are_located_with_a_remedy(tmp_path: Path) -> None:
    text = HEADER + "".join(
        [
            _line(1, 0, 50, 4, 60),
            _line(2, 1, 0, 4, 60),
            _line(3, 2, 50, 65, 60),
            _line(4, 3, 50, 66, 60),
            "5 6 what\n",
        ]
    )
    found = _of(tmp_path, text)
    assert len(found.file.workload.jobs) == 1
    assert [str(problem) for problem in found.problems] == [
        "warning: a.swf, row line 6: wrong number of cells; the row is left out; correct it, or go "
        "on without",
        "warning: a.swf, row line 3, column run time: has no time for which it ran; the job is "
        "left out; such a job cannot be replayed",
        "warning: a.swf, row line 4, column cores: has more cores than the 64 that there are; 2 "
        "such jobs left out; give more cores",
    ]
    with pytest.raises(InvalidInput, match="no job that can be replayed") as refused:
        _of(tmp_path, text, LogWork(units=3))
    assert any("give more cores" in problem.message for problem in refused.value.problems)


def test_without_a_size_the_pool_is_as_large_as_was_ever_busy(tmp_path: Path) -> None:
    """Jobs begin 5 s after they arrive: 4 and 9 cores overlap; the third begins as both end."""
    text = "".join([_line(1, 0, 50, 4, 60), _line(2, 40, 10, 9, 60), _line(3, 50, 10, 13, 60)])
    found = _of(tmp_path, text)
    assert found.file.workload.pools.units.tolist() == [13]
    assert found.notes == (
        "the log does not say how many cores there are; assumed 13, as many as jobs had at once",
    )
    assert _of(tmp_path, text, LogWork(units=20)).file.workload.pools.units.tolist() == [20]
    later = _line(1, 0, 50, 4, 60) + _line(2, 50, 10, 9, 60)
    assert _of(tmp_path, later).file.workload.pools.units.tolist() == [9]
    begins, seconds = np.array([np.nan, 0.0]), np.ones(2)
    assert _Busy.of(begins, seconds, np.array([9, 4])) == (9, 9), (
        "the widest began at no known time"
    )


def test_jobs_of_a_real_sacct_dump_are_replayed() -> None:
    """The rows are cut here by hand: steps do not count, nor jobs that did not run. The name of one
    job has a separator, that of another goes on in the next line.
    """
    found = _made(DUMPS / "parsable2.txt")
    text = (DUMPS / "parsable2.txt").read_text().replace("|two\nlines|", "|two lines|")
    header, *rows = text.replace("|a|b|", "|a b|").splitlines()
    cut = [dict(zip(header.split("|"), row.split("|"), strict=True)) for row in rows]
    jobs = [job for job in cut if "." not in job["JobID"] and job["Elapsed"] != "00:00:00"]
    workload = found.file.workload
    submitted = sorted(datetime.fromisoformat(job["Submit"]).timestamp() for job in jobs)
    assert workload.jobs.arrival.tolist() == [one - submitted[0] for one in submitted]
    assert sorted(workload.options.units.tolist()) == sorted(int(job["AllocCPUS"]) for job in jobs)
    assert len(jobs) > 20
    assert "asked for no time" in " ".join(found.notes), "the dump has no column of limits"
    nodes = _made(DUMPS / "parsable2.txt", work=LogWork("nodes"))
    assert sorted(nodes.file.workload.options.units.tolist()) == sorted(
        int(job["NNodes"]) for job in jobs
    )
    outcome = replay(workload, policy_named("easy").policy, found.file.truth)
    assert outcome.completed == len(jobs)
    assert judge_outcome(outcome).ok


def test_limits_of_a_real_dump_are_estimates() -> None:
    """One job of a year, as a cluster without limits has them; it took 2 s."""
    found = _made(DUMPS / "all-columns.txt")
    assert found.file.workload.options.seconds.max() == 365 * 86_400
    assert found.file.truth.time.min() * 365 * 86_400 < 100


def test_a_dump_without_times_of_arrival_says_what_to_dump() -> None:
    with pytest.raises(InvalidInput) as refused:
        _made(DUMPS / "allocations-raw.txt")
    said = [str(problem) for problem in refused.value.problems]
    assert said == [
        "error: allocations-raw.txt: has no job that can be replayed; give a log with jobs that "
        "ran",
        "warning: allocations-raw.txt, row line 2, column arrival: has no time of arrival or "
        "start; 36 such jobs left out; dump the log with Submit and Start",
    ]


def test_without_times_of_arrival_jobs_arrive_when_they_began(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(
        "JobID|State|Start|Elapsed|AllocCPUS\n"
        "7|COMPLETED|2024-03-04T08:00:30|00:01:00|2\n"
        "8|COMPLETED|2024-03-04T08:00:00|00:02:00|1\n"
    )
    found = _made(path)
    assert found.file.workload.jobs.arrival.tolist() == [0, 30]
    assert found.file.workload.options.units.tolist() == [1, 2]
    assert "2 jobs has no time of arrival" not in " ".join(found.notes)
    assert "2 jobs have no time of arrival; they arrive when they began" in found.notes


def _with_energy(tmp_path: Path, *joules: str, work: LogWork | None = None) -> LogWorkload:
    """Jobs of 1 and 2 cores in turn, each for 100 s."""
    path = tmp_path / "e.txt"
    rows = [
        f"{k + 1}|COMPLETED|2024-03-04T08:00:0{k}|00:01:40|{1 + k % 2}|{one}"
        for k, one in enumerate(joules)
    ]
    header = "JobID|State|Start|Elapsed|AllocCPUS|ConsumedEnergyRaw"
    path.write_text("\n".join([header, *rows]) + "\n")
    return _made(path, work=work)


def test_jobs_draw_the_energy_that_the_log_says(tmp_path: Path) -> None:
    found = _with_energy(tmp_path, "3000", "9000")
    assert found.file.workload.options.watts.tolist() == [30, 90]
    assert "jobs draw what the log says, 40 W a core on average" in found.notes


def test_jobs_of_unknown_energy_draw_as_much_as_the_others(tmp_path: Path) -> None:
    """0 J: nothing measured it."""
    found = _with_energy(tmp_path, "3000", "0", "", "9000")
    assert found.file.workload.options.watts.tolist() == [30, 80, 40, 90]
    said = "40 W a core on average; 2 jobs of unknown energy draw so much, too"
    assert any(note.endswith(said) for note in found.notes)
    one = _with_energy(tmp_path, "3000", "0").notes
    assert any(note.endswith("; 1 job of unknown energy draws so much, too") for note in one)


@pytest.mark.parametrize(
    ("joules", "watts", "drawn"),
    [(("0", ""), None, [0, 0]), (("9", "9000"), 7.0, [7, 14]), (("9", "9000"), 0.0, [0, 0])],
)
def test_without_energy_nothing_is_drawn_and_given_watts_come_first(
    tmp_path: Path, joules: tuple[str, ...], watts: float | None, drawn: list[float]
) -> None:
    found = _with_energy(tmp_path, *joules, work=LogWork(watts=watts))
    assert found.file.workload.options.watts.tolist() == drawn
    assert "draw" not in " ".join(found.notes)


def test_a_log_is_replayed_under_easy(tmp_path: Path) -> None:
    """The second takes all 4 cores from the event at 60 s on; the third is promised their end."""
    text = "".join([_line(1, 0, 50, 3, 60), _line(2, 1, 10, 4, 10), _line(3, 2, 5, 1, 5)])
    file = _of(tmp_path, text, LogWork(units=4)).file
    outcome = replay(file.workload, policy_named("easy").policy, file.truth)
    assert outcome.start.tolist() == [0, 60, 70]
    assert outcome.completed == 3


def test_work_that_is_listed_twice_is_replayed_once(tmp_path: Path) -> None:
    """Issue 33, point 9: a log given twice, dumps that overlap, and parts of a job with
    checkpoints do not double the work, nor the cores that jobs had at once.
    """
    job = _line(1, 0, 50, 4, 60)
    part = job.replace(" 1 1 1 1 1 1 -1 -1", " 2 1 1 1 1 1 -1 -1")
    path, other = tmp_path / "a.swf", tmp_path / "b.swf"
    path.write_text(job + part + part.replace(" 2 ", " 4 "))
    other.write_text(job + _line(2, 90, 30, 3, 30))
    found = _made(path, path, other)
    assert found.file.workload.options.units.tolist() == [4, 3]
    assert found.file.workload.pools.units.tolist() == [4]
    assert [str(problem) for problem in found.problems] == [
        "warning: a.swf, row line 1: is of a job that another row has, too; 2 such jobs left out; "
        "give each log once, without overlaps",
        "warning: a.swf, row line 2: is part of a job that its summary counts; 4 such jobs left "
        "out; nothing is to be done",
    ]


def test_nodes_of_a_log_have_whole_numbers_of_cores(tmp_path: Path) -> None:
    """Issue 33, point 9: a log that says nodes and no processors. 16 nodes that ran jobs on 44
    cores at once have 3 each; jobs that overlap for a moment, as rounded times do, show nothing.
    """
    nodes = "; MaxNodes: 16\n"
    jobs = [_line(k, 0, 100, 11, 200) for k in range(1, 5)]
    found = _of(tmp_path, nodes + "".join(jobs))
    assert found.file.workload.pools.units.tolist() == [48]
    assert found.notes[0] == (
        "the log says that there are 16 nodes, but not how many cores; assumed 48, which is 3 a "
        "node, the least that hold what jobs had at once"
    )
    after = _line(5, 99.5, 100, 16, 200)
    found = _of(tmp_path, nodes + _line(4, 0, 100, 16, 200) + after)
    assert found.file.workload.pools.units.tolist() == [16]
    long = _line(5, 97, 100, 16, 200)
    found = _of(tmp_path, nodes + _line(4, 0, 100, 16, 200) + long)
    assert found.file.workload.pools.units.tolist() == [32]
    assert _of(tmp_path, nodes + jobs[0]).file.workload.pools.units.tolist() == [16]
    assert _of(tmp_path, nodes + _line(1, 0, 9, 17, 9)).file.workload.pools.units.tolist() == [32]
    both = _of(tmp_path, nodes + HEADER + "".join(jobs))
    assert both.file.workload.pools.units.tolist() == [64]
    assert both.notes == ()
    assert _of(tmp_path, nodes + "".join(jobs), LogWork(units=50)).notes == ()
    late = _line(5, 1_000_000, 10, 1, 20)
    seldom = _of(tmp_path, nodes + "".join(jobs) + late)
    assert seldom.file.workload.pools.units.tolist() == [48], "time without a job does not count"
    brief = _of(tmp_path, nodes + _line(1, 1_000_000_000, 1e-9, 2, 9))
    assert brief.file.workload.pools.units.tolist() == [16], "no time passes, as clocks tell it"


def _classed(path: Path, *rows: JobClass) -> LogWorkload:
    return _made(path, work=LogWork(classes=classes_of_rows(rows)))


def test_classes_say_what_jobs_of_a_real_dump_are_worth() -> None:
    """By name and partition; the job of the partition spare was ended by Slurm for another."""
    found = _classed(
        DUMPS / "parsable2.txt",
        JobClass(name="fft*", worth=5, nothing_hours=4, tier=2, may_stop_others=True),
        JobClass(partition="spare", account="root", worth=0.5, may_be_stopped=True),
        JobClass(partition="spare", account="chemistry"),
    )
    jobs = found.file.workload.jobs
    counts = {worth: int(np.count_nonzero(jobs.priority == worth)) for worth in (5, 0.5, 1)}
    lines = (DUMPS / "parsable2.txt").read_text().splitlines()
    fft = sum(
        line.split("|")[1].startswith("fft") and "." not in line.split("|")[0] for line in lines
    )
    assert counts == {5: fft, 0.5: 1, 1: len(jobs) - fft - 1}
    assert jobs.rights is not None
    assert (jobs.rights.may_stop_others == (jobs.priority == 5)).all()
    assert (jobs.rights.may_be_stopped == (jobs.priority == 0.5)).all()
    assert (jobs.rights.tier == np.where(jobs.priority == 5, 2, 0)).all()
    assert found.file.workload.curves.names == ("constant", "full 0 h and nothing after 4 h")
    assert f"{counts[1]} jobs are of no class: worth 1, whenever done" in found.notes
    assert str(found.problems[-1]).startswith("warning: classes, row number 3: fits no job;")


@pytest.mark.parametrize("dump", ["all-columns.txt", "dbv0.0.38.json"])
def test_dumps_have_the_texts_of_classes(dump: str) -> None:
    row = JobClass("al*", "normal", "root", "root", "*", worth=7)
    assert (_classed(DUMPS / dump, row).file.workload.jobs.priority == 7).all()


def test_two_classes_that_fit_a_job_name_its_line() -> None:
    with pytest.raises(InvalidInput) as refused:
        _classed(DUMPS / "parsable2.txt", JobClass(name="fft"), JobClass(partition="a*", user="*"))
    assert str(refused.value.problems[0]) == (
        "error: classes, row number 2: fits job 3 (line 7 of parsable2.txt), as number 1 does; "
        "let one of the two fit it"
    )


def test_numbers_of_swf_logs_tell_classes(tmp_path: Path) -> None:
    """User, group (account), application (name), queue (QOS) and partition are 11 to 15."""
    path, tail = tmp_path / "a.swf", ["1 21 31 41 51 61", "1 22 32 42 52 62", "1 23 -1 43 53 63"]
    rows = [f"{k} {k} 5 50 1 -1 -1 1 60 -1 {one} -1 -1\n" for k, one in enumerate(tail, 1)]
    path.write_text(HEADER + "".join(rows))

    def worths(**texts: str) -> list[float]:
        jobs = _classed(path, JobClass(**texts, worth=7)).file.workload.jobs
        return jobs.priority.tolist()

    for column, text in zip(("user", "account", "name", "qos", "partition"), "23456", strict=True):
        assert worths(**{column: f"{text}2"}) == [1, 7, 1]
    assert worths(account="*") == [7, 7, 7]
    assert worths(account="-1") == [1, 1, 1], "-1 stands for unknown"
    assert worths(user="2*", qos="51") == [7, 1, 1]


def test_attempts_of_one_job_are_one_job(tmp_path: Path) -> None:
    """It arrives with the first attempt and takes what the last one took; the others are lost, and
    had their cores.
    """
    path = tmp_path / "a.txt"
    path.write_text(
        "JobID|State|Submit|Start|ElapsedRaw|AllocCPUS\n"
        "7|PREEMPTED|2024-03-04T08:00:00|2024-03-04T08:00:00|1800|4\n"
        "8|COMPLETED|2024-03-04T08:10:00|2024-03-04T08:30:00|600|2\n"
        "7|REQUEUED|2024-03-04T08:30:00|2024-03-04T08:40:00|0|2\n"
        "7|COMPLETED|2024-03-04T08:40:00|2024-03-04T08:50:00|3600|2\n"
        "9|PREEMPTED|2024-03-04T08:40:00|2024-03-04T08:50:00|60|1\n"
    )
    found = _made(path)
    workload = found.file.workload
    assert workload.jobs.arrival.tolist() == [0, 600, 2400]
    assert workload.options.seconds.tolist() == [3600, 600, 60]
    assert workload.options.units.tolist() == [2, 2, 1]
    assert workload.pools.units.tolist() == [4]
    assert "1 job was requeued, and 2 core-hours of work were lost" in found.notes
    assert found.problems == ()
    assert (found.lost.jobs, found.lost.attempts, found.lost.core_seconds) == (1, 2, 7200)
    real = _made(DUMPS / "duplicates.txt")
    assert (real.lost.jobs, real.lost.core_seconds) == (1, 3)
    assert len(real.file.workload.jobs) == len(_made(DUMPS / "parsable2.txt").file.workload.jobs)
