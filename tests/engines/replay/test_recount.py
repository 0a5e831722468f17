"""The judge's arithmetic is that of a count by hand."""

import math
from dataclasses import replace

import numpy as np
import pytest

from core.engines.replay.energy import EnergyWindows
from core.engines.replay.outcome import NOT_RUN, StatedOutcome
from core.engines.replay.recount import JobRuns, limited, share_of_priority
from core.engines.replay.workload import (
    WITHOUT_END,
    ArrivingJobs,
    Horizon,
    Options,
    Pools,
    Switching,
    Truth,
    Workload,
)
from core.engines.replay.worth import WorthCurves, WorthPiece

PIECES = (
    WorthPiece(0, 1, 1, 0),
    WorthPiece(60, 1, 0.5, 0.5),
    WorthPiece(120, 0.4, 0.2, 0),
    WorthPiece(200, 0.1, 0.1, 0),
)


def test_worth_goes_from_piece_to_piece() -> None:
    delay = np.array([-5, 0, 59.5, 60, 61, 119.5, 120, 160, 199, 200, 1e9])
    found = share_of_priority(PIECES, np.full(11, 0.01), delay)
    decayed = [0.5 + 0.5 * math.exp(-0.005 * since) for since in (1, 59.5)]
    expected = [1, 1, 1, 1, *decayed, 0.4, 0.3, 0.2025, 0.1, 0.1]
    assert found.tolist() == pytest.approx(expected, rel=1e-15)


def runs_of(
    rows: list[tuple[int, float, float]],
    pools: Pools,
    horizon: Horizon = WITHOUT_END,
    switching: Switching = "off when idle",
) -> JobRuns:
    """Jobs (units, start, end) on the first pool, of 100 W each."""
    jobs = len(rows)
    units, start, end = (np.array(column) for column in zip(*rows, strict=True))
    workload = Workload(
        pools,
        ArrivingJobs.plain(np.zeros(jobs)),
        Options.of(jobs, 0, units, 1.0, 100.0),
        horizon=horizon,
        switching=switching,
    )
    rising = np.arange(jobs)
    start, end, watts = start.astype(float), end.astype(float), np.full(jobs, 100.0)
    length, nothing = end - start, np.zeros(jobs)
    ends = np.ones(jobs, bool)
    return JobRuns(
        workload, rising, rising, start, end, length, watts, nothing, length, nothing, ends, end
    )


NODES = Pools.of(["A", "B"], [8, 4], 1, [10.0, 0.0], [2.0, 1.0])


def test_energy_is_divided_at_the_edges() -> None:
    runs = runs_of([(1, 10, 30), (1, 25, 40), (1, 40, 60), (1, 50, 70)], NODES)
    # 5 + 15 + 0 s of the first two, all of the third up to 55, and 5 s of the last
    assert runs.joules_between(25, 55, runs.watts) == 100 * (5 + 15 + 15 + 5)
    assert runs.joules_between(70, 80, runs.watts) == 0
    assert runs.joules_between(0, 10, runs.watts) == 0
    assert runs.joules_between(12, 13, runs.watts) == 100


def test_a_run_counts_by_its_share_within_the_horizon() -> None:
    """One of less than a second counts in part, and one without length if it is within."""
    spans = [(0, 40), (30, 60), (50, 90), (0, 10), (20, 70), (19.75, 20.25)]
    moments = [(20, 20), (19, 19), (70, 70), (69, 69)]
    runs = runs_of([(1, *span) for span in (*spans, *moments)], NODES, Horizon(20, 70))
    assert runs.scored.tolist() == [0.5, 1, 0.5, 0, 1, 0.5, 1, 0, 0, 1]


