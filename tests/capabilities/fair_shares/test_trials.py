"""Trials are drawn as they are described, and their means have intervals."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from capabilities.fair_shares.made import UNLIKE, made, three_policies
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.fair_shares.bags import ArrivingBags
from core.capabilities.fair_shares.tasks.outcome import SCORE_NAMES, StretchScores
from core.capabilities.fair_shares.tasks.policies import PolicyScores
from core.capabilities.fair_shares.told import redrawn_said, told_of_trials
from core.capabilities.fair_shares.trials import (
    DrawnTrials,
    MeasuredBags,
    NetworkChange,
    TaskTrials,
    TrialScores,
    mean_gap,
    prepare,
    published_scenario,
    redrawn,
    run_trials,
)
from core.engines.compute.executors import InProcesses, InThisThread
from core.engines.compute.many import RunsProgress
from core.vocabulary.budget import Effort
from core.vocabulary.intervals import Interval


def bags(release: list[float], counts: tuple[int, ...] | None = None) -> ArrivingBags:
    kinds = len(release)
    return made(counts or (2,) * kinds, [[1.0] * kinds], release=release)


def test_the_mean_gap_is_that_of_bags_with_tasks() -> None:
    assert mean_gap(bags([30.0, 0.0, 90.0])) == 45.0
    assert mean_gap(bags([30.0, 0.0, 90.0], (1, 1, 0))) == 30.0
    assert mean_gap(bags([7.0, 7.0])) == 0.0
    assert mean_gap(bags([7.0])) == 0.0


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=6), st.integers(0, 2**31))
def test_the_first_release_stays_and_all_else_but_releases(dates: list[float], seed: int) -> None:
    before = bags(dates)
    after = redrawn(before, seed)
    assert after.release.min() == pytest.approx(before.release.min())
    assert after.release.tolist() == redrawn(before, seed).release.tolist()
    assert after.system is before.system
    assert after.network is before.network
    assert after.data.tolist() == before.data.tolist()


def test_on_average_gaps_stay_and_each_bag_may_be_the_first() -> None:
    before = bags([0.0, 10.0, 20.0, 60.0])
    drawn = np.array([redrawn(before, seed).release for seed in range(2_000)])
    gaps = np.diff(np.sort(drawn, axis=1), axis=1)
    assert gaps.mean() == pytest.approx(20.0, rel=0.05)
    assert gaps.std() == pytest.approx(20.0, rel=0.07), "as exponential gaps vary"
    firsts = np.bincount(drawn.argmin(axis=1), minlength=4) / len(drawn)
    assert firsts == pytest.approx([0.25] * 4, abs=0.04)


def test_a_bag_without_tasks_keeps_its_date() -> None:
    after = redrawn(bags([0.0, 5.0, 9.0], (1, 0, 1)), 3)
    assert after.release[1] == 5.0
    assert sorted([after.release[0], after.release[2]])[0] == 0.0
    assert redrawn_said(1_543.0) == (
        "In each trial the bags come in another random order, with random (exponential) gaps of "
        "the same mean, 26 min."
    )


def test_means_are_those_that_were_measured() -> None:
    """Over seeds 200 to 259: 596 tasks, ideal durations from 15 to 134 s with a mean of 63 s, and
    62 % of bags are limited by the master.
    """
    made = [published_scenario(seed) for seed in range(200, 260)]
    ideal = np.array([bags.ideal for bags in made])
    assert np.mean([bags.system.tasks for bags in made]) == pytest.approx(596, abs=1)
    assert ideal.mean() == pytest.approx(63, abs=0.5)
    assert ideal.min(axis=1).mean() == pytest.approx(15, abs=4)
    assert ideal.max(axis=1).mean() == pytest.approx(134, abs=20)
    by_master = [
        bags.ideal * 40e6 <= bags.system.task_counts * bags.data * (1 + 1e-9) for bags in made
    ]
    assert np.mean(by_master) == pytest.approx(0.62, abs=0.01)


def test_workers_of_several_machines_do_the_same_together() -> None:
    one, many = published_scenario(7), published_scenario(7, each=50)
    assert many.system.machines == 500
    assert many.ideal == pytest.approx(one.ideal, rel=1e-12)
    assert many.work.links == pytest.approx(one.work.links)


ASKED = DrawnTrials(
    ("fifo-dd", "mwma-nbt", "polished-online"), NetworkChange(bandwidth=30), Effort(work=1e-4)
)
SEEDS = range(200, 203)


@pytest.mark.thorough
def test_the_engine_does_not_change_the_result() -> None:
    here = run_trials(ASKED, SEEDS, InThisThread())
    with InProcesses(2, prepare.__module__) as processes:
        there = run_trials(ASKED, SEEDS, processes)
    assert len(here) == len(SEEDS)
    for one, other in zip(here, there, strict=True):
        assert one.least == other.least
        assert [run.name for run in one.runs] == list(ASKED.policies)
        assert [run.scores for run in one.runs] == [run.scores for run in other.runs]
        assert [run.faults for run in one.runs] == [()] * 3


def test_what_is_done_when_it_is_stopped_is_kept() -> None:
    said: list[str] = []
    found = run_trials(
        DrawnTrials(("fifo-rr",), NetworkChange(), Effort(0.0)),
        SEEDS,
        InThisThread(),
        should_stop=lambda: bool(said),
        report=lambda progress: said.append(progress.in_words("trial")),
    )
    assert len(found) == 1
    assert said[0].startswith("1 of 3 trials")
    assert RunsProgress(1, 3, 4.2).in_words("trial") == "1 of 3 trials, about 5 s left"
    assert RunsProgress(0, 3, None).in_words("trial") == "0 of 3 trials"


def test_what_takes_the_place_of_a_network() -> None:
    bags = published_scenario(0, 3, 2)
    changed = NetworkChange(5, 1e3).applied(bags).network
    assert changed.bandwidth == 5e6
    assert changed.memory.tolist() == [1e9, 1e9]
    assert changed.links.tolist() == bags.network.links.tolist()
    same = NetworkChange().applied(bags).network
    assert same.bandwidth == bags.network.bandwidth
    assert same.memory.tolist() == bags.network.memory.tolist()


def test_bags_of_ones_own_are_drawn_on_the_network_that_is_asked_for() -> None:
    bags = published_scenario(0, 3, 2)
    asked = DrawnTrials((), NetworkChange(bandwidth=5), Effort(0.0), MeasuredBags(bags))
    drawn, baseline = asked.drawn(7)
    assert drawn.network.bandwidth == 5e6
    assert drawn.release.tolist() == redrawn(bags, 7).release.tolist()
    assert baseline is None


def test_stretches_are_multiples_of_the_baseline() -> None:
    """Of durations that are twice the ideal ones, they are half, and the judge agrees."""
    bags = published_scenario(0, 3, 2)
    asked = DrawnTrials(("fifo-rr",), NetworkChange(), Effort(0.0), MeasuredBags(bags))
    of_twice = replace(asked, of=MeasuredBags(bags, 2 * bags.ideal))
    ideal, twice = (run_trials(one, [7], InThisThread()) for one in (asked, of_twice))
    assert twice[0].least == pytest.approx(ideal[0].least / 2)
    (before,), (after,) = ideal[0].runs, twice[0].runs
    assert after.scores.max_stretch == pytest.approx(before.scores.max_stretch / 2)
    assert after.scores.sum_stretch == pytest.approx(before.scores.sum_stretch / 2)
    assert after.scores.makespan == before.scores.makespan
    assert after.faults == ()


T_OF_3 = 4.30265
"""Student's distribution at the ends of the 95 % interval of three values."""


