"""A system that goes through every format comes back as it was."""

import itertools
import json

import pytest
from capabilities.provision.plan_files import folder_with, same
from examples import examples
from hypothesis import given
from strategies import systems

from core.capabilities.provision.files.plan_format import read_plan
from core.files import read_system, write_system
from core.files.samples.named import PLANS, plan_folder

OUTS = ["folder", "system.zip", "system.xlsx", "system.json"]


@examples(3)
@given(system=systems())
def test_any_system_survives_a_tour_of_the_formats(wattfront, tmp_path_factory, system):
    folder = tmp_path_factory.mktemp("tour")
    write_system(system, folder / "start.json")
    stops = [folder / "start.json", *(folder / out for out in OUTS)]
    for source, out in itertools.pairwise(stops):
        outcome = wattfront("convert", source, out, "--json")
        assert outcome.status == 0
        assert outcome.data["path"] == str(out)
        assert outcome.data["tasks"] == system.tasks
    assert read_system(stops[-1]) == system


@pytest.mark.parametrize("first_line", ["3 2\n", ""])
def test_a_benchmark_becomes_a_system(wattfront, tmp_path, first_line):
    (tmp_path / "u_c_hihi.0").write_text(first_line + "1\n2\n3\n4\n5\n6\n")
    out = tmp_path / "system.json"
    sizes = [] if first_line else ["--sizes", 3, 2]
    assert wattfront("convert", tmp_path / "u_c_hihi.0", out, *sizes).status == 0
    assert read_system(out).etc.tolist() == [[1, 2], [3, 4], [5, 6]]


def test_warnings_are_passed_on(wattfront, tmp_path):
    (tmp_path / "etc.csv").write_text("x,A\n\nT,1\n")
    outcome = wattfront("convert", tmp_path / "etc.csv", tmp_path / "s.json", "--json")
    assert outcome.status == 0
    assert [p["severity"] for p in outcome.data["problems"]] == ["warning"]


@pytest.mark.parametrize("out", ["s.csv", "s.xls", "missing/s.json"])
def test_what_cannot_be_written_is_refused(wattfront, tmp_path, out):
    outcome = wattfront("convert", "nine", tmp_path / out, "--json")
    assert (outcome.status, outcome.data["ok"]) == (2, False)
    assert "cannot be written" in outcome.data["problems"][0]["message"]


def test_a_folder_of_other_things_is_left_alone(wattfront, tmp_path):
    (tmp_path / "thesis.txt").write_text("mine")
    assert wattfront("convert", "nine", tmp_path).status == 2
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


@pytest.mark.parametrize("name", PLANS)
def test_a_plan_stays_a_plan_in_any_format(wattfront, tmp_path, name):
    stops = [plan_folder(name), *(tmp_path / out for out in OUTS)]
    first = read_plan(stops[0])
    for source, out in itertools.pairwise(stops):
        outcome = wattfront("convert", source, out)
        assert (outcome.status, outcome.err) == (0, "")
        same(read_plan(out), first)


def test_a_plan_without_any_machine_is_converted_too(wattfront, tmp_path):
    machines = "machine_type,count,price\nM1,0,10\nM2,0,7\n"
    plan = folder_with(tmp_path / "mine", machines_csv=machines)
    outcome = wattfront("convert", plan, tmp_path / "plan.json")
    size = "2 task types (2 tasks) on 2 machine types (0 machines)"
    assert outcome.out.endswith(f": {size}, with its plan\n")
    told = wattfront("convert", plan, tmp_path / "plan.json", "--json").data
    assert (told["machine_types"], told["machines"]) == (2, 0)
    assert [offer.count for offer in read_plan(tmp_path / "plan.json").offers] == [0, 0]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ("", "warning: plan.toml: columns of a plan are not written: reward, arrival_rate, price"),
        ("[limits]\n", "plan.toml [limits], column budget: the plan is not written, only its sys"),
        ("[limits", "warning: plan.toml: the plan is not written, only its system, since it has"),
    ],
)
def test_what_of_a_plan_is_not_kept_is_said(wattfront, tmp_path, settings, said):
    etc = "task_type,M1,M2\nT1,1,2\nT2,4,5\n"
    plan = folder_with(tmp_path / "mine", plan_toml=settings, etc_csv=etc)
    outcome = wattfront("convert", plan, tmp_path / "system.json")
    assert outcome.status == 0
    assert said in outcome.err
    assert "plan" not in json.loads((tmp_path / "system.json").read_text())
