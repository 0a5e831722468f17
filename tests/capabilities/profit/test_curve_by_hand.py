"""Profit at every price, worked out by hand.

Of the 2 x 2 instance with 20 and 10 idle watts: a batch takes 1,500 J in 30 s, 1,380 J in 18 s or
1,404 J in 10.8 s, in parts of tasks; only the last two are on the front. Idle machines draw 30 W.
"""

from collections.abc import Callable

import numpy as np
import pytest

from core.capabilities.profit.curve import ProfitCurve, curve, price_range
from core.capabilities.profit.terms import Terms
from core.engines.relaxed import trace_front
from core.vocabulary.arrays import FloatArray
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System


def along(system: System, terms: Terms, ends: tuple[float, float]) -> ProfitCurve:
    return curve(system, terms, trace_front(system), ends)


def best_of(points: list[tuple[float, float]], prices: FloatArray) -> FloatArray:
    """Money a second of the best of these costs and seconds of a batch."""
    best: FloatArray = np.max([(prices - cost) / seconds for cost, seconds in points], axis=0)
    return best


def test_every_price_without_a_cap(two_by_two: Callable[..., System]) -> None:
    """At a joule's price of 2, with an overhead of 100, standing costs of 60 + 5."""
    terms = Terms(1.0, 2.0, overhead=100.0, depreciation=(2.0, 3.0))
    found = along(two_by_two(20, 10), terms, (1000.0, 4000.0))
    steps = [2 * 600 + 100, 2 * 1200 + 100, 2 * 1440 + 100]
    expected = np.union1d(np.linspace(1000, 4000, 271), steps)
    assert found.prices == pytest.approx(expected)
    prices = found.prices
    front = [(2 * 840 + 100, 18.0), (2 * 1080 + 100, 10.8)]
    most = np.maximum(best_of([*front, (2 * 600 + 100, 30.0)], prices), 0.0) - 65
    assert found.at_most == pytest.approx(most)
    assert found.on_front == pytest.approx(best_of(front, prices) - 65)
    assert found.steps.break_even == pytest.approx(2 * 840 + 65 * 18)


def test_steps_beyond_the_ends_are_left_out(two_by_two: Callable[..., System]) -> None:
    found = along(two_by_two(20, 10), Terms(1.0), (600.0, 1200.0))
    assert len(found.prices) == 271
    assert found.prices[[0, -1]].tolist() == [600, 1200]
    wider = along(two_by_two(20, 10), Terms(1.0), (599.0, 1201.0))
    assert len(wider.prices) == 273


def test_a_cap_cuts_the_front(two_by_two: Callable[..., System]) -> None:
    """Between 1,380 J in 18 s and 1,404 J in 10.8 s lies what draws 100 W."""
    found = along(two_by_two(20, 10), Terms(1.0, power_cap=100.0), (1300.0, 2000.0))
    assert found.prices == pytest.approx(np.linspace(1300, 2000, 28))
    way = 420 / (420 + 324)
    cut = (840 + way * 240, 18 - way * 7.2)
    assert found.on_front == pytest.approx(best_of([(840, 18.0), cut], found.prices) - 30)
    assert found.at_most == pytest.approx(found.on_front)


def test_a_cap_cuts_the_front_where_other_schedules_cost_less(
    two_by_two: Callable[..., System],
) -> None:
    """B wears out, which is busy throughout; from 1,600 to 4,100 the cut is the best of the front,
    and A alone is better.
    """
    terms = Terms(1.0, wear=(0.0, 100.0), power_cap=100.0)
    found = along(two_by_two(20, 10), terms, (1700.0, 4000.0))
    way = 420 / (420 + 324)
    cut = (2640 + way * (2160 - 2640), 18 - way * 7.2)
    assert found.on_front == pytest.approx(best_of([cut], found.prices) - 30)
    assert (found.on_front < found.at_most - 0.5).all()


@pytest.mark.parametrize("cap", [130 * (1 + 1e-12), 200.0])
def test_a_cap_that_all_keep_cuts_nothing(two_by_two: Callable[..., System], cap: float) -> None:
    found = along(two_by_two(20, 10), Terms(1.0, power_cap=cap), (1300.0, 2000.0))
    front = [(840, 18.0), (1080, 10.8)]
    assert found.on_front == pytest.approx(best_of(front, found.prices) - 30)


def test_the_first_of_the_front_may_be_all_that_keeps_the_cap(
    two_by_two: Callable[..., System],
) -> None:
    found = along(
        two_by_two(20, 10), Terms(1.0, power_cap=1380 / 18 * (1 + 1e-12)), (1300.0, 2000.0)
    )
    assert found.on_front == pytest.approx(best_of([(840, 18.0)], found.prices) - 30)


def test_a_cap_that_nothing_of_the_front_keeps(two_by_two: Callable[..., System]) -> None:
    found = along(two_by_two(20, 10), Terms(1.0, power_cap=76.0), (1300.0, 2000.0))
    assert np.isnan(found.on_front).all()
    assert np.isfinite(found.at_most).all()


def test_the_front_is_no_better_than_whole_tasks_may_be() -> None:
    """A task of 10 s and 100 W on ten machines, which idle at 50 W; in parts it would take 1 s."""
    system = System(
        (TaskType("task", 1),),
        (MachineType("machine", 10, 50.0),),
        np.array([[10.0]]),
        np.array([[100.0]]),
    )
    found = along(system, Terms(1.0), (1000.0, 2000.0))
    assert found.at_most == pytest.approx((found.prices - 500) / 10 - 500)
    np.testing.assert_array_equal(found.on_front, found.at_most)


@pytest.mark.parametrize(
    ("price", "ends"),
    [(2.0, (0.6, 6.0)), (0.5, (0.5, 6.0)), (7.0, (0.6, 7.0)), (0.0, (0.0, 6.0))],
)
def test_prices_reach_from_low_to_high_ratios_and_to_the_price_that_there_is(
    price: float, ends: tuple[float, float]
) -> None:
    assert price_range(2.0, price) == pytest.approx(ends)
