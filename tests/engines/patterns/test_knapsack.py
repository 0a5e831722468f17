"""No machine earns more within a makespan than its knapsack says; on whole seconds, no less."""

from itertools import product

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from stand_ins import StandIns
from strategies import schedules, systems

import core.engines.patterns.knapsack
from core.engines.patterns.knapsack import Knapsacks
from core.vocabulary.arrays import FloatArray
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System

TINY = systems(max_task_types=3, max_machine_types=2, with_apc=True, dyadic=True, max_count=5)
NONSENSE = st.floats(-1e300, 1e300) | st.sampled_from([0.0, np.inf, -np.inf, np.nan])


def most_earned(system: System, prices: FloatArray, machine: int, seconds: float) -> float:
    """By trying all that a machine of this type may run."""
    able = system.can_run[:, machine]
    cost, time = (
        np.where(able, values[:, machine], 0.0) for values in (system.dynamic_energy, system.etc)
    )
    counts = np.where(able, system.task_counts, 0).tolist()
    patterns = np.array(list(product(*(range(count + 1) for count in counts))))
    return float((patterns @ (prices - cost))[patterns @ time <= seconds].max())


@given(TINY, st.data())
@examples(12)
def test_on_whole_seconds_it_is_the_best_of_all_patterns(
    system: System, data: st.DataObject
) -> None:
    count = len(system.task_types)
    prices = np.array(data.draw(st.lists(st.integers(-99, 999), min_size=count, max_size=count)))
    prices = prices.astype(float)
    last = data.draw(st.integers(0, 40))
    sacks = Knapsacks.within(system, float(last), 1.0)
    filled = sacks.filled(prices, sacks.room(last))
    for machine in range(len(system.machine_types)):
        for cell in range(last + 1):
            expected = most_earned(system, prices, machine, cell)
            earned = filled.earned(machine, cell)
            assert expected <= earned <= expected * (1 + 1e-9) + 1e-9
            pattern = filled.pattern(machine, cell)
            assert (pattern <= system.task_counts).all()
            runs = pattern > 0
            assert system.can_run[runs, machine].all()
            assert pattern[runs] @ system.etc[runs, machine] <= cell
            cost = system.dynamic_energy[runs, machine]
            assert pattern[runs] @ (prices[runs] - cost) == pytest.approx(earned, abs=1e-9)


@given(TINY, st.floats(0.3, 7.0), st.data())
@examples(8)
def test_the_bound_of_any_prices_on_any_grid_is_no_more_than_the_exact_one(
    system: System, step: float, data: st.DataObject
) -> None:
    count = len(system.task_types)
    prices = np.array(data.draw(st.lists(st.floats(-50, 900), min_size=count, max_size=count)))
    sacks = Knapsacks.within(system, 30.0, step)
    bound = sacks.bound(prices, sacks.cell(30.0))
    assert (np.diff(bound) <= 0).all()
    for seconds in data.draw(st.lists(st.floats(0, 30), min_size=1, max_size=5)):
        exact = prices @ system.task_counts - sum(
            machines * most_earned(system, prices, machine, seconds)
            for machine, machines in enumerate(system.machine_counts.tolist())
        )
        assert bound[sacks.cell(seconds)] <= exact + 1e-12 * abs(exact)


@given(schedules(systems(with_apc=True, max_count=500)), st.floats(1e-3, 1.0), st.data())
@examples(12)
def test_no_schedule_needs_less_than_the_bound_whatever_the_prices(
    schedule: Schedule, coarse: float, data: st.DataObject
) -> None:
    system, makespan = schedule.system, schedule.makespan
    count = len(system.task_types)
    prices = np.array(data.draw(st.lists(NONSENSE, min_size=count, max_size=count)))
    sacks = Knapsacks.within(system, makespan, makespan * coarse or 1.0)
    cell = sacks.cell(makespan)
    joules = np.where(system.can_run, system.dynamic_energy, 0.0)[:, schedule.machine_type].T
    terms = schedule.machines[:, None] * schedule.tasks * joules
    bound = sacks.bound(prices, cell)[cell]
    assert not np.isnan(bound)
    assert bound <= terms.sum() + 1e-12 * np.abs(terms).sum()


