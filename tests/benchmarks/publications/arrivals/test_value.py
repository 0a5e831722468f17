"""Figures of value of service have every policy and the bound, on the same days everywhere."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from html import unescape
from pathlib import Path

import pytest
from small_days import scores

from benchmarks.publications.arrivals import value
from benchmarks.publications.arrivals.days import Days, undropped
from benchmarks.publications.arrivals.value import (
    ALL,
    BY_CORES,
    BY_MEMORY,
    KINDS_OF_DAY,
    OURS,
    SIMPLE_DP,
    USUAL,
    VPTR,
    BoundedDay,
    ValueDays,
    drawn_day,
)
from benchmarks.publications.arrivals.value_figures import figure_7, figure_8, run_times
from benchmarks.publications.claim import Claim
from benchmarks.publications.figure import Figure
from benchmarks.publications.pictures import draw
from core.capabilities.arrivals.made.value import ValueSettings
from core.capabilities.arrivals.policies import policy_named, published_maximum
from core.engines.compute.executors import InThisThread
from core.engines.replay.clock import ReplaySettings, replay
from core.engines.replay.pricing import Foresight

FIGURES = (figure_7, figure_8, run_times)


@cache
def one_environment() -> ValueDays:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(value, "KINDS_OF_DAY", (USUAL,))
        return value.measure(2, InThisThread(), lambda _: None)


def test_there_are_ten_environments_and_one_is_in_both_series() -> None:
    assert [kind.cores for kind in BY_CORES.values()] == [128, 192, 256, 320, 384]
    assert [kind.memory for kind in BY_MEMORY.values()] == [128, 192, 256, 320, 384]
    assert BY_CORES[256] == BY_MEMORY[256] == USUAL
    assert len(KINDS_OF_DAY) == 9


def test_environments_meet_the_same_days() -> None:
    few, many = (drawn_day(kind, 3) for kind in (BY_CORES[128], BY_MEMORY[384]))
    assert (few.jobs.arrival == many.jobs.arrival).all()
    assert (few.options.seconds == many.options.seconds).all()
    assert few.pools.units != many.pools.units
    assert (few.jobs.arrival[:9] != drawn_day(BY_CORES[128], 4).jobs.arrival[:9]).all()


def test_policies_decide_themselves_what_they_drop() -> None:
    for name in ALL:
        assert undropped(name).rules == policy_named(name).policy


def test_days_are_replayed_in_the_published_order_and_below_their_bounds() -> None:
    found = one_environment()
    assert found.trials == 2
    for name in ALL:
        assert (found.reached(USUAL, name) <= 100).all()
    means = [found.share(USUAL, name).mean for name in (VPTR, SIMPLE_DP, "simple-d", "simple")]
    assert means == sorted(means, reverse=True)
    assert found.share(USUAL, "simple-p").mean > means[-1]


def test_prices_follow_the_jobs_that_came() -> None:
    settings = ReplaySettings(seed=1, pricing=Foresight())
    workload = drawn_day(USUAL, 1)
    worth = replay(workload, policy_named(OURS).policy, settings=settings).worth
    share = 100 * worth / published_maximum(workload)
    assert one_environment().shares(USUAL, OURS)[1] == pytest.approx(share)
    without = replay(workload, policy_named(OURS).policy, settings=ReplaySettings(seed=1)).worth
    assert without < worth


Worths = Mapping[str, float]
AS_PUBLISHED: Worths = {
    OURS: 7.0,
    VPTR: 6.7,
    **dict.fromkeys(value.VARIANTS, 6.5),
    SIMPLE_DP: 4.5,
    **dict.fromkeys(value.HALVES, 3.0),
    value.SIMPLE: 2.0,
}


def days_with(
    changes: Worths | None = None,
    where: ValueSettings | None = None,
    bound: float = 7.5,
    seconds: float = 0.1,
) -> ValueDays:
    """Two days of each environment on which all claims hold, but for these changes, in all of them
    or in one: worths of 10, the bound, and the seconds that days and bounds take.
    """

    def days_of(kind: ValueSettings) -> Days:
        worths = {**AS_PUBLISHED, **((changes or {}) if where in (None, kind) else {})}
        made = {name: scores([one - 0.01, one + 0.01]) for name, one in worths.items()}
        return Days(
            {
                undropped(name): [
                    one._replace(score=replace(one.score, seconds=seconds)) for one in each
                ]
                for name, each in made.items()
            }
        )

    proven = [BoundedDay(bound, 20 * seconds)] * 2
    return ValueDays(
        {kind: days_of(kind) for kind in KINDS_OF_DAY}, dict.fromkeys(KINDS_OF_DAY, proven)
    )


def verdict(figure: Figure, words: str) -> bool:
    (claim,) = (claim for claim in figure.claims if words in claim.claim)
    assert isinstance(claim, Claim)
    return claim.holds


def test_figures_are_judged_and_drawn(tmp_path: Path) -> None:
    for make in FIGURES:
        figure = make(days_with())
        assert figure.table is not None
        assert len(figure.table.rows) >= len(ALL) + 1
        assert all(claim.holds and type(claim.holds) is bool for claim in figure.claims)
        if figure.panels:
            draw(figure, tmp_path / f"{figure.file_stem}.svg")
            words = unescape((tmp_path / f"{figure.file_stem}.svg").read_text(encoding="utf-8"))
            assert all(series.name in words for one in figure.panels for series in one.series)


@pytest.mark.parametrize("place", KINDS_OF_DAY)
@pytest.mark.parametrize(
    ("words", "change"),
    [
        ("Max VPTR earns more than Simple d&p", {VPTR: 4.45}),
        ("more than with either alone", {"simple-p": 4.6}),
        ("more than with either alone", {"simple-d": 4.6}),
        ("Simple with either earns more", {"simple-d": 1.9}),
        ("Simple with either earns more", {"simple-p": 1.9}),
        ("four that measure value otherwise", {"max-vpm": 6.8}),
        ("earn no less than Max VPTR", {OURS: 6.6}),
        ("of the proven bound", {VPTR: 6.1}),
    ],
)
def test_one_environment_is_enough_to_refute(words: str, change: Worths, place) -> None:
    assert not verdict(figure_7(days_with(change, place)), words)


@pytest.mark.parametrize(
    ("make", "words", "found"),
    [
        (figure_7, "up to 49 % more", days_with({VPTR: 7.2})),
        (figure_7, "up to 49 % more", days_with({VPTR: 6.3})),
        (figure_7, "prices earn 3 % more", days_with({OURS: 6.85}, BY_CORES[128])),
        (figure_7, "83 to 95 % of the proven bound", days_with(bound=7.0)),
        (figure_7, "On no day", days_with(bound=6.99)),
        (run_times, "A day under any policy", days_with(seconds=0.5)),
        (run_times, "Its bound", days_with(seconds=0.51)),
    ],
)
def test_a_claim_does_not_hold_on_other_days(make, words: str, found: ValueDays) -> None:
    assert not verdict(make(found), words)


def test_the_largest_lead_counts_in_the_series_of_cores_alone() -> None:
    found = days_with({VPTR: 6.9}, BY_CORES[384])
    (claim,) = (one for one in figure_7(found).claims if "up to 49 % more" in one.claim)
    assert "with 384 cores: 53.3" in claim.here
    assert verdict(figure_7(days_with({VPTR: 9.0}, BY_MEMORY[384])), "up to 49 % more")


def test_prices_are_judged_where_cores_are_short() -> None:
    found = figure_7(days_with({OURS: 6.85}, BY_CORES[192]))
    assert verdict(found, "prices earn 3 % more")


def test_intervals_are_drawn_where_they_are_asked_for(tmp_path: Path) -> None:
    figure, drawn = figure_8(days_with()), []
    for intervals in (True, False):
        panels = [replace(one, intervals=intervals) for one in figure.panels]
        path = tmp_path / f"{intervals}.svg"
        draw(replace(figure, panels=panels), path)
        drawn.append(path.read_text(encoding="utf-8").count("LineCollection"))
    assert drawn[0] - drawn[1] == sum(len(panel.series) for panel in figure.panels)
