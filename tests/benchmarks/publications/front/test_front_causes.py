"""What is tried where nine differs is measured, and told beside the claim."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.publications.front import figures as front_figures
from benchmarks.publications.front import front_causes, idle_figure, progressions
from benchmarks.publications.front import tables as front_tables
from benchmarks.publications.stand_ins import CANDIDATES, stand_in
from core.engines.relaxed import trace_front


@pytest.fixture
def explained(small_environments):
    tried = replace(
        small_environments.tried,
        above=np.array([0.01, 0.05]),
        rise=np.array([0.2, 0.7]),
        rise_of_equal_levels=0.15,
        dominated=(True, False, True),
        above_with_more_tasks=0.004,
        finer_gap=0.08,
        solver_seconds=0.5,
        without_step=0.9,
        walk_seconds=0.06,
    )
    return replace(small_environments, tried=tried)


def test_every_candidate_is_measured(small_environments):
    tried = small_environments.tried
    assert tried.above.shape == tried.rise.shape == (len(CANDIDATES),)
    assert len(tried.dominated) == len(CANDIDATES)
    assert (tried.above > 0).all()
    assert (tried.rise > 0).all()
    assert 0 < tried.rise_of_equal_levels < tried.rise[6]
    assert 0 < tried.above_with_more_tasks < tried.above[6]
    assert 0 <= tried.without_step < 1
    assert min(tried.solver_seconds, tried.walk_seconds, tried.convex_seconds) > 0
    assert tried.without_min_min >= small_environments.nine.front.makespan[-1]


def test_where_all_draw_alike_only_the_least_makespan_is_left():
    alike = front_causes.even(stand_in("nine"))
    front = trace_front(alike)
    assert len(front) == 1
    assert front.makespan[0] == pytest.approx(trace_front(stand_in("nine")).makespan[-1])


def test_a_gap_is_a_share_of_the_front():
    chain = np.array([[0.0, 4.0], [1.0, 3.0], [4.0, 0.0]])
    assert front_causes.widest(chain) == pytest.approx(0.75)


def test_causes_stand_beside_the_claims(explained):
    fronts = front_figures.fronts(explained).claims
    assert "with ten times the tasks it is 0.4 %" in fronts[0].cause
    assert "1.0 % to 5.0 % in the ten candidates" in fronts[0].cause
    assert "90.0 % of the programs need no step" in fronts[1].cause
    assert "exact front takes 60 ms" in fronts[1].cause
    assert "2 of the ten candidates" in progressions.swept(explained).claims[-1].cause
    idle = idle_figure.idle_power(explained).claims
    assert "the least energy rises by 20.0 % to 70.0 %; in" in idle[1].cause
    assert "at one level, by 15.0 %." in idle[1].cause
    assert "the front has 1 vertex" in idle[2].cause
    assert "spacing the longest gap is 8.0 %" in front_figures.filled(explained).claims[1].cause
    assert "polished 4 times as long" in front_tables.table_1(explained).claims[-1].cause


@pytest.mark.parametrize(("seconds", "holds"), [(0.01, True), (51.0, False)])
def test_the_convex_bound_is_held_against_its_published_time(small_environments, seconds, holds):
    tried = replace(small_environments.tried, convex_seconds=seconds)
    claim = front_tables.table_2(replace(small_environments, tried=tried)).claims[-1]
    assert claim.holds is holds


def test_nothing_is_missed_before_the_first_generation_has_lost_it():
    method = front_causes.linear(stand_in("two"), 30, 0.1)
    assert not front_causes._missed(method, 0).any()


def test_the_convex_bound_is_timed_between_as_many_neighbours_as_published(monkeypatch):
    timed = []
    monkeypatch.setattr(front_causes, "convex_bound", timed.append)
    assert front_causes._convex_seconds(trace_front(stand_in("nine"))) > 0
    (points,) = timed
    assert len(points) == front_causes.PUBLISHED_GAPS + 1
    assert (np.diff(points[:, 0]) > 0).all()
