"""Arrows lead from the front to schedules, and the verdicts on them follow from the steps."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.publications.front import progressions
from core.engines.recover.along import Progression


@pytest.fixture
def as_published(small_environments):
    """Made-up steps on which all that the publication says holds."""
    lower = small_environments.nine.front.points
    wave = np.where(np.arange(len(lower)) % 2, 1.001, 0.999)
    rounded = lower * np.column_stack([wave, np.full(len(lower), 1.01)])
    free = rounded * (1.0, 1.02)
    free[-1] = free[-2] * (1.001, 1.0)
    rounded[-1, 0] = free[-1, 0]
    nine = replace(small_environments.nine, swept=Progression(lower, rounded, free))
    idle = small_environments.idle_front.points
    return replace(
        small_environments,
        each={**small_environments.each, "nine": nine},
        idle_swept=Progression(idle, idle * (1.0, 1.01), idle * (1.01, 1.02)),
    )


def verdicts(environments):
    return [claim.holds for claim in progressions.swept(environments).claims]


def with_steps(environments, **stages):
    nine = replace(environments.nine, swept=replace(environments.nine.swept, **stages))
    return replace(environments, each={**environments.each, "nine": nine})


def test_all_holds_on_steps_as_published(as_published):
    assert verdicts(as_published) == [True] * 6


def test_a_makespan_that_shrinks_flips_only_its_own_verdict(as_published):
    rounded = as_published.nine.swept.rounded.copy()
    rounded[3, 1] = 0.99 * as_published.nine.swept.lower[3, 1]
    flipped = with_steps(as_published, rounded=rounded)
    assert verdicts(flipped) == [False] + [True] * 5
    assert progressions.swept(flipped).claims[0].difference == "exceptions: 1"


def test_energy_that_only_rises_or_changes_later_flips_its_verdicts(as_published):
    swept = as_published.nine.swept
    dearer = with_steps(as_published, rounded=swept.lower * 1.01)
    assert verdicts(dearer)[2:4] == [False, False]


def test_a_last_schedule_that_is_shorter_is_not_dominated(as_published):
    assigned = as_published.nine.swept.assigned.copy()
    assigned[-1, 1] *= 0.99
    assert verdicts(with_steps(as_published, assigned=assigned))[-1] is False


def test_assignment_that_saves_energy_flips_the_verdict_on_idle_power(as_published):
    cheaper = replace(as_published.idle_swept, assigned=as_published.idle_swept.lower * 0.99)
    assert verdicts(replace(as_published, idle_swept=cheaper))[4] is False


def test_arrows_of_both_steps_meet(small_environments):
    figures = progressions.swept(small_environments), progressions.filled(small_environments)
    for panel in (panel for figure in figures for panel in figure.panels):
        rounding, assignment = panel.arrows
        np.testing.assert_array_equal(rounding.heads, assignment.tails)
        assert (rounding.tails >= panel.low).all()
        assert (assignment.heads <= panel.high).all()


def test_filling_that_adds_little_flips_figure_3_9(small_environments):
    assert progressions.filled(small_environments).claims[0].holds
    nine = replace(small_environments.nine, filled=small_environments.nine.swept)
    poor = replace(small_environments, each={**small_environments.each, "nine": nine})
    assert not progressions.filled(poor).claims[0].holds
