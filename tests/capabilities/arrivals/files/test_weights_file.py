"""Weights of files: those of a drawn day read back; faults are named by file, row and column."""

from pathlib import Path

import numpy as np
import pytest

from core.capabilities.arrivals.files.weights_file import read_weights
from core.capabilities.arrivals.files.workload_file import WorkloadFile
from core.capabilities.arrivals.files.workload_writer import write_workload
from core.capabilities.arrivals.made.recipes import DRAWN_VALUE, drawn
from core.engines.replay.value import PUBLISHED_WEIGHTS, ValueWeights
from core.vocabulary.problems import InvalidInput


def same(one: ValueWeights, other: ValueWeights) -> bool:
    tables = (one.time, other.time), (one.energy, other.energy), (one.period, other.period)
    names = (one.categories, one.periods) == (other.categories, other.periods)
    return names and all(np.array_equal(*pair) for pair in tables)


@pytest.fixture(scope="module")
def day() -> WorkloadFile:
    return drawn(DRAWN_VALUE, 0)


def test_those_of_a_workload_read_back(day: WorkloadFile, tmp_path: Path) -> None:
    write_workload(day, tmp_path / "day")
    for path in (tmp_path / "day", tmp_path / "day" / "weights.csv"):
        assert same(read_weights(path), PUBLISHED_WEIGHTS)


def test_without_periods_they_hold_at_all_hours(tmp_path: Path) -> None:
    (tmp_path / "w.csv").write_text("category,period,time,energy\na,any,1,2\nb,any,3,4\n")
    found = read_weights(tmp_path / "w.csv")
    assert (found.time.tolist(), found.energy.tolist()) == ([[1.0], [3.0]], [[2.0], [4.0]])
    assert found.period.tolist() == [0] * 24


@pytest.mark.parametrize(
    ("weights", "periods", "message"),
    [
        ("a,x,1,-2\n", None, "w.csv, row a, column energy: is −2 in the period 'x'; a weight is 0"),
        ("a,x,1,2\na,y,1,2\n", None, "w.csv, column period: have several periods"),
        ("a,x,1,2\nb,y,1,2\n", "x,0,9\ny,9,24\n", "w.csv, row a, column period: has no weights in"),
        ("a,x,1,2\na,x,1,3\n", None, "w.csv, row line 3, column category: is there twice"),
        ("a,x,1,two\n", None, "w.csv, row line 2, column energy"),
        ("a,x,1,2\n", "x,0,9\n", "periods.csv, column begin: leave 9:00 out"),
        ("a,x,1,2\n", "x,0,25\n", "periods.csv, row line 2, column end: is 25"),
        ("", None, "w.csv: has no row; give one for each category and period"),
    ],
)
def test_faults_are_named(tmp_path: Path, weights: str, periods: str | None, message: str) -> None:
    (tmp_path / "w.csv").write_text(f"category,period,time,energy\n{weights}")
    if periods is not None:
        (tmp_path / "periods.csv").write_text(f"period,begin,end\n{periods}")
    with pytest.raises(InvalidInput) as refused:
        read_weights(tmp_path / "w.csv")
    assert any(message in str(one) for one in refused.value.problems), refused.value


def test_other_columns_and_paths_are_refused(tmp_path: Path) -> None:
    (tmp_path / "w.csv").write_text("category,period,time,energy,hour\na,x,1,2,3\n")
    with pytest.raises(InvalidInput, match="hour"):
        read_weights(tmp_path / "w.csv")
    with pytest.raises(InvalidInput, match=r"none\.csv: does not exist"):
        read_weights(tmp_path / "none.csv")
    with pytest.raises(InvalidInput, match=r"weights\.csv: does not exist"):
        read_weights(tmp_path)


def test_other_weights_make_other_worth(day: WorkloadFile) -> None:
    """Where energy counts nothing, no option adds anything; the order of categories is free."""
    order = [2, 0, 1]
    weights = ValueWeights(
        tuple(PUBLISHED_WEIGHTS.categories[one] for one in order),
        PUBLISHED_WEIGHTS.periods,
        PUBLISHED_WEIGHTS.time[order],
        0.0 * PUBLISHED_WEIGHTS.energy,
        PUBLISHED_WEIGHTS.period,
    )
    found = day.weighed(weights).workload
    assert not found.options.added.any()
    assert np.array_equal(found.jobs.priority, day.workload.jobs.priority)
    assert same(day.weighed(PUBLISHED_WEIGHTS).values.weights, PUBLISHED_WEIGHTS)
    again = day.weighed(PUBLISHED_WEIGHTS).workload.options
    assert np.array_equal(again.added, day.workload.options.added)


def test_weights_that_are_not_for_a_day_are_refused(day: WorkloadFile) -> None:
    few = ValueWeights(("regular",), ("",), np.ones((1, 1)), np.ones((1, 1)), np.zeros(24, int))
    with pytest.raises(InvalidInput) as refused:
        day.weighed(few)
    rows = [one.row for one in refused.value.problems]
    assert rows == ["high performance", "energy conservative"]
    with pytest.raises(InvalidInput, match="these have none; leave them out"):
        drawn("testbed", 0).weighed(PUBLISHED_WEIGHTS)
