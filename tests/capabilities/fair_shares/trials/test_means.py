"""Means over trials have intervals, and policies are compared trial by trial."""

import math

import pytest

from core.capabilities.fair_shares.tasks.outcome import SCORE_NAMES, StretchScores
from core.capabilities.fair_shares.trials.drawn import PolicyScores, TrialScores
from core.capabilities.fair_shares.trials.means import TrialMeans
from core.capabilities.fair_shares.trials.words import mean_said, told_of_trials

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


def test_tables_have_five_scores_with_intervals_and_differences() -> None:
    said = told_of_trials(TrialMeans.of(TRIALS))
    assert "The best possible worst stretch is 2.333 ± 3.8 on average." in said.sentences
    assert said.sentences[-1] == "NOT verified: FIFO RR: a task is lost"
    scores, behind = said.tables
    assert scores.head == (
        *("Policy", "Worst stretch", "More than the best", "Sum of stretches"),
        *("Longest time (s)", "Sum of times (s)", "Makespan (h)"),
    )
    assert scores.rows[1] == (
        *("FIFO RR", "5.5 ± 7.4", "0.5 ± 0.25", "16.5 ± 22"),
        *("60 ± 0", "90 ± 0", "0.1667 ± 0"),
    )
    assert behind.rows == (
        ("FIFO RR", "0.5 ± 0.25", "1.5 ± 0.75", "best", "best", "best"),
        ("SPT DD", "best", "best", "0 ± 0", "0 ± 0", "1.833 ± 0"),
    )


def test_a_single_policy_is_compared_with_none() -> None:
    alone = [TrialScores(one.least, one.runs[:1]) for one in TRIALS]
    said = told_of_trials(TrialMeans.of(alone))
    assert len(said.tables) == 1
    assert not any("larger" in one for one in said.sentences)


def three(*worst: float) -> TrialScores:
    names = ("fifo-rr", "spt-dd", "mwma-ms")
    runs = (run(name, one, 9e3) for name, one in zip(names, worst, strict=True))
    return TrialScores(2.0, tuple(runs))


def test_the_best_on_average_is_named_with_those_that_may_be_as_good() -> None:
    """FIFO RR is far worse in each trial; MWMA MS is sometimes better, sometimes worse."""
    trials = [three(8.0, 4.0, 3.0), three(9.0, 5.0, 7.0), three(8.1, 4.1, 4.4)]
    said = told_of_trials(TrialMeans.of(trials))
    assert said.lead == (
        "In 3 trials, SPT DD has the smallest mean worst stretch: 4.367 ± 1.4, 2.184 times the "
        "best possible on average."
    )
    assert said.sentences[0] == "These trials do not tell it from MWMA MS."
    sure = told_of_trials(TrialMeans.of([three(8.0, 4.0, 5.0), three(9.0, 5.0, 6.1)]))
    assert sure.sentences[0].startswith("All others have a larger one")
