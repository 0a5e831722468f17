"""Jobs of a log run in sizes: times by a law of speed-up or as said, in sizes that they fit."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.arrivals.made.from_logs import LogWork, LogWorkload, workload_of_log
from core.capabilities.arrivals.made.job_sizes import JobSize, JobSizes, SpeedUp
from core.capabilities.arrivals.policies import VALUE, policy_named
from core.engines.logs.reading.logs import read_logs
from core.engines.replay.clock import replay
from core.engines.replay.judge import judge_outcome
from core.engines.replay.workload import PARTS
from core.vocabulary.problems import InvalidInput

HEADER = "; MaxProcs: 8\n"
SMALL, BIG = JobSize("small", 1, 2.0), JobSize("big", 4, 16.0)
HALF = SpeedUp(parallel_share=0.5)


def offered(*rows: JobSize, kinds: tuple[str, ...] = ()) -> JobSizes:
    return JobSizes(rows, kinds, "s.csv", tuple(f"line {row}" for row in range(2, 2 + len(rows))))


def line(job: int, run: float, cores: int, asked: float, gb: float = -1, kind: int = 1) -> str:
    each = gb * 1024**2 / cores if gb >= 0 else -1
    return f"{job} {job} 0 {run} {cores} -1 -1 {cores} {asked} {each} 1 1 1 {kind} 1 1 -1 -1\n"


def made(tmp_path: Path, text: str, work: LogWork) -> LogWorkload:
    path = tmp_path / "a.swf"
    path.write_text(HEADER + text)
    store = read_logs([path])
    try:
        return workload_of_log(store, work, path.name)
    finally:
        store.close()


def refusals(tmp_path: Path, text: str, work: LogWork) -> list[str]:
    with pytest.raises(InvalidInput) as refused:
        made(tmp_path, text, work)
    return list(map(str, refused.value.problems))


@given(
    st.builds(
        SpeedUp,
        st.sampled_from(["amdahl", "downey"]),
        st.floats(0, 1),
        st.floats(1, 100),
        st.floats(1, 10),
    )
)
def test_more_cores_are_never_slower_and_one_is_once_as_fast(speed_up: SpeedUp) -> None:
    cores = np.arange(1, 300)
    faster = speed_up.on(cores)
    assert faster[0] == pytest.approx(1)
    assert (np.diff(faster) >= -1e-12).all()
    assert (faster <= cores * (1 + 1e-12)).all()


def test_times_follow_by_the_law_and_truth_stays_a_share(tmp_path: Path) -> None:
    """Of 4 cores at a share of a half, Amdahl makes 1.6; Downey has 64/19 at A = 8, sigma 1."""
    text = line(1, 50, 4, 100) + line(2, 80, 1, 80)
    work = LogWork(watts=2.0, memory=16.0, sizes=offered(SMALL, BIG), speed_up=HALF)
    found = made(tmp_path, text, work)
    options = found.file.workload.options
    assert options.units.tolist() == [1, 4, 1, 4]
    assert options.further is not None
    assert options.further.tolist() == [[2], [16], [2], [16]]
    assert options.seconds == pytest.approx([160, 100, 80, 50])
    assert options.watts.tolist() == [2, 8, 2, 8]
    assert found.file.truth.time.tolist() == [0.5, 1]
    pools = found.file.workload.pools
    assert pools.resources == ("memory_gb",)
    assert pools.further is not None
    assert (pools.units.tolist(), pools.further.tolist()) == ([8], [[16]])
    assert found.notes == (
        "jobs run in one of 2 sizes; on other cores than they had, their times follow from "
        "Amdahl's law, where 50 % of the work runs on all cores at once",
    )
    downey = SpeedUp("downey", parallelism=8.0)
    found = made(tmp_path, text, LogWork(memory=32.0, sizes=offered(SMALL, BIG), speed_up=downey))
    assert found.file.workload.options.seconds == pytest.approx(
        [100 * 64 / 19, 100, 80, 80 * 19 / 64]
    )
    assert "Downey's model (average parallelism 8, sigma 1)" in found.notes[-1]


def test_jobs_have_the_memory_that_they_ask_for(tmp_path: Path) -> None:
    """That of the cluster is what they had at once; one that fits no size is left out."""
    text = line(1, 50, 1, 50, 3) + line(2, 50, 2, 50, 1.1) + line(3, 50, 1, 50, 20)
    work = LogWork(sizes=offered(JobSize("a", 1, 1.1), BIG))
    found = made(tmp_path, text, work)
    assert found.file.workload.options.units.tolist() == [4, 1, 4]
    assert found.file.workload.pools.parts.tolist() == [[(3 + 2 + 20) * PARTS]]
    assert "assumed 25 GB, as much as jobs asked for at once" in found.notes[0]
    (problem,) = map(str, found.problems)
    assert "line 4, column memory: fits no size" in problem
    assert problem.endswith("offer a larger size, or say the seconds of such jobs in one")


def test_no_memory_is_memory_that_is_not_known(tmp_path: Path) -> None:
    (said,) = refusals(tmp_path, line(1, 50, 1, 50, 0), LogWork(sizes=offered(SMALL)))
    assert "a.swf, column memory: is not known of all jobs" in said


def test_sizes_say_the_seconds_of_jobs_of_a_name(tmp_path: Path) -> None:
    """These are what such jobs really take; a blank means that they cannot run there."""
    small, big = JobSize("a", 1, 2.0, None, (None, 7.0)), JobSize("b", 4, 16.0, None, (9.0, 5.0))
    sizes = offered(small, big, kinds=("2", "3*"))
    text = line(1, 50, 1, 100, kind=1) + line(2, 50, 1, 100, kind=2) + line(3, 1, 1, 100, kind=33)
    work = LogWork(memory=32.0, sizes=sizes, speed_up=HALF)
    found = made(tmp_path, text, work)
    options = found.file.workload.options
    assert np.diff(options.first).tolist() == [2, 1, 2]
    assert options.seconds == pytest.approx([100, 62.5, 9, 7, 5])
    assert found.file.truth.time.tolist() == [0.5, 1, 1]
    assert found.notes[-1] == "2 jobs take the seconds that the sizes say"
    nobody = offered(small, big, kinds=("2", "x"))
    (problem,) = made(tmp_path, text, LogWork(memory=32.0, sizes=nobody)).problems
    assert str(problem) == (
        "warning: s.csv, column seconds:x: fits no job; correct its texts, or leave it out"
    )


def test_all_that_is_wrong_is_said_at_once(tmp_path: Path) -> None:
    wide, large = JobSize("wide", 9, 1.0, None, (1.0, 1.0)), JobSize("l", 1, 9.0, None, (1.0, 1.0))
    text = line(1, 50, 1, 100)
    both = offered(wide, large, kinds=("1", "*"))
    assert refusals(tmp_path, text, LogWork(memory=8.0, sizes=both)) == [
        "error: s.csv, row line 2, column cores: is 9, but the cluster has 8 cores; leave the size "
        "out, or say that there are more (--units)",
        "error: s.csv, row line 3, column memory_gb: is 9, but the cluster has 8 GB; leave the "
        "size out, or say that there are more (--memory)",
        "error: s.csv, column seconds:*: fits job 1 (line 2 of a.swf), as seconds:1 does; let one "
        "of the two fit it",
    ]
    unknown, nodes = offered(JobSize("wide", 9, 1.0)), LogWork("nodes", sizes=offered(SMALL))
    assert refusals(tmp_path, text, LogWork(sizes=unknown)) == [
        "error: a.swf, column memory: is not known of all jobs, so that of the cluster is not, "
        "either; say how many GB it has in all (--memory GB)",
        "error: s.csv, row line 2, column cores: is 9, but the cluster has 8 cores; leave the size "
        "out, or say that there are more (--units)",
    ]
    assert (
        "s.csv, column cores: are cores, but a unit is a node" in refusals(tmp_path, text, nodes)[0]
    )


def test_too_many_ways_to_run_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.capabilities.arrivals.made.from_logs.JOB_ROWS", 3)
    work = LogWork(memory=32.0, sizes=offered(SMALL, BIG))
    assert len(made(tmp_path, line(1, 5, 1, 5), work).file.workload.jobs) == 1
    (said,) = refusals(tmp_path, line(1, 5, 1, 5) + line(2, 5, 1, 5), work)
    assert "give 4 ways to run jobs; at most 3 are replayed; give fewer sizes" in said


@pytest.mark.parametrize("policy", ["easy", "max-vptr", "simple-dp"])
def test_policies_choose_sizes_and_the_judge_agrees(tmp_path: Path, policy: str) -> None:
    text = "".join(line(job, 40 + job, 1 + job % 4, 100, 1 + job % 3) for job in range(1, 40))
    found = made(tmp_path, text, LogWork(memory=40.0, sizes=offered(SMALL, BIG)))
    workload, truth = found.file.workload, found.file.truth
    chosen = VALUE[policy].policy if policy in VALUE else policy_named(policy).policy
    outcome = replay(workload, chosen, truth)
    assert judge_outcome(outcome).problems == ()
    assert outcome.ran.all()