def run(policy: str, worst: float, makespan: float, fault: str = "") -> PolicyScores:
    scores = StretchScores(worst, 3 * worst, 60.0, 90.0, makespan)
    return PolicyScores(policy, scores, (fault,) if fault else (), 0.5)


def trial(least: float, near: float, far: float, fault: str = "") -> TrialScores:
    """Far is later by 60 s in each trial, by makespan, but ahead of near."""
    return TrialScores(least, (run("fifo-rr", far, 600.0, fault), run("spt-dd", near, 7_200.0)))


TRIALS = [trial(1.0, 2.0, 2.5), trial(2.0, 8.0, 8.4), trial(4.0, 5.0, 5.6, "a task is lost")]


def test_differences_vary_less_than_scores_do() -> None:
    found = TaskTrials.of(TRIALS)
    assert [*found.trials] == ["fifo-rr", "spt-dd"]
    assert len(found.common) == 3
    firsts = [found.best[name] for name in SCORE_NAMES]
    assert firsts == ["spt-dd", "spt-dd", "fifo-rr", "fifo-rr", "fifo-rr"]
    far, off = found.means["max_stretch"]["fifo-rr"], found.behind("fifo-rr", "max_stretch")
    assert (far.mean, off.mean) == pytest.approx((5.5, 0.5))
    assert far.half_width == pytest.approx(2.95127 * T_OF_3 / 3**0.5, 1e-4)
    assert off.half_width == pytest.approx(0.1 * T_OF_3 / 3**0.5, 1e-5)
    assert off.low > 0
    assert found.behind("spt-dd", "max_stretch") == Interval(0.0, 0.0)
    assert found.behind("spt-dd", "makespan").mean == 6_600.0
    assert found.over_optimum("fifo-rr").mean == pytest.approx((2.5 + 4.2 + 1.4) / 3)
    assert found.faults("fifo-rr") == ["a task is lost"]
    assert found.refused == ["fifo-rr"]


