"""Both methods find a known front, the same again for a seed, and NSGA-II says what to install."""

import importlib.util
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from engines.moea.toys import FRONT, TOY, ZDT1

from core.engines.moea.dominance import hypervolume
from core.engines.moea.ev_moga import by_ev_moga
from core.engines.moea.nsga2_of_pymoo import by_nsga2
from core.engines.moea.problem import EvolutionPace, Solutions
from core.engines.rivals.rival import MissingExtra
from core.vocabulary.arrays import IntArray
from core.vocabulary.budget import Budget

Method = Callable[..., Solutions]
METHODS = (by_nsga2, by_ev_moga)


def points(found: Solutions) -> list[tuple[float, ...]]:
    return sorted(map(tuple, found.values.tolist()))


@pytest.mark.parametrize("method", METHODS)
def test_the_front_is_found(method: Method) -> None:
    found = method(TOY, EvolutionPace(40, 150, 0.9), budget=Budget(), seed=2)
    assert set(points(found)) <= set(FRONT)
    assert len(found) >= 12
    assert (found.violation == 0).all()
    assert (found.genes[:, 1] == 0).all()


@pytest.mark.parametrize(("method", "pace"), [(by_nsga2, (60, 100)), (by_ev_moga, (100, 750))])
def test_a_standard_front_is_approached(method: Method, pace: tuple[int, int]) -> None:
    """ZDT1, in about 6,000 evaluations: both dominate 97 % of what its front does, up to (1, 1)."""
    found = method(ZDT1, EvolutionPace(*pace, 0.9), budget=Budget(), seed=1)
    assert (found.values[:, 1] >= 1 - np.sqrt(found.values[:, 0]) - 1e-9).all()
    assert hypervolume(found.values, np.ones(2)) > 0.97 * 2 / 3
    assert len(found) >= 30


@pytest.mark.parametrize("method", METHODS)
def test_a_seed_gives_the_same_again(method: Method) -> None:
    found = [
        method(TOY, EvolutionPace(9, 5, 0.9), budget=Budget(), seed=seed) for seed in (3, 3, 4)
    ]
    assert found[0].genes.tolist() == found[1].genes.tolist()
    assert found[0].genes.tolist() != found[2].genes.tolist()


@pytest.mark.parametrize(("method", "each"), [(by_nsga2, 7), (by_ev_moga, 8)])
def test_so_many_are_judged_in_so_many_generations(method: Method, each: int) -> None:
    seen, told = [], []

    def judged(rows: IntArray) -> Any:
        seen.append(len(rows))
        return TOY.judge(rows)

    report = lambda *done: told.append(done)  # noqa: E731
    problem = replace(TOY, judge=judged)
    method(problem, EvolutionPace(7, 3, 0.9), budget=Budget(), report=report)
    assert seen == [7, each, each, each]
    assert told == [(1, 3), (2, 3), (3, 3)]


@pytest.mark.parametrize("method", METHODS)
def test_the_first_solutions_are_those_that_are_drawn_equal_ones_too(method: Method) -> None:
    seen = []

    def judged(rows: IntArray) -> Any:
        seen.append(rows.tolist())
        return TOY.judge(rows)

    rows = np.array([[7, 1], [7, 1], [7, 1], [9, 2]])
    problem = replace(TOY, judge=judged, begin=lambda _, count: rows[:count].copy())
    method(problem, EvolutionPace(4, 1, 0.9), budget=Budget())
    assert seen[0] == rows.tolist()


@pytest.mark.parametrize("method", METHODS)
def test_it_ends_at_once_when_asked_to(method: Method) -> None:
    told: list[tuple[int, int]] = []
    budget = Budget(should_stop=lambda: len(told) == 2)
    report = lambda *done: told.append(done)  # noqa: E731
    found = method(TOY, EvolutionPace(30, 1000, 0.9), budget=budget, report=report)
    assert told == [(1, 1000), (2, 1000)]
    assert len(found)


@pytest.mark.parametrize("method", METHODS)
def test_without_a_solution_that_violates_nothing_there_is_none(method: Method) -> None:
    problem = replace(TOY, judge=lambda rows: (TOY.judge(rows)[0], np.ones(len(rows))))
    assert len(method(problem, EvolutionPace(8, 3, 0.9), budget=Budget())) == 0


def test_without_pymoo_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "pymoo" else found(name)
    )
    with pytest.raises(MissingExtra, match=r"pip install 'wattfront\[evolution\]'"):
        by_nsga2(TOY, EvolutionPace(4, 1, 0.9), budget=Budget())
    assert len(by_ev_moga(TOY, EvolutionPace(4, 1, 0.9), budget=Budget())) > 0
