"""A budget goes to schedules, and to proofs where these come to something."""

import numpy as np
import pytest

from core.engines.front.proven import Proven
from core.engines.front.tighten import tighten
from core.engines.front.wish import Deadline
from core.engines.kernels import load_kernels
from core.engines.recover.along import points_of, recover_along
from core.engines.relaxed import Front, trace_front
from core.files.samples.named import load_sample
from core.vocabulary.arrays import FloatArray
from core.vocabulary.budget import Budget, Stopwatch
from core.vocabulary.plane.points import sorted_front
from core.vocabulary.schedule import Schedule


def begun(name: str) -> tuple[Front, list[Schedule]]:
    load_kernels()
    front = trace_front(load_sample(name))
    return front, recover_along(front.system, front.points, front.placements, 0.1)[0]


def test_it_polishes_and_proves_and_reports() -> None:
    front, schedules = begun("nine")
    told: list[tuple[float, FloatArray]] = []
    clock, budget = Stopwatch(), Budget.of_work(0.6)
    found, patterns = tighten(
        Proven.of(front), schedules, budget, clock, report=lambda *progress: told.append(progress)
    )
    assert found[: len(schedules)] == schedules
    assert len(found) > len(schedules)
    assert patterns is not None
    assert list(clock.seconds) == ["patterns", "polish"]
    spent = [work for work, _ in told]
    assert spent == sorted(spent)
    assert 0 < spent[0] < spent[-1] <= 0.6
    assert all(points.shape[1] == 2 and len(points) for _, points in told)
    # While the fast end is polished, which comes first, this is the best there is.
    np.testing.assert_array_equal(told[0][1], sorted_front(points_of(schedules)))
    # While patterns are sought, which comes last, no more is found.
    last = sorted_front(points_of(found))
    np.testing.assert_array_equal(told[-1][1], last)
    polishing = [work for work, best in told if not np.array_equal(best, last)]
    assert max(polishing) == pytest.approx(0.65 * 0.6, abs=0.03)
    assert spent[-1] > max(polishing)


def test_where_nothing_is_proven_polish_has_all_that_is_left() -> None:
    front, schedules = begun("two")
    clock, spent = Stopwatch(), list[float]()
    _, patterns = tighten(
        Proven.of(front),
        schedules,
        Budget.of_work(0.6),
        clock,
        report=lambda work, _: spent.append(work),
    )
    assert patterns is None
    assert min(spent) < 0.2
    assert max(spent) == 0.6
    assert list(clock.seconds) == ["patterns", "polish"]


@pytest.mark.parametrize(("work", "wish"), [(0.25, None), (0.5, Deadline(3000.0))])
def test_with_a_wish_or_in_no_time_it_is_polish_alone(work: float, wish: Deadline | None) -> None:
    front, schedules = begun("nine")
    clock = Stopwatch()
    found, patterns = tighten(Proven.of(front), schedules, Budget.of_work(work), clock, wish=wish)
    assert patterns is None
    assert list(clock.seconds) == ["polish"]
    assert len(found) > len(schedules)


def test_told_to_stop_it_soon_does_with_what_there_is() -> None:
    front, schedules = begun("six")
    clock = Stopwatch()
    found, patterns = tighten(
        Proven.of(front), schedules, Budget(600, should_stop=lambda: True), clock
    )
    assert patterns is None
    assert found[: len(schedules)] == schedules
