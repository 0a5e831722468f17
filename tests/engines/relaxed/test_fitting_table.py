"""The table of one machine holds the least cost within each room, and is no larger than allowed."""

import itertools

import numpy as np
import pytest

from core.engines.relaxed import fitting as module


@pytest.mark.parametrize("seed", range(6))
def test_the_table_holds_the_least_cost_within_each_room(seed: int) -> None:
    """By looking at every set of tasks."""
    rng = np.random.default_rng(seed)
    tasks, leaving = 7, 3
    cells = rng.integers(0, 12, tasks)
    costs = rng.uniform(-0.2, 1.0, tasks)
    room, fewer, asked = int(rng.integers(-9, 12)), 15, 4
    found, changes, size = module._fit(cells, leaving, costs, room, fewer, asked)
    assert size == tasks * (cells[:leaving].sum() + max(room, 0) + 1)
    sign = np.where(np.arange(tasks) < leaving, -1, 1)
    sets = np.array(list(itertools.product((False, True), repeat=tasks)))
    takes, paid = sets @ (sign * cells), sets @ costs
    for less in range(fewer + 1):
        within = paid[takes <= room - less]
        assert found[less] == pytest.approx(within.min(initial=np.inf))
    if np.isfinite(found[asked]):
        assert costs[changes].sum() == pytest.approx(found[asked])
        assert (sign * cells)[changes].sum() <= room - asked
    else:
        assert not changes.any()


def test_a_table_is_filled_up_to_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_fit", module._fit.function)
    cells, costs = np.array([2, 3]), np.array([0.5, 0.25])
    # Two tasks leave and make room for five cells; with that and two of room, eight columns.
    for most, filled in ((15, False), (16, True), (17, True)):
        monkeypatch.setattr(module, "_MOST_CELLS", most)
        found, changes, seen = module._fit(cells, 2, costs, 2, 3, 1)
        assert seen == (16 if filled else 4)
        expected = [0.0, 0.0, 0.0, 0.25] if filled else [-np.inf] * 4
        assert found.tolist() == expected
        assert not changes.any()


def test_the_best_set_of_a_room_of_nothing_or_less() -> None:
    cells, costs = np.array([4, 3]), np.array([1.0, 0.5])
    # The first leaves, then there is room for the second; it costs less than to leave alone.
    found, changes, seen = module._fit(cells, 1, np.array([1.0, -0.5]), 0, 5, 1)
    assert found.tolist() == [0.0, 0.5, 1.0, 1.0, 1.0, np.inf]
    assert changes.tolist() == [True, True]
    assert seen == 10
    found, changes, seen = module._fit(cells, 1, costs, -4, 1, 0)
    assert (found.tolist(), changes.tolist(), seen) == ([1.0, np.inf], [True, False], 10)
    found, changes, _ = module._fit(cells, 1, costs, -5, 0, 0)
    assert (found.tolist(), changes.tolist()) == ([np.inf], [False, False])
