"""Polished settings: near the best possible, the same for the same work, and sound."""

import numpy as np
import pytest
from capabilities.fair_shares.made import compute_only, f10

from core.capabilities.fair_shares.optimum import least_stretch
from core.capabilities.fair_shares.tasks.judge import task_faults
from core.capabilities.fair_shares.tasks.machine_work import MachineWork
from core.capabilities.fair_shares.tasks.outcome import TaskOutcome
from core.capabilities.fair_shares.tasks.policies import run_policy, task_policy_named
from core.capabilities.fair_shares.trials import published_scenario
from core.vocabulary.budget import Effort

LITTLE = Effort(work=0.02)


def polished(seed: int, mode: str, effort: Effort = LITTLE) -> TaskOutcome:
    work = MachineWork.of(published_scenario(seed, 8, 5))
    return run_policy(work, task_policy_named(f"polished-{mode}"), effort)


@pytest.mark.thorough
def test_the_excess_is_at_most_half_of_that_of_published_plans() -> None:
    """Online, in one scenario; the reproduction measures a hundred."""
    ours, theirs = [], []
    for seed in (1003,):
        bags = published_scenario(seed)
        work, least = MachineWork.of(bags), least_stretch(bags, early=False).stretch
        edf = run_policy(work, task_policy_named("cbs3m-edf-online"))
        found = run_policy(work, task_policy_named("polished-online"), Effort(work=0.03))
        assert task_faults(found) == []
        ours.append(found.scores.max_stretch / least - 1)
        theirs.append(edf.scores.max_stretch / least - 1)
    assert 0 < np.mean(ours) <= 0.5 * np.mean(theirs)


def test_the_same_work_gives_the_same() -> None:
    first, again = polished(3, "online"), polished(3, "online")
    np.testing.assert_array_equal(first.end, again.end)
    other = polished(3, "online", Effort(work=0.02, seed=1))
    assert not np.array_equal(first.end, other.end)


@pytest.mark.thorough
def test_more_work_is_no_worse_if_all_is_known_at_once() -> None:
    """With one release there is one search, and it keeps the best that it has seen."""
    bags = published_scenario(5, 8, 4)
    bags = type(bags)(bags.system, np.zeros(8), bags.data, bags.network)
    work, policy = MachineWork.of(bags), task_policy_named("polished-online")
    worst = [run_policy(work, policy, Effort(work=w)).scores.max_stretch for w in (1e-6, 0.02, 0.2)]
    assert worst[0] >= worst[1] >= worst[2]
    assert worst[2] < worst[0]


@pytest.mark.parametrize("mode", ["online", "offline"])
def test_the_search_ends_when_it_meets_what_is_proven(mode: str) -> None:
    """One bag on one machine, without data: any replay is the best possible, and ends the search,
    which else would take days.
    """
    work = MachineWork.of(compute_only((4,)))
    found = run_policy(work, task_policy_named(f"polished-{mode}"), Effort(1e5))
    assert found.scores.max_stretch == pytest.approx(1)


@pytest.mark.thorough
def test_without_an_effort_it_follows_its_first_settings() -> None:
    for seed in range(5):
        work = MachineWork.of(published_scenario(seed, 5, 3) if seed % 2 else f10())
        for mode in ("online", "offline"):
            found = run_policy(work, task_policy_named(f"polished-{mode}"), Effort(0.0))
            assert task_faults(found) == []


def test_a_future_that_is_not_known_changes_nothing_before_it() -> None:
    """Until the last release, all is the same as without the last bag."""
    bags = published_scenario(4, 6, 4)
    system = bags.system
    counts = system.task_counts.copy()
    counts[5] = 1
    fewer = type(bags)(
        system.with_counts(counts, system.machine_counts), bags.release, bags.data, bags.network
    )
    policy = task_policy_named("polished-online")
    before = float(bags.release[5])
    first, other = (run_policy(MachineWork.of(one), policy, LITTLE) for one in (bags, fewer))
    mine, theirs = first.sent < before, other.sent < before
    np.testing.assert_array_equal(first.sent[mine], other.sent[theirs])
    np.testing.assert_array_equal(first.bag[mine], other.bag[theirs])
