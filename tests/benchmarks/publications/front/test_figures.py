"""Figures on fronts show what was measured, and their verdicts follow from it."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.publications.front import figures as front_figures
from benchmarks.publications.front.environments import EVOLVED, FILLED, SEEDED, SWEPT, Attempt


def with_nine(environments, **changes):
    nine = replace(environments.nine, **changes)
    return replace(environments, each={**environments.each, "nine": nine})


def with_attempts(environments, **attempts):
    return with_nine(environments, attempts={**environments.nine.attempts, **attempts})


def verdicts(figure):
    return [claim.holds for claim in figure.claims]


def test_the_numbers_are_those_of_the_publication(small_front_figures):
    assert [figure.name for figure in small_front_figures] == [
        *("Table 3.1", "Table 3.2"),
        *(f"Figure 3.{number}" for number in range(5, 13)),
    ]


def test_every_environment_has_a_plane_that_shows_all_of_its_points(small_environments):
    figure = front_figures.fronts(small_environments)
    assert [panel.title for panel in figure.panels] == ["(a) nine", "(b) six", "(c) two", "(d) ten"]
    for panel in figure.panels:
        for curve in panel.curves:
            assert (curve.points >= panel.low).all()
            assert (curve.points <= panel.high).all()


def test_run_times_flip_figure_3_5(small_environments):
    nine = small_environments.nine.attempts
    fast = with_attempts(
        small_environments,
        **{
            SWEPT: replace(nine[SWEPT], seconds=0.05),
            EVOLVED: replace(nine[EVOLVED], seconds=300.0),
            SEEDED: replace(nine[SEEDED], seconds=0.5),
        },
    )
    for holds, environments in ((True, fast), (False, small_environments)):
        claims = front_figures.fronts(environments).claims
        takes, seeding = claims[1], claims[5]
        assert takes.holds is (environments.nine.attempts[SWEPT].seconds <= 0.1)
        if holds:
            assert takes.holds
            assert seeding.holds
            assert "6,000 times" in claims[2].here


def test_schedules_on_the_front_are_indistinguishable_and_others_not(small_environments):
    swept = small_environments.nine.swept
    on_front = with_nine(small_environments, swept=replace(swept, assigned=swept.lower))
    above = with_nine(small_environments, swept=replace(swept, assigned=1.03 * swept.lower))
    assert front_figures.fronts(on_front).claims[0].holds
    assert not front_figures.fronts(above).claims[0].holds


def test_an_evolution_that_keeps_up_is_not_dominated(small_environments):
    nine = small_environments.nine.attempts
    assert front_figures.fronts(small_environments).claims[3].holds
    equal = with_attempts(small_environments, **{EVOLVED: nine[SWEPT]})
    assert not front_figures.fronts(equal).claims[3].holds


@pytest.mark.parametrize(("missed", "holds"), [([False, True], True), ([False, False], False)])
def test_seeds_that_were_lost_make_places_where_seeded_evolution_is_worse(
    small_environments, missed, holds
):
    tried = replace(small_environments.tried, missed=np.array(missed))
    claim = front_figures.fronts(replace(small_environments, tried=tried)).claims[4]
    assert claim.holds is holds
    assert claim.here == f"for {int(holds)} of 2"


def test_filling_that_takes_long_or_leaves_gaps_flips_figure_3_8(small_environments):
    nine = small_environments.nine
    filled = nine.attempts[FILLED]
    slow = with_attempts(
        small_environments, **{FILLED: replace(filled, seconds=2 * nine.attempts[SWEPT].seconds)}
    )
    assert verdicts(front_figures.filled(slow))[0] is False
    gone = with_attempts(small_environments, **{FILLED: Attempt(filled.points[[0, -1]], 0.0)})
    assert verdicts(front_figures.filled(gone)) == [True, False]
    dense = np.linspace(filled.points[0], filled.points[-1], 500)
    full = with_attempts(small_environments, **{FILLED: Attempt(dense, 0.0)})
    assert verdicts(front_figures.filled(full)) == [True, True]


@pytest.mark.parametrize("share", [0.0, 0.5])
def test_distance_is_measured_straight_down_to_the_front(small_environments, share):
    front = small_environments.nine.front
    points = front.points * (1.0, 1 + share)
    assert front_figures._distance(front, points) == pytest.approx(share, abs=1e-9)
