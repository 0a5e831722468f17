"""How often tasks arrive is counted by the hours of the cluster's clock that the log has."""

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from log_stores import dump, store_of

from core.engines.logs.derived.beside import arrivals_in, hours_between
from core.engines.logs.derived.derivation import derive
from core.engines.logs.types.settings import RunSettings
from core.vocabulary.arrivals import HourlyArrivals

SETTINGS = RunSettings(task_type="name", machine_type="partition", machine="node", rare_below=1)


def arrivals(*rows: dict[str, object]) -> HourlyArrivals | None:
    with store_of(dump(*rows)) as store:
        return arrivals_in(derive(store, SETTINGS), store)


def submitted(day: int, time: str, name: str = "a") -> dict[str, object]:
    moment = f"2026-01-{day:02}T{time}"
    return {"JobName": name, "Submit": moment, "Start": "2026-02-01T00:00:00"}


def test_means_are_over_the_days_of_the_log() -> None:
    jobs = [submitted(day, "09:30:00") for day in (5, 6, 7) for _ in range(2)]
    others = [submitted(5, "10:00:00", "b"), *[submitted(7, "10:30:00", "b")] * 3]
    found = arrivals(*jobs, *others)
    assert found is not None
    assert found.names == ("a", "b")
    assert found.days == pytest.approx(2 + 1 / 24)
    # Half of the hour from 9 and half of that from 10 are there a third time.
    assert found.rates[9].tolist() == [6 / 2.5, 0]
    assert found.rates[10].tolist() == [0, 4 / 2.5]
    assert found.rates.sum(axis=0).tolist() == [6 / 2.5, 4 / 2.5]


def test_a_log_of_a_week_has_the_hours_of_the_week() -> None:
    """5 January 2026 is a Monday; with the parts of hours at the ends, two weeks later again."""
    moments = [(5, "00:00:00"), (6, "09:30:00"), (11, "23:59:00"), (13, "09:10:00")]
    found = arrivals(*[submitted(day, time) for day, time in (*moments, (19, "00:00:00"))])
    assert found is not None
    assert found.week is not None
    assert found.week.shape == (7 * 24, 1)
    assert {hour: rate for hour, (rate,) in enumerate(found.week.tolist()) if rate} == {
        0: 1.0,
        24 + 9: 1.0,
        6 * 24 + 23: 0.5,
    }
    short = arrivals(submitted(5, "00:00:00"), submitted(11, "23:59:00"))
    assert short is not None
    assert short.week is None


def test_an_hour_that_the_log_hardly_has_counts_as_one() -> None:
    found = arrivals(*[submitted(5, f"23:59:{second}") for second in (30, 40, 50)])
    assert found is not None
    assert found.rates[23].tolist() == [3]
    assert found.rates.sum() == 3


def test_what_has_no_submission_arrives_when_it_began() -> None:
    found = arrivals(*[{"Submit": "", "Start": "2026-01-05T04:00:00"}] * 3)
    assert found is not None
    assert found.rates[4].tolist() == [3]


def test_runs_without_a_moment_are_left_out() -> None:
    moments = "".join(f"a,x,5,{moment}\n" for moment in (1_700_000_000, 1_700_000_100, ""))
    with store_of(f"task,machine,seconds,start\n{moments}") as store:
        derived = derive(store)
        found = arrivals_in(derived, store)
    assert derived.used == 3
    assert found is not None
    assert found.rates.sum() == 2


def test_without_moments_nothing_is_known() -> None:
    with store_of("task,machine,seconds\n" + "a,x,5\n" * 3) as store:
        assert arrivals_in(derive(store), store) is None


@examples(30)
@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_hours_are_counted_as_second_by_second(first: int, length: int) -> None:
    seconds = np.arange(first, first + length) % 86_400 // 3600
    counted = np.bincount(seconds, minlength=24) / 3600
    assert hours_between(first, first + length) == pytest.approx(counted, abs=1e-9)
    seconds = np.arange(first, first + length) % 604_800 // 3600
    counted = np.bincount(seconds, minlength=168) / 3600
    assert hours_between(first, first + length, 168) == pytest.approx(counted, abs=1e-9)
