"""What holds at each size of the machine, and at each budget, is judged at the worst of them."""

from dataclasses import replace

import numpy as np
from small_days import scores

from benchmarks.publications.arrivals.budget import ALL, BY_WORTH, METAHEURISTICS
from benchmarks.publications.arrivals.curie import (
    BUDGETS,
    LARGE,
    SIZES,
    CurieDays,
    _ahead_everywhere,
    _least_energy,
)
from benchmarks.publications.arrivals.days import Days, DayScore, DaySetting

UTIL, UPR = DaySetting("max-util"), DaySetting("max-upr")


def test_the_sizes_are_the_15_of_the_publication_and_budgets_reach_from_tight_to_enough() -> None:
    assert len(SIZES) == 15
    assert (SIZES[0], SIZES[1], SIZES[-1], LARGE) == (0.1, 0.15, 0.8, 0.8)
    assert np.diff(BUDGETS).round(9).tolist() == [0.1] * 7


def test_one_size_at_which_max_util_is_as_good_is_named() -> None:
    ahead = Days({UTIL: scores([5, 6, 5]), UPR: scores([6, 7.1, 6])})
    alike = Days({UTIL: scores([5, 6, 5]), UPR: scores([5, 6.1, 5])})
    everywhere = CurieDays("days", {0.1: ahead, 0.8: ahead}, 1.0)
    assert _ahead_everywhere(everywhere, UTIL, [UPR]).holds
    claim = _ahead_everywhere(CurieDays("days", {0.1: ahead, 0.8: alike}, 1.0), UTIL, [UPR])
    assert not claim.holds
    assert "Max UPR at 80 %" in claim.here


def drawing(joules: float) -> list[DayScore]:
    return [one._replace(score=replace(one.score, joules=joules)) for one in scores([5, 6])]


def test_max_upe_draws_the_least_if_no_other_draws_a_percent_less_at_any_budget() -> None:
    days = {DaySetting(name, budget): drawing(50.0) for name in ALL for budget in BUDGETS}
    assert {*BY_WORTH, *METAHEURISTICS} <= set(ALL)
    assert _least_energy(Days(days), joules=100.0).holds
    days[DaySetting("easy", 0.5)] = drawing(1.0)  # which does not look at worth
    days[DaySetting("max-upt", 0.5)] = drawing(49.0)
    assert _least_energy(Days(days), joules=100.0).holds
    days[DaySetting("max-upt", 0.5)] = drawing(48.9)
    claim = _least_energy(Days(days), joules=100.0)
    assert not claim.holds
    assert claim.here == "Max UPT at 50 %: 1.1 % less"
