"""Figures of urgent jobs have every policy, pairs of the same days, and the published maximum."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from engines.replay.stopping.stopped_days import Job, day
from small_days import scores

from benchmarks.publications.arrivals import urgent
from benchmarks.publications.arrivals.days import Days
from benchmarks.publications.arrivals.urgent import (
    ALL,
    BY_WORTH,
    COMPARISON,
    KINDS_OF_DAY,
    PAIRS,
    TRIED_KINDS,
    USUAL,
    UrgentDays,
    of_burst,
    of_curves,
    of_flags,
    of_minutes,
    setting,
    smaller,
    starting_worth,
)
from benchmarks.publications.arrivals.urgent_figures import (
    figure_36,
    figure_37,
    figure_38,
    figure_39,
    figure_40,
    figures,
    run_times,
)
from benchmarks.publications.claim import Claim
from benchmarks.publications.figure import Figure
from benchmarks.publications.pictures import draw
from core.capabilities.arrivals.made.urgent import UrgentSettings, draw_urgent_day
from core.capabilities.arrivals.policies import published_maximum
from core.engines.compute.executors import InThisThread
from core.engines.replay.workload import Workload


def small_day(kind: UrgentSettings, trial: int) -> Workload:
    return draw_urgent_day(replace(kind, a_day=3_000, cores=40, seed=trial))


@cache
def small_days() -> UrgentDays:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(urgent, "drawn_day", small_day)
        return urgent.measure(2, InThisThread(), lambda _: None)


def test_the_published_maximum_is_of_starting_worths_within_the_horizon() -> None:
    """Job 0 has half of its 10 minutes within, job 1 all; the third is worth nothing if done."""
    jobs = [Job(0, {0: 20, 1: 10}, 8, 2), Job(10, {0: 10}, 1), Job(12, {0: 4}, 1, 3)]
    workload = day([1, 1], jobs, (5, 30))
    assert starting_worth(workload) == pytest.approx(8 / 2 + 1 + 1)
    assert published_maximum(workload) == pytest.approx(1)


def test_every_figure_is_judged_and_drawn(tmp_path: Path) -> None:
    found = figures(small_days())
    assert [figure.number for figure in found] == ["36", "37", "38", "39", "40", "E"]
    for figure in found:
        assert figure.table is not None
        assert len(figure.table.rows) == len(ALL)
        assert all(type(claim.holds) is bool for claim in figure.claims)
        if figure.panels:
            draw(figure, tmp_path / f"{figure.file_stem}.svg")


def test_the_same_days_meet_all_policies_and_smaller_ones_pair() -> None:
    found = small_days()
    assert len(KINDS_OF_DAY) == 14
    assert set(found.days) == {*KINDS_OF_DAY, *map(smaller, KINDS_OF_DAY), *TRIED_KINDS}
    for kind in KINDS_OF_DAY:
        for days, names, trials in (
            (kind, (*COMPARISON, *BY_WORTH), 2),
            (smaller(kind), (*BY_WORTH, *PAIRS), 1),
        ):
            for name in names:
                assert len(found.shares(days, name)) == trials
                assert 0 < found.share(days, name).mean <= 100


def made(worth: Mapping[UrgentSettings, Mapping[str, float]]) -> UrgentDays:
    """Two days of each kind, on which policies have worths of 10; 5 if nothing else is said."""
    return UrgentDays(
        {
            days: Days(
                {
                    setting(name): scores([one - 0.05, one + 0.05])
                    for name in ALL
                    for one in [worth.get(kind, {}).get(name, 5.0)]
                }
            )
            for kind in KINDS_OF_DAY
            for days in (kind, smaller(kind), *TRIED_KINDS)
        }
    )


def verdict(figure: Figure, words: str) -> bool:
    (claim,) = (claim for claim in figure.claims if words in claim.claim)
    assert isinstance(claim, Claim)
    return claim.holds


BETTER = {"upt-greedy": 6.0, "upt-diff": 6.0, "upt-now": 5.5, "util-greedy": 5.2, "util-diff": 5.2}
IN_LINE = {"random-now": 1.0, "fcfs-now": 1.0, "util-pair": 4.0, "upt-pair": 3.0}


def test_claims_hold_on_days_that_are_as_published() -> None:
    published = dict.fromkeys(KINDS_OF_DAY, BETTER | IN_LINE)
    published[of_curves("step")] = published[USUAL] | {"upt-greedy": 8.0}
    published[of_burst(1)] = IN_LINE | dict.fromkeys(urgent.BY_WORTH, 6.0)
    published[of_burst(128)] = published[USUAL] | {"upt-now": 5.1, "util-now": 4.0}
    for place, share in enumerate(urgent.FLAGS):
        rising = dict.fromkeys(urgent.STOPPING, 4.6 + place / 10) | {"upt-pair": 5 + place % 2}
        published[of_flags(share)] = (published[USUAL] | rising) if share < 1 else published[USUAL]
    published[of_flags(0)] = dict.fromkeys(ALL, 5.0)
    published[of_minutes(50)] = {
        name: one * 0.9 for name, one in (dict.fromkeys(ALL, 5.0) | published[USUAL]).items()
    }
    days = made(published)
    for figure, words in (
        (figure_36(days), "Random and FCFS"),
        (figure_36(days), "each over its own"),
        (figure_36(days), "never earn less than the same"),
        (figure_36(days), "never earn less than any other"),
        (figure_36(days), "Pair earns less"),
        (figure_36(days), "Max UPT Pair loses more"),
        (figure_36(days), "Steps gain the most"),
        (figure_37(days), "up to 20 % more"),
        (figure_37(days), "fall as bursts grow"),
        (figure_37(days), "Without bursts"),
        (figure_38(days), "If no job may stop"),
        (figure_38(days), "Max UPT Pair does not"),
        (figure_39(days), "all decline slightly"),
        (figure_39(days), "stays ahead"),
        (run_times(days), "An event takes at most"),
        (figure_38(days), "earn no less than fewer flags"),
    ):
        assert verdict(figure, words), words


@pytest.mark.parametrize(
    ("change", "figure", "words"),
    [
        ({"random-now": 6.0}, figure_36, "Random and FCFS"),
        ({"util-now": 6.0}, figure_36, "each over its own"),
        ({"upt-greedy": 5.2}, figure_36, "nearly the same"),
        ({"util-greedy": 4.5}, figure_36, "never earn less than the same"),
        ({"util-now": 7.0}, figure_36, "never earn less than any other"),
        ({"util-pair": 6.0}, figure_36, "Pair earns less"),
        ({"upt-now": 3.0}, figure_37, "up to 20 % more"),
        ({"util-now": 5.0}, figure_39, "all decline slightly"),
        ({"upt-now": 7.0}, figure_39, "stays ahead"),
        ({"random-now": 5.0}, run_times, "more than 60 s"),
        ({"util-now": 5.0}, figure_40, "Max UPT and its kin"),
    ],
)
def test_claims_fail_on_days_that_are_otherwise(change, figure, words: str) -> None:
    days = made(dict.fromkeys(KINDS_OF_DAY, BETTER | IN_LINE | change))
    assert not verdict(figure(days), words)
