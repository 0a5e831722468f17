"""No plan is below the bound, and a plan that is found keeps what it should."""

from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest
from capabilities.centre import tiny_days as tiny
from capabilities.centre.tiny_days import AIMS, AllPlans, all_plans, tiny_days
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.centre import bound as bound_module
from core.capabilities.centre.bound import DaySearch, NoSuchPlan
from core.capabilities.centre.centre import Centre, Cooling, PhysicalRoom, ServerKind
from core.capabilities.centre.cooling import TooHot
from core.capabilities.centre.day import CentreDay, Curves, grouped
from core.capabilities.centre.judge import judged_plan
from core.capabilities.centre.made import made_day
from core.capabilities.centre.moves import NoRoom
from core.capabilities.centre.objectives import AIMS as WEIGHED
from core.capabilities.centre.objectives import DayCaps, DayWeights
from core.capabilities.centre.recover import Recovery
from core.capabilities.centre.solving import GeneralSolver


def _drawn_caps(plans: AllPlans, aim: str, random: np.random.Generator) -> dict[str, float]:
    """Caps on up to two others that some plan keeps, and sometimes none does."""
    others = [name for name in AIMS if name != aim]
    caps: dict[str, float] = {}
    for name in random.choice(others, random.integers(0, 3), replace=False).tolist():
        column = plans.reached[:, AIMS.index(name)]
        caps[name] = float(random.choice(column))
    return caps


@examples(40)
@given(tiny_days(), st.sampled_from(WEIGHED), st.integers(0, 2**32 - 1))
def test_no_plan_is_below_the_bound(day: CentreDay, aim: str, seed: int) -> None:
    plans = all_plans(day)
    search = DaySearch(day)
    weights = DayWeights.only(aim)
    if not len(plans.reached):
        return
    caps = _drawn_caps(plans, aim, np.random.default_rng(seed))
    least = plans.least(aim, caps)
    try:
        bound = search.bound(weights, DayCaps(**caps))
    except NoSuchPlan:
        assert least == np.inf
        return
    assert bound.value <= bound.found + 1e-9 * max(abs(bound.found), 1)
    assert bound.found - bound.value <= 1e-4 * max(abs(bound.found), 1)
    assert bound.value <= least + 1e-12 * max(abs(least), 1)
    try:
        found = Recovery(day, bound, weights, DayCaps(**caps)).search(0.05)
    except (TooHot, NoRoom):
        return
    verdict = judged_plan(day, found.plan)
    assert verdict.ok, verdict
    assert max(found.measures.hottest, verdict.hottest) <= day.centre.limit + 1e-9
    if found.beyond == 0:
        assert found.value >= bound.value - 1e-9 * max(abs(bound.value), 1)
        counted = {aim: float(getattr(verdict, aim)) for aim in ("cost", "carbon")}
        counted |= {aim: getattr(verdict, aim) / 3.6e6 for aim in ("energy", "excess")}
        counted["lateness"] = verdict.lateness / day.step
        assert counted[aim] == pytest.approx(found.value, rel=1e-9, abs=1e-12)
        if found.value <= bound.value + 1e-9:  # it is settled
            assert found.value <= least + 1e-9 * max(abs(least), 1) + 1e-9


@examples(20)
@given(tiny_days(), st.sampled_from(WEIGHED), st.sampled_from([0.0, 1.0, np.inf]))
def test_both_ways_to_solve_come_to_the_same(day: CentreDay, aim: str, late: float) -> None:
    weights, caps = DayWeights.only(aim), DayCaps(lateness=late)
    try:
        fast = DaySearch(day).settled(weights, caps)
    except NoSuchPlan:
        with pytest.raises(NoSuchPlan):
            DaySearch(day, GeneralSolver).settled(weights, caps)
        return
    general = DaySearch(day, GeneralSolver).settled(weights, caps)
    assert fast.value == pytest.approx(general.value, rel=1e-4, abs=3e-5)
    assert fast.value <= general.found + 1e-9 * max(abs(general.found), 1)


