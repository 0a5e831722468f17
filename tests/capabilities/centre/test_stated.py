"""The fast program of a day, held against the same stated in cvxpy."""

from dataclasses import replace
from pathlib import Path
from runpy import run_path

import numpy as np
import pytest
from capabilities.centre.test_cooling import fixture_day
from capabilities.centre.tiny_days import all_plans, tiny_days
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.centre.bound import DaySearch, NoSuchPlan
from core.capabilities.centre.centre import PhysicalRoom, ServerKind
from core.capabilities.centre.day import CentreDay, Curves, grouped
from core.capabilities.centre.made import made_day
from core.capabilities.centre.objectives import AIMS, NO_CAPS, DayCaps, DayWeights
from core.capabilities.centre.stated import stated_bound
from core.vocabulary.budget import NoScheduleFound


@examples(15)
@given(tiny_days(), st.sampled_from(AIMS), st.sampled_from([0.0, 1.0, np.inf]))
def test_both_say_the_same(day: CentreDay, aim: str, late: float) -> None:
    """But for the tangents of the fan, which are at most 0.7 % of its watts below its law; and but
    for the cut of cooling, which no cone has.
    """
    weights, caps = DayWeights.only(aim), DayCaps(lateness=late)
    search = DaySearch(day)
    try:
        fast = search.settled(weights, caps)
    except NoSuchPlan:
        with pytest.raises(NoScheduleFound):
            stated_bound(day, weights, caps)
        return
    stated = stated_bound(day, weights, caps)
    hours = day.step / 3600 * day.steps
    fan = 0.007 * day.centre.cooling.fan_watts / 1000 * hours
    dearest = max(1.0, float(day.curves.carbon.max()), float(np.abs(day.curves.price).max()))
    room = fan * (dearest + day.peak_price / hours) + 1e-5 * max(abs(stated), 1.0)
    assert fast.found <= stated + 1e-5 * max(abs(stated), 1.0)
    assert fast.found >= stated - room


def test_a_rule_by_hand() -> None:
    """A server that sleeps draws 1 W for three steps of 6 s, and 5 W if a rule says so."""
    day, weights = fixture_day((1.0, 1.0, 1.0), step=6.0), DayWeights.only("energy")
    asleep = 18 / 3.6e6
    assert stated_bound(day, weights) == pytest.approx(asleep, rel=1e-3)
    ruled = stated_bound(day, weights, NO_CAPS, [lambda of: [of.power >= 0.005]])
    assert ruled == pytest.approx(5 * asleep, rel=1e-3)


def test_a_rule_about_starts() -> None:
    """A server sleeps for three minutes between two jobs and starts in a fourth: 100 W in all of
    three minutes. One that may not start is idle for these four: 50 W.
    """
    server = ServerKind("any", 1, 100.0, 50.0, 0.0, 60.0, 6000.0)
    curves = Curves(*np.ones((2, 6)), np.full(6, 25.0), *np.zeros((2, 6)))
    room = PhysicalRoom(6e5, 100.0)
    centre = replace(fixture_day((1.0,), 6.0).centre, kinds=(server,), limit=100.0, room=room)
    jobs = grouped([(0, 1, 1, 0, 1.0), (0, 1, 1, 5, 6.0)])
    day, weights = CentreDay(centre, jobs, curves, 60.0), DayWeights.only("energy")
    in_time = DayCaps(lateness=0.0)
    assert stated_bound(day, weights, in_time) == pytest.approx(300 / 60e3, rel=1e-4)
    ruled = stated_bound(day, weights, in_time, [lambda of: of.ready == 0])
    assert ruled == pytest.approx(400 / 60e3, rel=1e-4)


@pytest.mark.thorough
def test_rules_of_the_documentation(tmp_path: Path) -> None:
    text = (Path(__file__).parents[3] / "docs/centre.md").read_text()
    (example,) = [part for part in text.split("```python\n")[1:] if "stated_bound" in part]
    (tmp_path / "example.py").write_text(example.partition("```")[0])
    known = run_path(str(tmp_path / "example.py"))
    assert "31.27 GBP (`free` is 31.18)" in text
    assert known["free"] == pytest.approx(31.18, abs=0.005)
    assert known["ruled"] == pytest.approx(31.27, abs=0.005)


@pytest.mark.thorough
def test_a_rule_of_ones_own() -> None:
    """Less is possible with at most 800 W from step 10 to 20, and nothing with at most 100 W."""
    day = made_day("small", "g3")
    weights = DayWeights.only("cost")
    free = stated_bound(day, weights)
    ruled = stated_bound(day, weights, NO_CAPS, [lambda of: of.power[10:20] <= 0.3])
    assert ruled > free + 1e-4
    with pytest.raises(NoScheduleFound, match="no plan keeps all caps and rules"):
        stated_bound(day, weights, NO_CAPS, [lambda of: of.power <= 0.1])


@examples(5)
@given(tiny_days())
def test_a_plan_keeps_the_stated_program(day: CentreDay) -> None:
    reached = all_plans(day)
    least = reached.least("energy", {})
    if np.isfinite(least):
        assert stated_bound(day, DayWeights.only("energy")) <= least + 1e-6 * max(least, 1.0)
