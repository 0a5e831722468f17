"""Every method gets the same bags, drawn from fixed seeds, and no schedule beats a bound."""

import numpy as np

from core.reproduce import bags


def test_bounds_and_schedules_are_in_order(small_bags):
    lp = small_bags.lp
    assert (small_bags.met <= lp.bound).all()
    for makespan in (lp.full, small_bags.min_min, small_bags.max_min):
        assert (makespan >= lp.bound * (1 - 1e-12)).all()


def test_polish_never_leaves_more_than_the_published_method(small_bags):
    trials = small_bags.polished.shape[1]
    assert small_bags.polished.shape == (3, 3)
    assert (small_bags.polished <= small_bags.lp.gap[:, :trials] + 1e-12).all()


def test_makespans_repeat_exactly(small_bags):
    again = bags.measure(1, sizes=(60, 200), polish=0.01)
    assert np.array_equal(again.lp.full[:, 0], small_bags.lp.full[:2, 0])
    assert np.array_equal(again.max_min[:, 0], small_bags.max_min[:2, 0])


def test_quality_is_shown_up_to_a_size_only(small_bags):
    assert small_bags.shown == 3
