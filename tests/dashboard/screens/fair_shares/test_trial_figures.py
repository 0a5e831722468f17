"""What trials say on the page: which policy is best on average, and which may be as good."""

import pytest

from core.capabilities.fair_shares.tasks.outcome import StretchScores
from core.capabilities.fair_shares.trials.drawn import PolicyScores, TrialScores
from core.capabilities.fair_shares.trials.means import TrialMeans
from dashboard.screens.fair_shares.trial_figures import (
    alike_said,
    means_figure,
    means_table,
    trials_lead,
)


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


def test_the_best_on_average_is_named_with_those_that_may_be_as_good(means: TrialMeans) -> None:
    assert trials_lead(means) == (
        "In 3 trials, SPT DD has the smallest mean worst stretch: 4.367 ± 1.4, 2.184 times the "
        "best possible on average."
    )
    assert alike_said(means) == "These trials do not tell it from MWMA MS."
    sure = TrialMeans.of([trial(8.0, 4.0, 5.0), trial(9.0, 5.0, 6.1)])
    assert alike_said(sure).startswith("All others have a larger one")


def test_bars_have_intervals_and_the_table_differences(means: TrialMeans) -> None:
    (bars,) = means_figure(means, "max_flow").data
    assert [*bars.y] == ["SPT DD", "MWMA MS", "FIFO RR"]
    assert [*bars.x] == pytest.approx([4.3667, 4.8, 8.3667], abs=1e-4)
    assert bars.error_x.array[0] == pytest.approx(1.3682, abs=1e-4)
    table = means_table(means, "max_flow")
    assert [*table][:3] == ["Policy", "Longest time (h)", "More than the best"]
    assert len([*table]) == 7
    assert table["More than the best"].tolist() == ["best", "0.4333 ± 3.8", "4 ± 0"]


def test_the_best_possible_is_a_line_where_it_is_known(means: TrialMeans) -> None:
    assert means_figure(means, "max_stretch").layout.shapes[0].x0 == 2.0
    assert means_figure(means, "makespan").layout.shapes == ()
