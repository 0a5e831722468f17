"""Days that are drawn by a seed are those that the documentation describes."""

import numpy as np
import pytest

from core.capabilities.centre.made import (
    MADE_GREENS,
    MADE_JOBS,
    MADE_SEEDS,
    MADE_TARGETS,
    made_day,
)


@pytest.mark.parametrize("size", list(MADE_JOBS))
def test_jobs(size: str) -> None:
    """Of 200, 300 or 400 jobs, a quarter may start at once, and all fit into 150 steps."""
    for seed in MADE_SEEDS:
        jobs = made_day(size, seed=seed).jobs
        each = np.repeat(np.arange(len(jobs)), jobs.count)
        length, release, due = jobs.length[each], jobs.release[each], jobs.due[each]
        assert jobs.total == {"small": 200, "medium": 300, "large": 400}[size]
        assert (release == 0).sum() >= MADE_JOBS[size] / 4
        assert release.max() == pytest.approx(95, abs=4)
        assert {int(length.min()), int(length.max())} == {5, 25}
        slack = (due - release) / length
        assert (slack >= 1.2).all()
        assert ((due - 1 - release) / length <= 3.0).all()
        assert slack.mean() == pytest.approx(2.1, abs=0.15)
        assert length.mean() == pytest.approx(15, abs=1.5)
        assert (jobs.width == 1).all()
        assert (jobs.kind == 0).all()


def test_the_days_of_the_reproduction() -> None:
    assert MADE_SEEDS == (1, 2, 3)
    usual, first = made_day("small"), made_day("small", "g1", "C", 1)
    assert usual.jobs.due.tolist() == first.jobs.due.tolist()
    assert usual.jobs.length.tolist()[:3] == [5, 5, 5]
    releases = [made_day("large", seed=seed).jobs.release for seed in range(1, 9)]
    assert any((each[each > 0] == 1).any() for each in releases)


def test_the_seed_and_the_size_decide_on_jobs_alone() -> None:
    one = made_day("small", "g1", "A", 1).jobs
    assert all(
        (getattr(one, name) == getattr(made_day("small", "g3", "B", 1).jobs, name)).all()
        for name in ("length", "release", "due", "count")
    )
    other = made_day("small", "g1", "A", 2).jobs
    assert len(one) != len(other) or (one.due != other.due).any()


def test_curves() -> None:
    """The values at the begin, in the middle and at the end are those of the formulas."""
    greens = {green: made_day("small", green).curves.green for green in MADE_GREENS}
    assert greens["g1"][[0, 149]] == pytest.approx(1500 * np.sin(np.pi / 2 * np.array([0.1, 0.9])))
    assert greens["g2"][[0, 149]] == pytest.approx([1380, 1380])
    assert greens["g2"].max() == pytest.approx(1500, abs=0.1)
    assert greens["g2"].argmax() in (11, 53, 96, 138)
    assert greens["g2"].min() == pytest.approx(1260, abs=0.1)
    assert greens["g2"][[11, 32, 53, 75, 138]] == pytest.approx(
        [1500, 1260, 1500, 1260, 1500], abs=1
    )
    assert (greens["g3"] == 0).all()
    targets = {target: made_day("small", target=target).curves.target for target in MADE_TARGETS}
    assert (targets["A"] == 1300).all()
    assert targets["B"].tolist() == [1600] * 75 + [900] * 75
    assert targets["C"].max() == pytest.approx(1600, abs=0.1)
    assert targets["C"].argmax() == 52
    assert targets["C"][0] == pytest.approx(1000 + 600 * np.exp(-(1.75**2)))
    day = made_day("small")
    assert (day.steps, day.step) == (150, 60.0)
    assert (day.curves.price == 1).all()
    assert (day.curves.outside == 25).all()
    assert (day.centre.first, day.centre.limit) == (26.5, 27.0)
