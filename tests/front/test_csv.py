"""The front as a table has its units in the column names and every figure of the study."""

import csv
import io

import pytest

from core.front.csv import COLUMNS, SCHEDULE, VERTEX, front_csv
from core.front.methods import Lp
from core.front.study import study
from core.model.budget import Effort
from core.samples.named import load_sample
from core.verify.judge import verify


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
