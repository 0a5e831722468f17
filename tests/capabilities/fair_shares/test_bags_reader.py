"""Bags are read from any format, blanks are no limits, and what is wrong is said with its place."""

import math
from pathlib import Path

import numpy as np
import pytest
from capabilities.fair_shares.bag_files import TASKS, bags_in

from core.capabilities.fair_shares.bags import ArrivingBags
from core.capabilities.fair_shares.bags_reader import inspect_bags
from core.files.system_file import inspect_system


def read(path: Path) -> ArrivingBags:
    system = inspect_system(path).require()
    return inspect_bags(path, system).require()


def faults(path: Path) -> list[str]:
    reading = inspect_bags(path, inspect_system(path).require())
    assert not reading.ok
    return [str(problem) for problem in reading.problems]


def test_columns_are_in_seconds_and_megabytes(tmp_path: Path) -> None:
    machines = "machine_type,count,link,memory\nM1,1,2,\nM2,3,,0.5\n"
    bags = read(bags_in(tmp_path, machines_csv=machines))
    assert bags.release.tolist() == [0, 3, 5]
    assert bags.data.tolist() == [1e6, 2e6, 4e6]
    assert bags.network.bandwidth == 3e6
    assert bags.network.links.tolist() == [2e6, math.inf]
    assert bags.network.memory.tolist() == [math.inf, 5e5]
    assert bags.system.machine_counts.tolist() == [1, 3]


def test_without_columns_nothing_is_limited(tmp_path: Path) -> None:
    path = bags_in(
        tmp_path,
        tasks_csv="task_type,count\nA,10\nB,6\nC,0\n",
        machines_csv="machine_type,count\nM1,1\nM2,0\n",
        network_toml="",
    )
    bags = read(path)
    assert not bags.release.any()
    assert not bags.data.any()
    assert math.isinf(bags.network.bandwidth)
    assert np.isinf([bags.network.links, bags.network.memory]).all()
    assert bags.names == ("A", "B")


def test_titles_may_have_units(tmp_path: Path) -> None:
    tasks = TASKS.replace("release,data", "Release date (s),Data per task (MB)")
    machines = "machine_type,count,Bandwidth (MB/s),Buffers [MB]\nM1,1,2,7\nM2,1,2,8\n"
    bags = read(bags_in(tmp_path, tasks_csv=tasks, machines_csv=machines))
    assert bags.release.tolist() == [0, 3, 5]
    assert bags.data.tolist() == [1e6, 2e6, 4e6]
    assert bags.network.memory.tolist() == [7e6, 8e6]


def test_a_wrong_unit_is_not_taken_for_the_right_one(tmp_path: Path) -> None:
    reading = inspect_system(bags_in(tmp_path, tasks_csv=TASKS.replace("data", "data (GB)")))
    assert [problem.message for problem in reading.problems] == [
        "columns that are not used: data (GB); remove them"
    ]


def test_a_system_reads_without_a_word_about_them(tmp_path: Path) -> None:
    assert inspect_system(bags_in(tmp_path)).problems == ()


def test_a_benchmark_has_bags_without_more(tmp_path: Path) -> None:
    path = tmp_path / "u_c_hihi.0"
    path.write_text("2 2\n1\n2\n3\n4\n", encoding="utf-8")
    bags = read(path)
    assert bags.system.tasks == 2
    assert not bags.release.any()


def test_every_fault_is_said(tmp_path: Path) -> None:
    path = bags_in(
        tmp_path,
        tasks_csv="task_type,count,release,data\nA,10,x,1\nB,6,3,-2\nC,4,5,4\n",
        machines_csv="machine_type,count,link,memory\nM1,1,0,\nM2,1,2,-1\n",
        network_toml='bandwith = 3\nbandwidth = "x"\n',
    )
    assert faults(path) == [
        "error: tasks.csv, row A, column release: 'x' is not a number; give one",
        "error: tasks.csv, row B, column data: -2 is out of range; give 0 to 1e+12 MB a task",
        "error: machines.csv, row M1, column link: 0 is out of range; give 1e-09 to inf MB/s",
        "error: machines.csv, row M2, column memory: -1 is out of range; give 0 to 1e+15 MB",
        "error: network.toml, column bandwith: is not a key of a network; did you mean bandwidth?",
        "error: network.toml, column bandwidth: 'x' is text; give a number, without quotation "
        "marks",
    ]


@pytest.mark.parametrize("text", ["bandwidth = 0\n", "bandwidth = -3\n", "bandwidth = [1]\n"])
def test_a_bandwidth_that_cannot_be_is_refused(tmp_path: Path, text: str) -> None:
    assert "network.toml, column bandwidth" in faults(bags_in(tmp_path, network_toml=text))[0]


def test_settings_that_are_no_toml_are_refused(tmp_path: Path) -> None:
    assert "is not valid TOML" in faults(bags_in(tmp_path, network_toml="bandwidth ="))[0]


def test_a_release_may_be_a_time_of_day(tmp_path: Path) -> None:
    """Issue 33, point 31: `09:30` as the page takes it; time 0 is 08:00."""
    tasks = "task_type,count,release\nA,10,08:00\nB,6,1 d 09:30\nC,4,07:30:15\n"
    assert read(bags_in(tmp_path, tasks_csv=tasks)).release.tolist() == [0, 91800, -1785]
    path = bags_in(tmp_path, tasks_csv=tasks.replace("08:00", "25:00"))
    (problem,) = inspect_bags(path, inspect_system(path).require()).problems
    assert problem.row == "A"
    assert problem.message == "'25:00' is not a number; give one such as 12.5"