def test_makespans_of_a_cell_are_not_before_it_begins() -> None:
    system = System.__new__(System)
    sacks = Knapsacks(system, 0.1, *(np.zeros(1, np.int64) for _ in range(4)))
    times = np.arange(1, 10_000) * 0.1
    cells = np.array([sacks.cell(float(time)) for time in times])
    np.testing.assert_array_equal(cells, np.arange(1, 10_000))
    assert (sacks.begins(cells) <= times).all()
    assert (sacks.begins(cells + 1) > times).all()


@pytest.fixture(scope="module")
def system() -> System:
    """Two machines X, three Y. A task of type a takes 3 s and 27 J above idle power on X, 2 s and
    8 J on Y; one of type b takes 7 s and 21 J on X, and cannot run on Y.
    """
    return System(
        (TaskType("a", 5), TaskType("b", 2)),
        (MachineType("X", 2, 1.0), MachineType("Y", 3, 2.0)),
        np.array([[3.0, 2.0], [7.0, np.inf]]),
        np.array([[10.0, 6.0], [4.0, np.nan]]),
    )


def lots(sacks: Knapsacks) -> list[tuple[int, int, int]]:
    return list(zip(sacks.task.tolist(), sacks.size.tolist(), sacks.cells.tolist(), strict=True))


def test_tasks_are_offered_in_lots_that_double(system: System) -> None:
    sacks = Knapsacks.within(system, 10.0, 1.0)
    # On X as many of type a as may fit, and one: 4 of the 5.
    on_x = [(0, 1, 3), (0, 2, 6), (0, 1, 3), (1, 1, 7), (1, 1, 7)]
    on_y = [(0, 1, 2), (0, 2, 4), (0, 2, 4)]
    assert lots(sacks) == on_x + on_y
    assert sacks.begin.tolist() == [0, 5, 8]
    assert (sacks.step, sacks.system) == (1.0, system)


def test_the_time_of_a_lot_is_rounded_down_or_to_the_nearest_cell(system: System) -> None:
    down = Knapsacks.within(system, 10.0, 0.7)
    assert down.cells.tolist() == [4, 8, 4, 10, 10, 2, 5, 5]
    nearest = Knapsacks.within(system, 10.0, 0.7, nearest=True)
    assert nearest.cells.tolist() == [4, 9, 4, 10, 10, 3, 6, 6]


@pytest.mark.parametrize(("seconds", "offered"), [(19.9, True), (20.0, False), (25.0, False)])
def test_what_takes_twice_the_longest_makespan_is_not_offered(
    seconds: float, offered: bool
) -> None:
    system = System(
        (TaskType("t", 1),), (MachineType("m", 1),), np.array([[seconds]]), np.array([[1.0]])
    )
    assert (len(Knapsacks.within(system, 10.0, 1.0).task) == 1) == offered


def test_a_machine_type_may_have_no_lots() -> None:
    system = System(
        (TaskType("none", 0), TaskType("t", 1)),
        (MachineType("m", 1), MachineType("other", 1)),
        np.array([[1.0, 1.0], [2.0, 90.0]]),
        np.array([[1.0, 1.0], [1.0, 1.0]]),
    )
    sacks = Knapsacks.within(system, 3.0, 1.0)
    assert (lots(sacks), sacks.begin.tolist()) == ([(1, 1, 2)], [0, 1, 1])


def test_cells_begin_where_the_ones_before_end(system: System) -> None:
    sacks = Knapsacks.within(system, 10.0, 0.1)
    # A third of a second less a rounding error is in the cell that begins there, or seems to be.
    assert [sacks.cell(seconds) for seconds in (0.0, 0.29, 0.3, 0.30001, 10.0)] == [0, 2, 3, 3, 100]
    assert sacks.begins(np.array([0, 3, 100])) == pytest.approx([0.0, 0.3, 10.0])


def test_room_and_work_grow_with_lots_and_cells(system: System) -> None:
    sacks = Knapsacks.within(system, 10.0, 1.0)
    # A row before the first lot of each of the two machine types.
    assert sacks.room(10).shape == (8 + 2, 11)
    assert sacks.work(9) == pytest.approx(8 * 10 / 2e9)


