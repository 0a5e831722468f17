"""Bars and table of trials have means with intervals, the best policy first."""

import pytest

from core.capabilities.fair_shares.tasks.outcome import StretchScores
from core.capabilities.fair_shares.trials.drawn import PolicyScores, TrialScores
from core.capabilities.fair_shares.trials.means import TrialMeans
from core.capabilities.fair_shares.trials.words import means_table
from dashboard.screens.fair_shares.policies_chart import means_figure


def trial(*worst: float) -> TrialScores:
    names = ("fifo-rr", "spt-dd", "mwma-ms")
    return TrialScores(
        2.0,
        tuple(
            PolicyScores(name, StretchScores(one, one, 3_600.0 * one, 9e3, 9e3), (), 0.1)
            for name, one in zip(names, worst, strict=True)
        ),
    )


@pytest.fixture
def means() -> TrialMeans:
    """FIFO RR is far worse in each trial; MWMA MS is sometimes better, sometimes worse."""
    return TrialMeans.of([trial(8.0, 4.0, 3.0), trial(9.0, 5.0, 7.0), trial(8.1, 4.1, 4.4)])


def test_bars_have_intervals_and_the_table_is_sorted_alike(means: TrialMeans) -> None:
    (bars,) = means_figure(means, "max_flow").data
    assert [*bars.y] == ["SPT DD", "MWMA MS", "FIFO RR"]
    assert [*bars.x] == pytest.approx([4.3667, 4.8, 8.3667], abs=1e-4)
    assert bars.error_x.array[0] == pytest.approx(1.3682, abs=1e-4)
    table = means_table(means, "max_flow")
    assert table.head[:3] == ("Policy", "Longest time (h)", "More than the best")
    assert [row[2] for row in table.rows] == ["best", "0.4333 ± 3.8", "4 ± 0"]


def test_the_best_possible_is_a_line_where_it_is_known(means: TrialMeans) -> None:
    assert means_figure(means, "max_stretch").layout.shapes[0].x0 == 2.0
    assert means_figure(means, "makespan").layout.shapes == ()
