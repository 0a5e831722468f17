"""Plans of all formats are read alike, with every fault named, and as they were written."""

import json
import math
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import get_args

import books
import numpy as np
import pytest
from capabilities.provision.plan_files import ETC, FILES, MACHINES, SETTINGS, folder_with, same
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from strategies import systems

from core.capabilities.provision.files.plan_file import (
    RATE_UNITS,
    PlanFile,
    PlanSpread,
    ScenarioSettings,
)
from core.capabilities.provision.files.plan_format import (
    additions_of,
    inspect_plan,
    inspect_plan_bytes,
    read_plan,
    write_plan,
)
from core.capabilities.provision.futures.uncertainty import Points, Variation
from core.capabilities.provision.plan import MachineOffer, PlanLimits, TaskDemand
from core.files import inspect_system, read_system
from core.vocabulary.kinds import MARKET


def faultless(path):
    """The plan of a file in which nothing is wrong."""
    reading = inspect_plan(path)
    assert reading.problems == ()
    return reading.require()


def test_columns_and_settings_make_a_plan(tmp_path):
    apc = "task_type,M1,M2\nT1,30,50\nT2,40,\n"
    machines = "machine_type,count,idle_power,price\nM1,0,10,2\nM2,3,0,1\n"
    file = read_plan(folder_with(tmp_path, apc_csv=apc, machines_csv=machines))
    assert file.plan.powers[0].tolist() == [20, 50]
    assert file.plan.powers[1, 0] == 30
    assert file.plan.offers[0] == MachineOffer("M1", 2.0, idle_power=10.0)
    assert file.plan.offers[1].count == 3


def test_failures_may_be_those_of_a_year(tmp_path):
    machines = "machine_type,count,price,failures_a_year\nM1,1,10,2\nM2,1,7,\n"
    file = read_plan(folder_with(tmp_path, machines_csv=machines))
    assert file.plan.failure_rates.tolist() == pytest.approx([2 / (365 * 86_400), 0])


def test_what_is_blank_or_missing_has_a_default(tmp_path):
    file = read_plan(folder_with(tmp_path))
    assert file.plan.offers == (
        MachineOffer("M1", 10.0, 5.0, 0.0, 0.0, 1.0, math.inf),
        MachineOffer("M2", 7.0, 0.0, 0.1, 3.0, 0.0, 4.0),
    )
    assert file.plan.demands == (TaskDemand("T1", 1.0, 2.0), TaskDemand("T2", 3.0, 0.5))
    assert file.plan.limits == PlanLimits(100.0)
    assert (file.spread, file.scenarios, file.currency) == (PlanSpread(), ScenarioSettings(), "EUR")
    assert file.plan.times.tolist() == [[1, 2], [4, math.inf]]


def test_every_setting_is_read(tmp_path):
    settings = """
currency = "USD"
rate_unit = "1/h"
[limits]
budget = -2.5
min_machines = 1
max_machines = 20
failure_rate = 3600
power = "55 kW"
rules = ["M1 <= 30 % of all", "bought(M2) = 2"]
[spread.arrivals]
law = "lognormal"
cov = "80 %"
correlation = 0.3
[spread.times]
cov = 0.25
operations = 2
[spread.powers]
law = "empirical"
seen = [1, 2.5]
[scenarios]
count = 64
seed = 7
points = "latin"
"""
    tasks = "task_type,reward,arrival_rate\nT1,1,7200\nT2,3,3600\n"
    machines = "machine_type,count,price,failure_rate\nM1,0,1,36\nM2,1,1,0\n"
    apc = "task_type,M1,M2\nT1,30,50\nT2,40,\n"
    files = {"tasks_csv": tasks, "machines_csv": machines, "apc_csv": apc}
    found = read_plan(folder_with(tmp_path, plan_toml=settings, **files))
    assert found.limits == PlanLimits(-2.5, 1.0, 20.0, 1.0, 55_000.0)
    assert [(rule.text, rule.most) for rule in found.plan.rules] == [
        ("M1 <= 30 % of all", 0),
        ("bought(M2) = 2", 2),
        ("bought(M2) = 2", -2),
    ]
    assert found.spread == PlanSpread(
        Variation(0.8, "lognormal"),
        Variation(0.25),
        Variation(law="empirical", seen=(1, 2.5)),
        0.3,
        2,
    )
    assert found.scenarios == ScenarioSettings(64, 7, "latin")
    assert (found.currency, found.rate_unit) == ("USD", "1/h")
    assert found.plan.arrival_rates.tolist() == [2, 1]
    assert found.plan.failure_rates.tolist() == [0.01, 0]
    assert len(found.sampling.scenarios(found.plan)) == 64
    assert found.uncertainty.operations is not None


