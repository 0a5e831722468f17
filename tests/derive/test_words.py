"""The notes of a derivation say what was taken for granted."""

from collections.abc import Mapping

import pytest
from log_stores import dump, store_of

from core.derive.derivation import derive
from core.derive.words import notes, rule_in_words
from core.runs import classifying
from core.runs.node_table import Machine, NodeTable
from core.runs.settings import RunSettings


def said(*rows: Mapping[str, object], **settings: object) -> str:
    asked = RunSettings(rare_below=1, min_runs=1, **settings)  # type: ignore[arg-type]
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


def test_shared_nodes_are_counted() -> None:
    rows = [{"Partition": p} for p in "aab"]
    assert "1 node ran jobs of several machine types" in said(*rows, machine_type="partition")
    assert "several machine types" not in said(*rows, machine_type="prefix")


def test_types_beyond_the_most_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(classifying, "MOST_TASK_TYPES", 2)
    rows = [{"JobName": name} for name in "abcde"]
    assert "with most runs are kept apart; 3 more count as rare" in said(*rows, task_type="name")
    assert "count as rare" not in said(*rows[:2], task_type="name")


def test_powers_are_explained() -> None:
    with_energy = said({"ConsumedEnergyRaw": 60 * 300})
    assert "Slurm measures whole nodes" in with_energy
    assert "they are 0 W until you give them" in with_energy
    assert "so powers are unknown" in said({})
    table = NodeTable({"n": Machine(busy_watts=300, idle_watts=100)})
    with store_of(dump({})) as store:
        found = "\n".join(notes(derive(store, RunSettings(rare_below=1, min_runs=1), table)))
    assert "powers are the busy powers of the table" in found
    assert "0 W" not in found


@pytest.mark.parametrize("unit", ["node", "core", "job"])
def test_what_one_machine_is_is_said(unit: str) -> None:
    assert "One machine is" in said({}, machine=unit)


def test_only_slurm_measures_whole_nodes() -> None:
    def said_of(log: str) -> str:
        with store_of(log) as store:
            return "\n".join(notes(derive(store, RunSettings(rare_below=1, min_runs=1))))

    metered = {"ConsumedEnergyRaw": 60_000, "Elapsed": "00:10:00"}
    assert "Slurm measures whole nodes" in said_of(dump(metered))
    table = said_of("task,machine,seconds,watts\na,x,5,100\n")
    assert "powers are unknown" not in table
    assert "Slurm" not in table
