"""A front and a study as data have every figure of theirs, as plain numbers and lists."""

import csv
import io
import json

import pytest

from core.engines.front.data import (
    COLUMNS,
    SCHEDULE,
    VERTEX,
    front_as_data,
    front_csv,
    study_as_data,
    unverified,
)
from core.engines.front.methods import Lp
from core.engines.front.study import study
from core.engines.verify.judge import verify
from core.files.samples.named import load_sample
from core.vocabulary.budget import Effort


@pytest.fixture(scope="module")
def found(two_by_two):
    """At 900 J in 30 s, 1,140 J in 18 s and 1,360 J in 12 s."""
    return study(two_by_two(), Lp(2.0), effort=Effort(0))


def test_a_front_has_vertices_ends_and_prices(found):
    data = front_as_data(found.front)
    assert list(data) == ["vertices", "exact", "utopia", "nadir", "exchange_rates", "slower"]
    assert data["vertices"] == [pytest.approx(row) for row in ([900, 30], [1140, 18], [1404, 10.8])]
    assert data["exact"] is True
    assert data["utopia"] == pytest.approx([900, 10.8])
    assert data["nadir"] == pytest.approx([1404, 30])
    assert data["exchange_rates"] == pytest.approx([20, 110 / 3])
    assert data["slower"] == []


def test_a_study_has_schedules_areas_knee_and_gap_besides(found):
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


def test_without_schedules_the_knee_is_that_of_the_front(two_by_two):
    data = study_as_data(study(two_by_two(), "bound"))
    assert data["knee"] == pytest.approx([1140, 18])
    assert (data["schedules"], data["gaps"], data["largest_gap"]) == ([], [], None)


def test_one_point_has_neither_knee_nor_gap(two_by_two):
    data = study_as_data(study(two_by_two(100, 30), "bound"))
    assert (data["knee"], data["largest_gap"], data["exchange_rates"]) == (None, None, [])


def test_a_study_that_is_wrong_is_named():
    problem = unverified("mine")
    assert (problem.file, problem.row, problem.column) == ("mine", "", "")
    assert "do not use it" in str(problem)


def test_every_vertex_and_every_undominated_schedule_is_a_row():
    found = study(load_sample("testbed").with_idle_fraction(0.1), Lp(0.1), effort=Effort(0))
    table = csv.DictReader(io.StringIO(front_csv(found).decode()))
    assert tuple(table.fieldnames) == COLUMNS
    rows = list(table)
    points = {what: [] for what in (VERTEX, SCHEDULE)}
    for row in rows:
        joules, seconds = float(row["energy (J)"]), float(row["makespan (s)"])
        points[row["what"]].append([joules, seconds])
        assert float(row["energy (kWh)"]) == pytest.approx(joules / 3.6e6)
        assert float(row["average power (W)"]) == pytest.approx(joules / seconds)
        above = row["at most above the bound (%)"]
        if row["what"] == SCHEDULE:
            least = found.proven.least_energy(seconds)
            assert float(above) == pytest.approx(100 * (joules / least - 1), abs=1e-9)
        else:
            assert above == ""
    assert points[VERTEX] == found.front.points.tolist()
    assert points[SCHEDULE] == found.achieved.tolist()
    best = [found.schedules[place] for place in found.on_front.nonzero()[0]]
    for (joules, seconds), schedule in zip(points[SCHEDULE], best, strict=True):
        verdict = verify(schedule, found.system)
        assert (joules, seconds) == pytest.approx((verdict.energy, verdict.makespan))


def test_the_bound_alone_is_a_table_too():
    found = study(load_sample("two-by-two"), method="bound")
    lines = front_csv(found).decode().splitlines()
    assert len(lines) == 1 + len(found.front)
    assert SCHEDULE not in {line.partition(",")[0] for line in lines[1:]}


def test_the_table_of_the_system_worked_out_by_hand(two_by_two):
    found = study(two_by_two(), Lp(2.0), effort=Effort(0))
    lines = front_csv(found).decode().split("\n")
    assert lines[0] == (
        "what,makespan (s),energy (J),energy (kWh),average power (W),at most above the bound (%)"
    )
    assert lines[1] == "vertex of the proven bound,30.0,900.0,0.00025,30.0,"
    assert lines[4] == "schedule,30.0,900.0,0.00025,30.0,0.0"
    assert lines[6].startswith("schedule,12.0,1360.0,0.00037777777777777777,113.33333333333333,")
    assert lines[7:] == [""]


def test_where_nothing_above_0_is_proven_no_share_is_said(two_by_two):
    found = study(two_by_two(), Lp(2.0), effort=Effort(0))
    object.__setattr__(found, "gaps", [None, 0.015, None])
    rows = [line.rpartition(",")[2] for line in front_csv(found).decode().splitlines()[4:]]
    assert rows == ["", "1.5", ""]
