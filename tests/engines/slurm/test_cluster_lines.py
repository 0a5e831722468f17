"""Weights of nodes follow what machines are worth, which is what one more of them would save."""

from collections.abc import Callable

import numpy as np

from core.engines.relaxed import Objective, lower_bound, trace_front
from core.engines.slurm.cluster_lines import cluster_lines, worth_of_machines
from core.files.samples.named import load_sample
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System


def test_a_machine_is_worth_what_one_more_saves() -> None:
    """By difference: 100,000 machines for each of the sample, and a thousand more of one type."""
    system = load_sample("nine")
    many = system.with_counts(system.task_counts * 10**5, system.machine_counts * 10**5)
    front = trace_front(many)
    for vertex in (2, len(front) // 2, len(front) - 2):
        line = front.lines.weights[vertex]
        objective = Objective(*line.tolist())
        saved = []
        for kind in range(len(system.machine_types)):
            counts = many.machine_counts.copy()
            counts[kind] += 1000
            more = many.with_counts(many.task_counts, counts)
            saved.append(lower_bound(many, objective).value - lower_bound(more, objective).value)
        makespan = front.makespan[vertex - 1 : vertex + 1].mean()
        worth = worth_of_machines(front, makespan)
        assert worth[worth > 0].min() == 1
        np.testing.assert_allclose(worth / worth.max(), np.array(saved) / max(saved), atol=0.01)


def test_where_time_costs_nothing_no_machine_is_worth_anything(
    two_by_two: Callable[..., System],
) -> None:
    front = trace_front(two_by_two(0, 0))
    assert worth_of_machines(front, 2 * front.makespan[0]).tolist() == [0, 0]


def test_lines_name_the_nodes_that_are_known(two_by_two: Callable[..., System]) -> None:
    """A1 runs all of T1, and A2 nothing; the two Bs, which share a node, run T2."""
    kept = two_by_two(20, 10)
    system = kept.with_counts(kept.task_counts, np.array([2, 2]))
    schedule = Schedule(system, [0, 0, 1, 1], [1, 1, 1, 1], [[6, 0], [0, 0], [0, 6], [0, 0]])
    front = trace_front(system)
    said = cluster_lines(schedule, front, (("a1", "a2"), ("b", "b"))).splitlines()
    settings = [line for line in said if not line.startswith("#")]
    assert sorted(line.split(" Weight=")[0] for line in settings[:2]) == [
        "NodeName=a[1-2]",
        "NodeName=b",
    ]
    assert min(int(line.split("=")[-1]) for line in settings[:2]) in (1, 11)
    assert settings[2:] == ['scontrol update NodeName=a2 State=DRAIN Reason="no work in the plan"']
    unknown = cluster_lines(schedule, front)
    assert all(line.startswith("#") for line in unknown.splitlines())
    assert "(the nodes of A)" in unknown