@pytest.mark.parametrize("said", ['"by error"', '" By  ERROR "'])
def test_the_number_of_kinds_may_be_chosen_by_error(tmp_path, said):
    settings = SETTINGS + f"[spread.times]\ncov = 0.25\noperations = {said}\n"
    etc = "task_type,M1,M2\nT1,1,2\nT2,4,3\n"
    found = read_plan(folder_with(tmp_path, plan_toml=settings, etc_csv=etc))
    assert found.spread.operations == "by error"
    assert [one.kinds for one in found.operations.tried] == [1, 2]
    # With one kind, times are off by the fourth root of (2 * 4) / (1 * 3), up or down.
    assert found.operations.tried[0].mean_error == pytest.approx(0.2477, abs=1e-4)
    assert found.operations.taken.kinds == 2
    assert found.uncertainty.operations.operations is found.operations.taken.operations


def test_times_that_do_not_vary_need_no_operations(tmp_path):
    settings = SETTINGS + '[spread.times]\noperations = "by error"\n'
    found = read_plan(folder_with(tmp_path, plan_toml=settings))
    assert found.operations is None
    assert found.uncertainty.operations is None


def test_a_type_may_vary_in_its_own_way(tmp_path):
    tasks = "task_type,reward,arrival_rate,arrival_cov\nT1,1,2,0.1\nT2,3,1,\n"
    machines = "machine_type,count,price,time_cov,power_cov\nM1,0,1,0.5,\nM2,1,1,,0.2\n"
    settings = SETTINGS + "[spread.arrivals]\ncov = 0.4\n[spread.times]\ncov = 0.3\n"
    spread = read_plan(
        folder_with(tmp_path, plan_toml=settings, tasks_csv=tasks, machines_csv=machines)
    ).spread
    assert spread.arrivals.covs == (0.1, 0.4)
    assert spread.times.covs == (0.5, 0.3)
    assert spread.powers.covs == (0.0, 0.2)


def test_what_was_seen_may_be_in_a_table_beside_it(tmp_path):
    settings = SETTINGS + '[spread.times]\nlaw = "empirical"\nfile = "seconds.csv"\n'
    folder_with(tmp_path, plan_toml=settings)
    (tmp_path / "seconds.csv").write_text("job,seconds\na,3\nb,4.5\n\nc,6\n")
    assert faultless(tmp_path).spread.times.seen == (3, 4.5, 6)


@pytest.mark.parametrize("name", ["lately.csv", "watts.csv"])
def test_a_table_of_what_was_seen_is_no_table_of_the_system(tmp_path, name):
    settings = SETTINGS + f'[spread.times]\nlaw = "empirical"\nfile = "{name}"\n'
    folder_with(tmp_path / "mine", plan_toml=settings, etc_csv=ETC.replace("4,", "4,5"))
    (tmp_path / "mine" / name).write_text("3\n4.5\n")
    files = {path.name: path.read_text() for path in (tmp_path / "mine").iterdir()}
    (tmp_path / "mine.zip").write_bytes(books.zipped(files))
    for path in (tmp_path / "mine", tmp_path / "mine.zip"):
        faultless(path)
        reading = inspect_system(path)
        assert reading.problems == ()
        assert reading.require().apc is None
    (tmp_path / "mine" / "plan.toml").unlink()
    assert any(name in str(one) for one in inspect_system(tmp_path / "mine").problems)