def test_what_jobs_take_earn_and_draw_is_as_the_truth_says() -> None:
    """Three jobs; the second never runs. The first ends after 30 s, the third after 80 s."""
    workload = Workload(
        NODES,
        ArrivingJobs(
            np.array([10.0, 10.0, 20.0]),
            np.zeros(3, int),
            ("job",),
            np.array([4.0, 1.0, 8.0]),
            np.zeros(3),
            np.array([0, 0, 1]),
        ),
        Options.of([0, 1, 2, 2], 0, 1, [40.0, 5.0, 6.0, 100.0], [100.0, 9.0, 7.0, 200.0]),
        WorthCurves(
            (
                (WorthPiece(0, 1, 0, 0), WorthPiece(60, 0, 0, 0)),
                (WorthPiece(0, 0.75, 0.75, 0),),
            ),
            ("falls", "stays"),
        ),
        Horizon(0.0, 75.0),
    )
    stated = StatedOutcome(
        workload,
        Truth(np.array([0.75, 1, 0.5]), np.array([0.5, 1, 2])),
        EnergyWindows.without_limit(workload.horizon),
        job=np.array([0, 1, 2]),
        option=np.array([0, NOT_RUN, 3]),
        pool=np.zeros(3, int),
        units=np.ones(3, int),
        start=np.array([10.0, np.nan, 50.0]),
        end=np.array([40.0, np.nan, 100.0]),
        estimated_end=np.array([50.0, np.nan, 150.0]),
        worth=np.zeros(3),
        joules=np.zeros(3),
        dropped=np.zeros(3, bool),
    )
    runs = JobRuns.of(stated, np.array([True, False, True]))
    assert (runs.job.tolist(), runs.option.tolist()) == ([0, 2], [0, 3])
    assert (runs.start.tolist(), runs.end.tolist()) == ([10, 50], [40, 100])
    assert runs.seconds.tolist() == [30, 50]
    assert (runs.watts.tolist(), runs.excess_watts.tolist()) == ([50, 400], [0, 200])
    # Half of the priority after half of 60 s; 3/4 of it, for the half within the horizon.
    assert runs.worth.tolist() == [2, 3]
    assert runs.joules.tolist() == [50 * 30, 400 * 50]


def test_of_one_moment_ends_come_first() -> None:
    runs = runs_of([(8, float(k), float(k + 1)) for k in range(30)], NODES)
    assert runs.steps(0).busy.max() == 8
    assert runs.steps(1).busy.tolist() == []


@pytest.mark.parametrize(
    ("switching", "whole", "unit_seconds"),
    [
        ("always on", False, 8 * 100),
        ("always on", True, 8 * 100),
        # 3 units until 40 s, then 1 until 60 s
        ("until last job", False, 3 * 40 + 1 * 20),
        ("until last job", True, 8 * 60),
        ("off when idle", False, 1 * 10 + 3 * 10 + 1 * 10),
        ("off when idle", True, 8 * 30),
    ],
)
def test_idle_machines_draw_by_the_rule(
    switching: Switching, whole: bool, unit_seconds: int
) -> None:
    pools = replace(NODES, whole=np.full(2, whole))
    runs = runs_of([(1, 20, 30), (3, 30, 40), (1, 50, 60)], pools, Horizon(0, 100), switching)
    on = 0 if switching != "always on" else 4 * 100
    asleep = (8 * 100 - unit_seconds) * 2 + (4 * 100 - on) * 1
    assert runs.idle_joules == unit_seconds * 10 + asleep


def test_without_an_end_machines_draw_until_the_last_job_ends() -> None:
    runs = runs_of([(1, 20, 30)], NODES, Horizon(5, math.inf), "always on")
    assert runs.idle_joules == 25 * 8 * 10
    later = runs_of([(1, 0, 3)], NODES, Horizon(5, math.inf), "always on")
    assert later.idle_joules == 0


def test_where_nothing_runs_machines_draw_from_the_begin_alone() -> None:
    none = runs_of([(1, 20, 30)], NODES, Horizon(0, math.inf), "always on")
    nothing = np.zeros(0, int)
    none = replace(none, job=nothing, option=nothing, start=np.zeros(0), end=np.zeros(0))
    assert none.idle_joules == 0


def test_machines_may_draw_nothing_asleep_or_as_much_as_when_they_are_on() -> None:
    pools = Pools.of("ABCD", [8, 4, 2, 1], 1, [10.0, 3.0, 1.0, 0.0], [0.0, 3.0, 1.0, 0.0])
    runs = runs_of([(3, 20, 30)], pools, Horizon(0, 100))
    assert runs.idle_joules == 3 * 10 * 10 + 100 * (4 * 3 + 2 * 1)


def test_windows_without_a_limit_are_left_out() -> None:
    windows = EnergyWindows(np.array([0.0, 5.0, 9.0]), np.array([np.inf, 7.0]))
    assert limited(windows) == [(5.0, 9.0, 7.0)]
