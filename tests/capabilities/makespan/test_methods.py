"""Each method of `solve` has a name, takes what it can use of an effort, keeps what it found."""

import math

import pytest

from core.capabilities.makespan.methods import METHODS, ByRival, SolveRun, solve_method
from core.engines.relaxed import MAKESPAN, lower_bound
from core.engines.rivals import RIVALS, Rival
from core.files.samples.named import load_sample
from core.vocabulary.budget import Effort, Stopwatch


def stop():
    return False


def asked(effort):
    bound = lower_bound(load_sample("two-by-two"), MAKESPAN)
    return SolveRun(bound, "makespan", Stopwatch(), effort, stop, None)


def test_their_names_are_those_of_commands():
    said = "lp paper min-min max-min sufferage mct met olb cp-sat"
    assert " ".join(METHODS) == said
    with pytest.raises(
        ValueError, match="there is no method 'magic'; give one of lp, paper, min-min"
    ):
        solve_method("magic")


def test_only_ours_know_energy_and_only_polish_counts_work():
    for name in METHODS:
        method = solve_method(name)
        assert method.counts_work == (name == "lp")
        assert ("energy" in method.aims) == (name not in RIVALS)


@pytest.mark.parametrize(("anytime", "seconds"), [(True, 7.0), (False, math.inf)])
def test_a_rival_that_searches_gets_the_seconds_and_each_is_asked_to_stop(anytime, seconds):
    budgets = []

    def method(system, budget):
        budgets.append(budget)
        return RIVALS["mct"].solve(system)

    found = ByRival(Rival("r", "a rival", method, anytime)).run(asked(Effort(7.0, threads=3)))
    (budget,) = budgets
    assert (budget.seconds, budget.threads, budget.should_stop) == (seconds, 3, stop)
    assert found.schedule.system == found.bound.system


@pytest.mark.parametrize("effort", [Effort(0), Effort(5, work=0)])
def test_without_effort_polish_leaves_the_published_schedule(effort):
    ours, published = (solve_method(name).run(asked(effort)) for name in ("lp", "paper"))
    assert ours.schedule.makespan == published.schedule.makespan
    assert ours.proofs.settled is None


def test_a_small_system_that_is_settled_is_its_own_bound():
    found = solve_method("lp").run(asked(Effort(1)))
    assert (found.schedule.makespan, found.bound.value) == (11.0, 11.0)
    assert found.proofs.settled is not None
