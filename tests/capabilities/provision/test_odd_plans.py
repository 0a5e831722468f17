"""A plan that a stranger wrote oddly is answered, or refused with its place and a remedy.

No content makes `check` or `provision` fail.
"""

import json

import books
import pytest
from capabilities.provision.plan_files import MACHINES, SETTINGS, TASKS, folder_with

from core.capabilities.provision.files.plan_format import read_plan

FEW = "[scenarios]\ncount = 4\n"
MISSING = "plan.toml [limits], column budget: is missing; give one, 0 to change at no cost at all"
SEEN = SETTINGS + '[spread.times]\nlaw = "empirical"\n'


def told(wattfront, path):
    """What both commands say is wrong; it is the same."""
    check, provision = (wattfront(command, path) for command in ("check", "provision"))
    assert check.status == provision.status == 2
    assert provision.err == check.err
    assert "Traceback" not in check.err
    return [line.removeprefix("error: ") for line in check.err.splitlines()]


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ("# nothing\n", MISSING),
        ("[limits]\n", MISSING),
        ("[limits\n", "plan.toml: is not valid TOML: Expected ']' at the end of a table"),
        ("\0", "plan.toml: holds a NUL byte (line 1), so it is not plain text; save it as plain"),
        ("[limits]\nbudget = nan\n", "[limits], column budget: 'nan' is not a number that can be"),
        ("[limits]\nbudget = -inf\n", "[limits], column budget: '-inf' is not a number that can"),
        ('[limits]\nbudget = "lots"\n', "'lots' is not a number; give one such as 12.5"),
        ('[limits]\nbudget = "4 EUR"\n', "column budget: '4 EUR' has a unit; give only the number"),
        ("[limits]\nbudget = [1, 2]\n", "column budget: is a list or an object; give a number"),
        ("[limits]\nbudget = true\n", "column budget: is true; give a number"),
        ("[limits]\nbudget = 1e300\n", "1e+300 is out of range; give -1e+15 to 1e+15"),
        ("[limits]\nbudget = " + "9" * 400, "'a number of many digits' is not a number"),
        ("[limits]\nbudget = -1\n", "[limits], column budget: no purchase keeps all limits; raise"),
        (SETTINGS + "max_machine = 3\n", "is not a key of a plan; did you mean max_machines?"),
        (SETTINGS + '"<b>\\u0007" = 3\n', "column <b>\ufffd: is not a key of a plan; there are"),
        (SETTINGS + "min_machines = 9\nmax_machines = 3\n", "at most 3 machines contradict at"),
        (SETTINGS + "min_machines = -1\n", "column min_machines: -1 is out of range; give 0 to"),
        (SETTINGS + "power = -5\n", "column power: -5 is out of range; give 0 to 1e+12 W"),
        (SETTINGS + 'power = "1e20 MW"\n', "column power: 1e20 MW is out of range; give 0 to"),
        (SETTINGS + 'power = "1e10 kW"\n', "column power: 1e+13 is out of range; give 0 to 1e+12"),
        (SETTINGS + 'power = "5 miles"\n', "'miles' is not a unit of power; give one of W, kW, MW"),
        (SETTINGS + "failure_rate = -1\n", "column failure_rate: -1 is out of range; give 0 to"),
        (SETTINGS + 'rules = ["M1 <= -3"]\n', "row M1 <= -3, column rules: no purchase keeps all"),
        (SETTINGS + 'rules = ["9**9**9 * M1 <= 3"]\n', "has a part that cannot be understood"),
        (SETTINGS + '[spread.times]\ncov = "58 %"\n', "would go below 0; give at most 0.577, or"),
        (
            SETTINGS + '[spread.times]\nlaw = "normal"\n',
            "'normal' is not one of uniform, lognormal",
        ),
        (SEEN, "column law: needs what was seen; give one of file (a CSV file) and seen (a list)"),
        (SEEN + "seen = [1]\n", "column seen: has 1 value; give 2 to 10,000 that were seen"),
        (SEEN + "seen = [1, -2]\n", "value 2 is not a number above 0; correct or remove it"),
        (SEEN + 'file = "../../etc/passwd"\n', "which is not beside it; add that file"),
        (SETTINGS + "[scenarios]\ncount = 0\n", "0 is out of range; give 1 to 1e+06 scenarios"),
        ('rate_unit = "1/w"\n' + SETTINGS, "'1/w' is not one of 1/s, 1/min, 1/h, 1/day; give one"),
    ],
)
def test_odd_settings_are_refused_with_one_sentence(wattfront, tmp_path, settings, expected):
    (said,) = told(wattfront, folder_with(tmp_path, plan_toml=settings, machines_csv=PRICED))
    assert said.startswith("plan.toml")
    assert expected in said


PRICED = MACHINES.replace(",1,\n", ",,\n")
"""Without least counts: then a clash names one limit."""


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("M1,0,10,", "M1,0,-3,", "column price: -3 is outside 0 to 1e+12 a machine; mend it"),
        ("M1,0,10,", "M1,0,,", "column price: is blank; give a number"),
        ("M1,0,10,", "M1,0,nan,", "column price: 'nan' is not a number; give one"),
        ("M1,0,10,", "M1,0,inf,", "column price: 'inf' is infinite; give a finite number"),
        ("M1,0,10,", "M1,0,1e300,", "column price: 1e+300 is outside 0 to 1e+12 a machine; mend"),
        ("M1,0,10,5", "M1,0,3,5", "column resale: a machine would be sold for 5 and bought for 3"),
        (",1,\n", ",5,2\n", "column max: at most 2 machines contradict at least 5; raise max, or"),
        (",1,\n", ",-5,2\n", "column min: -5 is outside 0 to 1e+06 machines; mend it"),
        ("M1,0,", "M1,-1,", "column count: -1 is outside 0 to 1e+06 machines; mend it"),
    ],
)
def test_odd_machines_are_refused_with_one_sentence(wattfront, tmp_path, before, after, expected):
    machines = MACHINES.replace(before, after, 1)
    (said,) = told(wattfront, folder_with(tmp_path, machines_csv=machines))
    assert said.startswith("machines.csv, row M1, ")
    assert expected in said


