"""Days of a log keep its arrivals, times and cores; what it does not say is drawn by a seed."""

from pathlib import Path

import numpy as np
import pytest

from benchmarks.publications.arrivals.trace import (
    CORES,
    MOST_CORES,
    TraceDay,
    as_workload,
    chosen_workload,
    days_of_log,
    drawn_day,
    drawn_workload,
)
from core.vocabulary.problems import InvalidInput

HOUR = 3600.0


def swf(path: Path, jobs: list[tuple[float, float, int]]) -> Path:
    """A log of jobs that are submitted at a time, run so long, and use so many processors."""
    lines = [
        f"{number} {submit:.0f} 10 {seconds:.0f} {cores} -1 -1 {cores} {seconds:.0f} -1" + 8 * " 1"
        for number, (submit, seconds, cores) in enumerate(jobs, 1)
    ]
    path.write_text("; UnixStartTime: 0\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_days_of_a_log_are_whole_and_begin_4_hours_before(tmp_path: Path) -> None:
    jobs = [(hour * HOUR, 600.0, 16) for hour in range(0, 80)]
    first, last = days_of_log(swf(tmp_path / "log.swf", jobs), 2)
    assert first.arrival.tolist() == [hour * HOUR for hour in range(28)]
    assert last.arrival.tolist() == first.arrival.tolist()
    (only,) = days_of_log(tmp_path / "log.swf", 1)
    assert only.seconds.tolist() == [600.0] * 28


def test_jobs_that_are_too_large_or_did_not_run_are_left_out(tmp_path: Path) -> None:
    jobs = [(0, 60, 8), (1, 60, MOST_CORES + 1), (2, 0, 8), (3, 60, MOST_CORES), (29 * HOUR, 60, 8)]
    (day,) = days_of_log(swf(tmp_path / "log.swf", jobs), 9)
    assert day.cores.tolist() == [8, MOST_CORES]


def test_a_log_of_less_than_a_day_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="no whole day"):
        days_of_log(swf(tmp_path / "log.swf", [(0, 60, 8), (27 * HOUR, 60, 8)]), 3)


def test_the_times_of_the_log_are_near_those_of_the_first_pool() -> None:
    day = TraceDay(np.arange(500.0), np.full(500, 1000.0), np.full(500, 40))
    workload = as_workload(day, 0.5, 1)
    options = workload.options
    fastest = (options.pool == 0) & (options.state == 0)
    assert np.median(options.seconds[fastest]) == pytest.approx(1000, rel=0.1)
    assert (options.units == 3).all()  # of 16 cores each
    assert workload.pools.units.sum() * 16 == pytest.approx(CORES / 2, rel=0.01)
    slow = options.state == 2
    assert np.mean(options.watts[slow] / options.watts[options.state == 0]) == pytest.approx(
        0.5, abs=0.02
    )


def test_every_job_fits_in_a_tenth_of_the_machine_and_a_seed_draws_one_day() -> None:
    one, again, other = drawn_workload(0.1, 3), drawn_workload(0.1, 3), drawn_workload(0.1, 4)
    assert np.array_equal(one.options.watts, again.options.watts)
    assert not np.array_equal(one.jobs.arrival[:50], other.jobs.arrival[:50])
    assert one.options.units.max() <= one.pools.units.min()
    day = drawn_day(3)
    assert (np.diff(day.arrival) >= 0).all()
    assert day.cores.max() <= MOST_CORES
    chosen = chosen_workload([drawn_day(5), day], 0.1, 1)
    assert np.array_equal(chosen.jobs.arrival, day.arrival)


def test_a_drawn_day_has_bursts() -> None:
    """The busiest minute has many more jobs than minutes have at even rates."""
    day = drawn_day(0)
    minutes = np.bincount((day.arrival // 60).astype(int))
    assert minutes.max() > 20 * minutes.mean()
