"""The notes of a derivation say what was taken for granted."""

from collections.abc import Mapping
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from log_stores import dump, store_of

from core.capabilities.derive.told import (
    differences_in_words,
    error_in_words,
    notes,
    pairs_in_words,
    placement_in_words,
    rule_in_words,
)
from core.engines.logs.derived.derivation import derive
from core.engines.logs.derived.replayed import Energies, Replayed
from core.engines.logs.types import classifying
from core.engines.logs.types.node_table import Machine, NodeTable
from core.engines.logs.types.settings import RunSettings
from core.engines.operations.estimates import HeldOut, RelativeError


def said(*rows: Mapping[str, object], **settings: Any) -> str:
    asked = replace(RunSettings(rare_below=1, min_runs=1), **settings)
    with store_of(dump(*rows)) as store:
        return "\n".join(notes(derive(store, asked)))


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("stem", "the name of the job without its numbers"),
        ("stem+account", "the name of the job without its numbers and the column account"),
        ("column:x", "the column x"),
        ("account+pattern:a+b", "the column account and the pattern a+b"),
        ("prefix", "the name of the node without the numbers that count nodes"),
        ("one", "all machines are of one type"),
    ],
)
def test_rules_are_said_in_words(rule: str, words: str) -> None:
    assert rule_in_words(rule) == words


def test_shared_nodes_and_pairs_that_nothing_connects_are_counted() -> None:
    rows = [{"Partition": p} for p in "aab"]
    assert "1 node ran jobs of several machine types" in said(*rows, machine_type="partition")
    assert "several machine types" not in said(*rows, machine_type="prefix")
    rows = [{"JobName": name, "NodeList": f"{name}1"} for name in "ab"]
    text = said(*rows, task_type="name", machine_type="prefix")
    assert "2 pairs could not be estimated, because no measured pairs connect" in text
    assert "could not be estimated" not in said(*rows[:1])


def test_types_beyond_the_most_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(classifying, "MOST_TASK_TYPES", 2)
    rows = [{"JobName": name} for name in "abcde"]
    assert "with most runs are kept apart; 3 more count as rare" in said(*rows, task_type="name")
    assert "count as rare" not in said(*rows[:2], task_type="name")


METERED = dump({"ConsumedEnergyRaw": 60_000, "Elapsed": "00:10:00"})
BUSY = NodeTable({"x": Machine(busy_watts=300), "y": Machine(busy_watts=200)})
IDLE = NodeTable({"n": Machine(busy_watts=300, idle_watts=100)})


def of_table(watts: str) -> str:
    return f"task,machine,seconds,watts\na,x,5,{watts}\na,y,5,\n"


@pytest.mark.parametrize(
    ("log", "machines", "there", "not_there"),
    [
        (METERED, None, "Slurm measures whole nodes", "unknown"),
        (METERED, None, "they are 0 W until you give them", "unknown"),
        (dump({}), None, "so powers are unknown", "Slurm"),
        (dump({}), IDLE, "powers are the busy powers of the table", "0 W"),
        (of_table("9"), None, "Some pairs have no power, so powers are left out", "Slurm"),
        (
            of_table("9"),
            BUSY,
            "Where the log has no energy, powers are the busy powers of",
            "Slurm",
        ),
        (
            of_table(""),
            BUSY,
            "The log has no energy, so powers are the busy powers of the",
            "Slurm",
        ),
        (of_table(""), None, "The log has no energy that can be true, so powers are unk", "Slurm"),
    ],
    ids=lambda value: value if isinstance(value, str) and "," not in value else "",
)
def test_powers_are_explained(
    log: str, machines: NodeTable | None, there: str, not_there: str
) -> None:
    with store_of(log) as store:
        asked = RunSettings(rare_below=1, min_runs=1)
        found = "\n".join(notes(derive(store, asked, machines, estimates=False)))
    assert there in found
    assert not_there not in found


@pytest.mark.parametrize("unit", ["node", "core", "job"])
def test_what_one_machine_is_is_said(unit: str) -> None:
    assert "One machine is" in said({}, machine=unit)


def test_the_rules_in_force_come_first() -> None:
    assert said({}, task_type="name", machine_type="partition").splitlines()[0] == (
        "Task types: the name of the job. Machine types: the column partition."
    )


def test_the_error_of_estimates_is_beside_two_guesses() -> None:
    def half(error: float) -> RelativeError:
        return RelativeError(error, 0.5)

    told = HeldOut(7, (half(0.1234), half(0.0521)), half(0.3), half(1.25))
    estimates = SimpleNamespace(held_out=told)
    found: Any = SimpleNamespace(estimates=estimates, held_out_error=0.0521)
    assert error_in_words(found) == (
        "Of 7 measured pairs that were hidden, half were estimated with an error of at most 5.3 % "
        "(the mean of the task type would give 30 %, that of the machine type 125 %)."
    )
    found.estimates = None
    assert error_in_words(found) is None


MEASURED = Energies(6.5e9, 8e9, -2e9, 0.4e9, 0.1e9, 1e5)


def test_the_recorded_energy_is_told_with_what_makes_the_difference() -> None:
    """Issue 33, point 2: what meters recorded stands apart, with the reason for the difference."""
    took = Replayed(0, 1, 10, 7200.0, 7200.0, MEASURED, 0.05)
    means, medians = RunSettings(machine="node"), RunSettings(statistic="median")
    assert differences_in_words(replace(took, seconds=9000.0, energies=None), means) == (
        ["The log's runs took 2.5 node-hours; the tables have 2 for them."],
        [],
    )
    assert differences_in_words(took, medians) == (
        ["Meters recorded 2.222 MWh for these runs. The tables have 1.806 MWh, because of:"],
        [
            "−555.6 kWh: runs that had a part of a node; a meter counts the whole node for each.",
            "+111.1 kWh: 5 % of the runs have no recorded energy; they count as their pair does.",
            "+27.78 kWh: medians in the tables, which are below the means where some runs take "
            "long.",
        ],
    )
    assert "too few runs to be measured" in differences_in_words(took, means)[1][2]
    same = replace(took, energies=Energies(8e9, 8e9, 0, 0, 0, 0))
    assert differences_in_words(same, means) == (
        ["Meters recorded 2.222 MWh for these runs; the tables have the same."],
        [],
    )
    assert differences_in_words(replace(took, energies=None), means) == ([], [])
    assert placement_in_words(took, "node") == "2 node-hours and 1.806 MWh"
    assert placement_in_words(replace(took, energies=None), "core") == "2 core-hours"


def test_pairs_are_counted() -> None:
    found: Any = SimpleNamespace(pairs={"measured": 1, "estimated": 2_000, "impossible": 3})
    assert pairs_in_words(found) == "1 pair measured, 2,000 estimated, 3 impossible"
