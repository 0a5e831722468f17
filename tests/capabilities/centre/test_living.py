"""A day as it is lived: what comes of plans that are made with what is known, and made anew."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from capabilities.centre.tiny_days import tiny_days
from centre_days import centre_days, day_of, faults, parasol_day
from examples import examples
from hypothesis import assume, given
from hypothesis import strategies as st

from core.capabilities.centre.bound import DaySearch, NoSuchPlan
from core.capabilities.centre.centre import Centre, ServerKind, parasol
from core.capabilities.centre.day import CentreDay, Curves, grouped
from core.capabilities.centre.judge import judged_plan
from core.capabilities.centre.living import HOTTER, LivingRule, lived
from core.capabilities.centre.objectives import NO_CAPS, DayCaps, DayWeights
from core.capabilities.centre.plan import DayPlan, measured, starting
from core.capabilities.centre.recover import FoundPlan, Recovery, judged
from core.capabilities.centre.rivals.as_usual import as_usual
from core.capabilities.centre.rivals.thermostat import by_thermostat
from core.vocabulary.budget import Cancelled, NoScheduleFound

COST = DayWeights.only("cost")


def came(day: CentreDay) -> Callable[[int], Curves]:
    """All is known from the beginning."""
    return lambda _: day.curves


def lived_or_none(
    day: CentreDay, known: Callable[[int], Curves], rule: LivingRule
) -> DayPlan | None:
    """None if no plan is found."""
    try:
        return lived(day, known, rule)
    except (NoScheduleFound, NoSuchPlan):
        return None


def value(day: CentreDay, plan: DayPlan) -> float:
    bound = DaySearch(day).bound(COST)
    found = judged(day, plan, COST, NO_CAPS, bound)
    assert found.value >= bound.value
    return found.value


def shuffled(curves: Curves, seed: int) -> Curves:
    """A forecast that is wrong in every step."""
    random = np.random.default_rng(seed)
    return Curves(*(random.permutation(one) for one in vars(curves).values()))


@examples(20)
@given(st.one_of(tiny_days(), centre_days()), st.integers(1, 3))
def test_where_all_is_known_a_day_planned_anew_is_no_worse(day: CentreDay, every: int) -> None:
    """What it began with is among the plans that it chooses from. The price of the highest power is
    not looked at step by step.
    """
    day = replace(day, peak_price=0.0)
    try:
        plans = [
            lived(day, came(day), LivingRule(COST, NO_CAPS, often), sure=True)
            for often in (0, every)
        ]
    except (NoScheduleFound, NoSuchPlan):
        return
    once, anew = (value(day, plan) for plan in plans)
    assert anew <= once + 1e-9 * max(abs(once), 1.0)


def test_a_good_plan_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that was polished, where what looks for plans and for cooling later finds bad ones."""
    day = parasol_day(40, steps=60, outside=24.0)
    bound = DaySearch(day).bound(COST)
    first = Recovery(day, bound, COST).search(0.1)

    def usual(self: Any, *_: object) -> FoundPlan:
        return judged(self._day, as_usual(self._day), COST, NO_CAPS, self._bound)

    monkeypatch.setattr(Recovery, "search", usual)
    monkeypatch.setattr(
        "core.capabilities.centre.living.cheapest_cooling",
        lambda day, servers, *_: by_thermostat(day, servers),
    )
    anew = lived(day, came(day), LivingRule(COST, NO_CAPS, 8), sure=True, followed=first.plan)
    assert value(day, anew) <= first.value * (1 + 1e-9)


