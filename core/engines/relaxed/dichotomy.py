"""The front by a general solver: between two vertices, find the one farthest below their chord.

This is slower than the parametric simplex, but it needs no structure, and it works wherever HiGHS
does.
"""

from collections import deque
from dataclasses import dataclass

import numpy as np

from core.engines.relaxed.front import Front, Optima, front_of
from core.engines.relaxed.lines import Lines
from core.engines.relaxed.objective import ENERGY, MAKESPAN, Objective
from core.engines.relaxed.placements import Placements
from core.engines.relaxed.program import DivisibleProgram
from core.vocabulary.arrays import FloatArray
from core.vocabulary.budget import Budget
from core.vocabulary.system import System
from core.vocabulary.tolerances import SAME, SOLVER


@dataclass(frozen=True, eq=False)
class Optimum:
    """An optimal divisible schedule, its (joules, seconds), and the machine prices that prove it
    optimal.
    """

    placed: FloatArray
    point: FloatArray
    prices: FloatArray

    @classmethod
    def of(
        cls, program: DivisibleProgram, objective: Objective, then: Objective | None = None
    ) -> "Optimum":
        """The optimum of `objective`; if there are several, the best of them for `then`, where
        given.
        """
        program.minimise(objective)
        prices = program.machine_prices()
        if then is not None:
            program.stay_optimal()
            program.minimise(then)
        placed = program.placed()
        return cls(placed, Placements.dense([placed]).points(program.system)[0], prices)


def dichotomy(system: System, budget: Budget | None = None) -> Front:
    """Every vertex of the front; as many as the budget allows, but always both ends."""
    budget = budget or Budget()

    def is_over() -> bool:
        return budget.should_stop() or not budget.left

    # Each end has a program of its own, because `stay_optimal` confines it.
    thriftiest = Optimum.of(DivisibleProgram(system), ENERGY, MAKESPAN)
    fastest = Optimum.of(DivisibleProgram(system), MAKESPAN, ENERGY)
    program = DivisibleProgram(system)
    following = {thriftiest: (fastest, thriftiest.prices)}
    across = np.abs(fastest.point - thriftiest.point)
    # Ends of the same energy or makespan are one vertex.
    chords = deque([(thriftiest, fastest)] if across.all() else [])
    while chords:
        left, right = chords.popleft()
        if is_over():
            # Any prices prove a bound: those of both ends together serve where none was found.
            following[left] = right, left.prices + right.prices
            continue
        energy, makespan = np.abs(right.point - left.point)
        weights = np.array([1.0, energy / makespan])
        lowest = Optimum.of(program, Objective(*weights))
        below = (weights * (left.point - lowest.point)).sum()
        apart = lowest.point > np.minimum(left.point, right.point) + SAME * across
        if all(apart) and below > SOLVER * (weights * left.point).sum():
            chords += [(left, lowest), (lowest, right)]
        else:
            following[left] = right, lowest.prices
    found, prices = [thriftiest], [thriftiest.prices]
    while found[-1] is not fastest:
        right, dual = following[found[-1]]
        found.append(right)
        prices.append(dual)
    prices.append(fastest.prices)
    points = np.array([optimum.point for optimum in found])
    energy, makespan = np.abs(np.diff(points, axis=0)).T
    slopes = energy / np.where(makespan > 0, makespan, 1.0)
    weights = np.vstack([[1.0, 0.0], np.column_stack([np.ones(len(slopes)), slopes]), [0.0, 1.0]])
    return front_of(
        system,
        Optima(
            points,
            Placements.dense([optimum.placed for optimum in found]),
            Lines.proven(system, weights, np.array(prices)),
        ),
        complete=not is_over(),
    )
