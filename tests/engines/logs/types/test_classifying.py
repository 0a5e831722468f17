"""Each run gets its types, or the reason why it has none; rare types are gathered or dropped."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from log_stores import dump, store_of

from core.engines.logs.reading import limits
from core.engines.logs.types import classifying, rules
from core.engines.logs.types.accepting import Reason, accept
from core.engines.logs.types.classifying import (
    Classified,
    Tally,
    classify,
    find_task_types,
    unique_names,
    without_types,
)
from core.engines.logs.types.nodes import Nodes
from core.engines.logs.types.rules import machine_rule, task_rule
from core.engines.logs.types.settings import RunSettings


def classified(
    log: str, settings: RunSettings, rule: str = "name", machines: str = "partition"
) -> Classified:
    with store_of(log) as store:
        reasons = accept(store, settings)
        types = find_task_types(task_rule(rule, store), store, reasons, settings)
        made = machine_rule(machines, store, Nodes(store), None)
        return classify(store, types, made, reasons, settings)


def named(found: Classified) -> list[tuple[str, str, str]]:
    """The types of each run and its reason."""
    return [
        (
            found.task_names[t] if t >= 0 else "",
            found.machine_names[m] if m >= 0 else "",
            found.reasons.names[k],
        )
        for t, m, k in zip(found.task, found.machine, found.reasons.of_run, strict=True)
    ]


ROWS = (
    *[{"JobName": "a"}] * 3,
    *[{"JobName": "b", "Partition": "gpu"}] * 2,
    {"JobName": "c"},
    {"JobName": "c", "State": "FAILED"},
)


@pytest.mark.parametrize(
    ("below", "rare", "tasks"),
    [
        (1, "drop", {"a": 3, "b": 2, "c": 1}),
        (2, "drop", {"a": 3, "b": 2}),
        (2, "gather", {"a": 3, "b": 2, "(others)": 1}),
        (3, "gather", {"a": 3, "(others)": 3}),
        (4, "gather", {"(others)": 6}),
        (4, "drop", {}),
    ],
)
def test_rare_types_are_gathered_or_dropped(below: int, rare: str, tasks: dict[str, int]) -> None:
    settings = RunSettings(rare="gather" if rare == "gather" else "drop", rare_below=below)
    found = classified(dump(*ROWS), settings)
    assert dict(zip(found.task_names, found.tasks.tolist(), strict=True)) == tasks
    assert found.used == sum(tasks.values())
    if rare == "drop":
        assert found.reasons.counts().get("rare task type", 0) == 6 - found.used
    assert found.reasons.counts()["ended as FAILED"] == 1


RUNS = [(0, 1), (199, 1), (200, 2), (399, 3), (400, 4), (999, 9), (1_000, 10), (5_000, 10)]


@pytest.mark.parametrize(
    ("log", "runs", "below"),
    [
        *(("task,machine,seconds\n" + "a,b,1\n" * runs + "a,b,0\n", runs, n) for runs, n in RUNS),
        *((dump(*[{"JobName": "a"}] * runs), runs, n) for runs, n in [(2, 3), (399, 3), (400, 4)]),
    ],
    ids=lambda value: "" if isinstance(value, str) else str(value),
)
def test_few_runs_are_a_hundredth_but_up_to_10(log: str, runs: int, below: int) -> None:
    """Few jobs, which are not chosen as runs of a table are, are at least 3."""
    with store_of(log) as store:
        reasons = accept(store, RunSettings())
        types = find_task_types(task_rule("name", store), store, reasons, RunSettings())
    assert (types.rare_below, types.measurements) == (below, runs)


def test_machine_types_with_most_runs_come_first() -> None:
    found = classified(
        dump(*({"Partition": p} for p in ["x", "y", "y", "", "z"])), RunSettings(rare_below=1)
    )
    assert found.machine_names == ("y", "x", "z")
    assert named(found)[3] == ("job", "", "no machine type")


def test_reasons_of_types_are_told_apart() -> None:
    log = dump({"JobName": "7"}, {"NodeList": "n1,g1"}, {"NodeList": ""}, {})
    found = classified(log, RunSettings(rare_below=1), "pattern:[a-z]+", "prefix")
    assert [reason for _, _, reason in named(found)] == [
        "no task type",
        "ran on several machine types",
        "no machine type",
        "",
    ]


def test_the_types_with_most_runs_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(classifying, "MOST_TASK_TYPES", 2)
    monkeypatch.setattr(classifying, "MOST_MACHINE_TYPES", 2)
    rows = [{"JobName": n, "Partition": n} for n in "aaabbccd" for _ in range(10)]
    found = classified(dump(*rows), RunSettings())
    assert found.task_names == ("a", "b")  # the others ran on machine types that are not kept
    assert found.machine_names == ("a", "b")
    assert found.reasons.counts() == {"machine type beyond the 100 with most runs": 30}
    with store_of(dump(*rows)) as store:
        reasons = accept(store, RunSettings())
        types = find_task_types(task_rule("name", store), store, reasons, RunSettings())
    assert (types.frequent, types.kept) == (4, 2)
    assert types.share_kept == 50 / 80


@pytest.mark.parametrize("held", [100, 1 << 14])
@pytest.mark.parametrize(("limit", "column"), [("MANY_VALUES", "JobName"), ("VALUES", "Partition")])
def test_runs_whose_names_are_not_kept_have_that_reason(
    limit: str, column: str, held: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, limit, 512)
    monkeypatch.setattr(rules, "AT_ONCE", held)
    found = classified(dump(*({column: f"x{k}y"} for k in range(600))), RunSettings(rare_below=1))
    assert found.reasons.counts()["its name is one of too many to be kept"] == 600 - 511


def test_the_reason_says_how_many_machine_types_are_kept() -> None:
    assert f" {classifying.MOST_MACHINE_TYPES} " in Reason.MANY_MACHINE_TYPES
    assert classifying.MOST_TASK_TYPES == 200


def test_names_of_types_are_different_and_can_be_written() -> None:
    names = ["a", "a", "a", "", "  ", "x\ty", "x y", "é" * 200, "é" * 300, "<b>", "a (2)"]
    long = "é" * 100
    assert unique_names(names) == [
        *["a", "a (2)", "a (3)", "(none)", "(none) (2)", "x y", "x y (2)", long, f"{long} (2)"],
        *["<b>", "a (2) (2)"],
    ]


def test_runs_of_types_left_out_are_too_few() -> None:
    found = classified(dump(*ROWS), RunSettings(rare_below=1))
    less = without_types(found, np.array([True, False, True]), np.array([True, True]))
    assert less.task_names == ("a", "c")
    assert less.reasons.counts()["too few runs of its task type or machine type"] == 2
    assert less.tasks.tolist() == [3, 1]
    assert named(less)[3] == ("", "gpu", "too few runs of its task type or machine type")


def test_types_are_the_same_wherever_blocks_end(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = named(classified(dump(*ROWS), RunSettings(rare_below=2)))
    monkeypatch.setattr("core.engines.logs.reading.store._BLOCK", 2)
    monkeypatch.setattr(classifying, "_BLOCK", 3)
    assert named(classified(dump(*ROWS), RunSettings(rare_below=2))) == whole


def test_of_types_with_as_many_runs_the_first_of_the_log_come_first() -> None:
    names = [f"p{k * 37 % 50}" for k in range(50)]
    found = classified(dump(*({"Partition": name} for name in names)), RunSettings(rare_below=1))
    assert found.machine_names == tuple(names)


@pytest.mark.parametrize("names", [("", "b"), ("a", "b")])
def test_where_all_types_are_rare_all_are_gathered(names: tuple[str, ...]) -> None:
    found = classified(dump(*({"JobName": name} for name in names)), RunSettings(rare_below=9))
    assert dict(zip(found.task_names, found.tasks.tolist(), strict=True)) == {"(others)": 2}


BLOCKS = st.lists(st.lists(st.integers(0, 9), max_size=8), max_size=6)


@given(BLOCKS)
def test_each_number_is_counted_as_often_as_it_came(blocks: list[list[int]]) -> None:
    tally, weighted = Tally(), Tally()
    for block in blocks:
        numbers = np.array(block, np.int64)
        tally.add(numbers)
        weighted.add(numbers, np.full(len(block), 3))
    counts = Counter(number for block in blocks for number in block)
    assert tally.numbers.tolist() == sorted(counts)
    assert dict(zip(tally.numbers.tolist(), tally.counts.tolist(), strict=True)) == counts
    assert weighted.counts.tolist() == (3 * tally.counts).tolist()
