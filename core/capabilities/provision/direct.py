"""The two-stage program as one, for HiGHS: all scenarios at once, as it was published.

It has 2 M + K T M columns (here M more, for the counts) and M + 2 + K (T + M + 2) rows for K
scenarios, T task types and M machine types. `two_stage.decide` finds the same optimum in a small
part of the time; this one is what it is held against.
"""

import numpy as np

from core.capabilities.provision.first_stage import FirstStage, Purchase
from core.capabilities.provision.futures.scenarios import Scenarios
from core.capabilities.provision.plan import Plan
from core.capabilities.provision.second_stages import SecondStages, Weights
from core.engines.lp.program import Program


def decide_directly(
    plan: Plan, scenarios: Scenarios, weights: Weights, *, solver: str = "ipm"
) -> tuple[Purchase, float]:
    """The best purchase and its value. Raises `Infeasible` and `SolverFailed`."""
    program = Program(solver=solver, threads=1)
    links = SecondStages(plan, scenarios, weights).add_to(program)
    stage = FirstStage(plan, program=program, of_counts=links)
    own = np.hstack([stage.buy, stage.sell, stage.counts])
    costs = np.hstack([plan.prices, -plan.resales]) * weights.cost
    program.set_costs(own, np.hstack([costs, plan.idle_powers * weights.power]))
    found = program.minimise(feasible=False)
    return stage.purchase(found.values), -found.objective
