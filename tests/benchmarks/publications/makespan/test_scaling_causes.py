"""What was tried is measured, and said where growth is otherwise than published."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.publications.makespan import scaling_causes
from benchmarks.publications.makespan.publication import scaling_figures
from benchmarks.publications.makespan.scaling import RandomSystems
from benchmarks.publications.makespan.scaling_causes import ROWS, TRIALS, ScalingTrials
from benchmarks.publications.makespan.scaling_quality import quality_in_task_types

TRIED = ScalingTrials(
    x=np.array([10.0, 100.0]),
    gap=np.array([0.02, 0.02]),
    bound_seconds=np.array([0.001, 0.1]),
    steps=np.array([50.0, 500.0]),
    within=np.array([2.0, 20.0]),
    gap_with_more_tasks=np.array([0.001, 0.01]),
    rounding_power=0.98,
    few_tasks_power=0.03,
)


def test_words_tell_what_came_of_it():
    assert "from 10 to 100, the run time goes with power 2.00 (up to 100 ms)" in (
        TRIED.larger_programs
    )
    assert "power 1.00" in TRIED.larger_programs
    assert "goes with power 0.00" in TRIED.larger_gap
    assert "with power 1.00, and is at most 1.0 %" in TRIED.larger_gap
    assert "0.98" in TRIED.larger_rounding
    assert "0.03" in TRIED.fewer_tasks


@pytest.mark.parametrize("size", list(ROWS))
def test_it_is_measured_on_as_many_types_as_asked_for(monkeypatch, size):
    seen = []
    draw = RandomSystems()

    def drawing(tasks):
        varied = draw.varying(size, tasks)
        return lambda value, rng: seen.append((value, tasks)) or varied(value, rng)

    monkeypatch.setattr(scaling_causes, "ROWS", {size: ((40, 5), (4000, 5))})
    monkeypatch.setattr(
        scaling_causes,
        "one_task_at_a_time",
        lambda system: float(len(getattr(system, size.replace(" ", "_"))) ** 2),
    )
    tried = scaling_causes.measure(
        size, drawing(5000), drawing(50_000), drawing(500), (4, 8), (3, 6)
    )
    wanted = [(4, 5000), (8, 5000), (3, 50_000), (6, 50_000), (3, 500), (6, 500)]
    assert seen == [pair for pair in wanted for _ in range(TRIALS)]
    for values in (tried.gap, tried.bound_seconds, tried.steps, tried.gap_with_more_tasks):
        assert values.shape == (2,)
        assert (values > 0).all()
    assert np.isfinite(tried.rounding_power)
    assert tried.few_tasks_power == pytest.approx(2)


def test_a_claim_that_fails_has_what_was_tried_as_its_cause(small_scaling):
    for figure in scaling_figures(small_scaling):
        if figure.number in ("A.12", "A.13", "A.14", "A.15"):
            for claim in figure.claims:
                if "goes with power" in claim.here and "rounding adds" not in claim.claim:
                    assert claim.cause, claim


def test_only_numbers_of_types_are_tried_otherwise(small_scaling):
    tried = {size: sweep.tried is not None for size, sweep in small_scaling.sweeps.items()}
    assert tried == {
        "tasks": False,
        "machines": False,
        "task types": True,
        "machine types": True,
    }
    bare = replace(small_scaling.sweeps["task types"], tried=None)
    assert {claim.cause for claim in quality_in_task_types(bare).claims} == {""}
