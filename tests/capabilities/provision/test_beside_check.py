"""`check` says what a plan is, also before there are machines, or all that is wrong with it."""

import json

import pytest
from capabilities.provision.plan_files import MACHINES, folder_with

from core.capabilities.provision.beside import seen

NONE_YET = MACHINES.replace("M2,3,", "M2,0,")


def test_a_plan_without_machines_is_sound(wattfront, tmp_path):
    folder = folder_with(tmp_path, machines_csv=NONE_YET)
    outcome = wattfront("check", folder)
    assert (outcome.status, outcome.err) == (0, "")
    assert "no problems" in outcome.out
    assert "2 task types (2 tasks) on 2 machine types (0 machines)" in outcome.out
    assert "plan        2 machine types to buy from, budget 100 EUR" in outcome.out
    assert "futures     3,000 scenarios (sobol, seed 0)" in outcome.out
    data = wattfront("check", folder, "--json").data
    assert (data["ok"], data["problems"], data["machines"]) == (True, [], 0)
    assert data["plan"] == {
        "budget": 100.0,
        "currency": "EUR",
        "rate_unit": "1/s",
        "scenarios": 3000,
        "points": "sobol",
        "seed": 0,
    }


@pytest.mark.parametrize("machines", [MACHINES, NONE_YET])
def test_a_plan_with_faults_is_refused_for_these_alone(wattfront, tmp_path, machines):
    settings = '[limits]\nbudgett = 40\n[spread.times]\ncov = "80 %"\n'
    folder = folder_with(tmp_path, machines_csv=machines, plan_toml=settings)
    outcome = wattfront("check", folder, "--json")
    assert outcome.status == 2
    assert not outcome.data["ok"]
    assert {problem["file"].split()[0] for problem in outcome.data["problems"]} == {"plan.toml"}
    assert "budgett" in json.dumps(outcome.data["problems"])


def test_faults_of_tables_are_said_once(wattfront, tmp_path):
    folder = folder_with(tmp_path, machines_csv=MACHINES.replace("M1,0,10,", "M1,x,dear,"))
    problems = wattfront("check", folder, "--json").data["problems"]
    said = [(problem["row"], problem["column"]) for problem in problems]
    assert sorted(said) == [("M1", "count"), ("M1", "price")]


def test_limits_that_clash_are_named_where_they_stand(wattfront, tmp_path):
    folder = folder_with(tmp_path, plan_toml="[limits]\nbudget = 5\n")
    for command in ("check", "provision"):
        outcome = wattfront(command, folder)
        assert outcome.status == 2
        assert outcome.err.splitlines() == [
            "error: plan.toml [limits], column budget: no purchase keeps all limits; raise budget "
            "from 5 to 10, or change one of the others named",
            "error: machines.csv, row M1, column min: no purchase keeps all limits; lower min of "
            "M1 from 1 to 0.5, or change one of the others named",
        ]


def test_limits_that_only_machines_in_parts_keep_are_named_as_provision_does(wattfront, tmp_path):
    """Issue 33, point 16: machines are whole by default, so also where a plan is checked."""
    folder = folder_with(tmp_path, plan_toml='[limits]\nbudget = 100\nrules = ["M1 = 1.5"]\n')
    for command in ("check", "provision"):
        outcome = wattfront(command, folder)
        assert outcome.status == 2
        assert outcome.err == (
            "error: plan.toml [limits], row M1 = 1.5, column rules: no purchase of whole machines "
            'keeps all limits; loosen the rule "M1 = 1.5" by 0.5\n'
        )


def test_a_system_is_no_plan(tmp_path):
    assert seen(folder_with(tmp_path, plan_toml="")) is None
    assert seen(tmp_path / "nowhere") is None
    garbage = tmp_path / "garbage.json"
    garbage.write_text("{")
    assert seen(garbage) is None
