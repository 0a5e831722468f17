"""What one more of something is worth, solved, or read from the prices of a bound."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from capabilities.centre.tiny_days import tiny_days
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.centre import bound as bound_module
from core.capabilities.centre.answer import CentreAnswer, answered
from core.capabilities.centre.bound import DaySearch, NoSuchPlan
from core.capabilities.centre.day import CentreDay
from core.capabilities.centre.files.centre_reader import inspect_centre
from core.capabilities.centre.objectives import AIMS, DayCaps, DayWeights
from core.capabilities.centre.settings import DaySettings
from core.capabilities.centre.told import WORTH, told
from core.files.samples.named import centre_folder

ASKED = DaySettings(seconds=0.0, most_excess=1.0)


def changed_days(day: CentreDay) -> list[CentreDay]:
    centre, curves = day.centre, day.curves
    more = (replace(centre.kinds[0], count=centre.kinds[0].count + 1), *centre.kinds[1:])
    return [
        replace(day, centre=replace(centre, limit=centre.limit + 1.0)),
        replace(day, centre=replace(centre, kinds=more)),
        replace(day, jobs=replace(day.jobs, due=day.jobs.due + 1.0)),
        replace(day, curves=replace(curves, green=curves.green * 1.5)),
    ]


@examples(20)
@given(tiny_days(), st.sampled_from(AIMS), st.sampled_from([1.0, np.inf]))
def test_prices_prove_the_bound_and_never_too_much(day: CentreDay, aim: str, late: float) -> None:
    weights, caps = DayWeights.only(aim), DayCaps(lateness=late)
    search = DaySearch(day)
    try:
        bound = search.bound(weights, caps)
    except NoSuchPlan:
        return

    def proven(of: CentreDay) -> float:
        return DaySearch(of).at_prices(bound, weights, caps)

    size = max(abs(bound.value), 1.0)
    # At first there were no cuts, and prices are those of what proved most.
    assert proven(day) == pytest.approx(bound.value, abs=1e-9 * size)
    for changed in changed_days(day):
        try:
            most = DaySearch(changed).bound(weights, caps).found
        except NoSuchPlan:
            continue
        assert proven(changed) <= most + 1e-6 * size


@cache
def parasol(begins: int) -> CentreAnswer:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bound_module, "MOST_BEGINS", begins)
        return answered(inspect_centre(centre_folder("parasol")).require(), ASKED)


def test_large_days_say_what_one_more_saves_at_most() -> None:
    solved, priced = parasol(400), parasol(0)
    assert not solved.by_prices
    assert priced.by_prices
    assert list(priced.worth) == list(solved.worth)
    for name, saved in solved.worth.items():
        assert saved - 1e-4 <= priced.worth[name] <= priced.bound.value
    notes = [
        next(table.note for table in told(one).tables if table.title == WORTH)
        for one in (solved, priced)
    ]
    assert notes[1].startswith(notes[0])
    assert "may save less" in notes[1]


def test_all_cost_can_be_saved_but_no_more() -> None:
    """An hour more leaves all work to the sun."""
    for one in (parasol(400), parasol(0)):
        assert one.worth["hour"] == pytest.approx(one.bound.value, rel=0.02)
        assert one.worth["hour"] <= one.bound.value


def test_a_warmer_room_is_cooled_by_its_own_prices() -> None:
    """What cooling costs at least there is computed for that room."""
    one = parasol(400)
    day = one.file.day()
    warmer = replace(day, centre=replace(day.centre, limit=day.centre.limit + 1.0))
    least = DaySearch(warmer).bound(DayWeights.only("cost"), one.caps)
    for answer in (one, parasol(0)):
        assert answer.bound.value - answer.worth["limit"] <= least.found


def test_prices_that_prove_most_go_with_their_cuts() -> None:
    one = parasol(400).bound
    more = replace(one, value=one.value + 1, duals=one.duals[:-1], cuts=())
    assert one.raised_to(more).duals is more.duals
    assert one.raised_to(more).cuts == ()
    assert more.raised_to(one) is more
