"""Large neighbourhoods keep every task, come close to the best, and count only rounds."""

import itertools

import numpy as np
import pytest
from called import kernels_called
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

from core.engines.recover import regrouping
from core.engines.recover.regrouping import Regrouper, load_kernels


def drawn(seed, tasks, machines):
    """Seconds (some impossible), waste, and counts, all tasks on the first machine that can."""
    rng = np.random.default_rng(seed)
    seconds = rng.uniform(0.2, 0.9, (tasks, machines)) * machines / tasks
    # Whole times tie.
    if seed % 2:
        seconds = np.ceil(seconds * 20) / 20
    seconds[rng.random(seconds.shape) < 0.2] = np.inf
    seconds[:, 0] = np.where(np.isinf(seconds).all(axis=1), 0.5, seconds[:, 0])
    waste = (seconds - seconds.min(axis=1, keepdims=True)) / machines
    counts = np.zeros((machines, tasks), np.int64)
    counts[np.isfinite(seconds).argmax(axis=1), np.arange(tasks)] = rng.integers(1, 3, tasks)
    return seconds, waste, counts


@given(st.integers(0, 2**31), st.integers(1, 8), st.integers(2, 5), st.integers(1, 4))
@examples(10)
def test_every_task_stays_where_it_can_run(seed, tasks, machines, rounds):
    seconds, waste, counts = drawn(seed, tasks, machines)
    search = Regrouper(seconds, waste, counts, seed)
    best = np.inf
    for _ in range(5):
        before = search.reached
        over = search.run(rounds, best)
        assert (search.counts >= 0).all()
        assert (search.counts.sum(axis=0) == counts.sum(axis=0)).all()
        assert not search.counts.T[np.isinf(seconds)].any()
        loads = (search.counts.T * np.where(np.isfinite(seconds), seconds, 0.0)).sum(axis=0)
        assert search.loads == pytest.approx(loads, rel=1e-9)
        assert search.reached <= before
        best = min(best, search.reached)
        if over:
            search.start_from(best, search.reached_counts)
    assert search.rounds <= 5 * rounds


@pytest.mark.parametrize("seed", range(4))
def test_small_systems_reach_the_optimum(seed):
    """By enumeration of every assignment of single tasks to single machines."""
    tasks, machines = (6, 3) if seed < 2 else (9, 2)
    rng = np.random.default_rng(seed)
    seconds = rng.uniform(0.2, 0.6, (tasks, machines)) * 2 * machines / tasks
    seconds[0, 1] = np.inf
    finite = np.isfinite(seconds)
    best = min(
        np.bincount(places, weights=seconds[np.arange(tasks), places], minlength=machines).max()
        for places in map(list, itertools.product(range(machines), repeat=tasks))
        if finite[np.arange(tasks), places].all()
    )
    # What a task wastes at equal prices; moves that waste too much are never listed.
    waste = np.where(finite, (seconds - seconds.min(axis=1, keepdims=True)) / 100, np.inf)
    counts = np.zeros((machines, tasks), np.int64)
    counts[0] = 1
    search = Regrouper(seconds / best, waste, counts, seed)
    found, found_counts = search.reached, search.reached_counts
    for _ in range(40):
        over = search.run(20, found)
        if search.reached < found:
            found, found_counts = search.reached, search.reached_counts
        if over:
            search.start_from(found, found_counts)
    assert found == pytest.approx(1, abs=1e-9)


def instance(tasks, machines, dearest, tasks_of_all):
    """Irregular times and wastes without random numbers: roots are the same on every computer.

    No waste is that of another pair, or which of two moves comes first would be chance.
    """
    spread = np.sqrt(np.arange(2.0, 2 + 2 * tasks * machines)).reshape(2, tasks, machines) % 1
    seconds = (1 + np.floor(spread[0] * 16)) / 16 * machines / tasks * tasks_of_all
    waste = spread[1] * dearest
    waste[np.arange(tasks), np.arange(tasks) % machines] = 0
    seconds[0, 1] = waste[0, 1] = np.inf
    counts = np.zeros((machines, tasks), np.int64)
    counts[0] = 1
    counts[1, 3] = 2
    return seconds, waste, counts


def walked(asked, seed, rounds):
    """Where tasks are at last, and what the search knew after each of its runs."""
    search = Regrouper(*instance(*asked), seed)
    known = []
    for _ in range(3):
        search.run(rounds, search.reached)
        limit = float(search.lists.limit[0])
        known.append((search.rounds, search.failures, search.target, search.reached, limit))
    return np.argwhere(search.counts.T > 0)[:, 1].tolist(), known


