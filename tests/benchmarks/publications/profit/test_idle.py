"""The optimum comes nearer to the least makespan with idle power, and the verdict follows."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.publications.profit import idle as profit_idle


@pytest.fixture(scope="module")
def idle(larger_nine):
    return profit_idle.measure(larger_nine, (0.0, 0.3, 1.0))


def test_more_idle_power_leaves_less_to_save_by_waiting(idle):
    assert idle.longer.shape == (3, 3)
    assert (np.diff(idle.longer, axis=1) <= 1e-9).all()
    assert (idle.longer[0] >= idle.longer[-1] - 1e-9).all()


def test_where_all_tasks_draw_alike_nothing_is_left(idle):
    np.testing.assert_allclose(idle.even, 0.0, atol=1e-9)


def test_the_highest_idle_power_is_judged(idle):
    far = idle.longer.copy()
    far[1, -1] = 0.02
    claim = profit_idle.figure(replace(idle, longer=far)).claims[0]
    assert not claim.holds
    assert "0.00 % above" in claim.cause
    near = far.copy()
    near[:, -1] = 0.009
    assert profit_idle.figure(replace(idle, longer=near)).claims[0].holds