def test_tables_that_are_missing_are_named(wattfront, tmp_path):
    """Issue 33, point 31: a missing table is called so, not a missing column of it."""
    folder = folder_with(tmp_path, tasks_csv="", machines_csv="")
    assert told(wattfront, folder) == [
        "tasks.csv: is missing; add it, with a column reward in the currency of the plan for one "
        "task",
        "tasks.csv: is missing; add it, with a column arrival_rate in the rate_unit of the plan",
        "machines.csv: is missing; add it, with a column price in the currency of the plan",
    ]


@pytest.mark.parametrize("name", ["odd.json", "odd.xlsx", "odd.zip"])
def test_a_file_that_is_not_what_its_name_says(wattfront, tmp_path, name):
    (tmp_path / name).write_text("nothing of the kind")
    outcome = wattfront("provision", tmp_path / name)
    assert outcome.status == 2
    assert outcome.err.startswith(f"error: {name}: is not a")
    assert "whatever its name says; save it as one again" in outcome.err


@pytest.mark.parametrize("content", [[1], "a", 3])
def test_a_plan_in_json_that_is_no_object(wattfront, tmp_path, content):
    document = {
        "format": "wattfront-system",
        "version": 1,
        "task_types": [{"name": "T1", "reward": 1, "arrival_rate": 2}],
        "machine_types": [{"name": "M1", "count": 1, "price": 10}],
        "etc": [[1]],
        "plan": content,
    }
    path = tmp_path / "odd.json"
    path.write_text(json.dumps(document))
    assert told(wattfront, path) == ['odd.json [plan]: is not an object; give "plan": {...}']


def test_a_formula_in_a_workbook_is_named(wattfront, tmp_path):
    tables = {
        "etc": [["task_type", "M1"], ["T1", 2]],
        "tasks": [["task_type", "reward", "arrival_rate"], ["T1", 1, 1]],
        "machines": [["machine_type", "count", "price"], ["M1", 1, 3]],
        "plan": [["limits.budget", "=1+1"]],
    }
    path = tmp_path / "odd.xlsx"
    path.write_bytes(books.book(tables))
    (said, *_) = told(wattfront, path)
    assert said.startswith("odd.xlsx [plan], row line 1: holds a formula; copy the cells and paste")


@pytest.mark.parametrize(
    ("settings", "coding"),
    [
        (SETTINGS + FEW, "utf-8-sig"),
        (SETTINGS + FEW, "utf-16"),
        ((SETTINGS + FEW).replace("\n", "\r\n"), "utf-8"),
        ('currency = "\xe9"\n' + SETTINGS + FEW, "latin-1"),
    ],
)
def test_text_of_any_kind_is_read(wattfront, tmp_path, settings, coding):
    folder = folder_with(tmp_path)
    (folder / "plan.toml").write_bytes(settings.encode(coding))
    for command in ("check", "provision"):
        assert wattfront(command, folder).status == 0


@pytest.mark.parametrize(
    "changed",
    [
        {"tasks_csv": "task_type,reward,arrival_rate\nT1,1e12,1e12\nT2,1e-12,1e-12\n"},
        {"tasks_csv": "task_type,reward,arrival_rate\nT1,0,0\nT2,0,0\n"},
        {"machines_csv": "machine_type,count,price\nM1,0,1e-12\nM2,0,1e12\n"},
        {"machines_csv": "machine_type,count,price\nM1,0,0\nM2,0,0\n"},
        {"etc_csv": "task_type,M1,M2\nT1,1e15,2\nT2,1e-9,\n"},
        {"plan_toml": SEEN + "operations = 1\nseen = [1e-300, 1e300, 1e308]\n" + FEW},
        {
            "machines_csv": "machine_type,count,price\n<script>,0,3\n\"=cmd|' /C calc'!A0\",3,1\n",
            "etc_csv": "task_type,<script>,\"=cmd|' /C calc'!A0\"\nT1,1,2\nT2,4,\n",
        },
    ],
    ids=lambda changed: next(iter(changed)),
)
def test_what_is_odd_but_possible_is_answered(wattfront, tmp_path, changed):
    folder = folder_with(tmp_path, **({"plan_toml": SETTINGS + FEW} | changed))
    for command in ("check", "provision"):
        outcome = wattfront(command, folder)
        assert (outcome.status, outcome.err) == (0, "")


def test_an_interval_of_rounding_is_not_said(wattfront, tmp_path):
    settings = SETTINGS + "[spread.arrivals]\ncov = 1e-15\n[scenarios]\ncount = 100\n"
    said = wattfront("provision", folder_with(tmp_path, plan_toml=settings, tasks_csv=TASKS)).out
    assert "Expected reward: 3.5 EUR a second." in said


def test_shares_of_types_may_be_in_percent(tmp_path):
    """Issue 33, point 31: `25 %` is read in columns as in `plan.toml`, and by `--risk`."""
    machines = MACHINES.replace("max\n", "max,time_cov\n").replace("\nM2", "25 %\nM2")
    machines = machines.replace(",4\n", ",4,0.1\n").replace("1,25 %", "1,,25 %")
    file = read_plan(folder_with(tmp_path, machines_csv=machines))
    assert file.spread.times.covs == (0.25, 0.1)
