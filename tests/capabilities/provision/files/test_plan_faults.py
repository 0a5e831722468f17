"""Every fault of a plan is named with its place and its remedy, all of them at once."""

import json

import pytest
from capabilities.provision.plan_files import ETC, MACHINES, SETTINGS, TASKS, folder_with

from core.capabilities.provision.files.plan_format import (
    inspect_plan,
    inspect_plan_bytes,
    read_plan,
)
from core.capabilities.provision.plan import PlanLimits
from core.vocabulary.problems import InvalidInput


def problems(folder):
    reading = inspect_plan(folder)
    assert reading.value is None
    return [str(problem).removeprefix("error: ") for problem in reading.problems]


def test_a_limit_of_what_is_not_known_is_not_kept_in_silence(tmp_path):
    settings = SETTINGS + 'power = "1 W"\nfailure_rate = 1\n'
    machines = "machine_type,count,price\nM1,0,1\nM2,1,1\n"
    folder_with(tmp_path, plan_toml=settings, machines_csv=machines)
    assert problems(tmp_path) == [
        "plan.toml [limits], column power: a limit needs the powers of pairs (apc), since idle "
        "powers do not say what busy machines draw; add apc, or remove the limit",
        "warning: plan.toml [limits], column failure_rate: the limit changes nothing, since no "
        "machine type has a failure_rate; add that column to the machines, or remove the limit",
    ]
    (tmp_path / "apc.csv").write_text("task_type,M1,M2\nT1,30,50\nT2,40,\n")
    assert read_plan(tmp_path).limits == PlanLimits(100.0, failure_rate=1.0, power=1.0)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ("", "plan.toml: is missing, so this is no plan; add it with at least a budget"),
        ('[limits]\nbudget = "1,000"', "column budget: '1,000' has a comma"),
        ("[limits]\nbudget = 2026-01-01", "column budget: '2026-01-01' is not a number that"),
        ("budget = 1\nlimits = 4", "plan.toml, column budget: is not a key of a plan; there are"),
        ("budget = 1\nlimits = 4", "column limits: is not a group; give its keys below [limits]"),
        (SETTINGS + "[spread.times]\ncov = 25", "column cov: 25 is out of range; give 0 to 10 as "),
        (
            SETTINGS + '[spread.times]\noperations = "auto"',
            "column operations: 'auto' is no number of kinds of operations; give 1 to 9, or ",
        ),
        (SETTINGS + "[spread.times]\noperations = 0", "operations: 0 is out of range; give 1 to 9"),
        (SETTINGS + "[spread.times]\ncorrelation=1", "correlation: is not a key of a plan; there"),
        (SETTINGS + 'rules = ["M9 <= 1"]', "column rules: rule 'M9 <= 1' names 'M9', which is no"),
        (
            SETTINGS + "rules = [3]",
            "column rules: rule 1 is not a text; write it in quotation marks",
        ),
        (SETTINGS + f"rules = {['M1 <= 1'] * 101}", "column rules: are 101; give at most 100"),
        (SETTINGS + "[scenarios]\npoints = 4", "column points: is missing or not text; give it i"),
        ("a" * 2**20 + "=1", "plan.toml: is longer than 1,048,576 characters; shorten it"),
    ],
)
def test_a_fault_of_the_settings_is_named_with_its_remedy(tmp_path, settings, said):
    assert said in " | ".join(problems(folder_with(tmp_path, plan_toml=settings)))


@pytest.mark.parametrize(
    ("machines", "said"),
    [
        ("machine_type,count\nM1,1\nM2,1\n", "column price is missing; add it, in the currency"),
        ("M,count,price\nM1,1,\nM2,1,2\n", "row M1, column price: is blank; give a number"),
        ("M,count,price\nM1,1,5 EUR\nM2,1,2\n", "'5 EUR' has a unit; give only the number, in the"),
        ("M,count,price\nM1,1,-1\nM2,1,2\n", "column price: -1 is outside 0 to 1e+12 a machine"),
        ("M,count,price,resale\nM1,1,1,2\nM2,1,2,2\n", "row M1, column resale: a machine would be"),
        ("M,count,price,min,max\nM1,1,1,3,2\nM2,1,2,,\n", "column max: at most 2 machines con"),
        ("M,count,price,time_cov\nM1,1,1,0.6\nM2,1,2,\n", "column time_cov: a uniform law"),
        ("M,count,price,power_cov\nM1,1,1,-1\nM2,1,2,\n", "column power_cov: −1 is below 0"),
        ("M,count,price,min,max\nM1,1,1,3,x\nM2,1,2,,\n", "column max: 'x' is not a number"),
    ],
)
def test_a_fault_of_a_column_is_named_with_its_remedy(tmp_path, machines, said):
    machines = machines.replace("M,", "machine_type,")
    found = problems(folder_with(tmp_path, machines_csv=machines))
    assert [said in one and one.startswith("machines.csv") for one in found] == [True]


OFTEN = TASKS.replace("0.5", "often")
TRUE = SETTINGS + "power = true"
POWER = "plan.toml [limits], column power"


@pytest.mark.parametrize(
    ("changed", "places"),
    [
        (
            {
                "etc_csv": ETC.replace("4", "-4"),
                "tasks_csv": OFTEN,
                "machines_csv": MACHINES.replace("M1,0,10,5", "M1,0,10,50"),
                "plan_toml": TRUE,
            },
            [
                "etc.csv, row T2, column M1",
                POWER,
                "tasks.csv, row T2, column arrival_rate",
                "machines.csv, row M1, column resale",
            ],
        ),
        # Without times, too.
        (
            {"etc_csv": "", "tasks_csv": OFTEN, "plan_toml": TRUE},
            ["etc.csv", POWER, "tasks.csv, row T2, column arrival_rate"],
        ),
        (
            {"etc_csv": "", "tasks_csv": "", "machines_csv": "", "plan_toml": TRUE},
            ["etc.csv", POWER, "tasks", "tasks", "machines"],
        ),
    ],
)
def test_all_faults_are_reported_at_once(tmp_path, changed, places):
    found = problems(folder_with(tmp_path, **changed))
    assert [one.partition(":")[0] for one in found] == places


def test_faults_of_a_document_are_reported_without_times_too():
    document = {
        "format": "wattfront-system",
        "version": 1,
        "task_types": [{"name": "T1", "reward": "much", "arrival_rate": 2}],
        "machine_types": [{"name": "M1", "count": 0, "price": 10}],
        "plan": {"limits": {"budget": True}},
    }
    found = inspect_plan_bytes("plan.json", json.dumps(document).encode())
    assert found.value is None
    places = [f"{one.file} {one.row} {one.column}".strip() for one in found.problems]
    assert places == [
        "plan.json [etc]",
        "plan.json [plan.limits]  budget",
        "plan.json [task_types] T1 reward",
    ]


def test_a_system_that_is_no_plan_is_refused(tmp_path):
    with pytest.raises(InvalidInput, match="has no settings named plan"):
        read_plan(folder_with(tmp_path) / "etc.csv")
    with pytest.raises(InvalidInput, match="does not exist"):
        read_plan(tmp_path / "none")
