"""Policies are compared on the same workloads, whatever computes them."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from arriving_days import HOUR, KWH, two_nodes

from core.capabilities.arrivals import trials
from core.capabilities.arrivals.files.workload_file import WorkloadFile
from core.capabilities.arrivals.made.recipes import RECIPES, drawn, recipe_named
from core.capabilities.arrivals.policies import POLICIES as ALL_POLICIES
from core.capabilities.arrivals.policies import PolicySwitches
from core.capabilities.arrivals.question import JoulesAllowed, ReplayQuestion
from core.capabilities.arrivals.told import replay_data, replay_failures, told
from core.capabilities.arrivals.trials import (
    ReplayComparison,
    compare_policies,
    load_kernels,
    outcome_of_trial,
    prepare,
    worth_of,
)
from core.capabilities.arrivals.uncertain.bags import UncertainSettings, draw_uncertain
from core.capabilities.arrivals.uncertain.methods import BAG_METHODS, run_method
from core.capabilities.arrivals.uncertain.running import run_batch, run_frozen, run_greedy
from core.engines.compute.executors import InProcesses, InThisThread
from core.engines.compute.many import FailedRun

POLICIES = ("easy", "max-upr", "max-upe")


def _question(**changed) -> ReplayQuestion:
    settings = {"every": 50.0, "trials": 3, "bounded": False, **changed}
    return ReplayQuestion("testbed", POLICIES, **settings)


def test_each_recipe_draws_what_its_name_says() -> None:
    for name, recipe in RECIPES.items():
        file = recipe.draw(5)
        assert file.workload.name.startswith(name.partition("-")[0])
        assert drawn(name, 5).workload.name == file.workload.name
        assert (file.draws, file.of_value) == (recipe.draws, recipe.of_value)
    few = recipe_named("urgent-500")
    assert few is not None
    assert not few.draws
    assert RECIPES["budget"].draw(0).day_joules == 12e9
    windows = RECIPES["testbed"].draw(0).windows
    assert windows.joules.tolist() == pytest.approx([2.8e6])


@pytest.mark.thorough
def test_the_engine_does_not_change_the_result() -> None:
    here = compare_policies(_question(), InThisThread())
    with InProcesses(2, prepare.__module__) as processes:
        there = compare_policies(_question(), processes)
    for policy in POLICIES:
        for of in (worth_of, lambda one: one.score.joules, lambda one: one.maximum):
            assert here.values(policy, of).tolist() == there.values(policy, of).tolist()
    assert here.complete
    assert here.refused == []


def test_a_share_of_the_budget_is_of_what_max_upr_draws_without_one() -> None:
    found = compare_policies(_question(budget=JoulesAllowed(share=0.6)), InThisThread())
    free = compare_policies(_question(budget=JoulesAllowed(1e15)), InThisThread())
    unlimited = free.values("max-upr", lambda one: one.score.joules)
    assert found.values("easy", lambda one: one.budget) == pytest.approx(0.6 * unlimited)
    for policy in POLICIES:
        assert (found.values(policy, lambda one: one.score.joules) <= 0.6 * unlimited + 1).all()


def test_a_share_of_the_budget_is_a_limit_where_machines_draw_idle_power() -> None:
    """Jobs draw 20 kWh, and the two nodes, which are on all day, twice as much."""
    plain = two_nodes()
    pools = replace(plain.pools, idle_watts=np.full(1, 40 * KWH / (2 * 24 * HOUR)))
    source = WorkloadFile.as_estimated(replace(plain, pools=pools))
    question = replace(_question(budget=JoulesAllowed(share=0.5)), source=source, trials=1)
    found = compare_policies(question, InThisThread())
    for policy in POLICIES:
        (one,) = found.trials[policy].values()
        assert one.budget == pytest.approx(10 * KWH)
        assert one.score.joules_of_jobs == pytest.approx(10 * KWH)
        assert one.score.joules == pytest.approx(50 * KWH)
    table = told(found, "").tables[0]
    assert {row[table.head.index("Of the budget")] for row in table.rows} == {"100 %"}


def test_intervals_are_of_differences_on_the_same_days() -> None:
    found = compare_policies(_question(), InThisThread())
    policies = replay_data(found)["policies"]
    assert isinstance(policies, dict)
    assert list(policies) == found.ranked
    best = policies[found.ranked[0]]
    assert best["confidence95"]["worth_behind_best"] == [0, 0]
    for policy in POLICIES:
        one = policies[policy]
        worths = found.values(policy, worth_of)
        assert one["worth"] == pytest.approx(worths.mean())
        low, high = one["confidence95"]["worth"]
        assert low < one["worth"] < high
        assert one["budget"] == pytest.approx(2.8e6)
        assert 0 < one["published_share"] <= 1
        assert one["verified"] is True
    behind = found.more("max-upr", "easy", worth_of)
    assert behind.mean == pytest.approx(
        np.mean(found.values("max-upr", worth_of) - found.values("easy", worth_of))
    )


def test_one_trial_has_no_interval() -> None:
    found = compare_policies(ReplayQuestion("testbed", ("easy",), bounded=False), InThisThread())
    data = replay_data(found)["policies"]
    assert isinstance(data, dict)
    assert data["easy"]["confidence95"]["worth"] is None
    assert not any("±" in one.value for one in told(found, "testbed").figures)


@pytest.mark.thorough
def test_our_policy_keeps_the_budget_and_the_drop_threshold() -> None:
    question = ReplayQuestion(
        "testbed",
        ("prices", "max-upe"),
        PolicySwitches(drop_below=1.5),
        JoulesAllowed(share=0.5),
        every=50.0,
        bounded=False,
    )
    found = compare_policies(question, InThisThread())
    assert found.refused == []
    assert found.values("prices", worth_of) > found.values("max-upe", worth_of)
    outcome, _ = outcome_of_trial(question, 0, "prices", found.unlimited[0])
    assert outcome.job_worth[outcome.ran].min() > 0
    assert (outcome.workload.jobs.priority[outcome.ran] >= 1.5).all()


def test_what_is_stopped_keeps_the_trials_that_are_done() -> None:
    asked = iter([False] * 5 + [True] * 1000)
    question = ReplayQuestion("testbed", ("easy",), trials=50, bounded=False)
    found = compare_policies(question, InThisThread(), should_stop=lambda: next(asked))
    assert not found.complete
    assert len(found.common) < 50


def test_replays_that_failed_are_named_and_nothing_is_called_checked() -> None:
    failed = tuple(FailedRun(f"trial {trial} under EASY", "it died") for trial in range(1, 8))
    found = ReplayComparison({"easy": {}}, _question(trials=7), failed=failed)
    assert told(found, "testbed").lead == "No workload was replayed under all policies."
    first, *_, last = replay_failures(found)
    assert first == "the replay of trial 1 under EASY failed: it died"
    assert last == "... and 2 more"
    assert len(replay_failures(found)) == 6


def test_the_drop_threshold_holds_for_all_policies() -> None:
    question = _question(switches=PolicySwitches(drop_below=100.0))
    found = compare_policies(question, InThisThread())
    for policy in POLICIES:
        assert found.values(policy, worth_of).tolist() == [0, 0, 0]


@pytest.mark.thorough
def test_no_policy_beats_the_bound_and_shares_are_of_it() -> None:
    found = compare_policies(_question(bounded=True, trials=2), InThisThread())
    data = replay_data(found)
    assert data["bound"] == pytest.approx(found.bound_values.mean())
    for policy in POLICIES:
        assert (found.values(policy, worth_of) <= found.bound_values).all()
        shares = found.values(policy, worth_of) / found.bound_values
        assert data["policies"][policy]["worth_share"] == pytest.approx(shares.mean())
    unasked = replay_data(compare_policies(_question(), InThisThread()))
    assert unasked["bound"] is unasked["policies"]["easy"]["worth_share"] is None


@pytest.mark.parametrize("policy", ["easy", "weighed"])
def test_kernels_are_loaded_before_a_replay_is_timed(
    policy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_kernels(policy)  # which calls both itself, the first time in a process
    called: list[str] = []

    def spied(name: str) -> Callable[..., Any]:
        real = getattr(trials, name)

        def spy(*arguments: Any) -> Any:
            called.append(name)
            return real(*arguments)

        return spy

    for name in ("load_kernels", "replay", "run_method"):
        monkeypatch.setattr(trials, name, spied(name))
    source = "testbed" if policy == "easy" else "uncertain"
    compare_policies(ReplayQuestion(source, (policy,), bounded=False), InThisThread())
    replays = ["replay"] if policy == "easy" else ["run_method", "run_method"]
    assert called == ["load_kernels", *replays], "bags are run as estimated, too"


def test_a_few_jobs_load_the_kernels_of_every_policy() -> None:
    """A replay of others compiles nothing more: its arrays are of the same types."""
    for policy in (*ALL_POLICIES, *BAG_METHODS):
        load_kernels.__wrapped__(policy)
    kernels = (run_frozen, run_greedy, run_batch)
    before = [len(kernel.dispatcher.signatures) for kernel in kernels]
    assert min(before) > 0
    case = draw_uncertain(UncertainSettings(tasks=50))
    for method in BAG_METHODS.values():
        run_method(*case, method)
    assert [len(kernel.dispatcher.signatures) for kernel in kernels] == before
