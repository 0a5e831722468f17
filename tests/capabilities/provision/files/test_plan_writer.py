"""A plan that was written is read back as it was, in every format; it is a system there, too."""

import math
import tempfile
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
from capabilities.provision.files.test_plan_reader import same
from capabilities.provision.plan_files import folder_with
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
from core.capabilities.provision.files.plan_reader import inspect_plan, read_plan
from core.capabilities.provision.files.plan_writer import additions_of, write_plan
from core.capabilities.provision.futures.uncertainty import Points, Variation
from core.capabilities.provision.plan import MachineOffer, PlanLimits, TaskDemand
from core.files import read_system
from core.files.beside import flat
from core.vocabulary.system import System

amounts = st.floats(0, 1e9).map(lambda value: value + 0.0)
budgets = st.floats(-1e9, 1e9)


def variations(types: int) -> st.SearchStrategy[Variation]:
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
def plan_files(draw: Any) -> PlanFile:
    types: System = draw(systems())
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
    return PlanFile(
        types,
        tuple(offers),
        tuple(demands),
        PlanLimits(
            draw(st.floats(-1e9, 1e9)), draw(st.floats(0, 5)), 7.5, draw(limit), draw(watts)
        ),
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
def test_what_is_written_is_read_back(suffix: str, file: PlanFile) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"plan{suffix}")
        write_plan(file, path)
        reading = inspect_plan(path)
    assert [str(one) for one in reading.problems if one.severity == "error"] == []
    assert reading.value is not None
    same(reading.value, file)


def test_rates_are_written_in_the_unit_of_the_plan(tmp_path: Path) -> None:
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


def test_a_written_plan_is_a_system(tmp_path: Path) -> None:
    file = read_plan(
        folder_with(tmp_path / "mine", machines_csv=("machine_type,count,price\nM1,2,10\nM2,3,7\n"))
    )
    for name in ("again", "again.zip", "again.xlsx", "again.json"):
        write_plan(file, tmp_path / name)
        assert read_system(tmp_path / name).machine_counts.tolist() == [2, 3]


def test_a_folder_with_a_plan_is_replaced(tmp_path: Path) -> None:
    folder = folder_with(tmp_path / "mine")
    file = read_plan(folder)
    richer = PlanFile(file.types, file.offers, file.demands, PlanLimits(7.0))
    write_plan(richer, folder)
    assert read_plan(folder).limits.budget == 7.0


def test_settings_are_flat_in_a_sheet() -> None:
    settings = {"a": '"b\\\n', "c": 1.5, "d": {"e": {"f": [1, 2.0]}, "g": 2**62}}
    assert [*flat(settings)] == [
        ("a", ['"b\\\n']),
        ("c", [1.5]),
        ("d.e.f", [1, 2.0]),
        ("d.g", [2**62]),
    ]
