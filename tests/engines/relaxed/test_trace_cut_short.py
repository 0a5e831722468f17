"""A front that was not traced to its end is not called exact, and is the best there is."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from core.engines.relaxed import SolverFailed, trace, trace_front
from core.engines.relaxed.certificate import MAKESPAN
from core.engines.relaxed.front import Optima, front_of
from core.engines.relaxed.parametric import GOING_ON, STUCK, ParametricSimplex, Stretch
from core.engines.relaxed.program import DivisibleProgram
from core.engines.relaxed.trace import Optimum, dichotomy
from core.files.samples.generate import Generation, MachineLevels, generate
from core.files.samples.named import load_sample
from core.vocabulary.budget import Budget


@pytest.fixture(scope="module")
def large():
    """So large that the front takes longer than the first question whether to stop."""
    return generate(
        Generation(apc=MachineLevels(), task_types=300, machine_types=40, machines=80, tasks=9000)
    )


def test_of_two_fronts_that_prove_too_little_the_nearer_to_its_lines_is_taken(monkeypatch):
    system = load_sample("nine")

    def cut(asked):
        left = iter(range(asked))
        return dichotomy(system, Budget(should_stop=lambda: next(left, None) is None))

    one, other = cut(3), cut(20)
    nearer = one if one.gap < other.gap else other
    for simplex, general in ((one, other), (other, one)):
        monkeypatch.setattr(trace, "_by_parametric_simplex", lambda *_, front=simplex: front)
        monkeypatch.setattr(trace, "dichotomy", lambda *_, front=general: front)
        assert trace_front(system).points is nearer.points


def test_where_the_simplex_is_stuck_the_general_solver_has_what_is_left(monkeypatch):
    system, budget = load_sample("two-by-two"), Budget(5.0)
    general = dichotomy(system)
    asked = []

    def solved(*given):
        asked.append(given)
        return general

    monkeypatch.setattr(trace, "_by_parametric_simplex", lambda *_: None)
    monkeypatch.setattr(trace, "dichotomy", solved)
    assert trace_front(system, budget) is general
    assert asked == [(system, budget)]


def test_where_the_general_solver_fails_what_there_is_will_do(monkeypatch):
    system = load_sample("nine")
    inexact = replace(trace_front(system), exact=False)

    def fails(*_):
        raise SolverFailed("it did")

    monkeypatch.setattr(trace, "_by_parametric_simplex", lambda *_: inexact)
    monkeypatch.setattr(trace, "dichotomy", fails)
    assert trace_front(system) is inexact


@pytest.mark.parametrize("trace", [trace_front, dichotomy])
def test_a_front_cut_short_is_not_called_exact_but_still_bounds(trace, large):
    asked = 0

    def stop_soon():
        nonlocal asked
        asked += 1
        return asked > 5 * (trace is dichotomy)

    system = large if trace is trace_front else load_sample("nine")
    short = trace(system, Budget(should_stop=stop_soon))
    whole = trace_front(system)
    assert not short.exact
    assert len(short) < len(whole)
    for point in whole.points:
        assert (short.lines.weights @ point >= short.lines.value * (1 - 1e-9)).all()


def stopped_at_once(system):
    return trace_front(system, Budget(should_stop=lambda: True))


@pytest.fixture
def enough_seconds(monkeypatch):
    """For the fastest end, however slow the machine is."""
    monkeypatch.setattr(trace, "_FASTEST_SECONDS", 60.0)


@pytest.mark.usefixtures("enough_seconds")
def test_a_front_cut_short_has_its_fastest_end_nevertheless(large):
    short, whole = stopped_at_once(large), trace_front(large)
    assert not short.exact
    np.testing.assert_array_equal(short.points[:-1], whole.points[: len(short) - 1])
    np.testing.assert_allclose(short.points[-1], whole.points[-1], rtol=1e-9)
    placed = short.placements.chosen(np.array([len(short) - 1])).points(large)[0]
    np.testing.assert_allclose(placed, whole.points[-1], rtol=1e-9)
    # Between the two no schedule is below the line, and it is not far below either of them.
    assert len(short.lines) == len(short) + 1
    assert (whole.points @ short.lines.weights.T >= short.lines.value * (1 - 1e-12)).all()
    assert (np.diff(short.lines.weights[:-1, 1]) > 0).all()
    assert short.lines.value[-1] == pytest.approx(whole.lines.value[-1], rel=1e-9)
    assert short.gap < 0.01


@pytest.mark.usefixtures("enough_seconds")
def test_a_fastest_end_that_takes_too_long_is_left_out(monkeypatch, large):
    with_end = stopped_at_once(large)
    monkeypatch.setattr(trace, "DivisibleProgram", lambda system, _: DivisibleProgram(system, 0.0))
    without = stopped_at_once(large)
    np.testing.assert_array_equal(without.points, with_end.points[:-1])


def clock(*times):
    """It shows these times, one after another, and then the last one for good."""
    left = iter(times)
    return lambda: next(left, times[-1])


@pytest.mark.parametrize(
    ("used", "stop", "over"), [(7.9, False, False), (8.0, False, True), (0.0, True, True)]
)
def test_the_walk_ends_after_four_fifths_of_the_budget(used, stop, over):
    assert trace._must_end(Budget(10.0, should_stop=lambda: stop, clock=clock(0.0, used))) is over


@pytest.mark.parametrize(("used", "seconds"), [(0.2, 0.1), (0.4, 0.1), (0.8, 0.2), (40.0, 10.0)])
def test_the_fastest_end_gets_a_quarter_of_the_seconds_walked(
    monkeypatch, two_by_two, used, seconds
):
    inexact = replace(trace_front(two_by_two()), exact=False)
    asked = []

    def with_end(front, seconds):
        asked.append((front, seconds))
        return front

    monkeypatch.setattr(trace, "_by_parametric_simplex", lambda *_: inexact)
    monkeypatch.setattr(trace, "_with_fastest_end", with_end)
    budget = Budget(should_stop=lambda: True, clock=clock(0.0, used))
    assert trace_front(two_by_two(), budget) is inexact
    assert asked == [(inexact, seconds)]


@pytest.mark.parametrize(
    ("numbers", "steps"), [(40, 16), (64, 16), (68, 17), (1020, 255), (1024, 256), (10**7, 256)]
)
def test_a_stretch_has_as_many_steps_as_its_numbers_allow(monkeypatch, two_by_two, numbers, steps):
    """Two task types and two machine types make four numbers a step."""
    asked = []

    class Walked(ParametricSimplex):
        def walk(self, steps):
            asked.append(steps)
            return super().walk(steps)

    monkeypatch.setattr(trace, "ParametricSimplex", Walked)
    monkeypatch.setattr(trace, "_NUMBERS_A_STRETCH", numbers)
    assert trace_front(two_by_two()).exact
    assert asked == [steps]


@pytest.mark.parametrize(
    ("idle", "steps", "state", "some"),
    [
        # The first optimum is slower than any of the front if idling costs more than it saves.
        ((0.0, 0.0), 1, GOING_ON, True),
        ((20.0, 10.0), 1, GOING_ON, False),
        ((20.0, 10.0), 2, GOING_ON, True),
        ((0.0, 0.0), 9, STUCK, False),
    ],
)
def test_a_simplex_that_is_stuck_or_has_no_vertex_of_the_front_has_no_front(
    monkeypatch, two_by_two, idle, steps, state, some
):
    class Walked(ParametricSimplex):
        def walk(self, _):
            walked = super().walk(steps)
            self.state = state
            return walked

    monkeypatch.setattr(trace, "ParametricSimplex", Walked)
    found = trace._by_parametric_simplex(two_by_two(*idle), Budget(should_stop=lambda: True))
    assert (found is not None) is some


def cut_to(front, vertices):
    """The front as far as these vertices, with a line of the least makespan."""
    which = np.arange(vertices)
    kept = Optima(
        front.points[which],
        front.placements.chosen(which),
        front.lines.chosen(np.append(which, -1)),
    )
    return front_of(front.system, kept, complete=False)


def test_the_line_to_the_fastest_end_by_hand(two_by_two):
    """From (1140 J, 18 s) to (1404 J, 10.8 s) a second costs 110/3 J. Until there it cost 20 J on
    B; 50/3 J more at 0.6 and 0.4 are 10 J on A and 80/3 J on B.
    """
    whole = trace_front(two_by_two())
    for vertices in (1, 2):
        found = trace._with_fastest_end(cut_to(whole, vertices), 60.0)
        np.testing.assert_allclose(found.points, whole.points[[*range(vertices), 2]], rtol=1e-9)
        last = found.placements.placed(vertices, whole.system)
        np.testing.assert_allclose(last, [[6, 0], [2.4, 3.6]], rtol=1e-9)
        assert len(found.lines) == vertices + 2
        assert not found.exact
    np.testing.assert_allclose(found.lines.weights, [[1, 0], [1, 20], [1, 110 / 3], [0, 1]])
    prices = [[0, 0], [0, 20], [10, 80 / 3], [0.6, 0.4]]
    np.testing.assert_allclose(found.lines.machine_prices[1:], prices[1:], rtol=1e-9, atol=1e-9)
    # Task 1 costs 100 + 10 J on A and 60 + 160/3 J on B, task 2 220 J and 90 + 80 J.
    np.testing.assert_allclose(found.lines.value, [900, 1500, 6 * 110 + 6 * 170, 10.8])


@pytest.mark.parametrize(
    ("vertices", "dearer", "sooner", "more"),
    [
        # As fast as the last vertex; not worth more a second than before, which is 20 J; or more.
        (1, 0.0, 0.0, 0),
        (2, 0.0, 0.0, 0),
        (2, 10.0, 0.5, 0),
        (2, 9.0, 0.5, 0),
        (2, 10.25, 0.5, 1),
        (2, 30.0, -0.5, 0),
        (1, 0.25, 0.5, 1),
    ],
)
def test_a_fastest_end_that_is_worth_no_more_a_second_is_none(
    monkeypatch, two_by_two, vertices, dearer, sooner, more
):
    cut = cut_to(trace_front(two_by_two()), vertices)
    walked = np.array([[1.0, 0.0], [1.0, 20.0], [0.0, 1.0]])[[*range(vertices), 2]]
    cut = replace(cut, lines=replace(cut.lines, weights=walked))
    ends = cut.points[-1] + [dearer, -sooner]
    fastest = Optimum(MAKESPAN, cut.placed(0), ends, np.ones(2))
    monkeypatch.setattr(trace, "Optimum", SimpleNamespace(of=lambda *_: fastest))
    assert len(trace._with_fastest_end(cut, 60.0)) == vertices + more


def test_without_watts_of_any_kind_scales_are_1_and_never_0():
    inf = np.inf
    assert trace._scale(np.array([[3.0, -2.0], [inf, 4.0]])) == 6
    assert trace._scale(np.array([[0.0, -2.0], [inf, 0.0]])) == 2
    assert trace._scale(np.array([[0.0, 5.0], [0.0, 3.0]])) == 5
    assert trace._scale(np.array([[0.0, inf], [0.0, 0.0]])) == 1
    # Next to nothing is nothing.
    assert trace._scale(np.array([[1e-250, 5.0], [-3.0, 1e-309]])) == 5
    assert trace._scale(np.array([[1e-250, 1e-201], [inf, 0.0]])) == 1
    assert trace._scale(np.array([[1e-199, 5.0]])) == 1e-199


def test_placements_are_the_keys_less_the_shares_of_other_columns():
    """Two optima of two task types on machine types 3 and 5, the second all by keys."""
    optima = Stretch(
        begin=np.zeros(2),
        end=np.ones(2),
        key=np.array([[1, 0], [0, 1]]),
        task=np.array([[0, 1, -2], [-1, 0, 1]]),
        machine=np.array([[0, 1, 0], [1, 1, 0]]),
        share=np.array([[0.25, 1.0, 9.0], [0.5, 0.0, -1e-12]]),
        fixed=np.zeros((2, 3)),
        rising=np.zeros((2, 3)),
    )
    found = trace._placements(optima, np.array([8.0, 4.0]), np.array([2, 7]), np.array([3, 5]))
    assert found.first.tolist() == [0, 3, 5]
    assert found.task.tolist() == [2, 2, 7, 2, 7]
    assert found.machine.tolist() == [3, 5, 5, 3, 5]
    assert found.number.tolist() == [2, 6, 4, 8, 4]
