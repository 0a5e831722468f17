"""`wattfront check` says what the bags and the network are, or all that is wrong with them."""

from pathlib import Path

from capabilities.fair_shares.bag_files import bags_in
from capabilities.provision.plan_files import folder_with

from core.capabilities.fair_shares.beside import seen

TASKS = "task_type,count,release,data,reward,arrival_rate\nA,10,,1,1,2\nB,6,3,2,1,2\nC,4,5,4,1,2\n"
MACHINES = "machine_type,count,link,memory,price\nM1,1,2,,10\nM2,0,2,,7\n"
PLAN = "[limits]\nbudget = 100\n"


def test_a_network_is_said(wattfront, tmp_path: Path) -> None:
    outcome = wattfront("check", bags_in(tmp_path))
    assert (outcome.status, outcome.err) == (0, "")
    assert "\n  network     the master sends 3 MB/s, links of 2 MB/s a machine\n" in outcome.out
    assert "\n  releases    3 bags, released at 0 s to 5 s" in outcome.out
    data = wattfront("check", bags_in(tmp_path), "--json").data
    assert data["network"] == {"bandwidth": 3.0, "first_release": 0.0, "last_release": 5.0}
    assert (data["ok"], data["problems"], data["machines"]) == (True, [], 2)


def test_columns_alone_are_said(wattfront, tmp_path: Path) -> None:
    tasks = "task_type,count,release\nA,10,7\nB,6,7\nC,4,7\n"
    machines = "machine_type,count\nM1,1\nM2,1\n"
    folder = bags_in(tmp_path, tasks_csv=tasks, machines_csv=machines, network_toml="")
    said = wattfront("check", folder).out
    assert "network     without limits" in said
    assert "releases    3 bags, released at 7 s\n" in f"{said}\n"
    assert wattfront("check", folder, "--json").data["network"]["bandwidth"] is None


def test_a_plan_and_a_network_are_both_said(wattfront, tmp_path: Path) -> None:
    folder = bags_in(tmp_path, tasks_csv=TASKS, machines_csv=MACHINES)
    (folder / "plan.toml").write_text(PLAN)
    outcome = wattfront("check", folder)
    assert (outcome.status, outcome.err) == (0, "")
    assert "plan        2 machine types to buy from, budget 100 EUR" in outcome.out
    assert "network     the master sends 3 MB/s" in outcome.out
    data = wattfront("check", folder, "--json").data
    assert (data["plan"]["budget"], data["network"]["bandwidth"], data["machines"]) == (100, 3, 1)


def test_a_plan_without_machines_may_have_a_network(wattfront, tmp_path: Path) -> None:
    machines = MACHINES.replace("M1,1", "M1,0")
    folder = bags_in(tmp_path, tasks_csv=TASKS, machines_csv=machines)
    assert wattfront("check", folder).status == 2
    (folder / "plan.toml").write_text(PLAN)
    data = wattfront("check", folder, "--json").data
    assert (data["ok"], data["machines"], data["problems"]) == (True, 0, [])


def test_faults_of_both_are_said_once(wattfront, tmp_path: Path) -> None:
    tasks = TASKS.replace("B,6,3,", "B,6,soon,").replace("A,10", "A,-10")
    folder = bags_in(tmp_path, tasks_csv=tasks, network_toml="bandwidht = 3\n")
    (folder / "plan.toml").write_text("[limits]\nbudgett = 100\n")
    outcome = wattfront("check", folder, "--json")
    assert outcome.status == 2
    said = [(problem["row"], problem["column"]) for problem in outcome.data["problems"]]
    assert {("A", "count"), ("B", "release"), ("", "bandwidht"), ("", "budgett")} <= {*said}
    assert len({*said}) == len(said)


def test_who_has_no_bags_is_told_of_none(tmp_path: Path) -> None:
    assert seen(folder_with(tmp_path)) is None
