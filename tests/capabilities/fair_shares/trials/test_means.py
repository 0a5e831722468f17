"""Means over trials have intervals, and policies are compared trial by trial."""

import math

import pytest

from core.capabilities.fair_shares.tasks.outcome import SCORE_NAMES, StretchScores
from core.capabilities.fair_shares.trials.drawn import PolicyScores, TrialScores
from core.capabilities.fair_shares.trials.means import TrialMeans
from core.capabilities.fair_shares.trials.words import mean_said, trials_report

T_OF_3 = 4.30265
"""Of Student's distribution, for the 95 % interval of three values."""


def run(policy: str, worst: float, makespan: float, fault: str = "") -> PolicyScores:
    scores = StretchScores(worst, 3 * worst, 60.0, 90.0, makespan)
    return PolicyScores(policy, scores, (fault,) if fault else (), 0.5)


def trial(least: float, near: float, far: float, fault: str = "") -> TrialScores:
    """Far is later by 60 s in each trial, by makespan, but ahead of near."""
    return TrialScores(least, (run("fifo-rr", far, 600.0, fault), run("spt-dd", near, 7_200.0)))


TRIALS = [trial(1.0, 2.0, 2.5), trial(2.0, 8.0, 8.4), trial(4.0, 5.0, 5.6, "a task is lost")]


def test_differences_vary_less_than_scores_do() -> None:
    means = TrialMeans.of(TRIALS)
    far, near = means.policies
    assert means.trials == 3
    firsts = [means.best[name] for name in SCORE_NAMES]
    assert firsts == ["spt-dd", "spt-dd", "fifo-rr", "fifo-rr", "fifo-rr"]
    assert far.scores["max_stretch"].mean == pytest.approx(5.5)
    assert far.scores["max_stretch"].half_width == pytest.approx(2.95127 * T_OF_3 / 3**0.5, 1e-4)
    assert far.behind["max_stretch"].mean == pytest.approx(0.5)
    assert far.behind["max_stretch"].half_width == pytest.approx(0.1 * T_OF_3 / 3**0.5, 1e-5)
    assert far.behind["max_stretch"].low > 0
    assert near.behind["max_stretch"].mean == near.behind["max_stretch"].half_width == 0.0
    assert near.behind["makespan"].mean == 6_600.0
    assert far.over_optimum.mean == pytest.approx((2.5 + 4.2 + 1.4) / 3)
    assert far.faults == ("a task is lost",)
    assert near.faults == ()


def test_one_trial_has_no_interval() -> None:
    means = TrialMeans.of(TRIALS[:1])
    assert math.isinf(means.policies[0].scores["makespan"].half_width)
    assert mean_said(means.least) == "1 ± –"


def test_the_report_has_five_scores_with_intervals_and_differences() -> None:
    lines = trials_report("mine: 3 trials", TrialMeans.of(TRIALS)).splitlines()
    assert lines[0] == "mine: 3 trials, best possible worst stretch 2.333 ± 3.8"
    assert "longest time (s)" in lines[2]
    assert "makespan (h)" in lines[2]
    assert lines[3].split() == [
        *("fifo-rr", "2.7", "±", "3.6", "5.5", "±", "7.4", "16.5", "±", "22"),
        *("60", "±", "0", "90", "±", "0", "0.1667", "±", "0"),
    ]
    assert lines[6] == "how much more than the best policy of each score, compared trial by trial:"
    assert lines[8].split() == [
        *("fifo-rr", "0.5", "±", "0.25", "1.5", "±", "0.75", "best", "best", "best")
    ]
    assert lines[9].split() == [
        "spt-dd",
        *("best", "best", "0", "±", "0", "0", "±", "0"),
        *(*("1.833", "±", "0"),),
    ]
    assert lines[-1] == "  fifo-rr: a task is lost"


def test_a_single_policy_is_compared_with_none() -> None:
    alone = [TrialScores(one.least, one.runs[:1]) for one in TRIALS]
    assert "compared trial by trial" not in trials_report("mine", TrialMeans.of(alone))
