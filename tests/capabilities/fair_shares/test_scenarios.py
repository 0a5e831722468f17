"""Scenarios are drawn as they are described."""

import numpy as np
import pytest

from core.capabilities.fair_shares.scenarios import published_scenario


def test_means_are_those_that_were_measured() -> None:
    """Over seeds 200 to 259: 596 tasks, ideal durations from 15 to 134 s with a mean of 63 s, and
    62 % of bags are limited by the master.
    """
    made = [published_scenario(seed) for seed in range(200, 260)]
    ideal = np.array([bags.ideal for bags in made])
    assert np.mean([bags.system.tasks for bags in made]) == pytest.approx(596, abs=1)
    assert ideal.mean() == pytest.approx(63, abs=0.5)
    assert ideal.min(axis=1).mean() == pytest.approx(15, abs=4)
    assert ideal.max(axis=1).mean() == pytest.approx(134, abs=20)
    by_master = [
        bags.ideal * 40e6 <= bags.system.task_counts * bags.data * (1 + 1e-9) for bags in made
    ]
    assert np.mean(by_master) == pytest.approx(0.62, abs=0.01)


def test_workers_of_several_machines_do_the_same_together() -> None:
    one, many = published_scenario(7), published_scenario(7, each=50)
    assert many.system.machines == 500
    assert many.ideal == pytest.approx(one.ideal, rel=1e-12)
    assert many.work.links == pytest.approx(one.work.links)
