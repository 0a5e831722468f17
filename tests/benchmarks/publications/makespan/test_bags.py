"""Every method gets the same bags, drawn from fixed seeds, and no schedule beats a bound."""

import numpy as np

from benchmarks.publications.makespan import bags
from benchmarks.publications.stand_ins import CANDIDATES


def test_bounds_and_schedules_are_in_order(small_bags):
    lp = small_bags.lp
    assert (small_bags.met <= lp.bound).all()
    for makespan in (lp.full, small_bags.min_min, small_bags.max_min):
        assert (makespan >= lp.bound * (1 - 1e-12)).all()


def test_polish_never_leaves_more_than_the_published_method(small_bags):
    trials = small_bags.polished.shape[1]
    assert small_bags.polished.shape == (3, 3)
    assert (small_bags.polished <= small_bags.lp.gap[:, :trials] + 1e-12).all()


def test_what_was_tried_is_measured_in_every_candidate_and_bag(small_bags):
    assert small_bags.elsewhere.shape == (len(CANDIDATES), 5)
    assert (small_bags.elsewhere > 0).all()
    assert small_bags.printed_seconds.shape == small_bags.remembered.shape == (2, 3, 3)
    assert ((small_bags.remembered > 0.2) & (small_bags.remembered < 0.9)).all()
    assert (small_bags.printed_seconds > 0).all()
    assert (small_bags.independent > small_bags.remembered[:, -1].mean(axis=1)).all()
    assert small_bags.alone.shape == (3, 3)
    assert small_bags.alone[0].all()  # of 60 tasks on 36 machines
    assert not small_bags.alone[-1].any()
    assert (small_bags.asked >= small_bags.sizes[:, None]).all()
    assert small_bags.solver_seconds.shape == small_bags.heap_seconds.shape == (3, 3)
    assert (small_bags.solver_seconds[:, 1:] > 0).all()


def test_makespans_repeat_exactly(small_bags):
    again = bags.measure(1, sizes=(60, 200), polish=0.01)
    assert np.array_equal(again.lp.full[:, 0], small_bags.lp.full[:2, 0])
    assert np.array_equal(again.max_min[:, 0], small_bags.max_min[:2, 0])


def test_quality_is_shown_up_to_a_size_only(small_bags):
    assert small_bags.shown == 3