@examples(25)
@given(
    st.one_of(tiny_days(), centre_days()),
    st.integers(0, 3),
    st.booleans(),
    st.integers(0, 2**32 - 1),
)
def test_whatever_was_forecast_jobs_and_servers_do_what_they_can(
    day: CentreDay, every: int, unannounced: bool, seed: int
) -> None:
    """Under any forecast, the judge finds no fault but that it may be too hot: how a step is cooled
    is decided with what a thermometer says.
    """
    wrong = shuffled(day.curves, seed)
    caps = DayCaps(lateness=2.0, energy=1e-3)
    plan = lived_or_none(day, lambda _: wrong, LivingRule(COST, caps, every, unannounced))
    if plan is None:
        return
    verdict = judged_plan(day, plan)
    assert {one.message.partition("°C")[0][:5] for one in verdict.problems} <= {"it is"}
    assert set(faults(day, plan)) <= {"it gets too warm"}


@examples(20)
@given(tiny_days(), st.integers(1, 3), st.integers(1, 2), st.integers(0, 2**32 - 1))
def test_what_comes_later_changes_nothing_before(
    day: CentreDay, at: int, every: int, seed: int
) -> None:
    """Curves that come otherwise from a step on, and jobs that come then, are not known before."""
    assume(at < day.steps)
    forecast, other = shuffled(day.curves, seed), shuffled(day.curves, seed + 1)
    changed = {
        name: np.append(values[:at], getattr(other, name)[at:])
        for name, values in vars(day.curves).items()
    }
    jobs = day.jobs
    kept = jobs.release < at
    fewer = replace(
        jobs,
        **{
            name: getattr(jobs, name)[kept]
            for name in ("kind", "width", "length", "release", "due", "count")
        },
    )
    rule = LivingRule(COST, NO_CAPS, every, unannounced=True)
    days = day, replace(day, jobs=fewer, curves=Curves(**changed))
    plans = [lived_or_none(one, lambda _: forecast, rule) for one in days]
    if plans[0] is None or plans[1] is None:
        return
    before = [
        (
            plan.awake[:, :at].tolist(),
            starting(one, plan.awake)[:, :at].tolist(),
            plan.speed[:at].tolist(),
            plan.compressor[:at].tolist(),
            sorted(
                (int(one.jobs.length[g]), int(s), int(n))
                for g, s, n in zip(plan.group, plan.start, plan.count, strict=True)
                if s < at
            ),
        )
        for one, plan in zip(days, plans, strict=True)
    ]
    assert before[0] == before[1]


def test_the_limit_is_held_though_it_becomes_hotter_than_forecast() -> None:
    """By as much as is foreseen, in a room that can then be held only if it is cooled ahead:
    one who believes the forecast does not do that.
    """
    later = np.arange(40) >= 10
    outside, price = np.where(later, 29.0, 26.0), np.where(later, 1.0, 9.0)
    day = day_of([(0, 1, 40, 0, 40.0)] * 64, 40, outside=outside, price=price)
    weak = replace(day.centre.cooling, fan_heat=0.0, compressor_heat=1900.0)
    day = replace(day, centre=replace(day.centre, cooling=weak))
    forecast = replace(day.curves, outside=outside - HOTTER * later)
    rule = LivingRule(COST, NO_CAPS, 4)
    wary, believing = (
        measured(day, lived(day, lambda _: forecast, rule, sure=sure)).hottest
        for sure in (False, True)
    )
    assert wary <= day.centre.limit + 1e-9
    assert believing > day.centre.limit


def test_it_is_never_cooled_too_far_for_what_may_come() -> None:
    """Who fears 3 K more would cool at once, to below the least temperature."""
    outside = np.where(np.arange(40) >= 10, 29.0, 26.0)
    day = day_of([(0, 1, 40, 0, 40.0)] * 64, 40, outside=outside)
    weak = replace(day.centre.cooling, fan_heat=0.0, compressor_heat=2000.0)
    day = replace(day, centre=replace(day.centre, cooling=weak, coolest=26.7))
    plan = lived(day, came(day), LivingRule(COST, NO_CAPS))
    assert measured(day, plan).inside[1:][plan.compressor].min() >= 26.7