def test_one_trial_has_no_interval() -> None:
    found = TaskTrials.of(TRIALS[:1])
    assert math.isinf(found.means["makespan"]["fifo-rr"].half_width)
    said = told_of_trials(found)
    assert "The best possible worst stretch is 1 on average." in said.sentences
    assert '"makespan": null' in json.dumps(said.data, allow_nan=False)


def test_tables_have_five_scores_with_intervals_and_differences() -> None:
    said = told_of_trials(TaskTrials.of(TRIALS))
    assert "The best possible worst stretch is 2.333 ± 3.8 on average." in said.sentences
    assert said.sentences[-1] == "NOT verified: FIFO RR: a task is lost"
    alone = told_of_trials(TaskTrials.of([TrialScores(one.least, one.runs[:1]) for one in TRIALS]))
    assert len(alone.tables) == 1
    assert not any("larger" in one for one in alone.sentences), "it is compared with none"
    scores, behind = said.tables
    assert scores.head == (
        *("Policy", "Worst stretch", "More than the best", "Sum of stretches"),
        *("Longest time (s)", "Sum of times (s)", "Makespan (h)"),
    )
    assert scores.rows[1] == (
        *("fifo-rr", "5.5 ± 7.4", "0.5 ± 0.25", "16.5 ± 22"),
        *("60 ± 0", "90 ± 0", "0.1667 ± 0"),
    )
    assert behind.rows == (
        ("fifo-rr", "0.5 ± 0.25", "1.5 ± 0.75", "best", "best", "best"),
        ("spt-dd", "best", "best", "0 ± 0", "0 ± 0", "1.833 ± 0"),
    )


def test_the_best_on_average_is_named_with_those_that_may_be_as_good() -> None:
    """FIFO RR is far worse in each trial; MWMA MS is sometimes better, sometimes worse."""
    said = told_of_trials(TaskTrials.of(UNLIKE))
    assert said.lead == (
        "In 3 trials, SPT DD has the smallest mean worst stretch: 4.367 ± 1.4, 2.184 times the "
        "best possible on average."
    )
    assert said.sentences[0] == "These trials do not tell it from MWMA MS."
    sure = told_of_trials(
        TaskTrials.of([three_policies(8.0, 4.0, 5.0), three_policies(9.0, 5.0, 6.1)])
    )
    assert sure.sentences[0].startswith("All others have a larger one")
