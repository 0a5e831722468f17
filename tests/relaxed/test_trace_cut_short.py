"""A front that was not traced to its end is not called exact, and is the best there is."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from core.model.budget import Budget
from core.model.system import System
from core.relaxed import Front, SolverFailed, trace, trace_front
from core.relaxed.dichotomy import dichotomy
from core.relaxed.program import DivisibleProgram
from core.samples.generate import Generation, MachineLevels, generate
from core.samples.named import load_sample


@pytest.fixture(scope="module")
def large() -> System:
    """So large that the front takes longer than the first question whether to stop."""
    return generate(
        Generation(apc=MachineLevels(), task_types=300, machine_types=40, machines=80, tasks=9000)
    )


def test_of_two_fronts_that_prove_too_little_the_nearer_to_its_lines_is_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    system = load_sample("nine")

    def cut(asked: int) -> Front:
        left = iter(range(asked))
        return dichotomy(system, Budget(should_stop=lambda: next(left, None) is None))

    one, other = cut(3), cut(20)
    nearer = one if one.gap < other.gap else other
    for simplex, general in ((one, other), (other, one)):
        monkeypatch.setattr(trace, "_by_parametric_simplex", lambda *_, front=simplex: front)
        monkeypatch.setattr(trace, "dichotomy", lambda *_, front=general: front)
        assert trace_front(system) is nearer


def test_where_the_general_solver_fails_what_there_is_will_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    system = load_sample("nine")
    inexact = replace(trace_front(system), exact=False)

    def fails(*_: object) -> Front:
        raise SolverFailed("it did")

    monkeypatch.setattr(trace, "_by_parametric_simplex", lambda *_: inexact)
    monkeypatch.setattr(trace, "dichotomy", fails)
    assert trace_front(system) is inexact


@pytest.mark.parametrize("trace", [trace_front, dichotomy])
def test_a_front_cut_short_is_not_called_exact_but_still_bounds(
    trace: Callable[..., Front], large: System
) -> None:
    asked = 0

    def stop_soon() -> bool:
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


def stopped_at_once(system: System) -> Front:
    return trace_front(system, Budget(should_stop=lambda: True))


@pytest.fixture
def enough_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    """For the fastest end, however slow the machine is."""
    monkeypatch.setattr(trace, "_FASTEST_SECONDS", 60.0)


@pytest.mark.usefixtures("enough_seconds")
def test_a_front_cut_short_has_its_fastest_end_nevertheless(large: System) -> None:
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
def test_a_fastest_end_that_takes_too_long_is_left_out(
    monkeypatch: pytest.MonkeyPatch, large: System
) -> None:
    with_end = stopped_at_once(large)
    monkeypatch.setattr(trace, "DivisibleProgram", lambda system, _: DivisibleProgram(system, 0.0))
    without = stopped_at_once(large)
    np.testing.assert_array_equal(without.points, with_end.points[:-1])
