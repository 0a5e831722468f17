"""The profit experiments' environment is the published one's size; answers tell what is earned."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.publications.profit import answers as profit_answers
from benchmarks.publications.profit.answers import answer, environment, point
from core.engines.relaxed import trace_front


def test_the_environment_is_as_large_as_published():
    system = environment()
    assert (system.tasks, system.machines) == (11_000, 360)
    assert system.total_idle_power == 0


@pytest.mark.parametrize(("ratio", "watts"), [(1.01, 150.496), (1.2, 3814.180), (1.5, 13043.856)])
def test_bounds_are_those_computed_elsewhere(larger_nine, ratio, watts):
    found = answer(trace_front(larger_nine), ratio, seconds=0.0)
    assert found.profit.bound.value == pytest.approx(watts, abs=1e-3)
    assert found.published.profit <= found.profit.bound.value
    assert (point(found.published) > 0.999 * found.bound).all()


def test_where_ours_would_not_run_only_the_published_phases_earn(idle_answers):
    one = idle_answers.each[0]
    assert one.earned == (one.published, one.profit.earnings)
    idle = replace(one, profit=replace(one.profit, earnings=None))
    assert idle.earned == (one.published,)


def test_places_and_powers_are_read_in_the_units_of_the_report():
    assert profit_answers.place(np.array([102.5e6, 6812.25])) == "102.50 MJ, 6,812 s"
    assert profit_answers.kilowatts(-1971.287) == "-1.971 kW"
