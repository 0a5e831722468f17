"""Release by release, only bags that were released are known, what is sent and done grows, and what
is planned for the known bags is what comes until the next release.
"""

from dataclasses import replace

import numpy as np
import pytest
from capabilities.fair_shares.made import compute_only, f12, random_bags

from core.capabilities.fair_shares.bags import ArrivingBags
from core.capabilities.fair_shares.optimum import least_stretch
from core.capabilities.fair_shares.tasks.machine_work import MachineWork
from core.capabilities.fair_shares.tasks.policies import (
    ONLINE_POLICIES,
    TASK_POLICIES,
    online_steps,
    run_policy,
)
from core.vocabulary.budget import Effort

EDF = ONLINE_POLICIES["cbs3m-edf-online"]
QUICK = Effort(0.01)


def without_memory_limits(bags: ArrivingBags) -> ArrivingBags:
    no_limit = np.full(len(bags.network.memory), np.inf)
    return replace(bags, network=replace(bags.network, memory=no_limit))


def test_what_is_known_of_two_bags() -> None:
    # Alone, a bag of 4 s is promised at 4 s. One of 1 s comes at 1 s; then 4 S = 5, as offline.
    first, second = online_steps(compute_only((4, 1), (0, 1)), EDF)
    assert (first.now, second.now) == (0, 1)
    assert first.stretch == pytest.approx(1, abs=1e-5)
    assert first.due.tolist() == pytest.approx([4, np.inf], abs=1e-4)
    assert second.stretch == pytest.approx(1.25, abs=1e-5)
    assert second.due.tolist() == pytest.approx([5, 2.25], abs=1e-4)
    assert first.unfinished.tolist() == [4, 1]
    assert second.unfinished.tolist() == [3, 1]
    assert first.without_new is None
    assert second.without_new == pytest.approx(1, abs=1e-5), "three of its four seconds are left"
    assert first.planned.bag.tolist() == [0] * 4, "the second bag is not known"
    assert first.planned.completion.tolist() == [4, -np.inf]
    assert second.planned.completion.tolist() == [5, 3], "a task that waited begins at 1 s"


def test_times_are_those_of_the_releases() -> None:
    steps = online_steps(f12(), EDF)
    assert [step.now for step in steps] == [0, 3, 5]


@pytest.mark.parametrize("seed", range(8))
def test_only_what_is_released_counts(seed: int) -> None:
    bags = without_memory_limits(random_bags(seed))
    steps = online_steps(bags, EDF)
    release = bags.release[bags.present]
    assert [step.now for step in steps] == np.unique(release).tolist()
    for step in steps:
        assert (np.isfinite(step.due) == (release <= step.now)).all()
        assert (step.unsent <= step.unfinished).all()
        assert (step.due >= release + step.stretch * bags.ideal - 1e-6).all()
    assert (np.diff([step.unfinished for step in steps], axis=0) <= 0).all()
    first = [
        replace(kind, count=kind.count if at == release.min() else 0)
        for kind, at in zip(bags.system.task_types, bags.release, strict=True)
    ]
    alone = replace(bags, system=replace(bags.system, task_types=tuple(first)))
    assert steps[0].stretch == pytest.approx(least_stretch(alone).stretch, rel=1e-5)


@pytest.mark.parametrize("name", ONLINE_POLICIES)
@pytest.mark.parametrize("seed", range(4))
def test_what_is_planned_comes_until_the_next_release(name: str, seed: int) -> None:
    bags = without_memory_limits(random_bags(seed))
    steps = online_steps(bags, ONLINE_POLICIES[name], QUICK)
    last = steps[-1].planned
    for step, after in zip(steps, [*steps[1:], None], strict=True):
        until = np.inf if after is None else after.now - 1e-9
        planned = step.planned
        assert sorted(set(planned.bag.tolist())) == np.flatnonzero(np.isfinite(step.due)).tolist()
        sent = int((planned.sent < until).sum())
        assert sent == int((last.sent < until).sum())
        assert planned.bag[:sent].tolist() == last.bag[:sent].tolist()
        assert planned.machine[:sent].tolist() == last.machine[:sent].tolist()
        ended = planned.end[:sent] < until
        assert planned.end[:sent][ended].tolist() == last.end[:sent][ended].tolist()
        left = step.unfinished[np.isfinite(step.due)].sum()
        assert left == (planned.end > step.now + 1e-9).sum()


@pytest.mark.parametrize("seed", range(4))
def test_the_last_plan_is_what_comes_of_all(seed: int) -> None:
    bags = without_memory_limits(random_bags(seed))
    outcome = run_policy(MachineWork.of(bags), EDF)
    last = online_steps(bags, EDF)[-1].planned
    assert last.end.tolist() == outcome.end.tolist()
    assert last.machine.tolist() == outcome.machine.tolist()


@pytest.mark.parametrize("seed", range(8))
def test_new_bags_never_make_more_possible(seed: int) -> None:
    bags = without_memory_limits(random_bags(seed))
    for step in online_steps(bags, EDF):
        if step.without_new is not None:
            assert step.without_new <= step.stretch * (1 + 1e-5)


def test_only_policies_that_plan_at_each_release_have_steps() -> None:
    assert list(ONLINE_POLICIES) == ["cbs3m-fifo-online", "cbs3m-edf-online", "polished-online"]
    with pytest.raises(ValueError, match="fifo-dd does not plan"):
        online_steps(f12(), TASK_POLICIES["fifo-dd"])