def test_a_job_that_comes_unannounced_waits_for_no_one() -> None:
    """It is cheap from step 6 on, so the first job waits; the second must run in step 2."""
    price = np.append(np.full(6, 9.0), np.full(6, 1.0))
    jobs = [(0, 1, 2, 0, 12.0), (0, 64, 1, 2, 3.0)]
    day = day_of(jobs, 12, price=price)
    caps = DayCaps(lateness=0.0)
    plan = lived(day, came(day), LivingRule(COST, caps, unannounced=True), sure=True)
    starts = dict(zip(plan.group.tolist(), plan.start.tolist(), strict=True))
    wide = int(np.argmax(day.jobs.width))
    assert starts[wide] == 2
    assert starts[1 - wide] >= 6


def test_servers_that_sleep_start_before_a_job_that_came_unannounced() -> None:
    """What was begun by then is as it was: no server has begun to start before it was known why."""
    centre = Centre(
        (ServerKind("a", 4, 30.0, 22.0, 3.0, 120.0, 3600.0),),
        parasol().cooling,
        parasol().room,
        limit=27.0,
        first=25.0,
    )
    day = day_of([(0, 1, 12, 0, 12.0), (0, 3, 2, 5, 7.0)], 12)
    day = replace(day, centre=centre)
    soon = LivingRule(DayWeights(energy=1e-3, lateness=1.0), NO_CAPS, 1, unannounced=True)
    plan = lived(day, came(day), soon, sure=True)
    assert judged_plan(day, plan).ok
    assert dict(zip(day.jobs.width[plan.group].tolist(), plan.start.tolist(), strict=True)) == {
        1: 0,
        3: 7,
    }
    assert plan.awake[0, :9].tolist() == [1] * 7 + [4] * 2
    assert starting(day, plan.awake)[0, :9].tolist() == [0] * 5 + [3] * 2 + [0] * 2


def test_the_temperature_is_measured_now_and_forecast_for_later() -> None:
    """The fan is said to do from step 6 on what takes a compressor now: the job waits."""
    day = day_of([(0, 64, 2, 0, 12.0)], 12, outside=np.where(np.arange(12) < 6, 30.0, 10.0))
    hot = replace(day.curves, outside=np.where(np.arange(12) < 6, 40.0, 10.0))
    plan = lived(day, lambda _: hot, LivingRule(COST, NO_CAPS))
    assert plan.start[0] >= 6
    assert judged_plan(day, plan).ok


@pytest.mark.parametrize("caps", [NO_CAPS, DayCaps(cost=1e-6)])
def test_a_forecast_that_is_mended_in_time_is_followed(caps: DayCaps) -> None:
    """At first the last hour is said to be cheap, and later the one before; also where no plan
    keeps the caps.
    """
    steps = 12
    day = day_of([(0, 8, 2, 0, 12.0)], steps, price=np.array([9.0] * 6 + [1.0] * 3 + [9.0] * 3))
    first = replace(day.curves, price=np.array([9.0] * 9 + [1.0] * 3))
    second = day.curves

    def known(step: int) -> Curves:
        return first if step < 4 else second

    once, anew = (lived(day, known, LivingRule(COST, caps, every), sure=True) for every in (0, 4))
    assert once.start.tolist() == [9] or once.start.tolist() == [10]
    assert anew.start[0] in (6, 7)


def test_caps_that_are_broken_are_broken_no_further() -> None:
    """By a price that came higher, what is left costs more than the cap: the day goes on."""
    day = day_of([(0, 4, 2, 0, 12.0)] * 6, 12, price=5.0)
    cheap = replace(day.curves, price=np.full(12, 1.0))
    caps = DayCaps(cost=value(day, lived(day, came(day), LivingRule(COST, NO_CAPS))) * 0.5)
    plan = lived(day, lambda _: cheap, LivingRule(COST, caps, 2))
    assert judged_plan(day, plan).ok


def test_when_a_day_is_planned() -> None:
    day = day_of([(0, 1, 1, 3, 9.0), (0, 1, 1, 4, 9.0)], 10)
    assert LivingRule(COST, NO_CAPS).moments(day) == [0]
    assert LivingRule(COST, NO_CAPS, 4).moments(day) == [0, 4, 8]
    assert LivingRule(COST, NO_CAPS, 0, True).moments(day) == [0, 3, 4]


