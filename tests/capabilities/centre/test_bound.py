"""No plan is below the bound, and a plan that is found keeps what it should."""

import numpy as np
from capabilities.centre.tiny_days import AIMS, AllPlans, all_plans, tiny_days
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.centre.bound import DaySearch, NoSuchPlan
from core.capabilities.centre.cooling import TooHot
from core.capabilities.centre.day import CentreDay
from core.capabilities.centre.moves import NoRoom
from core.capabilities.centre.objectives import AIMS as WEIGHED
from core.capabilities.centre.objectives import DayCaps, DayWeights
from core.capabilities.centre.recover import Recovery


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
    assert found.measures.hottest <= day.centre.limit + 1e-9
    if found.beyond == 0:
        assert found.value >= bound.value - 1e-9 * max(abs(bound.value), 1)
