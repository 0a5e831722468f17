"""A fit is as good as the best that a general solver finds, and never worse than its start."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import check_grad, minimize

from core.engines.operations.least_squares import Logs, Precision, fit
from core.vocabulary.budget import Cancelled

EXACT = Precision(1e-12, 200)


def drawn(seed, tasks, machines, kinds, sets=1):
    """Targets, weights (some 0) and a start, all by chance."""
    rng = np.random.default_rng(seed)
    weights = rng.gamma(2, 0.5, (sets, tasks, machines)) * (
        rng.random((sets, tasks, machines)) < 0.8
    )
    start = Logs(rng.normal(size=(sets, tasks, kinds)), rng.normal(size=(sets, kinds, machines)))
    return rng.normal(size=(sets, tasks, machines)), weights, start


def loss(point, target, weights, kinds):
    """Written out as it is defined, for one set."""
    tasks, machines = target.shape
    task = np.exp(point[: tasks * kinds].reshape(tasks, kinds))
    machine = np.exp(point[tasks * kinds :].reshape(kinds, machines))
    return float((weights * (np.log(task @ machine) - target) ** 2).sum())


def slope(point, target, weights, kinds):
    tasks, machines = target.shape
    task = np.exp(point[: tasks * kinds].reshape(tasks, kinds))
    machine = np.exp(point[tasks * kinds :].reshape(kinds, machines))
    pull = 2 * weights * (np.log(task @ machine) - target) / (task @ machine)
    return np.concatenate(
        [(task * (pull @ machine.T)).ravel(), (machine * (task.T @ pull)).ravel()]
    )


def test_the_oracle_has_the_right_slope():
    target, weights, start = drawn(1, 3, 2, 2)
    point = np.concatenate([start.task.ravel(), start.machine.ravel()])
    assert check_grad(loss, slope, point, target[0], weights[0], 2) < 1e-5


@pytest.mark.parametrize(("tasks", "machines"), [(4, 3), (3, 4), (1, 3), (3, 1), (1, 1)])
@pytest.mark.parametrize("kinds", [1, 2, 3])
def test_no_descent_from_where_a_fit_ends(tasks, machines, kinds):
    target, weights, start = drawn(tasks + 7 * kinds, tasks, machines, kinds)
    found, reached = fit(target, weights, start, EXACT)
    point = np.concatenate([found.task.ravel(), found.machine.ravel()])
    assert loss(point, target[0], weights[0], kinds) == pytest.approx(reached[0], abs=1e-12)
    further = minimize(loss, point, (target[0], weights[0], kinds), "L-BFGS-B", slope)
    assert further.fun >= reached[0] * (1 - 1e-4) - 1e-9


@given(st.integers(0, 1000), st.integers(1, 5), st.integers(1, 5), st.integers(1, 3))
def test_a_fit_is_never_worse_than_its_start(seed, tasks, machines, kinds):
    target, weights, start = drawn(seed, tasks, machines, kinds, sets=2)
    begun = (weights * (target - start.times()) ** 2).sum(axis=(1, 2))
    _, before = fit(target, weights, start, Precision(1e-3, 1))
    _, after = fit(target, weights, start, Precision(1e-3, 5))
    assert (after <= before * (1 + 1e-11)).all()
    assert (before <= begun * (1 + 1e-11)).all()


def test_several_sets_are_fitted_as_each_alone():
    target, weights, start = drawn(5, 4, 3, 2, sets=3)
    together, losses = fit(target, weights, start, EXACT)
    for one in range(3):
        chosen = np.array([one])
        alone, loss_alone = fit(target[chosen], weights[chosen], start.chosen(chosen), EXACT)
        assert alone.times()[0] == pytest.approx(together.times()[one], abs=1e-9)
        assert loss_alone[0] == pytest.approx(losses[one])


def test_one_kind_is_the_linear_regression():
    """On an indicator for each task type and each machine type, weighted."""
    target, weights, start = drawn(9, 5, 4, 1)
    found, _ = fit(target, weights, start, EXACT)
    task, machine = np.indices((5, 4)).reshape(2, -1)
    design = np.hstack([np.eye(5)[task], np.eye(4)[machine]])
    root = np.sqrt(weights[0].ravel())
    solved = np.linalg.lstsq(design * root[:, None], target[0].ravel() * root, rcond=None)[0]
    known = weights[0].ravel() > 0
    assert found.times()[0].ravel()[known] == pytest.approx((design @ solved)[known], abs=1e-9)


def test_one_kind_converges_along_a_chain_of_sixty_types():
    """Where each type is connected to the next by one pair only."""
    target = np.random.default_rng(3).normal(size=(1, 30, 30)) * 5
    weights = (np.eye(30) + np.eye(30, k=1))[None]
    start = Logs(np.zeros((1, 30, 1)), np.zeros((1, 1, 30)))
    found, reached = fit(target, weights, start, EXACT)
    assert reached[0] < 1e-15
    assert (found.times() * weights) == pytest.approx(target * weights, abs=1e-7)


def test_machines_can_stay_as_they_are():
    target, weights, start = drawn(11, 6, 3, 2)
    rows = Logs(start.task[0][:, None], start.machine.repeat(6, 0))
    found, _ = fit(target[0][:, None], weights[0][:, None], rows, EXACT, only_tasks=True)
    assert (found.machine == rows.machine).all()
    assert (found.task != rows.task).any()
    for i in range(6):

        def of_row(point, i=i):
            fitted = np.log(np.exp(point) @ np.exp(start.machine[0]))
            return float((weights[0, i] * (fitted - target[0, i]) ** 2).sum())

        best = min(
            minimize(of_row, np.random.default_rng(k).normal(0, 3, 2), method="Nelder-Mead").fun
            for k in range(5)
        )
        assert of_row(found.task[i, 0]) <= best * 1.01 + 1e-6


def test_extreme_times_neither_overflow_nor_stop_the_fit():
    target = np.log([[[1e-9, 1e15], [1e15, 1e-9], [1.0, 1.0]]])
    start = Logs(np.array([[[0.1, 0.0]] * 3]), np.array([[[0.1, 0], [0, 0.1]]]))
    found, reached = fit(target, np.ones((1, 3, 2)), start, EXACT)
    assert np.isfinite(found.times()).all()
    assert reached[0] < 1e-6


def test_where_nothing_is_known_the_start_stays():
    target, _, start = drawn(2, 3, 3, 2)
    found, reached = fit(target, np.zeros((1, 3, 3)), start, EXACT)
    assert reached[0] == 0
    assert found.task == pytest.approx(start.task)


def test_a_fit_that_is_cancelled_ends():
    with pytest.raises(Cancelled, match="never measured"):
        fit(*drawn(1, 3, 3, 2), EXACT, lambda: True)


def test_a_fit_without_error_ends_at_once():
    steps = []

    def count():
        steps.append(1)
        return False

    start = Logs(np.zeros((1, 2, 1)), np.zeros((1, 1, 2)))
    target, weights = np.zeros((1, 2, 2)), np.ones((1, 2, 2))
    _, loss = fit(target, weights, start, Precision(1e-12, 60), count)
    assert loss.tolist() == [0.0]
    assert len(steps) <= 10  # the damping is first to become small
