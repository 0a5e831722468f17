"""Results of methods are compared as the publication does, in shares of what it says."""

import numpy as np
import pytest

from benchmarks.publications.arrivals.uncertain import figures
from benchmarks.publications.arrivals.uncertain_readings import measure_readings
from benchmarks.publications.arrivals.uncertain_runs import (
    OFFLINE,
    RUN,
    WAITING,
    UncertainCell,
    instances_of,
    measure,
)
from benchmarks.publications.arrivals.uncertain_tables import DEVIATION, IMPROVEMENT, WINS
from core.capabilities.arrivals.uncertain.bags import ERROR_LEVELS, MACHINES, RATES
from core.capabilities.arrivals.uncertain.methods import METHODS


def cell() -> UncertainCell:
    """Two instances: on the first, method k takes k + 1 s and 10 J; on the second, 10 - k s, 20 J.

    The weighed method takes 2 s and 5 J, the one that waits 4 s and 5 J; the bound is 1 s, 5 J.
    """
    place = np.arange(len(METHODS), dtype=float)
    first = np.column_stack([place + 1, np.full(len(place), 10.0)])
    second = np.column_stack([10 - place, np.full(len(place), 20.0)])
    own = [[2.0, 5.0], [4.0, 5.0]]
    actual = np.array([[*first.tolist(), *own], [*second.tolist(), *own]])
    expected = np.tile([20.0, 40.0], (2, len(OFFLINE), 1))
    return UncertainCell(actual, expected, np.array([[1.0, 5.0]] * 2))


def test_shares_are_of_the_expected_and_of_the_worst() -> None:
    found = cell()
    assert found.deviation[0, :, 0] == pytest.approx([0.95, 0.9, 0.85])
    assert found.deviation[1, :, 1] == pytest.approx([0.5] * 3)
    assert found.improvement[0, 0] == pytest.approx([7 / 8, 0.0])
    assert found.improvement[1, 7] == pytest.approx([0.7, 0.0])


def test_equals_share_a_win() -> None:
    wins = cell().wins
    assert wins[0].tolist() == [1, 0, 0, 0, 0, 0, 0, 1]
    assert wins[1].tolist() == [2] * 8


def test_differences_are_of_pairs_and_in_shares_of_the_other() -> None:
    """Offline MaxMin takes 1 and 10 s, the weighed method 2 and 2: on average 3.5 of 5.5 s less."""
    found = cell()
    less = found.less("weighed", "offline-maxmin", 0)
    assert less.mean == pytest.approx(3.5 / 5.5)
    assert less.low < 0 < less.high
    assert found.less("weighed", WAITING, 1).mean == 0
    assert found.above("weighed", 0).mean == pytest.approx(1.0)


def test_instances_are_of_every_kind_alike() -> None:
    asked = instances_of(12, "low", 200)
    assert len(set(asked)) == 200
    for rate in RATES:
        for kind in ("high", "low"):
            same = [one for one in asked if (one.rate, one.heterogeneity) == (rate, kind)]
            assert sorted(one.seed for one in same) == list(range(50))


def test_the_printed_tables_add_up_as_the_specification_says() -> None:
    def total(errors: bool, measure: int) -> list[int]:
        rows = [row[measure] for (_, level), row in WINS.items() if (level != "none") == errors]
        return np.sum(rows, axis=0).tolist()

    assert total(False, 0)[0] == 474
    assert total(True, 0)[3:6] == [971, 697, 79]
    assert total(False, 1)[0] == 220
    assert total(True, 1)[3:6] == [663, 963, 128]
    assert len(DEVIATION) == 9
    assert max(row[0][3] for row in IMPROVEMENT.values()) == 50.2
    assert max(row[1][4] for row in IMPROVEMENT.values()) == 32.0


def test_all_figures_come_of_a_few_small_instances() -> None:
    heard: list[str] = []
    cells = measure(2, heard.append, tasks=30)
    assert list(cells) == [(count, level) for count in MACHINES for level in ERROR_LEVELS]
    assert len(heard) == len(cells)
    found = figures(cells, measure_readings(1, tasks=12))
    assert [figure.number for figure in found] == ["6.2", "6.3", "6.4", "R", "W"]
    claims = [claim for figure in found for claim in figure.claims]
    assert len({claim.claim for claim in claims}) == len(claims)
    assert sum(claim.ours for claim in claims) == 25
    for figure in found:
        assert all(len(row) == len(figure.table.head) for row in figure.table.rows)
    for one in cells.values():
        assert one.actual.shape == (2, len(RUN), 2)
        assert (one.actual >= one.bound[:, None] * (1 - 1e-12)).all()
    exact = cells[8, "none"]
    np.testing.assert_allclose(exact.deviation[..., 0], 0, atol=1e-12)
