"""Figures of urgent jobs have every policy, pairs of the same days, and the published maximum."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from engines.replay.stopping.stopped_days import Job, day
from small_days import scores

from benchmarks.publications.arrivals import urgent
from benchmarks.publications.arrivals.days import Days, DayScore, undropped
from benchmarks.publications.arrivals.urgent import (
    ALL,
    BY_WORTH,
    COMPARISON,
    KINDS_OF_DAY,
    PAIRS,
    TRIED_KINDS,
    UrgentDays,
    of_burst,
    of_curves,
    of_flags,
    of_minutes,
    smaller,
    starting_worth,
)
from benchmarks.publications.arrivals.urgent_figures import (
    EVENTS,
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


Worths = Mapping[UrgentSettings, Mapping[str, float]]
"""Of 10, on a kind of days, of each policy."""
NO_CHANGE: Mapping[Any, Any] = {}
BETTER = {"upt-greedy": 6.0, "upt-diff": 6.0, "upt-now": 5.5, "util-greedy": 5.2, "util-diff": 5.2}
IN_LINE = {"random-now": 1.0, "fcfs-now": 1.0, "util-pair": 4.0, "upt-pair": 3.0}


def published_worths() -> Worths:
    usual = dict.fromkeys(ALL, 5.0) | BETTER | IN_LINE
    rises = {name: usual[name] - 5 for name in urgent.STOPPING}
    found = dict.fromkeys(KINDS_OF_DAY, usual)
    found[of_curves("step")] = usual | {"upt-greedy": 8.0}
    found[of_burst(1)] = usual | dict.fromkeys(BY_WORTH, 6.0)
    found[of_burst(128)] = usual | {"upt-now": 5.1, "util-now": 4.0}
    found[of_flags(0)] = dict.fromkeys(ALL, 5.0)
    for place, share in enumerate(urgent.FLAGS[1:-1]):
        rising = {name: 5 + share * rise for name, rise in rises.items()}
        found[of_flags(share)] = usual | rising | {"upt-pair": 6.0 - place % 2}
    found[of_minutes(50)] = {name: 0.9 * one for name, one in usual.items()}
    return found


def as_published(
    worth: Worths = NO_CHANGE,
    done: Mapping[str, int] = NO_CHANGE,
    seconds: Mapping[str, float] = NO_CHANGE,
) -> UrgentDays:
    """Two days of each kind, on which all claims hold but for what is said: worths, jobs of four
    that are done, and seconds that a day takes.
    """
    done = {name: 4 if "upt" in name else 3 if "util" in name else 2 for name in ALL} | done
    seconds = dict.fromkeys(ALL, 2.0) | dict.fromkeys(PAIRS, 61.0 * EVENTS) | seconds

    def of_policy(name: str, mean: float) -> list[DayScore]:
        more = {"completed": done[name], "seconds": seconds[name]}
        drawn = scores([mean - 0.05, mean + 0.05])
        return [one._replace(score=replace(one.score, **more)) for one in drawn]

    return UrgentDays(
        {
            days: Days(
                {
                    undropped(name): of_policy(name, one)
                    for name, one in (each | worth.get(kind, {})).items()
                }
            )
            for kind, each in published_worths().items()
            for days in (kind, smaller(kind), *TRIED_KINDS)
        }
    )


def verdict(figure: Figure, words: str) -> bool:
    (claim,) = (claim for claim in figure.claims if words in claim.claim)
    assert isinstance(claim, Claim)
    return claim.holds


def always(**worth: float) -> dict[str, Worths]:
    """These worths on all days."""
    named = {name.replace("_", "-"): one for name, one in worth.items()}
    return {"worth": dict.fromkeys(KINDS_OF_DAY, named)}


@pytest.mark.parametrize(
    ("figure", "words", "change"),
    [
        (figure_36, "Random and FCFS", always(random_now=6.0)),
        (figure_36, "each over its own", always(util_now=6.0)),
        (figure_36, "never earn less than the same", always(util_greedy=4.5)),
        (figure_36, "never earn less than any other", always(util_now=7.0)),
        (figure_36, "Pair earns less", always(util_pair=6.0)),
        (figure_36, "Max UPT Pair loses more", always(upt_pair=5.0)),
        (figure_36, "Steps gain the most", always(upt_greedy=6.0)),
        (figure_37, "nearly the same", always(upt_greedy=5.2)),
        (figure_37, "up to 20 % more", always(upt_now=3.0)),
        (figure_37, "fall as bursts grow", always(upt_now=5.5)),
        (figure_37, "fall much less", always(util_now=5.0)),
        (figure_37, "Without bursts", {"worth": {of_burst(1): {"upt-greedy": 6.3}}}),
        (figure_38, "If no job may stop", {"worth": {of_flags(0): {"upt-diff": 5.1}}}),
        (figure_38, "about in a line", {"worth": {of_flags(0.2): {"upt-diff": 4.0}}}),
        (
            figure_38,
            "Max UPT Pair does not",
            {"worth": {of_flags(share): {"upt-pair": 2 + share} for share in urgent.FLAGS}},
        ),
        (
            figure_38,
            "earn no less than fewer flags",
            {"worth": {of_flags(0.8): {"upt-greedy": 6.1}}},
        ),
        (figure_39, "all decline slightly", always(util_now=5.0)),
        (figure_39, "all decline slightly", {"worth": {of_minutes(50): {"util-now": 3.0}}}),
        (figure_39, "stays ahead", always(upt_now=7.0)),
        (figure_40, "Max UPT and its kin", {"done": {"util-now": 4}}),
        (figure_40, "Policies by worth", {"done": {"random-now": 3}}),
        (run_times, "An event takes at most", {"seconds": {"util-now": 7.1}}),
        (run_times, "more than 60 s", {"seconds": dict.fromkeys(PAIRS, 59.0 * EVENTS)}),
    ],
)
def test_a_claim_holds_on_days_as_published_and_not_on_others(figure, words: str, change) -> None:
    assert verdict(figure(as_published()), words)
    assert not verdict(figure(as_published(**change)), words)
