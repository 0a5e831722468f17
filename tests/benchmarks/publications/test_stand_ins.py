"""Environments that stand in are as large as published, and vary as what was measured does."""

import numpy as np
import pytest

from benchmarks.publications.stand_ins import KINDS, NAMES, drawn, grown, like, stand_in
from benchmarks.samples import E3_SECONDS
from core.files.samples.named import load_sample


@pytest.mark.parametrize("name", NAMES)
def test_sizes_are_as_published(name):
    system, sample = stand_in(name), load_sample(name)  # which has the published sizes, too
    assert (system.tasks, system.machines) == (sample.tasks, sample.machines)
    assert system.etc.shape == sample.etc.shape
    assert system.total_idle_power == 0


def test_nine_begins_with_the_published_times_and_six_and_two_are_parts_of_it():
    nine = stand_in("nine")
    np.testing.assert_array_equal(nine.etc[:10], E3_SECONDS)
    assert 11 <= nine.task_counts.min() <= nine.task_counts.max() <= 75
    for name, kinds in KINDS.items():
        part = stand_in(name)
        np.testing.assert_array_equal(part.etc, nine.etc[:, :kinds])
        np.testing.assert_array_equal(part.apc, nine.apc[:, :kinds])
        np.testing.assert_array_equal(part.task_counts, nine.task_counts)


@pytest.mark.parametrize(
    ("name", "seconds", "watts"), [("nine", 26088.46, 37966.83), ("ten", 6041.452, 49220.85)]
)
def test_the_kept_ones_are_those_that_the_reports_were_written_with(name, seconds, watts):
    system = stand_in(name)
    assert system.etc.sum() == pytest.approx(seconds, abs=1e-6)
    assert system.apc.sum() == pytest.approx(watts, abs=1e-6)


def test_candidates_differ_and_repeat():
    first, again, other = (drawn("ten", candidate) for candidate in (3, 3, 4))
    np.testing.assert_array_equal(first.etc, again.etc)
    assert (first.etc != other.etc).all()


def test_draws_have_the_moments_of_what_they_are_like():
    measured = np.random.default_rng(1).gamma(9.0, 1.0, 4000)
    draws = like(measured, 100_000, np.random.default_rng(2))

    def moments(values):
        standard = (values - values.mean()) / values.std()
        return values.mean(), values.std(), (standard**3).mean(), (standard**4).mean()

    np.testing.assert_allclose(moments(draws), moments(measured), rtol=0.06)


def test_what_varies_little_is_grown_by_what_varies_little():
    measured = np.outer([10.0, 11.0, 12.0, 13.0], [1.0, 2.0, 3.0])
    measured *= np.random.default_rng(3).uniform(0.99, 1.01, measured.shape)
    more = grown(measured, 50, np.random.default_rng(4))
    np.testing.assert_array_equal(more[:4], measured)
    profiles = more / more.mean(axis=1, keepdims=True)
    np.testing.assert_allclose(profiles, np.tile([0.5, 1.0, 1.5], (50, 1)), rtol=0.55)
    assert more.min() > 0
