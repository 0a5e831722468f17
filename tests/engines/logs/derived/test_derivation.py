"""A log becomes a system: measured pairs by their median, others by estimates that are marked."""

from itertools import count
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from log_stores import dump, store_of, swf

from core.engines.logs.derived.derivation import Derivation, derive
from core.engines.logs.reading.store import Stopped
from core.engines.logs.types.node_table import Machine, NodeTable
from core.engines.logs.types.settings import RunSettings
from core.engines.operations.estimates import HeldOut, RelativeError
from core.vocabulary.problems import InvalidInput

SECONDS = {("a", "x"): 100, ("a", "y"): 50, ("b", "x"): 20, ("b", "y"): 10, ("c", "x"): 60}


ROWS = [
    f"{task},{machine},{seconds + change},300\n"
    for (task, machine), seconds in SECONDS.items()
    for change in (-1, 0, 1)
]
RUNS = f"task,machine,seconds,watts\n{''.join(ROWS)}"


def test_pairs_never_measured_are_estimated_and_marked() -> None:
    found = derived_of(RUNS, min_runs=None)
    system = found.system
    assert system.task_names == ("a", "b", "c")
    assert system.machine_names == ("x", "y")
    assert system.task_counts.tolist() == [6, 6, 3]
    np.testing.assert_allclose(system.etc, [[100, 50], [20, 10], [60, 30]])
    assert system.apc is not None
    np.testing.assert_allclose(system.apc, 300)
    assert system.estimated is not None
    assert np.argwhere(system.estimated).tolist() == [[2, 1]]
    assert found.pairs == {"measured": 5, "estimated": 1, "impossible": 0}
    assert found.rows == found.used == 15


def test_without_estimates_they_cannot_run() -> None:
    found = derived_of(RUNS, estimates=False, min_runs=None)
    assert np.isinf(found.system.etc[2, 1])
    assert found.system.estimated is None
    assert found.pairs == {"measured": 5, "estimated": 0, "impossible": 1}
    assert (found.held_out_error, found.unconnected) == (None, 0)


def test_too_few_runs_are_refused_with_the_remedy() -> None:
    with pytest.raises(InvalidInput, match="4 runs; ask for fewer runs"):
        derived_of(RUNS, min_runs=4)


@pytest.mark.parametrize(
    ("runs", "least"),
    [
        *(((3, 3), 3), ((3, 2, 1), 3), ((3, 2, 2), 2), ((2, 1, 1), 2)),
        *(((2, 1, 1, 1), 1), ((1,), 1), ((9, 1, 1, 1), 3)),
    ],
)
def test_most_runs_are_of_measured_pairs(runs: tuple[int, ...], least: int) -> None:
    """Unless somebody says how many runs a measured pair needs."""
    rows = [f"t{task},x,{5 + k}\n" for task, count in enumerate(runs) for k in range(count)]
    for asked, needed in ((None, least), (1, 1)):
        found = derived_of(f"task,machine,seconds\n{''.join(rows)}", min_runs=asked)
        assert found.settings.min_runs == needed
        assert found.measured.sum() == sum(count >= needed for count in runs)


def derived_of(
    *logs: str, table: NodeTable | None = None, estimates: bool = True, **settings: Any
) -> Derivation:
    asked = {"rare_below": 1, "min_runs": 1} | settings
    with store_of(*logs) as store:
        return derive(store, RunSettings(**asked), table, estimates=estimates)


def test_pairs_that_nothing_connects_are_counted_apart() -> None:
    found = derived_of("task,machine,seconds\na,x,5\nb,y,5\n")
    assert found.unconnected == 2
    assert found.pairs == {"measured": 2, "estimated": 0, "impossible": 2}
    assert derived_of("task,machine,seconds\na,x,5\n").unconnected == 0


def test_the_settings_have_the_rules_in_force() -> None:
    found = derived_of(dump(*[{}] * 5), rare_below=None, min_runs=None).settings
    assert (found.task_type, found.machine_type, found.machine) == ("name", "prefix", "node")
    assert (found.rare_below, found.min_runs) == (3, 3)
    found = derived_of(dump({}), machine="core")
    assert found.settings.machine == "core"
    assert (found.system.etc.tolist(), found.system.machine_counts.tolist()) == ([[240.0]], [4])


