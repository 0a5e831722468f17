"""Sensible rules for a log, if nobody has said what makes types."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from core.engines.logs.reading.store import RunStore
from core.engines.logs.types.accepting import USED, Reasons
from core.engines.logs.types.classifying import RunsOnNodes, TaskTypes, find_task_types
from core.engines.logs.types.node_table import NodeTable
from core.engines.logs.types.nodes import Nodes
from core.engines.logs.types.rule_parts import Rule
from core.engines.logs.types.rules import machine_rule, task_rule
from core.engines.logs.types.settings import RunSettings

_TASK_RULES: Final = ("name", "stem", "application", "account", "queue", "size", "user")
_SIZES: Final = frozenset({"cores", "gpus", "memory"})
"""What a task asked for: the rule `size` needs one of them."""

_MOST_TASK_TYPES: Final = 60
_MOST_MACHINE_TYPES: Final = 50
_ENOUGH: Final = 0.8
"""A first choice gives types of their own to so large a share of the runs."""
_SHARED: Final = 0.1
"""Partitions that share more of their nodes are queues, and no machine types."""


def usual_task_rules(store: RunStore) -> Sequence[str]:
    """Rules for task types that this log allows, the first choice first; at least one."""
    allowed = {*store.texts}
    if "name" in allowed:
        allowed.add("stem")
    if store.known & _SIZES:
        allowed.add("size")
    return [rule for rule in _TASK_RULES if rule in allowed] or ["size"]


def choose_task_types(
    store: RunStore, settings: RunSettings, reasons: Reasons, machines: Rule
) -> TaskTypes:
    """The task types of the rule that was asked for; else those of the first usual rule that gives
    2 to 60 types to most runs; else those of the rule that comes nearest. A column that makes
    machine types makes no task types: each task type would run on one machine type only.

    Raises `RuleRefused`.
    """

    def types_of(text: str) -> TaskTypes:
        return find_task_types(task_rule(text, store), store, reasons, settings)

    if settings.task_type:
        return types_of(settings.task_type)
    found: list[TaskTypes] = []
    for text in usual_task_rules(store):
        if text not in machines.columns:
            found.append(types_of(text))
            if 2 <= found[-1].frequent <= _MOST_TASK_TYPES and found[-1].share_kept >= _ENOUGH:
                return found[-1]
    return max(found, key=lambda types: (types.kept >= 2, min(types.share_kept, _ENOUGH)))


def usual_machine_rules(store: RunStore, nodes: Nodes, table: NodeTable | None) -> Sequence[str]:
    """Rules for machine types that this log allows, the first choice first. If it is of several
    clusters, machine types are those of one cluster each.
    """
    found: list[str] = []
    if table is not None and table.has_nodes and nodes.known:
        found.append("nodes")
    if "machine" in store.texts:
        found.append("machine")
    if nodes.known:
        found.append("prefix")
    if "partition" in store.texts:
        found.append("partition")
    found.append("one")
    if "cluster" in store.texts and len(set(store.values("cluster")) - {""}) > 1:
        return [rule if rule == "nodes" else f"cluster+{rule}" for rule in found]
    return found


def choose_machine_rule(
    store: RunStore, settings: RunSettings, reasons: Reasons, nodes: Nodes, table: NodeTable | None
) -> Rule:
    """The rule that was asked for; else the first usual rule that gives 2 to 50 types to most runs,
    whose types share few nodes; else the first that gives one type to most runs.

    Raises `RuleRefused`.
    """
    if settings.machine_type:
        return machine_rule(settings.machine_type, store, nodes, table)
    single: Rule | None = None
    for text in usual_machine_rules(store, nodes, table):
        rule = machine_rule(text, store, nodes, table)
        types, share, shared = _given(rule, store, reasons, nodes)
        if share >= _ENOUGH and 2 <= types <= _MOST_MACHINE_TYPES and shared <= _SHARED:
            return rule
        if share >= _ENOUGH and types == 1 and single is None:
            single = rule
    return single or machine_rule("one", store, nodes, table)


def _given(rule: Rule, store: RunStore, reasons: Reasons, nodes: Nodes) -> tuple[int, float, float]:
    """How many types a rule gives to the runs that are measurements, to what share of them, and the
    share of nodes that are of several types.
    """
    counts, runs = np.zeros(rule.count, np.int64), 0
    on_nodes = RunsOnNodes(store, nodes, rule.count)
    for rows, block in store.parts([*rule.columns, *on_nodes.columns]):
        types = rule.keys(block)
        used = reasons.of_run[rows] == USED
        runs += int(used.sum())
        used &= types >= 0
        counts += np.bincount(types[used], minlength=len(counts))
        on_nodes.add({name: values[used] for name, values in block.items()}, types[used])
    share = counts.sum() / runs if runs else 0.0
    return int((counts > 0).sum()), float(share), on_nodes.share_of_several
