"""Somebody who chooses nothing gets types that make sense."""

from collections.abc import Mapping

import pytest
from log_stores import dump, store_of, swf

from core.engines.logs.types.accepting import accept
from core.engines.logs.types.choosing import (
    choose_machine_rule,
    choose_task_types,
    usual_task_rules,
)
from core.engines.logs.types.node_table import Machine, NodeTable
from core.engines.logs.types.nodes import Nodes
from core.engines.logs.types.rules import machine_rule
from core.engines.logs.types.settings import RunSettings

Rows = list[Mapping[str, object]]


def chosen(*logs: str, table: NodeTable | None = None) -> tuple[str, str]:
    with store_of(*logs) as store:
        settings = RunSettings()
        reasons = accept(store, settings)
        machines = choose_machine_rule(store, settings, reasons, Nodes(store), table)
        return choose_task_types(store, settings, reasons, machines).rule.text, machines.text


def jobs(*names: str, times: int = 20) -> Rows:
    return [{"JobName": name} for name in names for _ in range(times)]


UNIQUE: Rows = [{"JobName": f"{chr(97 + k // 10)}{k % 10}z"} for k in range(50)]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (jobs("sort", "align"), "name"),
        (jobs(*(f"sort_{k}" for k in range(60))), "name"),
        ([{"JobName": f"{'ab'[k % 2]}x_{k:05}"} for k in range(100)], "stem"),
        ([{"JobName": f"{'ab'[k % 2]}x-{k * 2654435761 % 2**32:08x}"} for k in range(100)], "stem"),
        ([{"JobName": f"{k:05}", "Account": "ab"[k % 2]} for k in range(100)], "account"),
        ([{"JobName": f"{k:05}", "AllocCPUS": 1 + k % 2} for k in range(100)], "size"),
        (jobs("sort"), "name"),
        ([{"JobName": "ab"[k % 2], "AllocCPUS": 2 ** (k % 3)} for k in range(60)], "name"),
        (jobs("a", "b", times=25) + UNIQUE, "name"),
        ([{**row, "Account": "xy"[k % 2]} for k, row in enumerate(jobs("a", "b")[::-1])], "name"),
        (
            [
                {**row, "Account": "xy"[k % 2] if k < 70 else k}
                for k, row in enumerate(jobs("a", "b", times=25) + UNIQUE)
            ],
            "account",
        ),
        ([*jobs("a", "b"), *({"JobName": f"x{k}y", "Account": "c"} for k in range(9))], "name"),
        (
            [
                {"JobName": f"{chr(97 + k % 26)}{chr(97 + k // 26)}q", "Account": "ab"[k % 2]}
                for k in range(520)
                for _ in range(10)
            ],
            "account",
        ),
    ],
)
def test_the_first_rule_that_gives_a_few_types_to_most_runs(rows: Rows, expected: str) -> None:
    assert chosen(dump(*rows))[0] == expected


@pytest.mark.parametrize(("named", "expected"), [(80, "name"), (79, "size")])
def test_most_runs_are_four_fifths(named: int, expected: str) -> None:
    rows = [{"JobName": "ab"[k % 2]} for k in range(named)]
    rare = [{"JobName": f"{chr(97 + k)}z{chr(98 + k)}"} for k in range(100 - named)]
    rows = [{**row, "AllocCPUS": 1 + k % 2} for k, row in enumerate([*rows, *rare])]
    assert chosen(dump(*rows))[0] == expected


@pytest.mark.parametrize(("types", "expected"), [(60, "name"), (61, "size")])
def test_a_few_types_are_up_to_sixty(types: int, expected: str) -> None:
    names = [f"{chr(97 + k % 26)}{'pqr'[k // 26]}" for k in range(types)]
    rows = [{"JobName": n, "AllocCPUS": 1 + k} for n in names for k in range(10)]
    assert chosen(dump(*rows))[0] == expected


def test_a_type_of_all_runs_is_no_better_than_many_types() -> None:
    names = [f"{chr(97 + k % 26)}{chr(97 + k // 26)}q" for k in range(100)]
    assert chosen(dump(*jobs(*names, times=10)))[0] == "name"


def test_swf_logs_have_executables_or_sizes() -> None:
    assert chosen(swf(*({14: k % 3} for k in range(40)))) == ("application", "one")
    assert chosen(swf(*({5: 1 + k % 2, 16: k % 2} for k in range(40)))) == ("size", "partition")
    assert chosen(swf(*({15: k % 3} for k in range(40)))) == ("queue", "one")


