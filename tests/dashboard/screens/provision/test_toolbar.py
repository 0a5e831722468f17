"""A field of a plan is typed in a unit of its own, and put where its path leads."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.provision.futures.uncertainty import Variation
from core.capabilities.provision.goals.goal import Goal
from dashboard.screens.provision.inputs import PlanInputs
from dashboard.screens.provision.toolbar import AS_IT_IS, KILOWATTS, PERCENT, TypedUnit, put


@pytest.mark.parametrize(
    ("unit", "typed", "kept"),
    [(AS_IT_IS, 1.1, 1.1), (KILOWATTS, 1.5, 1500.0), (PERCENT, 57.0, 0.57)],
)
def test_a_number_is_typed_in_its_unit(unit, typed, kept):
    assert unit.kept(typed) == kept
    assert unit.typed(kept) == typed


@given(st.decimals(0, 10_000, places=3).map(float), st.sampled_from([1.0, 60.0, 3600.0, 86400.0]))
def test_what_was_typed_is_shown_again(typed, seconds):
    rates = TypedUnit(per=seconds)
    assert rates.typed(rates.kept(typed)) == typed
    assert rates.kept(typed) == typed / seconds


def test_a_value_is_put_where_its_path_leads(types):
    plan = PlanInputs.of(types)
    assert put(plan, "caution", 0.5).caution == 0.5
    assert put(plan, "limits.power", 9.0).limits.power == 9
    assert put(plan, "scenarios.count", 64).scenarios.count == 64
    law = put(plan, "spread.times.law", "lognormal").spread
    assert (law.times.law, law.arrivals) == ("lognormal", plan.spread.arrivals)


def test_an_objective_takes_no_limit(types):
    plan = put(PlanInputs.of(types), "goal.power", 5.0)
    assert put(plan, "goal.objective", "power").goal == Goal("power")


def test_one_variation_is_in_place_of_those_of_the_types(types):
    plan = put(PlanInputs.of(types), "spread.times", Variation(covs=(0.1, 0.2)))
    assert put(plan, "spread.times.cov", 0.3).spread.times == Variation(0.3)
    assert put(plan, "spread.times.cov", None).spread.times == Variation(0.0)


def test_a_share_has_no_digits_of_arithmetic():
    assert [PERCENT.kept(typed) for typed in (12.3, 33.3, 50.0)] == [0.123, 0.333, 0.5]
