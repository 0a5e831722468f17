"""What rounds bring about decides what the search aims at next, and from where it goes on."""

import numpy as np
import pytest

from core.engines.recover import regrouping
from core.engines.recover.regrouping import Regrouper


class Scripted:
    """A search of which a script says what its rounds bring about: all on machine 0, or shared."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.seconds = np.array([[1.0, 1.0], [0.25, 0.25]])
        self.search = Regrouper(
            self.seconds, np.array([[0.0, 1.0], [0.0, 1.0]]), np.array([[1, 1], [0, 0]]), 0
        )
        self.asked: list[tuple[int, int, float]] = []
        monkeypatch.setattr(regrouping, "_regroup", self.regroup)
        self.outcome = (0, 0)
        self.counts = self.search.counts.copy()

    def regroup(
        self, _random: object, rounds: int, failures: int, target: float, *rest: object
    ) -> tuple[int, int]:
        self.asked.append((rounds, failures, target))
        self.search.counts[:] = self.counts
        return self.outcome

    def run(self, done: int, failures: int, counts: list[list[int]], best: float) -> bool:
        self.outcome, self.counts = (done, failures), np.array(counts)
        return self.search.run(7, best)


TOGETHER, SHARED, ALONE = [[1, 1], [0, 0]], [[1, 0], [0, 1]], [[0, 1], [1, 0]]


def test_the_next_target_leaves_four_fifths_of_the_gap_that_is_to_be_beaten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scripted = Scripted(monkeypatch)
    search = scripted.search
    assert (search.reached, search.target, search.rounds) == (1.25, 1.003, 0)
    search.target = 1.25
    # Reached exactly: the makespan is what is to be beaten, since it is less than the best.
    assert not scripted.run(5, 3, TOGETHER, 1.5)
    assert search.target == pytest.approx(1.2, rel=1e-15)
    assert (search.rounds, search.failures, search.reached) == (5, 3, 1.25)
    assert not scripted.run(2, 4, TOGETHER, 1.5)
    assert scripted.asked == [(7, 0, 1.25), (7, 3, pytest.approx(1.2))]
    assert (search.rounds, search.failures) == (7, 4)
    assert search.target == pytest.approx(1.2)
    # The best of others is less than what was reached.
    search.target = 1.25
    assert not scripted.run(1, 0, TOGETHER, 1.125)
    assert search.target == pytest.approx(1.1)
    # Nobody can beat the bound.
    search.target = 1.25
    assert not scripted.run(1, 0, TOGETHER, 0.5)
    assert search.target == 1.0


def test_what_was_reached_is_kept_with_its_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    scripted = Scripted(monkeypatch)
    search = scripted.search
    search.target = 0.9
    scripted.run(1, 0, SHARED, 2.0)
    assert (search.reached, search.reached_counts.tolist()) == (1.0, SHARED)
    assert search.loads.tolist() == [1.0, 0.25]
    # What is as good, or worse, does not take its place; and what is kept does not change.
    for worse in (ALONE, TOGETHER):
        scripted.run(1, 0, worse, 2.0)
        assert (search.reached, search.reached_counts.tolist()) == (1.0, SHARED)
    assert search.loads.tolist() == [1.25, 0.0]


@pytest.mark.parametrize(
    ("failures", "target", "over", "eased"),
    [
        (99, 1.0, False, 1.0),
        (100, 1.0, False, 1.125),
        (101, 1.0, False, 1.125),
        # A twentieth of the gap of a quarter is 0.0125.
        (100, 1.25 - 0.0126, False, 1.25 - 0.0063),
        (100, 1.25 - 0.0124, True, 1.25 - 0.0124),
    ],
)
def test_a_hundred_failures_ease_the_target_half_way_or_end_the_search(
    failures: int, target: float, over: bool, eased: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripted = Scripted(monkeypatch)
    search = scripted.search
    search.target = target
    assert scripted.run(1, failures, TOGETHER, 1.1) is over
    assert search.target == pytest.approx(eased, rel=1e-12)
    assert search.failures == (99 if failures == 99 else 0)


@pytest.mark.parametrize(
    ("reached", "base", "best", "from_there"),
    [
        # Up to a tenth of the gap may be lost on the way.
        (1.21, 1.2, 1.19, "reached"),
        (1.23, 1.2, 1.19, "base"),
        (1.3, np.inf, 1.29, "reached"),
        # The best is better by more than that.
        (1.21, 1.2, 1.17, "best"),
        (1.23, 1.2, 1.17, "best"),
        (1.23, 1.2, 1.181, "base"),
    ],
)
def test_the_search_goes_on_from_about_what_was_reached(
    reached: float, base: float, best: float, from_there: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    search = Scripted(monkeypatch).search
    shares: list[float] = []
    monkeypatch.setattr(search, "send_back", shares.append)
    states = {"reached": SHARED, "base": TOGETHER, "best": ALONE}
    search.reached, search.reached_counts = reached, np.array(states["reached"])
    search.base, search.base_counts = base, np.array(states["base"])
    search.start_from(best, np.array(states["best"]))
    assert search.counts.tolist() == states[from_there]
    assert search.base == {"reached": reached, "base": base, "best": best}[from_there]
    assert search.base_counts.tolist() == states[from_there]
    assert search.reached == np.inf
    assert search.target == pytest.approx(1 + 0.8 * (best - 1), rel=1e-12)
    assert shares[0] in (0.1, 0.2, 0.3, 0.9)


def test_every_share_of_the_wasteful_tasks_has_its_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    search = Scripted(monkeypatch).search
    shares: list[float] = []
    monkeypatch.setattr(search, "send_back", shares.append)
    for _ in range(40):
        search.start_from(1.2, search.counts)
    assert set(shares) == {0.1, 0.2, 0.3, 0.9}