def test_a_sheet_of_what_was_seen_is_no_table_of_the_system(tmp_path):
    plan = [["limits.budget", 4], ["spread.times.law", "empirical"], ["spread.times.file", "seen"]]
    tables = {
        "etc": [["task_type", "M1"], ["T1", 2]],
        "tasks": [["task_type", "reward", "arrival_rate"], ["T1", 1, 1]],
        "machines": [["machine_type", "count", "price"], ["M1", 1, 3]],
        "Seen": [["seconds"], [3], [4.5]],
    }
    (tmp_path / "plan.xlsx").write_bytes(books.book({**tables, "plan": plan}))
    assert faultless(tmp_path / "plan.xlsx").spread.times.seen == (3, 4.5)
    assert inspect_system(tmp_path / "plan.xlsx").problems == ()


def test_titles_may_be_those_that_people_write(tmp_path):
    machines = "Machine,Quantity,Unit price (EUR),Resale value,Failure rate,Minimum,At most\n"
    tasks = "Job type;Value;Arrivals\nT1;1;2\nT2;3;0.5\n"
    rows = MACHINES.partition("\n")[2]
    file = faultless(folder_with(tmp_path, machines_csv=machines + rows, tasks_csv=tasks))
    assert file.plan.offers[1] == MachineOffer("M2", 7.0, 0.0, 0.1, 3.0, 0.0, 4.0)


def test_a_plan_can_be_read_as_a_system(tmp_path):
    reading = inspect_system(folder_with(tmp_path, etc_csv=ETC.replace("4,", "4,5")))
    assert reading.problems == ()
    assert reading.unread == ()
    assert reading.require().task_counts.tolist() == [1, 1]
    assert reading.require().machine_counts.tolist() == [0, 3]


def test_a_plan_may_be_a_zip_archive_in_a_folder(tmp_path):
    path = tmp_path / "plan.zip"
    path.write_bytes(books.zipped({f"mine/{name}": text for name, text in FILES.items()}))
    same(read_plan(path), read_plan(folder_with(tmp_path / "folder")))
    assert inspect_system(path).unread == ()


def test_a_plan_may_be_a_json_document(tmp_path):
    document = {
        "format": "wattfront-system",
        "version": 1,
        "task_types": [
            {"name": "T1", "reward": 1, "arrival_rate": 2},
            {"name": "T2", "reward": "3", "arrival_rate": 0.5},
        ],
        "machine_types": [
            {"name": "M1", "count": 0, "price": 10, "resale": 5, "min": 1, "max": None},
            {"name": "M2", "count": 3, "price": 7, "failure_rate": 0.1, "max": 4},
        ],
        "etc": [[1, 2], [4, None]],
        "plan": {"limits": {"budget": 100}},
    }
    (tmp_path / "plan.json").write_text(json.dumps(document))
    same(faultless(tmp_path / "plan.json"), read_plan(folder_with(tmp_path)))
    document["plan"] = 3
    refused = inspect_plan_bytes("plan.json", json.dumps(document).encode())
    assert str(refused.problems[0]) == (
        'error: plan.json [plan]: is not an object; give "plan": {...}'
    )


amounts = st.floats(0, 1e9).map(lambda value: value + 0.0)


def variations(types):
    shares = st.floats(0.01, 0.5)
    return st.one_of(
        st.just(Variation()),
        st.builds(Variation, shares, st.sampled_from(("uniform", "lognormal"))),
        st.builds(
            Variation, covs=st.lists(shares, min_size=types, max_size=types).map(tuple), cov=shares
        ),
        st.builds(
            lambda seen: Variation(law="empirical", seen=tuple(seen)),
            st.lists(st.floats(1e-3, 1e3), min_size=2, max_size=5),
        ),
    )


