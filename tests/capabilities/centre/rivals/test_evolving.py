"""Evolved plans are sound, none dominates another, and a seed gives the same again."""

from dataclasses import astuple, replace

import numpy as np
import pytest
from centre_days import centre_days, day_of, faults, parasol_day
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.centre.day import CentreDay
from core.capabilities.centre.judge import judged_plan
from core.capabilities.centre.plan import DayPlan, measured
from core.capabilities.centre.rivals.as_usual import as_usual
from core.capabilities.centre.rivals.evolving import (
    EVOLVING_METHODS,
    PUBLISHED,
    Evolving,
    EvolvingMethod,
    evolved,
)
from core.capabilities.centre.rivals.genes import DayGenes
from core.engines.moea.dominance import dominated_by
from core.engines.moea.problem import EvolutionPace
from core.vocabulary.budget import Budget, NoScheduleFound

methods = st.sampled_from(EVOLVING_METHODS)
BRIEF = Evolving(EvolutionPace(8, 10, 0.9), 0.05)


def values(day: CentreDay, plans: list[DayPlan]) -> np.ndarray:
    found = (measured(day, plan) for plan in plans)
    return np.array([(one.excess, one.cost, one.lateness) for one in found])


def test_the_settings_are_those_that_are_published() -> None:
    assert {name: astuple(how) for name, how in PUBLISHED.items()} == {
        "nsga2": ((20, 1000, 0.9), 0.01, "power", "awake"),
        "ev-moga": ((100, 1000, 0.9), 0.01, "power", "awake"),
    }


@given(day=centre_days(), method=methods, seed=st.integers(0, 9))
def test_plans_are_sound_and_none_dominates_another(
    day: CentreDay, method: EvolvingMethod, seed: int
) -> None:
    try:
        plans = evolved(day, method, BRIEF, seed=seed)
    except NoScheduleFound as refused:
        if not str(refused).startswith(f"{method} found no plan that never exceeds 27 °C and ends"):
            raise
        return
    assert [faults(day, plan) for plan in plans] == [[]] * len(plans)
    found = values(day, plans)
    better = np.where(np.isclose(found[:, None], found[None]), found[None], found[:, None])
    assert not dominated_by(better, found[None]).any()


@pytest.mark.parametrize("method", EVOLVING_METHODS)
def test_a_seed_gives_the_same_again(method: EvolvingMethod) -> None:
    day = parasol_day(60)
    found = [values(day, evolved(day, method, BRIEF, seed=seed)).tolist() for seed in (1, 1, 2)]
    assert found[0] == found[1]
    assert found[0] != found[2]


@pytest.mark.parametrize("method", EVOLVING_METHODS)
def test_more_generations_cost_less_than_as_usual(method: EvolvingMethod) -> None:
    day = parasol_day(100)
    how = replace(PUBLISHED[method], pace=replace(PUBLISHED[method].pace, generations=200))
    usual = measured(day, as_usual(day)).cost
    assert values(day, evolved(day, method, how))[:, 1].min() < 0.95 * usual


@pytest.mark.parametrize("method", EVOLVING_METHODS)
def test_what_is_cooled_too_far_is_mended_and_gets_no_worse(method: EvolvingMethod) -> None:
    """Evolution does not know of the least temperature, so it is the same with and without."""
    day = parasol_day(60)
    how = Evolving(EvolutionPace(20, 60, 0.9), 0.05)
    free = replace(day, centre=replace(day.centre, coolest=-100.0))
    day = replace(day, centre=replace(day.centre, coolest=25.5))
    plans, before = evolved(day, method, how), evolved(free, method, how)
    assert [judged_plan(day, plan).problems for plan in plans] == [()] * len(plans)
    assert any(judged_plan(day, plan).problems for plan in before)
    found = values(day, plans)
    assert len(found) > 1
    assert not dominated_by(found[:, None], found[None]).any()
    for value in values(day, before):
        assert (found <= value + 1e-9 * np.abs(value)).all(axis=1).any()


@pytest.mark.parametrize("method", EVOLVING_METHODS)
def test_a_room_that_nothing_holds_has_no_plan(method: EvolvingMethod) -> None:
    day = day_of([(0, 64, 20, 0, 20.0)], 20)
    none = replace(day.centre.cooling, compressor_heat=0.0, fan_heat=0.0)
    with pytest.raises(NoScheduleFound, match=f"{method} found no plan .* allow more generations"):
        evolved(replace(day, centre=replace(day.centre, cooling=none)), method, BRIEF)


def test_it_says_how_far_it_is_and_stops_when_asked() -> None:
    told: list[tuple[int, int]] = []
    budget = Budget(should_stop=lambda: len(told) == 3)
    plans = evolved(parasol_day(60), "nsga2", budget=budget, report=lambda *done: told.append(done))
    assert told == [(1, 1000), (2, 1000), (3, 1000)]
    assert plans


@pytest.mark.parametrize(("method", "other"), [("nsga2", "between"), ("ev-moga", "cut")])
def test_each_method_recombines_in_its_own_way(
    method: EvolvingMethod, other: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(DayGenes, other, None)
    assert evolved(parasol_day(20), method, BRIEF)
