"""What machine types are good at is drawn as it was counted."""

import numpy as np
import pytest

from core.files.samples.generate import Generation, MachineLevels, generate
from core.files.samples.named import load_sample
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System
from dashboard.parts.charts.palette import OTHERS
from dashboard.parts.machines.insight import insight
from dashboard.screens.machines.strengths_chart import best_counts, strengths


def test_points_are_the_averages_above_the_best_and_grey_where_never_best() -> None:
    system = load_sample("nine")
    found = insight(system)
    assert found.thrift is not None
    some, never = strengths(system, found).data
    np.testing.assert_allclose(sorted([*some.x, *never.x]), sorted(100 * found.speed.excess))
    np.testing.assert_allclose(sorted([*some.y, *never.y]), sorted(100 * found.thrift.excess))
    assert (never.marker.color, list(never.text)) == (OTHERS, ["M1", "M2", "M5", "M7"])


def test_thrift_needs_powers() -> None:
    system = load_sample("e1")
    with pytest.raises(ValueError, match="no powers"):
        strengths(system, insight(system))


def test_bars_count_the_task_types() -> None:
    system = load_sample("two-by-two")
    fastest, thriftiest = best_counts(system, insight(system)).data
    assert (list(fastest.x), list(thriftiest.x)) == ([2, 0], [0, 2])


def test_without_powers_there_is_one_bar_a_machine_type() -> None:
    system = load_sample("e1")
    assert len(best_counts(system, insight(system)).data) == 1


def test_of_many_machine_types_the_best_are_shown_and_said_so() -> None:
    wanted = Generation(task_types=30, machine_types=60, machines=60, apc=MachineLevels())
    system = generate(wanted)
    found = insight(system)
    figure = best_counts(system, found)
    assert len(figure.layout.yaxis.ticktext) == 24
    assert "of 60" in figure.layout.yaxis.title.text
    assert found.thrift is not None
    wins = np.sort(found.speed.wins + found.thrift.wins)[-24:]
    assert sum(figure.data[0].x) + sum(figure.data[1].x) == wins.sum()
    assert strengths(system, found).data[0].mode == "markers"


def test_names_that_are_markup_are_shown_as_text() -> None:
    system = System((TaskType("T"),), (MachineType("<b>"),), np.array([[1.0]]), np.array([[1.0]]))
    found = insight(system)
    for figure in (best_counts(system, found), strengths(system, found)):
        assert "<b>&lt;b&gt;</b>" in figure.data[0].customdata[0]


@pytest.mark.parametrize(("types", "named"), [(29, True), (30, True), (31, False)])
def test_thirty_machine_types_are_named_beside_their_points(types: int, *, named: bool) -> None:
    system = generate(
        Generation(task_types=2, machine_types=types, machines=types, apc=MachineLevels())
    )
    points = strengths(system, insight(system)).data[0]
    assert points.mode == ("markers+text" if named else "markers")