def test_a_day_is_settled_by_steps_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without HiGHS, and to within what is asked; groups have all of their jobs."""
    monkeypatch.setattr(bound_module, "GeneralSolver", None)
    day = made_day("medium", "g1", "C", 2)
    caps = DayCaps(lateness=0.05 * day.jobs.execution_steps)
    search = DaySearch(day)
    found = search.bound(DayWeights.only("cost"), caps)
    assert len(search.cuts) == 1
    assert 0 <= found.found - found.value <= 3e-5 * found.found
    assert np.bincount(found.group, found.amount) == pytest.approx(day.jobs.count, rel=1e-3)
    assert found.aims["lateness"] <= caps.lateness * 1.001


def test_all_plans_that_none_dominates(monkeypatch: pytest.MonkeyPatch) -> None:
    """C7: of four steps of two servers, with a fan that has one speed. Excess in units of the
    target, cost in those of a watt for a step, lateness in steps.
    """
    monkeypatch.setattr(tiny, "SPEEDS", (1.0,))
    step, unit = 60.0, 60.0 / 3.6e6
    centre = Centre(
        (ServerKind("any", 2, 30.0, 22.0, 3.0),),
        Cooling(40.0, 40.0, 100.0, 120.0),
        PhysicalRoom(100 * step, 10.0),
        27.0,
        26.5,
        -50.0,
    )
    curves = Curves(
        np.array([1.0, 1.0, 1.0, 3.0]),
        np.zeros(4),
        np.full(4, 25.0),
        np.array([0.0, 60.0, 60.0, 0.0]),
        np.full(4, 66.0),
    )
    jobs = grouped([(0, 1, 2, 0, 2.0), (0, 1, 1, 0, 2.0), (0, 1, 2, 1, 3.0)])
    day = CentreDay(centre, jobs, curves, step)
    plans = tiny.all_plans(day)
    columns = [AIMS.index(aim) for aim in ("excess", "cost", "lateness")]
    reached = plans.reached[:, columns] / [66 * unit, unit, 1.0]
    points = {tuple(np.round(row, 6).tolist()) for row in reached}
    rows = np.array(sorted(points))
    below = (rows[:, None] <= rows).all(axis=2) & (rows[:, None] != rows).any(axis=2)
    best = rows[~below.any(axis=0)].tolist()
    known = [(0, 145, 2), (7 / 66, 172, 1), (17 / 33, 91, 1), (17 / 33, 118, 0)]
    assert best == [pytest.approx(one, abs=1e-5) for one in known]
    search = DaySearch(day)
    for excess, cost, late in known:
        caps = DayCaps(excess=excess * 66 * unit + 1e-9, lateness=late)
        assert search.bound(DayWeights.only("cost"), caps).value <= cost * unit


def test_plans_are_found_for_nearly_all_small_days() -> None:
    """Of those that some plan keeps within a cap on lateness, and at what no plan is below in many
    of them.
    """
    kept, best, there = 0, 0, 0
    for seed in range(40):
        day = tiny.tiny_day(np.random.default_rng(seed))
        plans = tiny.all_plans(day)
        caps = DayCaps(lateness=1.0)
        least = plans.least("energy", {"lateness": 1.0})
        if least == np.inf:
            continue
        there += 1
        bound = DaySearch(day).bound(DayWeights.only("energy"), caps)
        with suppress(TooHot, NoRoom):
            found = Recovery(day, bound, DayWeights.only("energy"), caps).search(0.02)
            kept += found.beyond == 0
            best += found.beyond == 0 and found.value <= least * (1 + 1e-6)
    assert there >= 20
    assert kept >= 0.95 * there
    assert best >= 0.7 * there


def test_a_thousand_million_jobs_are_too_many() -> None:
    """What is missing may be far more than all else together."""
    kinds = (ServerKind("a", 4, 300.0, 120.0, 5.0),)
    centre = Centre(kinds, Cooling(410, 500, 2300, 5500), PhysicalRoom(5e6, 50.0), 27.0, 24.0)
    few = grouped([(0, 1, 1, 0, 4.0)])
    day = CentreDay(centre, replace(few, count=few.count * 10**9), Curves(*np.ones((5, 4))), 900.0)
    with pytest.raises(NoSuchPlan) as none:
        DaySearch(day).bound(DayWeights.only("cost"))
    assert none.value.missing["jobs"] == pytest.approx(10**9 - 16)
