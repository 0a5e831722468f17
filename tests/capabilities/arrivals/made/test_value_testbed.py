"""The testbed has its hosts, each of which a size fits; files and seeds say the same again."""

from pathlib import Path

import numpy as np
import pytest

from core.capabilities.arrivals.asked import ArrivalsSettings
from core.capabilities.arrivals.files.workload_reader import inspect_workload
from core.capabilities.arrivals.files.workload_writer import write_workload
from core.capabilities.arrivals.made.recipes import RECIPES
from core.capabilities.arrivals.made.value_testbed import HostSettings, draw_value_testbed


def test_a_size_fits_one_host_and_jobs_may_choose_any() -> None:
    workload = draw_value_testbed(HostSettings()).workload
    pools, options = workload.pools, workload.options
    assert options.further is not None
    assert pools.further is not None
    assert pools.names == ("host 1", "host 2", "host 3", "host 4")
    assert (pools.units.tolist(), pools.further.tolist()) == ([20] * 4, [[24]] * 4)
    assert (options.units.max(), options.further.max()) == (16, 16)
    allowed = np.diff(options.first)
    assert (allowed % 4 == 0).all()
    assert allowed.max() == 80
    same = options.units.reshape(-1, 4) == options.units[::4, None]
    assert same.all()
    assert (options.pool.reshape(-1, 4) == range(4)).all()
    a_unit = options.joules / (options.units + options.further[:, 0])
    for kind in range(4):
        mine = a_unit[workload.jobs.type[options.job] == kind]
        assert mine == pytest.approx(mine[0]), "energy grows with cores and GB"


@pytest.mark.parametrize("at_peak", [False, True])
def test_jobs_grow_with_hosts_and_come_in_all_hours(*, at_peak: bool) -> None:
    days = [draw_value_testbed(HostSettings(hosts, at_peak)) for hosts in (1, 3)]
    small, large = (day.workload for day in days)
    assert len(large.jobs) == 3 * len(small.jobs)
    hours = np.bincount((large.jobs.arrival // 3600).astype(int))
    assert len(hours) == (3 if at_peak else 6)
    assert (hours[0] < hours[2] / 2) == (not at_peak)
    values = days[0].values
    _, energy = values.weights.of(0 * values.category, small.jobs.arrival)
    assert set(energy) == ({4} if at_peak else {1, 2, 4}), "a regular job counts by its period"


def test_a_seed_draws_the_same_and_files_keep_it(tmp_path: Path) -> None:
    day = draw_value_testbed(HostSettings(hosts=1, jobs_a_core=0.2, seed=7))
    again = draw_value_testbed(HostSettings(hosts=1, jobs_a_core=0.2, seed=7))
    other = draw_value_testbed(HostSettings(hosts=1, jobs_a_core=0.2, seed=8))
    assert again.workload.jobs.arrival.tolist() == day.workload.jobs.arrival.tolist()
    assert other.workload.jobs.arrival.tolist() != day.workload.jobs.arrival.tolist()
    write_workload(day.file, tmp_path / "w")
    read = inspect_workload(tmp_path / "w").require()
    assert read.workload.options.added.tolist() == day.workload.options.added.tolist()
    assert read.workload.jobs.priority.tolist() == day.workload.jobs.priority.tolist()
    assert read.values is not None
    assert read.values.weights.period.tolist() == day.values.weights.period.tolist()


def test_the_recipe_is_that_of_the_page_and_of_value() -> None:
    asked = ArrivalsSettings(workload="value-testbed")
    assert asked.recipe is RECIPES["value-testbed"]
    assert asked.is_of_value(None)
    assert not ArrivalsSettings(workload="testbed").is_of_value(None)
    assert RECIPES["value-testbed"].draw(0).of_value
