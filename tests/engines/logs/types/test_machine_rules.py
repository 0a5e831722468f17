"""A rule gives each run a machine type: by a column, or by the nodes that it ran on."""

import pytest
from log_stores import dump, store_of, swf

from core.engines.logs.types.machine_rules import machine_rule
from core.engines.logs.types.node_table import Machine, NodeTable
from core.engines.logs.types.nodes import Nodes
from core.engines.logs.types.rule_parts import NOT_KEPT, SEVERAL, UNKNOWN, RuleRefused

TABLE = NodeTable({"slow": Machine()}, {"n1": "slow", "n2": "slow", "g-a100-1": "fast"})
NONE = {UNKNOWN: "?", SEVERAL: "several", NOT_KEPT: "lost"}
LISTS = ["n1", "n[1-2]", "g-a100-[1-2],g-a100-7", "n1,g-a100-1", "", "None assigned", "n[1-", "n9"]


def types(rule: str, *logs: str, table: NodeTable | None = None) -> list[str]:
    with store_of(*logs) as store:
        made = machine_rule(rule, store, Nodes(store), table)
        (block,) = store.blocks(made.columns)
        return [NONE.get(t) or made.name(t) for t in made.keys(block).tolist()]


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("prefix", ["n", "n", "g-a100", "several", "?", "?", "?", "n"]),
        ("pattern:a\\d+", ["?", "?", "a100", "several", "?", "?", "?", "?"]),
        ("pattern:^(.).*(?:\\d)$", ["n", "n", "g", "several", "?", "?", "?", "n"]),
        ("nodes", ["slow", "slow", "several", "several", "?", "?", "?", "?"]),
        ("one", ["machine"] * 8),
        ("partition", ["p0", "p1", "p0", "p1", "p0", "p1", "p0", "?"]),
        ("partition+prefix", ["p0, n", "p1, n", "p0, g-a100", "several", "?", "?", "?", "?"]),
    ],
)
def test_lists_of_nodes_are_of_the_type_of_their_nodes(rule: str, expected: list[str]) -> None:
    rows = [{"NodeList": text, "Partition": f"p{k % 2}"} for k, text in enumerate(LISTS)]
    rows[-1]["Partition"] = ""
    assert types(rule, dump(*rows), table=TABLE) == expected


def test_minus_one_of_swf_is_no_machine_type() -> None:
    assert types("partition", swf({16: 1}, {16: -1})) == ["1", "?"]


def test_a_table_of_runs_names_its_machines() -> None:
    log = "task,machine,seconds\na,n1,1\na,n2,1\na,m7,1\n"
    assert types("machine", log) == ["n1", "n2", "m7"]
    assert types("prefix", log) == ["n", "n", "m"]


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("nodes", "needs a table of nodes; give one"),
        ("colour", "other rules are prefix, pattern:..., nodes and one"),
        ("one+one+one+one", "more than 3 parts"),
        ("partition+", "a part of the rule is blank"),
        ("pattern:(", "no regular expression"),
    ],
)
def test_a_rule_that_cannot_be_used_says_why(rule: str, message: str) -> None:
    with store_of(dump({})) as store, pytest.raises(RuleRefused, match=message):
        machine_rule(rule, store, Nodes(store), None)


def test_rules_of_nodes_need_their_names() -> None:
    with (
        store_of(dump({}, without=["NodeList"])) as store,
        pytest.raises(RuleRefused, match="add NodeList to the columns of the dump"),
    ):
        machine_rule("prefix", store, Nodes(store), None)


def test_a_million_types_are_the_most() -> None:
    rows = [{"NodeList": f"n{k}x", "Partition": f"p{k}", "User": f"u{k}"} for k in range(101)]
    with store_of(dump(*rows)) as store:
        assert machine_rule("partition+user", store, Nodes(store), None).count == 101**2
        with pytest.raises(RuleRefused, match="1,030,301 machine types; choose a coarser rule"):
            machine_rule("partition+user+nodelist", store, Nodes(store), None)
