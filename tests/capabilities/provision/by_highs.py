"""Second stages and hindsight as plain programs of scipy, a scenario each: what tests compare with.

They share nothing with the code under test but the plan and its scenarios.
"""

import numpy as np
from scipy.linalg import block_diag
from scipy.optimize import linprog

from core.vocabulary.tolerances import SOLVER

# Otherwise it takes 1e-7 of a machine more than there is.
_EXACT = {"primal_feasibility_tolerance": SOLVER, "dual_feasibility_tolerance": SOLVER}


def values_of(plan, scenarios, counts, weights):
    """The best worth of counts in each scenario, without their cost and idle power; None if their
    idle power alone breaks the limit.
    """
    stages = [_stage(plan, scenarios, k, weights) for k in range(len(scenarios))]
    room = np.concatenate([right + of_counts @ counts for _, _, right, of_counts in stages])
    if (room < 0).any():
        return None
    costs = [cost for cost, _, _, _ in stages]
    return -_each(costs, block_diag(*(rows for _, rows, _, _ in stages)), room, [(0, None)])


def hindsight(plan, scenarios, weights):
    """The best value of each scenario, if machines are bought when it is known."""
    programs = [_known(plan, scenarios, k, weights) for k in range(len(scenarios))]
    costs = [cost for cost, _, _ in programs]
    most = [*[(0, None)] * (len(costs[0]) - len(plan.offers)), *[(0, n) for n in plan.counts]]
    rows = block_diag(*(rows for _, rows, _ in programs))
    found = _each(costs, rows, np.concatenate([right for _, _, right in programs]), most)
    return -found - weights.power * float(plan.idle_powers @ plan.counts)


def _each(costs, rows, right, bounds):
    """The optima of programs that have nothing in common."""
    each = bounds if len(bounds) > 1 else bounds * len(costs[0])
    found = linprog(
        np.concatenate(costs), rows, right, None, None, each * len(costs), "highs", options=_EXACT
    )
    return np.sum(np.split(found.x, len(costs)) * np.stack(costs), axis=1)


def _known(plan, scenarios, k, weights):
    """Scenario k with its purchase: what is done, bought and sold."""
    cost, rows, right, of_counts = _stage(plan, scenarios, k, weights)
    limits, idle = plan.limits, weights.power * plan.idle_powers
    types = len(plan.offers)
    step = np.hstack([np.eye(types), -np.eye(types)])
    binding = np.vstack(
        [step, -step, step.sum(axis=0), -step.sum(axis=0), [*plan.prices, *-plan.resales]]
    )
    total = plan.counts.sum()
    most = [*plan.most - plan.counts, *plan.counts - plan.least]
    most += [limits.most_machines - total, total - limits.least_machines, limits.budget]
    binding = np.vstack([binding, plan.idle_powers @ step])
    most.append(limits.power - plan.idle_powers @ plan.counts)
    rows = np.vstack(
        [
            np.hstack([rows, -of_counts @ step]),
            np.hstack([np.zeros((len(binding), len(cost))), binding]),
        ]
    )
    right = np.concatenate([right + of_counts @ plan.counts, most])
    spent = weights.cost * binding[-2] + np.concatenate([idle, -idle])
    kept = np.isfinite(right)
    return np.concatenate([cost, spent]), rows[kept], right[kept]


def _stage(plan, scenarios, k, weights):
    """Costs, rows, right-hand sides, and what counts add to these, all pairs in one line."""
    tasks, types = plan.times.shape
    times = scenarios.times[k % len(scenarios.times)]
    rates = np.where(np.isfinite(times), 1 / times, 0.0)
    cost = -weights.reward * plan.rewards[:, None] * rates + weights.failures * plan.failure_rates
    by_type = np.kron(np.ones(tasks), np.eye(types))
    rows = [np.kron(np.eye(tasks), np.ones(types)) * rates.ravel(), by_type]
    rows.append(np.tile(plan.failure_rates, tasks)[None])
    right = [scenarios.arrivals[k], np.zeros(types), [plan.limits.failure_rate]]
    of_counts = [np.zeros((tasks, types)), np.eye(types), np.zeros((1, types))]
    if scenarios.powers is not None:
        # A pair that cannot run draws nothing: power below that of idling is no room for others.
        watts = np.where(np.isfinite(times), scenarios.powers[k % len(scenarios.powers)], 0.0)
        cost = cost + weights.power * watts
        rows.append(watts.ravel()[None])
        right.append([plan.limits.power])
        of_counts.append(-plan.idle_powers[None])
    ends = np.concatenate(right)
    kept = np.isfinite(ends)
    return cost.ravel(), np.vstack(rows)[kept], ends[kept], np.vstack(of_counts)[kept]
