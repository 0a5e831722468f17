"""Jobs and moments of a day are said as a clock says them."""

from dataclasses import replace

import numpy as np
from arriving_days import HOUR, a_day, two_nodes

from dashboard.screens.arrivals.event import busiest, moment_said, moments
from dashboard.screens.arrivals.fates import fate, fates_table, summary, two_fates


def test_the_jobs_that_fared_most_differently_come_first() -> None:
    many, one = a_day(workload=two_nodes()), a_day(workload=two_nodes(nodes=1))
    late = replace(one, option=np.where(np.arange(20) == 3, -1, one.option))
    found = two_fates(many, late)
    assert (found.jobs, found.more, found.less, found.same) == ((3,), 1, 0, 19)
    assert fate(many, 3) == "1 × nodes, waited 0 s, ran 1 h"
    assert fate(late, 3) == "never ran"
    table = fates_table(found, ("A", "B"))
    assert table.iloc[0].tolist() == ["4", "odd", "1", "0", fate(many, 3), "never ran"]
    assert summary(found, ("A", "B")) == ("1 job earns more under A, 0 under B, and 19 the same.")


def test_a_job_that_was_dropped_says_when() -> None:
    day = a_day()
    gone = replace(
        day,
        option=np.full(20, -1),
        dropped=np.ones(20, bool),
        end=day.workload.jobs.arrival + 90.0,
    )
    assert fate(gone, 0) == "dropped after 90 s"


def test_moments_are_those_of_events_and_are_said_as_a_clock_says_them() -> None:
    day = a_day(workload=two_nodes(nodes=1))
    there = moments(day)
    assert there == sorted(set(there))
    assert set(there) <= set(day.decisions.time.tolist())
    most = busiest(day, there)
    waiting = dict(zip(day.decisions.time.tolist(), day.decisions.waiting.tolist(), strict=True))
    assert waiting[most] == max(waiting.values())
    assert moment_said(day.workload, 13.75 * HOUR) == "13:45"
    assert moment_said(day.workload, 37.75 * HOUR) == "day 2, 13:45"
    warm = replace(day.workload, horizon=day.workload.horizon._replace(begin=4 * HOUR))
    assert moment_said(warm, HOUR) == "21:00 before the day"