@st.composite
def plan_files(draw):
    types = draw(systems())
    offers = []
    for machine in types.machine_types:
        low, high = sorted((draw(amounts), draw(amounts)))
        least = draw(st.floats(0, 10))
        most = draw(st.one_of(st.just(math.inf), st.floats(least, 1e5)))
        count = float(draw(st.integers(0, 9)))
        failures = draw(st.floats(0, 1))
        offers.append(
            MachineOffer(machine.name, high, low, failures, count, least, most, machine.idle_power)
        )
    at_least_one = np.array([max(int(offer.count), 1) for offer in offers])
    types = types.with_counts(types.task_counts, at_least_one)
    demands = [TaskDemand(task.name, draw(amounts), draw(amounts)) for task in types.task_types]
    limit = st.one_of(st.just(math.inf), amounts)
    watts = st.just(math.inf) if types.apc is None else limit
    tasks, machines = types.etc.shape
    budget, least = draw(st.floats(-1e9, 1e9)), draw(st.floats(0, 5))
    return PlanFile(
        types,
        tuple(offers),
        tuple(demands),
        PlanLimits(budget, least, 7.5, draw(limit), draw(watts)),
        PlanSpread(
            draw(variations(tasks)),
            draw(variations(machines)),
            draw(variations(machines)),
            draw(st.floats(0, 1)),
            draw(st.one_of(st.integers(0, 9), st.just("by error"))),
        ),
        ScenarioSettings(
            draw(st.integers(1, 10**6)),
            draw(st.integers(0, 2**63 - 1)),
            draw(st.sampled_from(get_args(Points))),
        ),
        draw(st.sampled_from(("EUR", "kr", "€", "Fr. d'or"))),
        draw(st.sampled_from((*RATE_UNITS,))),
    )


@pytest.mark.parametrize("suffix", ["", ".zip", ".xlsx", ".json"])
@examples(5)
@given(file=plan_files())
def test_what_is_written_is_read_back(suffix, file):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"plan{suffix}")
        write_plan(file, path)
        reading = inspect_plan(path)
    assert [str(one) for one in reading.problems if one.severity == "error"] == []
    assert reading.value is not None
    same(reading.value, replace(file, types=without_market(file.types)))


def without_market(types):
    """The types as a plan has them: of buying and selling machines only its offers speak."""
    kinds = (replace(one, **dict.fromkeys(MARKET)) for one in types.machine_types)
    return replace(types, machine_types=tuple(kinds))


def test_rates_are_written_in_the_unit_of_the_plan(tmp_path):
    settings = 'rate_unit = "1/h"\n[limits]\nbudget = 4\nfailure_rate = 0.1\n'
    file = read_plan(folder_with(tmp_path / "mine", plan_toml=settings))
    write_plan(file, tmp_path / "again")
    assert "T2,1,3.0,0.5\n" in (tmp_path / "again" / "tasks.csv").read_text()
    written = (tmp_path / "again" / "plan.toml").read_text()
    assert 'rate_unit = "1/h"\n' in written
    assert "failure_rate = 0.1\n" in written
    odd = PlanFile(
        file.types,
        file.offers,
        (file.demands[0], TaskDemand("T2", 3.0, 0.1 / 7)),
        file.limits,
        rate_unit="1/h",
    )
    assert additions_of(odd).settings["plan"]["rate_unit"] == "1/s"


def test_a_written_plan_is_a_system(tmp_path):
    file = read_plan(
        folder_with(tmp_path / "mine", machines_csv=("machine_type,count,price\nM1,2,10\nM2,3,7\n"))
    )
    for name in ("again", "again.zip", "again.xlsx", "again.json"):
        write_plan(file, tmp_path / name)
        assert read_system(tmp_path / name).machine_counts.tolist() == [2, 3]


def test_a_folder_with_a_plan_is_replaced(tmp_path):
    folder = folder_with(tmp_path / "mine")
    file = read_plan(folder)
    richer = PlanFile(file.types, file.offers, file.demands, PlanLimits(7.0))
    write_plan(richer, folder)
    assert read_plan(folder).limits.budget == 7.0


def test_a_plan_without_rewards_counts_tasks_by_their_work(tmp_path):
    """Issue 35: a task is then worth its hours at best, and the plan is read back as that."""
    folder = folder_with(tmp_path / "plan", tasks_csv="task_type,arrival_rate\nT1,1\nT2,2\n")
    file = read_plan(folder)
    assert file.by_work
    assert file.plan.rewards.tolist() == (file.types.etc.min(axis=1) / 3600).tolist()
    write_plan(file, tmp_path / "again")
    again = read_plan(tmp_path / "again")
    assert again.by_work
    assert again.demands == file.demands