@pytest.mark.parametrize(
    ("machine", "cell", "price_of_b", "earned", "pattern"),
    [
        (0, 2, 25.0, 0.0, [0, 0]),
        (0, 3, 25.0, 3.0, [1, 0]),
        (0, 7, 25.0, 6.0, [2, 0]),
        (0, 10, 25.0, 9.0, [3, 0]),
        (0, 7, 40.0, 19.0, [0, 1]),
        (0, 10, 40.0, 22.0, [1, 1]),
        (0, 10, 21.5, 9.0, [3, 0]),
        (1, 1, 25.0, 0.0, [0, 0]),
        (1, 2, 25.0, 22.0, [1, 0]),
        (1, 9, 25.0, 88.0, [4, 0]),
        (1, 10, 25.0, 110.0, [5, 0]),
    ],
)
def test_the_most_that_a_machine_earns_within_a_cell(
    system: System, machine: int, cell: int, price_of_b: float, earned: float, pattern: list[int]
) -> None:
    sacks = Knapsacks.within(system, 10.0, 1.0)
    for last in (cell, 10):
        filled = sacks.filled(np.array([30.0, price_of_b]), sacks.room(last))
        assert filled.earned(machine, cell) == pytest.approx(earned)
        assert filled.pattern(machine, cell).tolist() == pattern
    # Half a joule is worth running for, and nothing is gained by what earns what it costs.
    filled = sacks.filled(np.array([0.0, 21.5]), sacks.room(10))
    assert [filled.earned(kind, 10) for kind in (0, 1)] == pytest.approx([0.5, 0.0])
    assert filled.pattern(0, 10).tolist() == [0, 1]


def by_hand(prices: tuple[float, float], cells: int) -> FloatArray:
    """What all tasks earn, less what machines earn, cell by cell: by trying."""
    on_x = [
        max(
            a * (prices[0] - 27) + b * (prices[1] - 21)
            for a in range(6)
            for b in range(3)
            if 3 * a + 7 * b <= cell
        )
        for cell in range(cells)
    ]
    on_y = [max(a * (prices[0] - 8) for a in range(6) if 2 * a <= cell) for cell in range(cells)]
    return 5 * prices[0] + 2 * prices[1] - 2 * np.array(on_x) - 3 * np.array(on_y)


@pytest.mark.parametrize("prices", [(30.0, 25.0), (30.0, 40.0), (5.0, 30.0), (-3.0, 1.0)])
def test_the_bound_of_each_cell(system: System, prices: tuple[float, float]) -> None:
    bound = Knapsacks.within(system, 10.0, 1.0).bound(np.array(prices), 10)
    expected = by_hand(prices, 11)
    assert bound == pytest.approx(expected, rel=1e-12)
    # Rounding is pushed downwards, and by next to nothing.
    assert (bound <= expected).all()


def test_rounding_of_many_prices_never_proves_too_much() -> None:
    """One machine that runs every task earns what all are worth less what they cost."""
    rng = np.random.default_rng(4)
    etc = rng.integers(1, 9, (30, 1)).astype(float)
    tasks = rng.integers(1, 9, 30)
    system = System(
        tuple(TaskType(str(i), int(count)) for i, count in enumerate(tasks)),
        (MachineType("m", 1),),
        etc,
        rng.integers(1, 99, (30, 1)).astype(float),
    )
    joules = float(tasks @ system.dynamic_energy[:, 0])
    seconds = float(tasks @ etc[:, 0])
    sacks = Knapsacks.within(system, seconds, 1.0)
    for scale in (1e3, 1e9, 1e15):
        prices = rng.uniform(scale, 2 * scale, 30)
        bound = sacks.bound(prices, int(seconds))[-1]
        assert joules - 1e-11 * scale * float(tasks.sum()) <= bound <= joules


@pytest.mark.parametrize("price", [np.inf, np.nan, -np.inf, 1e308])
def test_prices_that_are_no_numbers_prove_nothing(system: System, price: float) -> None:
    bound = Knapsacks.within(system, 10.0, 1.0).bound(np.array([price, 25.0]), 10)
    assert bound.tolist() == [-np.inf] * 11


def test_all_kernels_are_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = StandIns(monkeypatch, core.engines.patterns.knapsack)
    steps.gives(_fill=None, _most=None, _unpack=None)
    core.engines.patterns.knapsack.load_kernels()
    for name, types in (
        ("_fill", ["float64", "int64", "float64"]),
        ("_most", ["float64", "int64", "float64"]),
        ("_unpack", ["float64", "int64", "int64", "int64", "int", "int64"]),
    ):
        given = steps.one(name).given
        assert [getattr(one, "dtype", type(one).__name__) for one in given] == types
        assert given[0].ndim == 2