def test_a_table_of_nodes_makes_machine_types() -> None:
    rows = [{"NodeList": "a1"}, {"NodeList": "b1"}]
    table = NodeTable({"s": Machine(nodes=1), "f": Machine(nodes=1)}, {"a1": "s", "b1": "f"})
    assert derived_of(dump(*rows), table=table).system.machine_names == ("s", "f")
    watts_only = NodeTable({"a": Machine(busy_watts=300)})
    found = derived_of(dump(*rows), table=watts_only, machine_type="prefix")
    assert found.system.machine_names == ("a", "b")


@pytest.mark.parametrize(
    ("x", "y", "source"), [("100", "", "runs and table"), ("", "", "table"), ("100", "50", "runs")]
)
def test_where_powers_are_from(x: str, y: str, source: str) -> None:
    table = NodeTable({"y": Machine(busy_watts=200, idle_watts=20)})
    text = f"task,machine,seconds,watts\na,x,5,{x}\na,y,5,{y}\n"
    found = derived_of(text, table=table)
    assert found.power_source == source
    assert found.system.idle_power.tolist() == [0, 20]
    if source != "table":
        assert found.system.apc is not None
        assert found.system.apc[0].tolist() == [100, 50 if y else 200]


def test_why_nothing_can_be_used_is_said() -> None:
    states = ("FAILED", "TIMEOUT", "CANCELLED", "NODE_FAIL", "DEADLINE")
    rows = [{"State": state} for k, state in enumerate(states) for _ in range(6 - k)]
    with pytest.raises(InvalidInput) as refused:
        derived_of(dump(*rows))
    (problem,) = refused.value.problems
    assert problem.message == (
        "no run of the log can be used (6 ended as FAILED, 5 ended as TIMEOUT, 4 ended as "
        "CANCELLED, 3 ended as NODE_FAIL); choose other rules, states or a log"
    )


def test_a_rule_that_cannot_be_used_is_a_problem() -> None:
    with pytest.raises(InvalidInput, match="is no column of this log"):
        derived_of(dump({}), task_type="colour")


@pytest.mark.parametrize("log", [dump({"ReqTRES": "cpu=1", "ConsumedEnergyRaw": 9}), swf({5: 3})])
def test_it_can_be_stopped_wherever_runs_are_read(log: str) -> None:
    """While it counts machines by their runs, too, as it does where no nodes are named."""
    with store_of(log) as store:
        settings, asked = RunSettings(rare_below=1, min_runs=1), count()
        derive(store, settings, should_stop=lambda: next(asked) < 0)
        times = next(asked)
        assert times > 8
        for last in range(times):
            with pytest.raises(Stopped):
                derive(store, settings, should_stop=map(last.__eq__, count()).__next__)


def test_types_without_a_measured_pair_are_left_out() -> None:
    found = derived_of("task,machine,seconds\n" + "a,x,5\n" * 3 + "b,y,5\na,y,5\n", min_runs=3)
    assert (found.system.task_names, found.system.machine_names) == (("a",), ("x",))
    assert (found.rows, found.used) == (5, 3)
    assert dict(found.rejected) == {"too few runs of its task type or machine type": 2}
    assert found.measured.tolist() == [[True]]
    assert not found.of_slurm
    assert derived_of(dump({})).of_slurm


@pytest.mark.parametrize(("held_out", "error"), [(True, 0.2), (False, None)])
def test_the_error_is_that_of_the_kinds_chosen(held_out: bool, error: float | None) -> None:
    kinds = tuple(RelativeError(k, k) for k in (0.3, 0.2, 0.1))
    told = HeldOut(9, kinds, *[RelativeError(1, 1)] * 2) if held_out else None
    found = SimpleNamespace(estimates=SimpleNamespace(kinds=2, held_out=told))
    assert Derivation.held_out_error.fget is not None
    assert Derivation.held_out_error.fget(found) == error


def test_one_log_of_slurm_among_others_is_enough() -> None:
    assert derived_of(dump({}), "task,machine,seconds\na,x,5\n", machine="job").of_slurm


def test_powers_of_the_table_are_divided_among_the_cores_of_a_node() -> None:
    table = NodeTable({"n": Machine(busy_watts=200, idle_watts=40)})
    system = derived_of(dump({"AllocCPUS": 4}), table=table, machine="core").system
    assert system.apc is not None
    assert (system.apc.tolist(), system.idle_power.tolist()) == ([[50]], [10])
