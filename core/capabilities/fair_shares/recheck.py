"""Whether a plan for tasks that can be split keeps what it must, computed anew from the raw data.

It shares nothing with the program that found the plan, except which machine types are one worker.
"""

import math
from collections.abc import Iterator, Sequence

import numpy as np

from core.capabilities.fair_shares.bags import ArrivingBags
from core.capabilities.fair_shares.energy import EnergyFront
from core.capabilities.fair_shares.plan import FluidPlan
from core.vocabulary.arrays import FloatArray
from core.vocabulary.say.columns import exact_energy
from core.vocabulary.say.words import Sense, amount
from core.vocabulary.tolerances import SOLVED_ZERO, ULP


def faults(plan: FluidPlan, stretch: float, baseline: Sequence[float] | None = None) -> list[str]:
    """What is wrong with a plan that is said to have this worst stretch, as a multiple of the
    baseline (s, for each bag; without one, of ideal durations); empty if nothing is.

    What exceeds a limit by less than a billionth of the longest ideal duration, or of all data, is
    rounding of the solver.
    """
    return [
        *_amount_faults(plan),
        *_window_faults(plan, stretch, baseline),
        *_time_faults(plan),
        *_memory_faults(plan),
    ]


def front_faults(front: EnergyFront, baseline: Sequence[float] | None = None) -> list[str]:
    """What is wrong with the plans of a front, as `faults` says it; empty if nothing is."""
    found = []
    for plan, (stretch, joules) in zip(front.plans, front.points.tolist(), strict=True):
        at = f"at a worst stretch of {amount(stretch, Sense.PLAIN)}, "
        found += [at + fault for fault in faults(plan, stretch, baseline)]
        of_plan = energy_of(plan)
        if not math.isclose(of_plan, joules, rel_tol=SOLVED_ZERO):
            said = exact_energy(of_plan, Sense.PLAIN), exact_energy(joules, Sense.PLAIN)
            found.append(f"{at}the plan uses {said[0]}, not {said[1]}")
    return found


def energy_of(plan: FluidPlan) -> float:
    """Joules of a plan: of machines at work, and of all other machines and times from the first
    release until the last task ends. NaN if powers are unknown.
    """
    bags, system = plan.bags, plan.bags.system
    if system.apc is None:
        return math.nan
    joules, busy_seconds, end = 0.0, dict.fromkeys(range(len(system.machine_types)), 0.0), -math.inf
    for u, types in enumerate(bags.work.machine_types):
        machines = sum(system.machine_types[j].count for j in types)
        for k, i in enumerate(bags.present.tolist()):
            tasks = math.fsum(plan.computed[k, u])
            if tasks <= 0:
                continue
            end = max(end, float(plan.dates[1 + int(np.flatnonzero(plan.computed[k, u])[-1])]))
            for j in types:
                seconds = tasks * system.machine_types[j].count / machines * float(system.etc[i, j])
                joules += seconds * float(system.apc[i, j])
                busy_seconds[j] += seconds
    begin = min(float(bags.release[i]) for i in bags.present.tolist())
    for j, machine in enumerate(system.machine_types):
        joules += (machine.count * (end - begin) - busy_seconds[j]) * machine.idle_power
    return joules


def ideal_durations(bags: ArrivingBags) -> list[float]:
    """Seconds of each bag if it has all machines for itself, machine type by machine type."""
    system, network = bags.system, bags.network
    found = []
    for i in bags.present.tolist():
        rate, data = 0.0, float(bags.data[i])
        for j, machine in enumerate(system.machine_types):
            if machine.count and math.isfinite(system.etc[i, j]):
                slowest = max(float(system.etc[i, j]), data / float(network.links[j]))
                rate += machine.count / slowest
        if rate * data > network.bandwidth:
            rate = network.bandwidth / data
        found.append(system.task_types[i].count / rate)
    return found


def _amount_faults(plan: FluidPlan) -> Iterator[str]:
    for what, amounts in (("sent", plan.sent), ("computed", plan.computed)):
        if not (amounts >= 0).all():
            yield f"less than nothing is {what}"
        for k, i in enumerate(plan.bags.present.tolist()):
            task_type = plan.bags.system.task_types[i]
            total = math.fsum(amounts[k].ravel())
            if not math.isclose(total, task_type.count, rel_tol=SOLVED_ZERO):
                yield f"not exactly the tasks of {task_type.name} are {what}"


def _window_faults(
    plan: FluidPlan, stretch: float, baseline: Sequence[float] | None
) -> Iterator[str]:
    near = _shortest_that_counts(plan)
    durations = ideal_durations(plan.bags) if baseline is None else baseline
    for k, i in enumerate(plan.bags.present.tolist()):
        name, release = plan.bags.system.task_names[i], float(plan.bags.release[i])
        due = release + stretch * durations[k]
        for j in range(len(plan.dates) - 1):
            begin, end = float(plan.dates[j]), float(plan.dates[j + 1])
            if end - begin <= near:
                continue
            if plan.sent[k, :, j].any() and begin < release - near:
                yield f"{name} is sent before its release"
            if plan.computed[k, :, j].any() and end > due + near:
                yield f"{name} is computed after its deadline"


def _time_faults(plan: FluidPlan) -> Iterator[str]:
    bags, near = plan.bags, _shortest_that_counts(plan)
    system, network, lengths = bags.system, bags.network, np.diff(plan.dates)
    if not (lengths >= 0).all():
        yield "dates are not in their order"
    data = bags.data[bags.present]
    master = np.einsum("kuj,k->j", plan.sent, data) / network.bandwidth
    if (master > lengths + near).any():
        yield "the master sends more than its bandwidth"
    for u, types in enumerate(bags.work.machine_types):
        machines = sum(system.machine_types[j].count for j in types)
        name = system.machine_names[types[0]]
        link = np.einsum("kj,k->j", plan.sent[:, u], data) / network.links[types[0]] / machines
        if (link > lengths + near).any():
            yield f"links of {name} carry more than their bandwidth"
        busy = np.zeros(len(lengths))
        for k, i in enumerate(bags.present.tolist()):
            used = plan.computed[k, u] > 0
            busy[used] += plan.computed[k, u, used] * system.etc[i, types[0]] / machines
        if not (busy <= lengths + near).all():
            yield f"machines of {name} compute more than they can"


def _memory_faults(plan: FluidPlan) -> Iterator[str]:
    bags = plan.bags
    counts = bags.system.task_counts[bags.present]
    waiting: FloatArray = np.cumsum(plan.sent, axis=2) - np.cumsum(plan.computed, axis=2)
    if (waiting < -SOLVED_ZERO * counts[:, None, None]).any():
        yield "tasks are computed before they are sent"
    data = bags.data[bags.present]
    near = SOLVED_ZERO * float(counts @ data)
    for u, types in enumerate(bags.work.machine_types):
        machines = sum(bags.system.machine_types[j].count for j in types)
        held = np.einsum("kj,k->j", waiting[:, u], data)
        if (held > bags.network.memory[types[0]] * machines + near).any():
            yield f"{bags.system.machine_names[types[0]]} holds more than its memory"


def _shortest_that_counts(plan: FluidPlan) -> float:
    """A billionth of the longest ideal duration, or what dates cannot tell apart."""
    rounding = 4 * ULP * float(np.abs(plan.dates).max())
    return max(SOLVED_ZERO * max(ideal_durations(plan.bags)), rounding)
