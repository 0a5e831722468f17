"""`wattfront fair-shares` says the best possible worst stretch, in words and JSON."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from capabilities.fair_shares.bag_files import APC, bags_in
from capabilities.fair_shares.made import compute_only, powered

from core import study
from core.capabilities.fair_shares import CAPABILITY, face
from core.capabilities.fair_shares.shares import NO_CHANGE, AskedBags, BagsChange, MachinesAdded
from core.files.samples.named import load_sample
from core.shells.studies import StudySettings, write_study
from core.vocabulary.budget import Cancelled

Run = Callable[..., Any]


def found(wattfront: Run, *words: object) -> dict[str, Any]:
    outcome = wattfront("fair-shares", *words, "--json")
    assert outcome.status == 0, outcome.err
    return dict(json.loads(outcome.out))


def test_the_answer_as_data(wattfront: Run, tmp_path: Path) -> None:
    data = found(wattfront, bags_in(tmp_path))
    assert data["optimum"] == pytest.approx(201 / 142)
    assert data["optimum"] * (1 - 1e-9) < data["proven"] <= data["optimum"]
    assert data["verified"] is True
    bags = data["bags"]
    assert [bag["ideal"] for bag in bags.values()] == pytest.approx([40 / 3, 4.8, 16 / 3])
    for bag, release in zip(bags.values(), (0, 3, 5), strict=True):
        due = release + data["optimum"] * bag["ideal"]
        assert bag["deadline"] == pytest.approx(due, rel=2e-6)
        assert bag["completion"] <= bag["deadline"] * (1 + 1e-12)
        assert bag["stretch"] == pytest.approx((bag["completion"] - release) / bag["ideal"])


def test_flags_change_the_network(wattfront: Run, tmp_path: Path) -> None:
    path = bags_in(tmp_path)
    assert found(wattfront, path, "--buffers", "none")["optimum"] == pytest.approx(69 / 44)
    assert found(wattfront, path, "--buffers", "unlimited")["optimum"] == pytest.approx(201 / 142)
    some = found(wattfront, path, "--buffers", "0.5")["optimum"]
    assert 201 / 142 < some < 69 / 44
    wide = found(wattfront, path, "--bandwidth", "1000")["bags"]
    assert wide["C"]["ideal"] == pytest.approx(4)


def test_unlike_networks_in_words(wattfront: Run, tmp_path: Path) -> None:
    machines = "machine_type,count,link,memory\nM1,1,2,10\nM2,1,,30\n"
    said = wattfront("fair-shares", bags_in(tmp_path, machines_csv=machines, network_toml="")).out
    assert "links of 2 MB/s to no limit a machine, memory of 10 MB to 30 MB a machine" in said
    assert "(2 machines); without limits." in wattfront("fair-shares", "two-by-two").out


def test_the_front_as_data(wattfront: Run, tmp_path: Path) -> None:
    front = found(wattfront, bags_in(tmp_path, apc_csv=APC), "--front")["front"]
    assert front["exact"] is front["verified"] is True
    assert front["gap"] < 1e-9
    first, *_, last = front["vertices"]
    assert first["stretch"] == pytest.approx(201 / 142)
    # On its better machine each, tasks of A take 160 J, of B 200 J, of C 120 J.
    assert last["energy"] == pytest.approx(10 * 160 + 6 * 200 + 4 * 120)
    for vertex in front["vertices"]:
        assert vertex["energy"] * (1 - 1e-8) < vertex["proven"] <= vertex["energy"]


def test_a_front_needs_powers(wattfront: Run, tmp_path: Path) -> None:
    refused = wattfront("fair-shares", bags_in(tmp_path), "--front")
    assert refused.status == 2
    assert "this system has no APC matrix" in refused.err


def test_a_front_that_is_stopped_at_once_leaves_the_optimum(
    wattfront: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object) -> None:
        raise Cancelled("stopped while sharing out bags")

    monkeypatch.setattr(face, "energy_front", stopped)
    path = bags_in(tmp_path, apc_csv=APC)
    said = wattfront("fair-shares", path, "--front")
    assert said.status == 0
    assert said.out.endswith("\nThe front was stopped before it had a vertex.\n")
    data = found(wattfront, path, "--front")
    assert (data["front"], data["optimum"]) == (None, pytest.approx(201 / 142))


@pytest.mark.parametrize(
    ("check", "words", "said"),
    [
        ("face.faults", (), "the master sends too much"),
        ("face.front_faults", ("--front",), "plans of the front: the master sends too much"),
        ("tasks.policies.task_faults", ("--policy", "fifo-rr"), "FIFO RR: the master sends "),
    ],
)
def test_what_has_a_fault_is_not_verified(
    wattfront: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, check, words, said
) -> None:
    fault = ["the master sends too much"]
    monkeypatch.setattr(f"core.capabilities.fair_shares.{check}", lambda *_: fault)
    path = bags_in(tmp_path, apc_csv=APC)
    answer = wattfront("fair-shares", path, *words)
    assert answer.status == 1
    assert f"NOT verified: {said}" in answer.out
    if "--policy" in words:  # A worst stretch that is not to be believed leads no answer.
        assert answer.out.partition(": ")[2].startswith("If tasks can be split, ")
    data = wattfront("fair-shares", path, *words, "--json").data
    assert data.get("front", data)["verified"] is False


def test_bad_input_is_status_2(wattfront: Run, tmp_path: Path) -> None:
    path = bags_in(tmp_path, network_toml="bandwidth = 0\n")
    refused = wattfront("fair-shares", path)
    assert refused.status == 2
    assert "network.toml, column bandwidth: 0 is out of range" in refused.err
    assert wattfront("fair-shares", tmp_path / "nowhere").status == 2
    for word in ("-1", "much"):
        assert "is neither unlimited, none" in wattfront("fair-shares", path, "--buffers", word).err


def test_a_warning_is_said_once(wattfront: Run, tmp_path: Path) -> None:
    tasks = "task_type,count,colour\nA,10,red\nB,6,\nC,4,\n"
    said = wattfront("fair-shares", bags_in(tmp_path, tasks_csv=tasks))
    assert said.status == 0
    assert said.err.count("columns that are not used: colour") == 1


def test_a_study_file_has_bags_and_what_if(wattfront: Run, tmp_path: Path) -> None:
    bags = compute_only((2, 2), (0, 1))
    path = tmp_path / "s.json"
    for change, optimum, ideal in (
        (NO_CHANGE, 1.5, 2.0),
        (BagsChange(machines=MachinesAdded(0, 1)), 0.5, 2.0),
    ):
        blocks = CAPABILITY.block(AskedBags(bags, "mine", change))
        front = study(load_sample("two-by-two"), method="bound")
        write_study(front, StudySettings("mine", blocks=blocks), path)
        data = found(wattfront, path)
        assert data["optimum"] == pytest.approx(optimum)
        assert data["bags"]["T0"]["ideal"] == pytest.approx(ideal)
        assert data["verified"] is True
    # Files and commands from when all of this was called stretch.
    path.write_text(path.read_text(encoding="utf-8").replace('"fair_shares"', '"stretch"'))
    assert wattfront("stretch", path, "--json").data["bags"] == data["bags"]
    # Whole tasks are measured by what bags take alone with two machines.
    whole = found(wattfront, path, "--policy", "fifo-dd")["policies"]["fifo-dd"]
    assert whole["max_stretch"] == pytest.approx(1.0)


def test_a_front_of_a_study_is_measured_as_its_stretch(wattfront: Run, tmp_path: Path) -> None:
    """Machines draw 100 W, and 10 W idle; with two of them, all is done in 2 s."""
    bags = powered(compute_only((2, 2), (0, 1)), [[100, 100]], [10])
    asked = AskedBags(bags, "mine", BagsChange(machines=MachinesAdded(0, 1)))
    front = study(load_sample("two-by-two"), method="bound")
    write_study(front, StudySettings("mine", blocks=CAPABILITY.block(asked)), tmp_path / "s.json")
    answer = found(wattfront, tmp_path / "s.json", "--front")
    vertices = answer["front"]["vertices"]
    assert answer["front"]["verified"] is answer["verified"] is True
    assert vertices[0]["stretch"] == pytest.approx(answer["optimum"]) == pytest.approx(0.5)
    assert [one["energy"] for one in vertices] == pytest.approx([4 * 90 + 2 * 20])
