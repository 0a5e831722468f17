"""Trials of policies on drawn scenarios are the same on every engine, and can be stopped."""

from dataclasses import replace

import pytest

from core.capabilities.fair_shares.redrawn import redrawn
from core.capabilities.fair_shares.scenarios import published_scenario
from core.capabilities.fair_shares.trials.drawn import (
    DrawnTrials,
    MeasuredBags,
    NetworkChange,
    prepare,
    run_trials,
)
from core.capabilities.fair_shares.trials.words import trials_progress
from core.engines.compute.executors import InProcesses, InThisThread
from core.engines.compute.many import RunsProgress
from core.vocabulary.budget import Effort

ASKED = DrawnTrials(
    ("fifo-dd", "mwma-nbt", "polished-online"), NetworkChange(bandwidth=30e6), Effort(work=1e-4)
)
SEEDS = range(200, 203)


def test_the_engine_does_not_change_the_result() -> None:
    here = run_trials(ASKED, SEEDS, InThisThread())
    with InProcesses(2, prepare.__module__) as processes:
        there = run_trials(ASKED, SEEDS, processes)
    assert len(here) == len(SEEDS)
    for one, other in zip(here, there, strict=True):
        assert one.least == other.least
        assert [run.policy for run in one.runs] == list(ASKED.policies)
        assert [run.scores for run in one.runs] == [run.scores for run in other.runs]
        assert [run.faults for run in one.runs] == [()] * 3


def test_what_is_done_when_it_is_stopped_is_kept() -> None:
    said: list[str] = []
    found = run_trials(
        DrawnTrials(("fifo-rr",), NetworkChange(), Effort(0.0)),
        SEEDS,
        InThisThread(),
        should_stop=lambda: bool(said),
        report=lambda progress: said.append(trials_progress(progress)),
    )
    assert len(found) == 1
    assert said[0].startswith("1 of 3 trials")
    assert trials_progress(RunsProgress(1, 3, 4.2)) == "1 of 3 trials, about 5 s left"
    assert trials_progress(RunsProgress(0, 3, None)) == "0 of 3 trials"


def test_what_takes_the_place_of_a_network() -> None:
    bags = published_scenario(0, 3, 2)
    changed = NetworkChange(5e6, 1e9).applied(bags).network
    assert changed.bandwidth == 5e6
    assert changed.memory.tolist() == [1e9, 1e9]
    assert changed.links.tolist() == bags.network.links.tolist()
    same = NetworkChange().applied(bags).network
    assert same.bandwidth == bags.network.bandwidth
    assert same.memory.tolist() == bags.network.memory.tolist()


def test_bags_of_ones_own_are_drawn_on_the_network_that_is_asked_for() -> None:
    bags = published_scenario(0, 3, 2)
    asked = DrawnTrials((), NetworkChange(bandwidth=5e6), Effort(0.0), MeasuredBags(bags))
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
