"""A log becomes the jobs that it has: when they came, what they asked for, what they took."""

from pathlib import Path

import pytest

from core.arrivals.from_logs import LogWork, LogWorkload, workload_of_log
from core.arrivals.policies import policy_named
from core.logs.reading import read_logs
from core.model.problems import InvalidInput
from core.replay.clock import replay

HEADER = "; MaxProcs: 64\n"


def _line(job: int, submit: float, run: float, cores: int, asked: float) -> str:
    return f"{job} {submit} 5 {run} {cores} -1 -1 {cores} {asked} -1 1 1 1 1 1 1 -1 -1\n"


def _of(tmp_path: Path, text: str, work: LogWork | None = None) -> LogWorkload:
    path = tmp_path / "a.swf"
    path.write_text(text)
    store = read_logs([path])
    try:
        return workload_of_log(store, work or LogWork(), "a.swf")
    finally:
        store.close()


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
    assert found.notes == (
        "1 job ran longer than asked for; the longer time is used",
        "1 job asked for no time; the time that it took is used",
    )


def test_rows_that_cannot_be_replayed_are_counted_by_reason(tmp_path: Path) -> None:
    text = HEADER + "".join(
        [_line(1, 0, 50, 4, 60), _line(2, 1, 0, 4, 60), _line(3, 2, 50, 65, 60)]
    )
    found = _of(tmp_path, text)
    assert len(found.file.workload.jobs) == 1
    said = " ".join(found.notes)
    assert "1 row took more cores than the 64 there are; left out" in said
    with pytest.raises(InvalidInput, match="no job that can be replayed"):
        _of(tmp_path, text, LogWork(units=3))


def test_without_a_size_the_pool_is_as_wide_as_the_widest_job(tmp_path: Path) -> None:
    text = _line(1, 0, 50, 4, 60) + _line(2, 1, 10, 9, 60)
    assert _of(tmp_path, text).file.workload.pools.units.tolist() == [9]
    assert _of(tmp_path, text, LogWork(units=20)).file.workload.pools.units.tolist() == [20]


def test_a_log_is_replayed_under_easy(tmp_path: Path) -> None:
    """The second takes all 4 cores from the event at 60 s on; the third is promised their end."""
    text = "".join([_line(1, 0, 50, 3, 60), _line(2, 1, 10, 4, 10), _line(3, 2, 5, 1, 5)])
    file = _of(tmp_path, text, LogWork(units=4)).file
    outcome = replay(file.workload, policy_named("easy").policy, file.truth)
    assert outcome.start.tolist() == [0, 60, 70]
    assert outcome.completed == 3