# Whoever changes the search on purpose finds other numbers, and writes them down here.
WALKS = [
    (
        (12, 4, 0.004, 2.0),
        1,
        6,
        [0, 1, 2, 3, 0, 1, 2, 3, 3, 0, 2, 3],
        [
            (6, 6, 1.003, 1.1666666666666667, 0.0008857805000000004),
            (10, 0, 1.0, 1.0, 0.001296871230050001),
            (10, 0, 1.0, 1.0, 0.001296871230050001),
        ],
    ),
    (
        (9, 3, 0.01, 2.2),
        2,
        8,
        [0, 1, 2, 0, 1, 2, 2, 2, 0, 2, 1],
        [
            (8, 3, 1.003, 1.6958333333333333, 0.0010717944050000006),
            (16, 4, 1.003, 1.1458333333333335, 0.002297486493178611),
            (23, 0, 1.0, 0.9625000000000001, 0.004477151216276195),
        ],
    ),
    (
        (20, 7, 0.001, 2.0),
        3,
        2,
        [0, 1, 2, 3, 6, 4, 5, 6, 0, 6, 2, 3, 6, 3, 1, 0, 1, 2, 2, 4, 5],
        [
            (2, 1, 1.003, 1.00625, 0.00044000000000000007),
            (4, 3, 1.003, 1.00625, 0.00028160000000000007),
            (5, 0, 1.0, 0.9625, 0.0003097600000000001),
        ],
    ),
    (
        (14, 6, 0.005, 2.1),
        4,
        3,
        [0, 1, 2, 2, 3, 5, 4, 5, 0, 1, 2, 4, 3, 5, 0, 1],
        [
            (3, 2, 1.003, 2.1937499999999996, 0.0006655000000000001),
            (6, 0, 1.003, 1.4625, 0.0008857805000000004),
            (9, 0, 1.003, 1.125, 0.0011789738455000008),
        ],
    ),
    (
        (10, 2, 0.02, 2.6),
        5,
        10,
        [0, 1, 0, 1, 0, 1, 0, 0, 1, 1],
        [
            (10, 9, 1.003, 1.105, 0.001296871230050001),
            (20, 19, 1.003, 1.105, 0.0033637499746628054),
            (30, 5, 1.003, 1.0725, 0.008724701134443224),
        ],
    ),
]


@pytest.mark.parametrize(("asked", "seed", "rounds", "places", "known"), WALKS)
def test_a_seed_gives_the_same_search_on_every_computer(asked, seed, rounds, places, known):
    found, learnt = walked(asked, seed, rounds)
    assert found == places
    assert learnt == [pytest.approx(each, rel=1e-9) for each in known]


def test_other_seeds_go_other_ways():
    assert walked(WALKS[3][0], 1, 3) != walked(WALKS[3][0], 2, 3)


def test_what_is_loaded_is_what_the_search_calls():
    search = Regrouper(*instance(4, 3, 0.01, 2.0), 0)

    def asked():
        search.run(1, 2.0)
        search.start_from(2.0, search.counts)

    called = kernels_called(asked)
    assert {"_regroup", "_send_back"} <= {name for name, _ in called}
    assert called <= kernels_called(load_kernels)


def test_wasteful_tasks_go_back_to_the_machine_with_most_room_where_they_waste_nothing():
    seconds = np.array([[1.0, 2.0, 1.0, 9.0], [3.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0]])
    waste = np.array([[0.5, 0.0, 0.0, 0.1], [0.1, 0.2, 0.3, 0.4], [0.0, 1e-12, 2e-12, 0.0]])
    counts = np.array([[2, 1, 0], [0, 1, 1], [0, 0, 1], [1, 1, 1]])
    search = Regrouper(seconds, waste, np.zeros((4, 3), np.int64), 0)
    search.counts[:] = counts
    search.send_back(0.0)
    assert search.counts.tolist() == counts.tolist()
    assert search.loads.tolist() == [5.0, 2.0, 1.0, 11.0]
    search.send_back(1.0)
    # The first type wastes nothing on machines 1 and 2: two tasks go to 2, which has most room,
    # and then the third to 1, which ends as early, but was looked at first. The second type has no
    # such machine. Of the third what is on machine 2 wastes more than rounding, and goes to where
    # there is most room.
    assert search.counts.tolist() == [[0, 1, 0], [1, 1, 1], [2, 0, 0], [0, 1, 2]]
    assert search.loads.tolist() == [3.0, 4.0, 2.0, 3.0]