def test_a_day_without_jobs_is_cooled() -> None:
    day = replace(day_of([], 6), jobs=grouped([]))
    plan = lived(day, came(day), LivingRule(COST, NO_CAPS, 2), sure=True)
    assert judged_plan(day, plan).ok


def test_it_ends_when_it_is_asked_to() -> None:
    day = day_of([(0, 1, 1, 0, 9.0)], 6)
    with pytest.raises(Cancelled):
        lived(day, came(day), LivingRule(COST, NO_CAPS), lambda: True)


def test_what_is_foreseen_of_later_is_not_taken_for_now() -> None:
    """At the limit, where it just cools by itself, nothing cools."""
    day = day_of([(0, 1, 40, 0, 40.0)], 40, outside=22.4)
    day = replace(day, centre=replace(day.centre, first=day.centre.limit))
    plan = lived(day, came(day), LivingRule(COST, NO_CAPS, 10))
    assert not plan.speed.any()
    assert not plan.compressor.any()


def test_what_was_used_of_a_cap_is_used_up() -> None:
    """It is cheap when it is dirty, so all that the cap leaves is wanted until the day ends."""
    late = np.arange(12) >= 6
    curves = {"price": np.where(late, 1.0, 9.0), "outside": 15.0}
    day = day_of([(0, 8, 2, 0, 12.0)] * 8, 12, **curves)
    day = replace(day, curves=replace(day.curves, carbon=np.where(late, 900.0, 100.0)))
    search = DaySearch(day)
    least = search.bound(DayWeights.only("carbon")).value
    cheap = measured(day, lived(day, came(day), LivingRule(COST, NO_CAPS), sure=True)).carbon
    caps = DayCaps(carbon=(least + cheap) / 2)
    for every in (0, 1):
        plan = lived(day, came(day), LivingRule(COST, caps, every), sure=True)
        assert measured(day, plan).carbon <= caps.carbon * (1 + 1e-9)


def test_who_comes_later_may_be_late_too() -> None:
    """Half of the work is known at first, and has half of the lateness that all may have."""
    price = np.append(9.0, np.ones(11))
    day = day_of([(0, 1, 1, 0, 1.0)] * 8 + [(0, 1, 1, 8, 9.0)] * 8, 12, price=price)
    rule = LivingRule(COST, DayCaps(lateness=8.0), unannounced=True)
    plan = lived(day, came(day), rule, sure=True)
    assert measured(day, plan).lateness == 4 * day.step
    assert plan.count[plan.start == 0].tolist() == [4]


def test_a_peak_that_was_reached_is_paid_for() -> None:
    """Later ones as high are free: all other jobs wait for the cheapest step."""
    price = np.where(np.arange(12) == 9, 1.0, 2.0)
    rows = [(0, 64, 1, 0, 1.0), *[(0, 2, 1, 2, 12.0)] * 20]
    day = replace(day_of(rows, 12, price=price, outside=15.0), peak_price=50.0)
    plan = lived(day, came(day), LivingRule(COST, DayCaps(lateness=0.0), 2), sure=True)
    others = day.jobs.width[plan.group] == 2
    assert plan.start[others].tolist() == [9]


def test_all_later_plans_together_are_looked_for_as_long_as_the_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given, search = [], Recovery.search

    def noted(self: Recovery, seconds: float, *others: Any) -> FoundPlan:
        given.append(seconds)
        return search(self, 0.0, *others)

    monkeypatch.setattr(Recovery, "search", noted)
    day = day_of([(0, 1, 1, 11, 12.0)], 12)
    lived(day, came(day), LivingRule(COST, NO_CAPS, 4, seconds=6.0), sure=True)
    assert given == [6.0, 1.5, 1.5, 1.5, 1.5]
