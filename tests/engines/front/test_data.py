"""A front and a study as data have every figure of theirs, as plain numbers and lists."""

import json
from collections.abc import Callable

import pytest

from core.engines.front.data import front_as_data, study_as_data, unverified
from core.engines.front.methods import Lp
from core.engines.front.study import Study, study
from core.vocabulary.budget import Effort
from core.vocabulary.system import System


@pytest.fixture(scope="module")
def found(two_by_two: Callable[..., System]) -> Study:
    """At 900 J in 30 s, 1,140 J in 18 s and 1,360 J in 12 s."""
    return study(two_by_two(), Lp(2.0), effort=Effort(0))


def test_a_front_has_vertices_ends_and_prices(found: Study) -> None:
    data = front_as_data(found.front)
    assert list(data) == ["vertices", "exact", "utopia", "nadir", "exchange_rates", "slower"]
    assert data["vertices"] == [pytest.approx(row) for row in ([900, 30], [1140, 18], [1404, 10.8])]
    assert data["exact"] is True
    assert data["utopia"] == pytest.approx([900, 10.8])
    assert data["nadir"] == pytest.approx([1404, 30])
    assert data["exchange_rates"] == pytest.approx([20, 110 / 3])
    assert data["slower"] == []


def test_a_study_has_schedules_areas_knee_and_gap_besides(found: Study) -> None:
    data = study_as_data(found)
    assert data | front_as_data(found.front) | {"nadir": data["nadir"]} == data
    assert data["method"] == "lp"
    assert data["schedules"] == [[900, 30], [1140, 18], [1360, 12]]
    assert data["gaps"] == found.gaps
    assert data["nadir"] == pytest.approx([1404, 30])
    assert data["area"] == pytest.approx(
        {"outer": 5558.4, "inner": 3432, "between": 2126.4, "loose": 3212.945455}
    )
    assert data["knee"] == [1140, 18]
    assert data["largest_gap"] == {"left": 0, "energy": 240, "makespan": 12}
    assert json.loads(json.dumps(data)) == data


def test_without_schedules_the_knee_is_that_of_the_front(two_by_two: Callable[..., System]) -> None:
    data = study_as_data(study(two_by_two(), "bound"))
    assert data["knee"] == pytest.approx([1140, 18])
    assert (data["schedules"], data["gaps"], data["largest_gap"]) == ([], [], None)


def test_one_point_has_neither_knee_nor_gap(two_by_two: Callable[..., System]) -> None:
    data = study_as_data(study(two_by_two(100, 30), "bound"))
    assert (data["knee"], data["largest_gap"], data["exchange_rates"]) == (None, None, [])


def test_a_study_that_is_wrong_is_named() -> None:
    problem = unverified("mine")
    assert (problem.file, problem.row, problem.column) == ("mine", "", "")
    assert "do not use it" in str(problem)
