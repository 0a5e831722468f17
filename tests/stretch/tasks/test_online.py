"""Release by release, only bags that were released are known, and what is sent and done grows."""

from dataclasses import replace

import numpy as np
import pytest
from stretch.made import compute_only, f12, random_bags

from core.stretch.optimum import least_stretch
from core.stretch.tasks.online import online_steps


def test_what_is_known_of_two_bags() -> None:
    # Alone, a bag of 4 s is promised at 4 s. One of 1 s comes at 1 s; then 4 S = 5, as offline.
    first, second = online_steps(compute_only((4, 1), (0, 1)))
    assert (first.now, second.now) == (0, 1)
    assert first.stretch == pytest.approx(1, abs=1e-5)
    assert first.due.tolist() == pytest.approx([4, np.inf], abs=1e-4)
    assert second.stretch == pytest.approx(1.25, abs=1e-5)
    assert second.due.tolist() == pytest.approx([5, 2.25], abs=1e-4)
    assert first.unfinished.tolist() == [4, 1]
    assert second.unfinished.tolist() == [3, 1]


def test_times_are_those_of_the_releases() -> None:
    steps = online_steps(f12())
    assert [step.now for step in steps] == [0, 3, 5]


@pytest.mark.parametrize("seed", range(8))
def test_only_what_is_released_counts(seed: int) -> None:
    bags = random_bags(seed)
    no_limit = np.full(len(bags.network.memory), np.inf)
    bags = replace(bags, network=replace(bags.network, memory=no_limit))
    steps = online_steps(bags)
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