def test_about_as_many_go_back_as_are_asked_to():
    tasks = 400
    waste = np.zeros((tasks, 2))
    waste[:, 0] = 1.0
    counts = np.zeros((2, tasks), np.int64)
    counts[0] = 1
    search = Regrouper(np.ones((tasks, 2)), waste, counts, 0)
    for share, fewest, most in ((0.1, 20, 60), (0.9, 340, 380)):
        search.counts[0], search.counts[1] = 1, 0
        search.send_back(share)
        assert fewest < search.loads[1] < most


def test_a_task_goes_home_to_the_first_machine_that_has_as_much_room():
    seconds = np.ones((3, 3))
    # What wastes a rounding error wastes nothing.
    waste = np.array([[0.0, 0.0, 1.0], [1.0, 1e-12, 1.0], [0.0, 0.0, 0.0]])
    search = Regrouper(seconds, waste, np.zeros((3, 3), np.int64), 0)
    for loads, home in (([1, 2], 0), ([1, 1], 0), ([2, 1], 1)):
        search.counts[:] = [[0, 0, loads[0]], [0, 0, loads[1]], [1, 0, 0]]
        search.send_back(1.0)
        assert search.counts[:, 0].tolist() == [home == 0, home == 1, 0]
    search.counts[:] = [[0, 1, 0], [0, 0, 0], [0, 1, 0]]
    search.send_back(1.0)
    assert search.counts.tolist() == [[0, 0, 0], [0, 2, 0], [0, 0, 0]]


@pytest.mark.parametrize(
    ("target", "seconds", "wasted", "made"),
    [
        # Moves may waste twice the gap of the target, if that is more than what is to be gained.
        (1.25, 0.5, 0.5, True),
        (1.25, 0.5, 0.501, False),
        # Two machines: a quarter of what is wasted counts against what is gained.
        (1.25, 0.125, 0.5, False),
        (1.25, 0.126, 0.5, True),
        # What is to be gained is more than that: 0.375 s against 0.25.
        (1.125, 0.5, 0.375, True),
        (1.125, 0.5, 0.376, False),
    ],
)
def test_a_task_is_moved_if_that_gains_more_than_it_wastes(target, seconds, wasted, made):
    times = np.array([[1.5 - seconds] * 2, [seconds] * 2])
    waste = np.array([[0.0, np.inf], [0.0, wasted]])
    search = Regrouper(times, waste, np.array([[1, 1], [0, 0]]), 0)
    search.target, search.lists.limit[0] = target, 1.0
    search.run(1, 2.0)
    assert (search.counts.tolist() == [[1, 0], [0, 1]]) is made
    assert search.failures == (0 if made else 1)


class Scripted:
    """A search of which a script says what its rounds bring about: all on machine 0, or shared."""

    def __init__(self, monkeypatch):
        self.seconds = np.array([[1.0, 1.0], [0.25, 0.25]])
        self.search = Regrouper(
            self.seconds, np.array([[0.0, 1.0], [0.0, 1.0]]), np.array([[1, 1], [0, 0]]), 0
        )
        self.asked: list[tuple[int, int, float]] = []
        monkeypatch.setattr(regrouping, "_regroup", self.regroup)
        self.outcome = (0, 0)
        self.counts = self.search.counts.copy()

    def regroup(self, _random, rounds, failures, target, *rest):
        self.asked.append((rounds, failures, target))
        self.search.counts[:] = self.counts
        return self.outcome

    def run(self, done, failures, counts, best):
        self.outcome, self.counts = (done, failures), np.array(counts)
        return self.search.run(7, best)


TOGETHER, SHARED, ALONE = [[1, 1], [0, 0]], [[1, 0], [0, 1]], [[0, 1], [1, 0]]


def test_the_next_target_leaves_four_fifths_of_the_gap_that_is_to_be_beaten(monkeypatch):
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


def test_what_was_reached_is_kept_with_its_tasks(monkeypatch):
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
    failures, target, over, eased, monkeypatch
):
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
    reached, base, best, from_there, monkeypatch
):
    search = Scripted(monkeypatch).search
    shares = []
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


def test_every_share_of_the_wasteful_tasks_has_its_turn(monkeypatch):
    search = Scripted(monkeypatch).search
    shares = []
    monkeypatch.setattr(search, "send_back", shares.append)
    for _ in range(40):
        search.start_from(1.2, search.counts)
    assert set(shares) == {0.1, 0.2, 0.3, 0.9}
