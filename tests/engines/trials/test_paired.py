"""Alternatives are compared on the trials that all of them have, trial by trial."""

import math
from statistics import mean, stdev
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

from core.engines.trials.paired import PairedTrials
from core.vocabulary.intervals import Interval


class Tried(NamedTuple):
    figure: float
    verified: bool = True


def figure(one: Tried) -> float:
    return one.figure


def trials_of(**figures: dict[int, float]) -> PairedTrials[Tried]:
    return PairedTrials(
        {name: {k: Tried(one) for k, one in found.items()} for name, found in figures.items()}
    )


def student(t: float, freedom: int) -> float:
    """The chance of a value between -t and t, by integrating the density of Student."""
    scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2))
    scale /= math.sqrt(freedom * math.pi)
    return 2 * quad(lambda x: scale * (1 + x * x / freedom) ** (-(freedom + 1) / 2), 0, t)[0]


def assert_interval(found: Interval, values: list[float]) -> None:
    """It is the mean, and 95 % of Student's distribution lies within so many standard errors."""
    scale = max(map(abs, values))
    assert found.mean == pytest.approx(mean(values), abs=1e-9 * scale)
    if len(values) < 2:
        assert math.isinf(found.half_width)
        return
    error = stdev(values) / math.sqrt(len(values))
    if error > 1e-6 * scale:
        assert student(found.half_width / error, len(values) - 1) == pytest.approx(0.95, abs=1e-6)
    else:
        assert found.half_width <= 1e-4 * scale


FIGURES = st.dictionaries(
    st.sampled_from("cab"),
    st.lists(st.sampled_from([0.0, 1.0, 2.5, 7.0, 90.0, None]), min_size=4, max_size=4),
    min_size=1,
)
"""The figure of each alternative in four trials; None: it was not tried yet."""


@given(FIGURES)
def test_all_is_as_counted_trial_by_trial(drawn: dict[str, list[float | None]]) -> None:
    figures = {
        name: {k: one for k, one in enumerate(row) if one is not None}
        for name, row in drawn.items()
    }
    found = trials_of(**figures)
    common = [k for k in range(4) if all(k in each for each in figures.values())]
    assert found.common == common
    for k in range(4):
        assert found.untried(k, "abc") == [one for one in "abc" if k not in figures.get(one, {})]
    if not common:
        return
    rows = {name: [each[k] for k in common] for name, each in figures.items()}
    means = {name: mean(row) for name, row in rows.items()}
    least = found.least(figure)
    assert means[least] == pytest.approx(min(means.values()))
    for name, row in rows.items():
        assert found.values(name, figure).tolist() == row
        assert found.mean(name, figure) == pytest.approx(means[name])
        assert_interval(found.interval(name, figure), row)
        wins = [k for k in range(len(common)) if all(row[k] <= other[k] for other in rows.values())]
        assert found.wins(name, figure) == len(wins)
        for than, other in rows.items():
            more = [a - b for a, b in zip(row, other, strict=True)]
            assert_interval(found.more(name, than, figure), more)
            shares = [gap / whole if whole else 0.0 for gap, whole in zip(more, other, strict=True)]
            assert_interval(found.more(name, than, figure, np.array(other)), shares)
            ratios = [a / b if b else 1.0 for a, b in zip(row, other, strict=True)]
            assert found.ratios(name, figure, np.array(other)) == pytest.approx(ratios)
    assert found.beside(figure).T.tolist() == [*rows.values()]


def test_a_difference_is_surer_than_what_it_is_of() -> None:
    """One is by 1 or 2 above the other on days that differ by hundreds; what the other has not done
    does not count.
    """
    found = trials_of(one={0: 101.0, 1: 302.0, 2: 901.0, 3: 5.0}, other={0: 100, 1: 300, 2: 900})
    assert found.common == [0, 1, 2]
    assert found.interval("one", figure).half_width == pytest.approx(1033.8, abs=0.1)
    more = found.more("one", "other", figure)
    assert (more.mean, more.half_width) == pytest.approx((4 / 3, 1.4342), abs=1e-4)
    share = found.more("one", "other", figure, found.mean("other", figure))
    assert share.mean == pytest.approx(more.mean / (1300 / 3))
    assert found.more("other", "other", figure) == Interval(0.0, 0.0)


def test_what_is_refused_once_is_refused() -> None:
    """Also in a trial that is not compared yet."""
    right, wrong = Tried(1.0), Tried(1.0, verified=False)
    found = PairedTrials({"a": {0: right, 1: wrong}, "b": {0: right}, "c": {0: right, 1: right}})
    assert found.common == [0]
    assert found.refused == ["a"]
    assert PairedTrials[Tried]({}).refused == PairedTrials[Tried]({}).common == []


def test_others_may_say_which_trials_count() -> None:
    class Odd(PairedTrials[Tried]):
        def counts(self, trial: int) -> bool:
            return trial % 2 == 1

    found = Odd({"a": {k: Tried(k) for k in range(6)}, "b": {1: Tried(9.0), 2: Tried(9.0)}})
    assert found.common == [1]
    assert found.mean("a", figure) == 1.0