def nodes(*names: str, **more: str) -> Rows:
    return [{"NodeList": name, **more} for name in names for _ in range(5)]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (nodes("gpu-a100-01", "gpu-a40-01", "n1"), "prefix"),
        (nodes("n1", "n2", Partition="a") + nodes("n3", Partition="b"), "partition"),
        (nodes("n1", "n2", Partition="a") + nodes("n1", "n2", Partition="b"), "prefix"),
        (nodes("n1", "n2"), "prefix"),
        (nodes("c1r1n1", "c2r1n2", "c3r2n2"), "prefix"),
        (nodes(*(f"{a}{b}x" for a in "abcdefgh" for b in "abcdefgh")), "partition"),
        (nodes("", "None assigned"), "partition"),
        (nodes("n1", "g1", Partition="a") + nodes("n7,g7", "n8,g7", "n9,g7"), "partition"),
        (nodes("n1", "g1", Cluster="a") + nodes("n1", "g1", Cluster="b"), "cluster+prefix"),
        (nodes("n1", "n2", Cluster="a") + nodes("n1", "n2", Cluster="a"), "prefix"),
    ],
)
def test_machine_types_are_kinds_of_nodes_and_not_queues(rows: Rows, expected: str) -> None:
    assert chosen(dump(*rows))[1] == expected


def partitions(count: int) -> Rows:
    return [{"NodeList": f"n{k}", "Partition": f"p{k}"} for k in range(count)]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (partitions(50), "partition"),
        (partitions(51), "prefix"),
        (partitions(4) + nodes("", Partition="")[:1], "partition"),
        (partitions(7) + nodes("", Partition="")[:2], "one"),
        (nodes("n1")[:4] + nodes("")[:1], "prefix"),
        (nodes("n1")[:7] + nodes("")[:2], "partition"),
        (
            [{"Cluster": "ab"[k % 2], "NodeList": "", "Partition": ""} for k in range(4)],
            "cluster+one",
        ),
    ],
)
def test_fifty_types_of_four_fifths_of_the_runs_are_the_limits(rows: Rows, expected: str) -> None:
    assert chosen(dump(*rows))[1] == expected


@pytest.mark.parametrize(("shared", "expected"), [(1, "partition"), (2, "prefix")])
def test_partitions_may_share_a_tenth_of_their_nodes(shared: int, expected: str) -> None:
    rows = [{"NodeList": f"n{k}", "Partition": "ab"[k % 2]} for k in range(10)]
    rows += [{"NodeList": f"n{k}", "Partition": "ba"[k % 2]} for k in range(shared)]
    assert chosen(dump(*rows))[1] == expected


def test_only_measurements_count_wherever_blocks_end(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{"NodeList": f"n{k}", "Partition": "ab"[k % 2]} for k in range(8)]
    failed = [{"NodeList": "n1", "Partition": "c", "State": "FAILED", "JobName": "f"}]
    monkeypatch.setattr("core.engines.logs.reading.store._BLOCK", 3)
    for log in (dump(*rows, *failed * 30), dump(*failed * 30, *rows)):
        assert chosen(log) == ("name", "partition")


def test_a_table_of_nodes_comes_first() -> None:
    table = NodeTable({"x": Machine(), "y": Machine()}, {"n1": "x", "n2": "y"})
    log = dump(*nodes("n1", "n2"))
    assert chosen(log, table=table)[1] == "nodes"
    useless = NodeTable({"x": Machine()}, {"other": "x"})
    assert chosen(log, table=useless)[1] == "prefix"


def test_a_table_of_runs_has_its_machine_types_or_its_machines() -> None:
    types = "task,machine,seconds\n" + "".join(f"{'ab'[k % 2]},M{k % 9},5\n" for k in range(90))
    assert chosen(types) == ("name", "machine")
    hosts = "task,machine,seconds\n" + "".join(f"{'ab'[k % 2]},n{k % 51},5\n" for k in range(102))
    assert chosen(hosts) == ("name", "prefix")


def test_a_small_table_of_runs_has_its_task_types() -> None:
    assert chosen("task,machine,seconds\nsort,x,5\nsort,y,6\nalign,x,7\n") == ("name", "machine")
    assert chosen("task,machine,seconds,cores\nonly,x,5,1\n")[0] == "name"


def test_sizes_are_a_choice_if_the_log_has_them() -> None:
    with store_of("task,machine,seconds\na,x,5\n") as store:
        assert usual_task_rules(store) == ["name", "stem"]
    with store_of(dump({"JobName": "a", "AllocCPUS": 2})) as store:
        assert "size" in usual_task_rules(store)


def test_a_column_is_not_both() -> None:
    rows = [{"JobName": f"{k:05}", "Account": "ab"[k % 2], "NodeList": ""} for k in range(40)]
    with store_of(dump(*rows)) as store:
        reasons = accept(store, RunSettings())
        machines = machine_rule("account", store, Nodes(store), None)
        types = choose_task_types(store, RunSettings(), reasons, machines)
        assert types.rule.text != "account"


def test_what_was_asked_for_is_taken() -> None:
    settings = RunSettings(task_type="account", machine_type="one")
    with store_of(dump({"Account": "a"})) as store:
        reasons = accept(store, settings)
        machines = choose_machine_rule(store, settings, reasons, Nodes(store), None)
        assert machines.text == "one"
        assert choose_task_types(store, settings, reasons, machines).rule.text == "account"
