"""The front as a table has its units in the column names and every figure of the study."""

import csv
import io

import pytest

from core.engines.front.data import COLUMNS, SCHEDULE, VERTEX, front_csv
from core.engines.front.methods import Lp
from core.engines.front.study import study
from core.engines.verify.judge import verify
from core.files.samples.named import load_sample
from core.vocabulary.budget import Effort


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
