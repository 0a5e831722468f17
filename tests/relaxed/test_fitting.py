"""What whole tasks prove machine by machine is true, is much, and is asked of single tasks only."""

import itertools
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from called import kernels_called
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from irregular import irregular

from core.front.methods import Lp
from core.front.study import study
from core.makespan.solve import solve
from core.model.arrays import FloatArray
from core.model.budget import Budget, Effort
from core.model.system import System
from core.relaxed import ENERGY, MAKESPAN, lower_bound
from core.relaxed import fitting as module
from core.relaxed.fitting import Worths, fitted, fitted_within, has_single_tasks, load_kernels
from core.samples.generate import HCSP_CLASSES, Consistency, Generation, generate


@pytest.fixture(scope="module", autouse=True)
def coarse() -> Iterator[None]:
    """Tables of a twentieth of the size: in plain Python those that people get take seconds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_GRID", 1000)
        yield


def single_tasks(
    tasks: int, machines: int, seed: int, consistency: Consistency = "inconsistent"
) -> System:
    """An instance like those of the benchmark, of another size."""
    return generate(
        Generation(
            etc=HCSP_CLASSES["hihi"],
            consistency=consistency,
            task_types=tasks,
            machine_types=machines,
            tasks=tasks,
            machines=machines,
            spread="equal",
            seed=seed,
        )
    )


def drawn(tasks: int, machines: int, seed: int) -> System:
    """Uniform times; every other seed whole ones that tie; some tasks impossible on some machines,
    or of no number.
    """
    rng = np.random.default_rng(seed)
    etc = rng.uniform(1, 9, (tasks, machines))
    if seed % 2:
        etc = np.ceil(etc)
    etc[(rng.random(etc.shape) < 0.2) & (np.arange(machines) != seed % machines)] = np.inf
    counts = np.ones(tasks, np.int64)
    counts[0] = seed % 3 > 0 or tasks == 1
    system = single_tasks(tasks, machines, 1)
    whole = System(system.task_types, system.machine_types, etc)
    return whole.with_counts(counts, system.machine_counts)


def powered(system: System) -> System:
    """With powers, all of which are the same."""
    return replace(system, apc=np.full(system.etc.shape, 100.0))


def fastest(system: System) -> float:
    """Seconds, by looking at every assignment."""
    loads: FloatArray = np.zeros((1, len(system.machine_types)))
    for task in np.flatnonzero(system.task_counts):
        own = np.diag(system.etc[task])[system.can_run[task]]
        loads = (loads[:, None] + np.where(np.isfinite(own), own, 0.0)).reshape(-1, loads.shape[1])
    return float(loads.max(axis=1).min())


def improved(system: System, rounds: int) -> Worths:
    worths = Worths(lower_bound(system, MAKESPAN))
    with ThreadPoolExecutor(1) as pool:
        for _ in range(rounds):
            worths.improve(pool)
    return worths


@given(st.integers(1, 6), st.integers(2, 3), st.integers(0, 2**31))
@examples(12)
def test_no_schedule_is_faster(tasks: int, machines: int, seed: int) -> None:
    system = drawn(tasks, machines, seed)
    assert improved(system, 6).soonest <= fastest(system)


@pytest.mark.parametrize("consistency", ["inconsistent", "consistent"])
def test_much_of_what_whole_tasks_cost_is_proven(consistency: Consistency) -> None:
    """Of the way from the divisible bound to the fastest schedule."""
    shares = []
    for seed in (1, 2):
        system = single_tasks(8, 3, seed, consistency)
        divisible = lower_bound(system, MAKESPAN).value
        proven, optimum = improved(system, 30).soonest, fastest(system)
        assert proven <= optimum
        shares.append((max(proven, divisible) - divisible) / (optimum - divisible))
    assert np.mean(shares) > 0.5


def test_worths_that_are_improved_prove_more() -> None:
    system = single_tasks(24, 4, 1)
    first, last = improved(system, 1), improved(system, 20)
    assert 0 <= first.proven < last.proven


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


def test_a_table_too_large_proves_nothing_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_CELLS", 0)
    monkeypatch.setattr(module, "_fit", module._fit.function)
    system = single_tasks(9, 3, 1)
    assert improved(system, 20).soonest <= fastest(system)


def test_only_single_tasks_are_fitted() -> None:
    system = single_tasks(24, 4, 1)
    bound = lower_bound(system, MAKESPAN)
    raised = fitted(bound, 0.01)
    assert raised is not None
    assert bound.value < raised.soonest <= solve(system, method="min-min").schedule.makespan
    two = system.with_counts(system.task_counts * 2, system.machine_counts)
    pairs = system.with_counts(system.task_counts, system.machine_counts * 2)
    for other in (two, pairs):
        assert fitted(lower_bound(other, MAKESPAN), 0.01) is None


def test_it_ends_when_asked_to() -> None:
    bound = lower_bound(single_tasks(24, 4, 1), MAKESPAN)
    stopped = fitted(bound, 1.0, should_stop=lambda: True)
    assert stopped is not None
    assert (stopped.soonest, stopped.units) == (bound.value, 0.0)


def test_stopped_after_three_steps_it_proves_what_three_steps_do() -> None:
    bound = lower_bound(single_tasks(24, 4, 1), MAKESPAN)
    asked = iter(range(4))
    stopped = fitted(bound, 1.0, should_stop=lambda: next(asked) == 3)
    whole = fitted(bound, 1.0)
    assert stopped is not None
    assert whole is not None
    assert 0 < stopped.units < whole.units
    assert stopped == fitted(bound, stopped.units)
    assert bound.value <= stopped.soonest <= whole.soonest


def test_it_ends_by_counted_work_and_as_much_again_proves_the_same() -> None:
    bound = lower_bound(single_tasks(24, 4, 1), MAKESPAN)
    few, more = fitted(bound, 0.0005), fitted(bound, 0.002, threads=2)
    assert few is not None
    assert more is not None
    assert 0.0005 <= few.units < 0.002 <= more.units < 0.004
    assert bound.value <= few.soonest < more.soonest
    for found in (few, more):
        assert fitted(bound, found.units) == found


def test_of_a_budget_it_spends_a_share_whatever_the_clock_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bound = lower_bound(single_tasks(24, 4, 1), MAKESPAN)
    budget = Budget.of_work(0.004)
    found = fitted_within(budget, bound)
    assert found == fitted(bound, 0.0006)
    assert found is not None
    assert budget.used == found.units
    late = Budget(0.004, clock=iter([0.0, *[100.0] * 99]).__next__)
    assert fitted_within(late, bound) == found
    assert fitted_within(Budget(0.002, threads=2), bound) == found
    monkeypatch.setattr(module, "MOST_FITTING", 0.0006)
    assert fitted_within(Budget(600.0), bound) == found


def test_a_round_that_takes_long_is_for_those_who_have_the_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bound = lower_bound(single_tasks(24, 4, 1), MAKESPAN)
    a_round = 24 * 4 * 1000 / 3.5e8
    monkeypatch.setattr(module, "_LONG_ROUND", a_round * 0.9)
    assert fitted(bound, a_round * 0.95) is None
    found = fitted(bound, a_round * 1.05)
    assert found is not None
    assert fitted(bound, found.units) == found


def test_solve_and_front_say_what_is_proven_and_the_same_again() -> None:
    system = powered(single_tasks(12, 3, 1))
    found, again = (solve(system, effort=Effort(work=0.005)) for _ in range(2))
    assert found.bound.value == again.bound.value > lower_bound(system, MAKESPAN).value
    assert found.gap == pytest.approx(found.value / found.bound.value - 1)
    np.testing.assert_array_equal(found.schedule.tasks, again.schedule.tasks)
    along = study(system, Lp(0.5), effort=Effort(work=0.005))
    assert along.proven.soonest == pytest.approx(found.bound.value, rel=1e-12)
    with pytest.raises(ValueError, match="work is not counted for 'min-min'"):
        solve(system, method="min-min", effort=Effort(work=1.0))


def steps_of(tasks: int, machines: int, rounds: int) -> tuple[list[float], list[float]]:
    """After each round what is known in cells, to come and in cells of tables; at last the limits
    and what all tasks are worth.
    """
    worths = Worths(lower_bound(irregular(tasks, machines), MAKESPAN))
    known: list[float] = []
    with ThreadPoolExecutor(1) as pool:
        for _ in range(rounds):
            worths.improve(pool)
            known += [worths.proven, worths.vain, worths.aim, round(worths.units * 3.5e8)]
    return known, [*worths.limits.tolist(), float(worths.worth.sum()), worths.soonest]


# Whoever changes the steps on purpose finds others, and writes them down here.
@pytest.mark.parametrize(
    ("tasks", "machines", "rounds", "known", "last"),
    [
        (
            9,
            3,
            7,
            [
                1.0,
                0.0,
                0.2,
                11477.0,
                3.0,
                0.0,
                0.2,
                22965.0,
                9.0,
                0.0,
                0.2,
                34475.0,
                18.0,
                0.0,
                0.2,
                46062.0,
                58.0,
                0.0,
                0.2,
                60963.0,
                63.0,
                0.0,
                0.2,
                79875.0,
                63.0,
                1.0,
                0.2,
                92711.0,
            ],
            [
                0.06829785319334501,
                0.07416544091544422,
                0.011054541445603208,
                1.019238645777156,
                7.483611630447423,
            ],
        ),
        (
            14,
            4,
            12,
            [
                1.0,
                0.0,
                0.2,
                20258.0,
                4.0,
                0.0,
                0.2,
                40525.0,
                12.0,
                0.0,
                0.2,
                65107.0,
                25.0,
                0.0,
                0.2,
                93152.0,
                44.0,
                0.0,
                0.2,
                130343.0,
                44.0,
                1.0,
                0.2,
                168189.0,
                44.0,
                2.0,
                0.2,
                207410.0,
                44.0,
                3.0,
                0.2,
                248862.0,
                44.0,
                4.0,
                0.2,
                291450.0,
                44.0,
                0.0,
                0.13999999999999999,
                337364.0,
                44.0,
                1.0,
                0.13999999999999999,
                383254.0,
                44.0,
                2.0,
                0.13999999999999999,
                429144.0,
            ],
            [
                0.01929913933408238,
                0.048124111128134146,
                0.06825356712830216,
                0.019413689709955703,
                1.0069961730357178,
                8.862425579497746,
            ],
        ),
        (
            6,
            2,
            9,
            [
                0.0,
                1.0,
                0.2,
                7301.0,
                2.0,
                0.0,
                0.2,
                14602.0,
                6.0,
                0.0,
                0.2,
                21917.0,
                15.0,
                0.0,
                0.2,
                29260.0,
                34.0,
                0.0,
                0.2,
                37740.0,
                48.0,
                0.0,
                0.2,
                48570.0,
                48.0,
                1.0,
                0.2,
                60670.0,
                48.0,
                2.0,
                0.2,
                71670.0,
                48.0,
                3.0,
                0.2,
                82670.0,
            ],
            [0.08916406221422958, 0.05658042044557075, 1.0018559615935774, 10.245741166224887],
        ),
    ],
)
def test_the_same_rounds_always_prove_the_same(
    tasks: int, machines: int, rounds: int, known: list[float], last: list[float]
) -> None:
    found, limits = steps_of(tasks, machines, rounds)
    assert found == pytest.approx(known, rel=1e-12)
    assert limits == pytest.approx(last, rel=1e-9)


def test_it_begins_with_what_the_divisible_bound_says_a_task_is_worth() -> None:
    """Of two machines the second is half as fast but for the second task; they share three."""
    system = System(
        irregular(3, 2).task_types,
        irregular(3, 2).machine_types,
        np.array([[2.0, 4.0], [3.0, 3.0], [1.0, np.inf]]),
    )
    bound = lower_bound(system, MAKESPAN)
    worths = Worths(bound)
    assert worths.unit == bound.makespan
    assert worths.prices.sum() == pytest.approx(1.0)
    np.testing.assert_allclose(worths.seconds * bound.makespan, [[2, 4], [3, 3], [1, 0]])
    priced = np.array([[2, 4], [3, 3], [1, np.inf]]) / bound.makespan * worths.prices
    np.testing.assert_allclose(worths.priced, priced)
    least, next_least = np.sort(priced, axis=1).T
    # Half of what it costs to run a task where it fits less well; or a four-thousandth.
    expected = least + np.minimum(next_least - least, 5e-4) / 2
    np.testing.assert_allclose(worths.worth, expected)
    assert worths.worth[2] == pytest.approx(least[2] + 2.5e-4)
    assert worths.limits.tolist() == [5e-4, 5e-4]
    assert worths.direction.tolist() == [0, 0, 0]
    assert (worths.proven, worths.aim, worths.rounds, worths.vain, worths.units) == (
        0,
        0.2,
        0,
        0,
        0,
    )
    assert worths.soonest == 0.0


def test_what_is_proven_is_so_many_cells_above_the_divisible_bound() -> None:
    worths = Worths(lower_bound(irregular(3, 2), MAKESPAN))
    worths.proven = 50
    assert worths.soonest == pytest.approx(worths.unit * 1.05 * (1 - 1e-9), rel=1e-14)
    assert worths.soonest < worths.unit * 1.05


@pytest.mark.parametrize(
    ("rounds", "aim", "hopeful"),
    [(149, 0.2, True), (150, 0.2, False), (0, 0.01, False), (0, 0.0101, True)],
)
def test_there_is_hope_for_so_many_rounds_and_while_it_aims_above(
    rounds: int, aim: float, hopeful: bool
) -> None:
    worths = Worths(lower_bound(irregular(3, 2), MAKESPAN))
    worths.rounds, worths.aim = rounds, aim
    assert worths.hopeful is hopeful


def test_single_tasks_are_one_of_each_type_on_two_machine_types_at_least(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert has_single_tasks(irregular(3, 2))
    assert not has_single_tasks(irregular(3, 1))
    assert not has_single_tasks(irregular(3, 2, 2))
    assert not has_single_tasks(irregular(3, 2, 1, 2))
    some = irregular(3, 2)
    assert not has_single_tasks(some.with_counts(np.array([1, 1, 2]), np.array([1, 1])))
    assert has_single_tasks(some.with_counts(np.array([1, 0, 1]), np.array([1, 1])))
    for most, are in ((2, False), (3, True), (4, True)):
        monkeypatch.setattr(module, "_MOST_TASKS", most)
        assert has_single_tasks(some) is are


def test_only_a_bound_on_the_makespan_is_raised() -> None:
    system = powered(single_tasks(6, 3, 1))
    assert fitted(lower_bound(system, ENERGY), 1.0) is None
    nothing = replace(lower_bound(system, MAKESPAN), placed=np.zeros(system.etc.shape))
    assert fitted(nothing, 1.0) is None


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


def test_what_is_loaded_is_what_fitting_calls() -> None:
    worths = Worths(lower_bound(irregular(4, 2), MAKESPAN))
    with ThreadPoolExecutor(1) as pool:
        called = kernels_called(lambda: worths.improve(pool))
    assert {name for name, _ in called} == {"_fit"}
    assert called <= kernels_called(load_kernels)
