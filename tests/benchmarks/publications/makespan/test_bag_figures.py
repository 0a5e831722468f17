"""The verdicts of figures 2 to 6 follow from the measurements: change these, and they flip."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.publications.makespan import bag_figures
from benchmarks.publications.makespan.bag_figures import crossing_size
from benchmarks.publications.makespan.bags import Bags
from benchmarks.publications.phases import Run, Runs

SIZES = np.array([100.0, 1000.0, 2500.0, 5000.0, 100_000.0])
GAPS = np.array([0.9, 0.1, 0.017, 0.007, 0.001])
SPREAD = np.array([-1.0, 0.0, 1.0]) / 10


@pytest.fixture
def as_published():
    """Made-up measurements on which all that the publication says holds."""
    runs = Runs.of(
        [
            [
                Run(size, size * (1 + gap / 2), size * (1 + gap * (1 + s)), 2e-3, 1e-5, size * 1e-9)
                for s in SPREAD
            ]
            for size, gap in zip(SIZES, GAPS, strict=True)
        ]
    )
    relative = np.array([0.8, 1.05, 1.1, 1.13, 1.13])[:, None] + SPREAD * GAPS[:, None]
    linear = np.repeat(SIZES[:, None], 3, axis=1) * 1e-6 * 2.01 / 1.3
    return Bags(
        sizes=SIZES,
        lp=runs,
        met=runs.bound / 1.2,
        min_min=runs.full * relative,
        max_min=runs.full * (relative + np.array([[-0.1], [0], [0.1], [0.13], [0.13]])),
        min_min_seconds=linear,
        polished=runs.gap[:4] / 10,
        printed_seconds=np.array([linear, 1.2 * linear]),
        remembered=np.array([np.full((5, 3), 0.7), np.full((5, 3), 0.6)]),
        solver_seconds=np.full((5, 3), 1e-3),
        heap_seconds=linear / 10,
        elsewhere=np.array([[0.017, 0.1, 0.2, 0.6, 0.5], [0.02, 0.12, 0.25, 0.65, 0.58]]),
        independent=np.array([0.81, 0.76]),
        alone=np.array([[True, True, False], *[[False] * 3] * 4]),
        asked=np.array([np.full((5, 3), 1000.0), np.full((5, 3), 900.0)]),
    )


def verdicts(figure):
    return [claim.holds for claim in figure.claims]


def test_all_holds_on_measurements_as_published(as_published):
    figures = bag_figures.figures(as_published)
    assert [figure.number for figure in figures] == ["2", "3", "4", "5", "6"]
    failing = [claim for figure in figures for claim in figure.claims if not claim.holds]
    assert failing == []


def test_one_loose_bound_flips_figure_2(as_published):
    met = as_published.met.copy()
    met[1, 1] = as_published.lp.bound[1, 1]
    assert verdicts(bag_figures.figure_2(replace(as_published, met=met))) == [False]


def test_bounds_that_hardly_differ_flip_figure_2(as_published):
    met = as_published.lp.bound / 1.02
    assert verdicts(bag_figures.figure_2(replace(as_published, met=met))) == [False]


def test_a_larger_gap_flips_figure_3_and_says_by_how_much(as_published):
    full = as_published.lp.full.copy()
    full[2] = as_published.lp.bound[2] * 1.023
    worse = replace(as_published, lp=replace(as_published.lp, full=full))
    first, falls, _ = bag_figures.figure_3(worse).claims
    assert not first.holds
    assert (first.here, first.difference) == ("2.30 %", "+0.5 percentage points")
    assert falls.holds


def test_a_gap_that_rises_once_flips_figure_3(as_published):
    full = as_published.lp.full.copy()
    full[3] = as_published.lp.bound[3] * 1.02
    worse = replace(as_published, lp=replace(as_published.lp, full=full))
    assert verdicts(bag_figures.figure_3(worse))[1] is False
    cause = bag_figures.figure_3(worse).claims[2].cause
    assert "In 67 % of the smallest bags one task alone" in cause


def test_assignment_that_takes_the_same_for_all_flips_figure_4(as_published):
    flat = replace(as_published, heap_seconds=np.full((5, 3), 1e-4))
    linear = bag_figures.figure_4(flat).claims[-1]
    assert not linear.holds
    assert "0.00" in linear.difference


def test_slow_phases_flip_figure_4(as_published):
    lp = as_published.lp
    slow = replace(lp, bound_seconds=lp.bound_seconds * 10, round_seconds=lp.round_seconds * 3000)
    assert verdicts(bag_figures.figure_4(replace(as_published, lp=slow)))[:2] == [False, False]


def test_rivals_that_are_better_flip_figure_5(as_published):
    best = replace(as_published, max_min=as_published.lp.full * 0.99)
    shorter, min_min, max_min, worse, small, _ = verdicts(bag_figures.figure_5(best))
    assert (shorter, min_min, max_min, worse, small) == (False, True, False, False, True)


def test_rivals_that_are_worse_for_small_bags_flip_figure_5(as_published):
    worse = replace(as_published, min_min=as_published.lp.full * 1.13)
    worse = replace(worse, max_min=as_published.lp.full * 1.26)
    assert verdicts(bag_figures.figure_5(worse))[-2] is False


@pytest.mark.parametrize(("factor", "near"), [(1.0, True), (0.1, False), (10.0, False)])
def test_a_crossing_elsewhere_flips_figure_6(as_published, factor, near):
    moved = replace(as_published, printed_seconds=as_published.printed_seconds * factor)
    assert verdicts(bag_figures.figure_6(moved))[1] is near


def test_where_they_cross_elsewhere_it_says_where_the_solver_alone_would(as_published):
    crossing = bag_figures.figure_6(as_published).claims[1]
    assert (
        "(1 ms) both take equally long at 647 tasks" in crossing.cause
    )  # and with twice that at 1,300
    faster = replace(as_published, min_min_seconds=as_published.min_min_seconds / 10)
    assert "Against min-min with heaps, which" in bag_figures.figure_6(faster).claims[1].cause


def test_no_crossing_is_said_in_figure_6(as_published):
    slow = replace(as_published, printed_seconds=as_published.printed_seconds * 1e6)
    crosses, where, *_ = bag_figures.figure_6(slow).claims
    assert not crosses.holds
    assert where.here == "no size"


def test_max_min_as_fast_as_min_min_flips_figure_6(as_published):
    equal = replace(as_published, printed_seconds=as_published.printed_seconds[[0, 0]])
    slower = bag_figures.figure_6(equal).claims[4]
    assert not slower.holds
    assert "asks 0.90 times as often" in slower.cause
    assert "through all machines 1.20 times as often" in slower.cause


@pytest.mark.parametrize("rule", [0, 1])
def test_what_is_forgotten_more_often_flips_figure_6_and_other_environments_say_why(
    as_published, rule
):
    shares = as_published.remembered.copy()
    shares[rule] -= 0.09
    claims = bag_figures.figure_6(replace(as_published, remembered=shares)).claims[5:]
    assert [claim.holds for claim in claims] == [rule == 1, rule == 0]
    assert claims[rule].difference == "-9.0 percentage points"
    assert ("60.0 % to 65.0 %", "50.0 % to 58.0 %")[rule] in claims[rule].cause
    assert ("but 81.0 %", "but 76.0 %")[rule] in claims[rule].cause


def test_averages_that_differ_are_held_against_the_other_candidates(as_published):
    claims = bag_figures.figure_5(as_published).claims
    assert "10.0 % to 12.0 %" in claims[1].cause
    assert "20.0 % to 25.0 %" in claims[2].cause
    assert "1.7 % to 2.0 %" in bag_figures.figure_3(as_published).claims[0].cause


def test_a_crossing_lies_between_the_sizes_around_it():
    assert crossing_size(np.array([10.0, 1000.0]), np.array([2.0, 0.5])) == pytest.approx(100)
    assert np.isnan(crossing_size(np.array([10.0, 1000.0]), np.array([0.5, 2.0])))
