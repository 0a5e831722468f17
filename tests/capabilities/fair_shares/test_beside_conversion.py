"""`wattfront convert` keeps bags and their network in every format."""

import math
from pathlib import Path

import pytest
from capabilities.fair_shares.bag_files import bags_in
from capabilities.provision.plan_files import folder_with, same

from core.capabilities.fair_shares.bags import ArrivingBags
from core.capabilities.fair_shares.bags_reader import inspect_bags
from core.capabilities.fair_shares.beside import kept
from core.capabilities.provision.files.plan_format import read_plan
from core.files.beside import KeptBeside
from core.files.findings import Findings
from core.files.system_file import inspect_system


def read(path: Path) -> ArrivingBags:
    return inspect_bags(path, inspect_system(path).require()).require()


@pytest.mark.parametrize("out", ["out", "out.zip", "out.xlsx", "out.json"])
def test_every_format_has_the_same_bags(wattfront, tmp_path: Path, out: str) -> None:
    machines = "machine_type,count,link,memory\nM1,0,2,\nM2,1,2,0.25\n"
    path = bags_in(tmp_path / "in", machines_csv=machines)
    said = wattfront("convert", path, tmp_path / out)
    assert said.status == 0, said.err
    assert said.out.rstrip().endswith("with its network")
    before, after = read(path), read(tmp_path / out)
    assert after.system == before.system
    assert after.network.bandwidth == before.network.bandwidth == 3e6
    for name in ("release", "data"):
        assert getattr(after, name).tolist() == getattr(before, name).tolist()
    for name in ("links", "memory"):
        assert getattr(after.network, name).tolist() == getattr(before.network, name).tolist()


def test_columns_that_are_not_there_are_not_made_up(wattfront, tmp_path: Path) -> None:
    tasks = "task_type,count,release\nA,1,\nB,1,7\nC,1,\n"
    machines = "machine_type,count\nM1,1\nM2,1\n"
    path = bags_in(tmp_path / "in", tasks_csv=tasks, machines_csv=machines, network_toml="")
    wattfront("convert", path, tmp_path / "out")
    assert (tmp_path / "out" / "tasks.csv").read_text().splitlines() == [
        "task_type,count,release",
        "A,1,0.0",
        "B,1,7.0",
        "C,1,0.0",
    ]
    assert (tmp_path / "out" / "machines.csv").read_text().splitlines()[0] == (
        "machine_type,count,idle_power"
    )


def test_what_is_wrong_is_said_and_the_system_is_written(wattfront, tmp_path: Path) -> None:
    path = bags_in(tmp_path / "in", network_toml="bandwidth = 0\n")
    said = wattfront("convert", path, tmp_path / "out")
    assert said.status == 0
    assert "the network is not written, only its system, since it has errors: 0 is out" in said.err


def test_of_what_is_left_out_the_first_error_is_said_and_no_note() -> None:
    odd, wrong = Findings(), Findings()
    odd.warning("tasks.csv", "", "", "is odd")
    wrong.error("network.toml", "", "bandwidth", "is wrong")
    (said,) = KeptBeside.left_out("it", odd, wrong).problems
    assert (said.file, said.column, said.severity) == ("network.toml", "bandwidth", "warning")
    assert said.message == "it is not written, only its system, since it has errors: is wrong"


def test_a_plan_is_still_one(tmp_path: Path) -> None:
    assert kept(folder_with(tmp_path)).additions is None


@pytest.mark.parametrize("out", ["out", "out.zip", "out.xlsx", "out.json"])
def test_a_plan_and_a_network_are_both_kept(wattfront, tmp_path: Path, out: str) -> None:
    tasks = (
        "task_type,count,release,data,reward,arrival_rate\nA,10,,1,1,2\nB,6,3,2,3,0.5\nC,4,,,2,1\n"
    )
    machines = "machine_type,count,price,link,max\nM1,0,10,2,\nM2,1,7,,4\n"
    path = bags_in(tmp_path / "in", tasks_csv=tasks, machines_csv=machines)
    (path / "plan.toml").write_text("[limits]\nbudget = 100\n")
    said = wattfront("convert", path, tmp_path / out)
    assert said.status == 0, said.err
    assert said.out.rstrip().endswith("with its plan and its network")
    before, after = read(path), read(tmp_path / out)
    assert after.network.links.tolist() == before.network.links.tolist() == [2e6, math.inf]
    assert after.network.bandwidth == 3e6
    assert after.release.tolist() == [0, 3, 0]
    same(read_plan(tmp_path / out), read_plan(path))


def test_what_of_a_plan_is_not_kept_is_said_beside_a_network(wattfront, tmp_path: Path) -> None:
    tasks = "task_type,count,release,reward\nA,10,,1\nB,6,3,2\nC,4,5,3\n"
    path = bags_in(tmp_path / "in", tasks_csv=tasks)
    said = wattfront("convert", path, tmp_path / "out.json")
    assert said.out.rstrip().endswith("with its network")
    assert "columns of a plan are not written: reward; add plan.toml to keep them" in said.err
