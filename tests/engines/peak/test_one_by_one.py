"""Where machines may sleep, whether anything keeps a cap is decided, and what keeps it is found."""

from itertools import permutations, product

import numpy as np
import pytest
from second_by_second import least_makespan

from core import verify
from core.engines.peak import capped
from core.engines.peak.capped import cap_peak, least_peak
from core.engines.peak.mixes import Cap
from core.engines.peak.one_by_one import MOST_ORDERS, waking_order
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System


def sleepy(seed: int, most: int = 3) -> System:
    """Two to some task types of one task each, on as many machine types, which mostly may sleep;
    four of ten pairs cannot run.
    """
    random = np.random.default_rng([seed, most])
    tasks, kinds = random.integers(2, most + 1, 2).tolist()
    etc = random.integers(1, 3, (tasks, kinds)).astype(float)
    etc[random.random((tasks, kinds)) < 0.4] = np.inf
    etc[np.arange(tasks), random.integers(0, kinds, tasks)] = 2.0
    idle = random.choice([10.0, 25.0, 40.0], kinds)
    asleep = random.choice([0.0, 3.0, 40.0], kinds)
    apc = np.where(np.isfinite(etc), random.integers(0, 60, (tasks, kinds)) + idle, np.nan)
    return System(
        [TaskType(f"t{i}", 1) for i in range(tasks)],
        [MachineType(f"m{j}", 1 + j % 2, float(idle[j]), float(asleep[j])) for j in range(kinds)],
        etc,
        apc,
    )


def least_of_all_orders(system: System) -> float:
    """The least peak (W) of tasks that run one by one, of all orders on all machine types: a
    machine draws its idle power until its last task ends, and then what it draws asleep.
    """
    assert system.apc is not None
    types = system.machine_types
    rest = [min(one.asleep_watts or 0.0, one.idle_power) for one in types]
    asleep = sum(one.count * watts for one, watts in zip(types, rest, strict=True))
    peaks = []
    for kinds in product(range(len(types)), repeat=len(system.task_types)):
        if not all(np.isfinite(system.etc[i, kind]) for i, kind in enumerate(kinds)):
            continue
        for order in permutations(range(len(kinds))):
            peak = 0.0
            for at, task in enumerate(order):
                waiting = {kinds[later] for later in order[at:]} - {kinds[task]}
                more = sum(types[kind].idle_power - rest[kind] for kind in waiting)
                peak = max(peak, more + system.apc[task, kinds[task]] - rest[kinds[task]])
            peaks.append(asleep + peak)
    return min(peaks)


@pytest.mark.parametrize("seed", range(60))
def test_the_least_peak_is_that_of_all_orders_and_there_is_a_schedule_that_has_it(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(capped, "MOST_TASKS", 0)  # not all schedules are tried
    system = sleepy(seed, most=4)
    least, _ = least_peak(system)
    assert least == pytest.approx(least_of_all_orders(system))
    found = cap_peak(system, least)
    assert found.schedule is not None
    verdict = verify(found.schedule, system, least)
    assert verdict.ok, verdict.problems
    assert found.proof.seconds <= found.schedule.makespan * (1 + 1e-9)
    below = cap_peak(system, least - 0.5)
    assert (below.schedule, below.proof.seconds) == (None, np.inf)


def test_tasks_that_draw_no_more_than_idle_run_together_under_the_least_cap() -> None:
    """Two machines did so, while the bound counted on one: it was above what there is."""
    kinds = [MachineType("a", 1, 40.0, 3.0), MachineType("b", 2, 10.0)]
    tasks = [TaskType("x"), TaskType("y")]
    system = System(tasks, kinds, np.array([[2.0, 1], [2, 2]]), np.array([[42.0, 10], [81, 10]]))
    found = cap_peak(system, 23.0)
    assert found.schedule is not None
    assert found.schedule.makespan == 2
    assert found.proof.seconds <= 2


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(1000))
def test_of_1000_small_systems_no_cap_stays_undecided(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Issue 35: every schedule of each is tried, also those in which tasks run together."""
    monkeypatch.setattr(capped, "MOST_TASKS", 0)
    system = sleepy(seed)
    least, _ = least_peak(system)
    for watts in (least - 0.5, least, least + 12.5):
        best, found = least_makespan(system, watts), cap_peak(system, watts)
        if best is None:
            assert (found.schedule, found.proof.seconds) == (None, np.inf)
            continue
        assert found.schedule is not None
        assert verify(found.schedule, system, watts).ok
        assert found.proof.seconds <= best * (1 + 1e-9)


def test_after_many_orders_what_is_proven_still_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search ends early; what it has proven is below what it has found, and both are there."""
    cap = Cap.of(sleepy(7, most=8), np.inf)
    whole = waking_order(cap)
    assert whole.least == whole.peak
    for most in (1, 2, 3, MOST_ORDERS):
        monkeypatch.setattr("core.engines.peak.one_by_one.MOST_ORDERS", most)
        found = waking_order(cap)
        assert 32 <= found.least <= whole.least <= found.peak < np.inf


def pairs_of_two(cold: int) -> System:
    """Two machines that idle at 40 W and may be off; a and b run on one each at 100 W, and so many
    c on the first at 5 W, less than idle.
    """
    kinds = [MachineType(name, 1, 40.0, 0.0) for name in "AB"]
    etc = np.array([[1.0, np.inf], [np.inf, 1.0], [1.0, np.inf]])
    apc = np.array([[100.0, np.nan], [np.nan, 100.0], [5.0, np.nan]])
    tasks = [TaskType("a", 1), TaskType("b", 1), TaskType("c", cold)]
    return System(tasks, kinds, etc, apc)


def test_a_task_that_draws_less_than_idle_makes_nothing_impossible() -> None:
    """105 W: c beside b, and then a."""
    assert least_peak(pairs_of_two(1))[0] <= 105
    assert cap_peak(pairs_of_two(1), 120.0).proof.seconds < np.inf


def test_a_task_that_is_not_there_does_not_count() -> None:
    """Whichever of a and b comes first, the machine of the other idles beside it: 140 W."""
    assert least_peak(pairs_of_two(0)) == (pytest.approx(140), None)
    found = cap_peak(pairs_of_two(0), 120.0)
    assert (found.schedule, found.proof.seconds) == (None, np.inf)


def test_a_search_that_is_stopped_proves_what_it_has() -> None:
    cap = Cap.of(sleepy(7, most=8), np.inf)
    assert 0 < waking_order(cap, lambda: True).least <= waking_order(cap).least
