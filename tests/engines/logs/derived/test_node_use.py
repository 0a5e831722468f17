"""Nodes are busy while a job is on them: found by name, or by the share that jobs had."""

from collections.abc import Mapping

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from log_stores import dump, store_of, swf

from core.engines.logs.derived import beside as module
from core.engines.logs.derived.beside import node_use
from core.engines.logs.derived.derivation import derive
from core.engines.logs.types.node_table import Machine, NodeTable
from core.engines.logs.types.settings import RunSettings
from core.vocabulary.node_use import NodeUse

SETTINGS = RunSettings(task_type="name", machine_type="partition", machine="node", rare_below=1)


def use_of(*rows: Mapping[str, object], settings: RunSettings = SETTINGS) -> NodeUse:
    with store_of(dump(*rows)) as store:
        found = node_use(derive(store, settings), store)
    assert found is not None
    return found


def job(start: int, minutes: int, nodes: str, **more: object) -> dict[str, object]:
    """A job that begins so many minutes after midnight."""
    when = f"2024-03-01T{start // 60:02}:{start % 60:02}:00"
    lasts = f"{minutes // 60:02}:{minutes % 60:02}:00"
    return {"NodeList": nodes, "Start": when, "Elapsed": lasts, **more}


def minutes(found: NodeUse, kind: int = 0) -> list[tuple[float, int]]:
    changes = found.changes[kind]
    return [*zip(((changes.times - found.begin) / 60).tolist(), changes.by.tolist(), strict=True)]


def test_jobs_that_share_a_node_are_united() -> None:
    found = use_of(job(0, 60, "n1"), job(30, 60, "n1"), job(90, 10, "n1"), job(120, 10, "n[1-3]"))
    assert minutes(found) == [(0, 1), (30, 0), (90, 0), (100, -1), (120, 3), (130, -3)]
    assert found.node_names == ("n1", "n2", "n3")
    assert (found.node_busy / 60).tolist() == [110, 10, 10]
    assert found.nodes.tolist() == [3]
    assert found.changes[0].jobs == 4


def test_a_node_that_becomes_free_can_be_taken_at_once() -> None:
    found = use_of(job(0, 60, "n1"), job(60, 60, "n2"), job(0, 10, "n2"))
    assert minutes(found) == [(0, 1), (0, 1), (10, -1), (60, -1), (60, 1), (120, -1)]
    assert found.changes[0].most == 2


def test_jobs_count_however_they_ended() -> None:
    found = use_of(*[job(0, 60, "n1")] * 3, job(90, 30, "n1", State="FAILED"))
    assert minutes(found)[-2:] == [(90, 1), (120, -1)]


def test_nodes_of_equal_names_in_two_clusters_are_two() -> None:
    rows = [job(0, 60, "n1", Cluster=name) for name in ("east", "west")]
    found = use_of(*rows)
    assert found.nodes.tolist() == [2]
    assert found.node_names == ("n1", "n1")
    assert found.changes[0].most == 2


def test_a_node_is_of_the_type_of_most_of_its_jobs() -> None:
    found = use_of(
        *[job(60 * k, 30, "n1") for k in range(3)],
        *[job(60 * k, 30, "n2", Partition="gpu") for k in range(4)],
        job(600, 30, "n1", Partition="gpu"),
    )
    types = dict(zip(found.node_names, found.node_types.tolist(), strict=True))
    assert found.names == ("gpu", "cpu")
    assert types == {"n1": 1, "n2": 0}
    assert found.changes[1].by.sum() == 0
    assert found.changes[1].jobs == 4


def test_a_job_on_nodes_of_two_types_counts_with_its_first_node() -> None:
    alone = [job(60 * k, 30, "a1") for k in range(3)]
    alone += [job(60 * k, 30, "b1", Partition="gpu") for k in range(4)]
    for nodes, kind in (("a1,b1", "cpu"), ("b1,a1", "gpu")):
        found = use_of(*alone, job(600, 30, nodes))
        most = dict(zip(found.names, [one.most for one in found.changes], strict=True))
        assert most == {"cpu": 1, "gpu": 1} | {kind: 2}


def test_a_job_has_no_more_nodes_than_it_has() -> None:
    """Also if a person says that a node has fewer cores than jobs had."""
    rows = [job(0, 60, "", NNodes=2, AllocCPUS=64)] * 3
    with store_of(dump(*rows, without=("NodeList",))) as store:
        table = NodeTable({"cpu": Machine(cores=4)})
        found = node_use(derive(store, SETTINGS, table), store)
    assert found is not None
    assert found.changes[0].most == 6


def test_jobs_beyond_a_window_are_left_out() -> None:
    begin = 1_709_251_200.0  # 2024-03-01
    window = RunSettings(
        task_type="name", machine_type="partition", rare_below=1, begin=begin, end=begin + 3600
    )
    rows = [job(10 * k, 5, "n1") for k in range(12)]
    assert use_of(*rows, settings=window).changes[0].jobs == 6


def test_without_names_as_few_nodes_are_busy_as_can_be() -> None:
    """Of 8 cores each: 4 + 4 fill one, 3 more need another."""
    rows = [job(0, 60, "", AllocCPUS=8), job(70, 60, "", AllocCPUS=4), job(80, 60, "", AllocCPUS=4)]
    rows += [job(90, 20, "", AllocCPUS=3)]
    with store_of(dump(*rows, without=("NodeList", "NNodes"))) as store:
        settings = RunSettings(task_type="name", machine_type="partition", rare_below=1)
        found = node_use(derive(store, settings), store)
    assert found is not None
    assert found.node_names == ()
    said = minutes(found)
    assert said == [(0, 1), (60, -1), (70, 1), (80, 0), (90, 1), (110, -1), (140, -1)]


def test_lists_that_cannot_be_read_are_as_none() -> None:
    found = use_of(*[job(0, 60, "n1; n2")] * 3)
    assert (found.node_names, found.changes[0].most) == ((), 3)


@pytest.mark.thorough
@examples(30)
@given(st.lists(st.integers(1, 12), min_size=1, max_size=40))
def test_equal_shares_that_fill_nodes_take_no_more(shares: list[int]) -> None:
    """Jobs that all run at once: in exact fractions, as many nodes as their sum needs."""
    cores = 27720  # divisible by 1 to 12
    rows = [job(0, 60, "", AllocCPUS=cores // one) for one in [*shares, 1]]
    with store_of(dump(*rows, without=("NodeList", "NNodes"))) as store:
        found = node_use(derive(store, SETTINGS), store)
    assert found is not None
    exact = -(-sum(cores // one for one in [*shares, 1]) // cores)
    assert found.changes[0].most == exact


def test_a_workload_log_counts_cores() -> None:
    log = swf(*[{2: 100 * k, 4: 150, 5: 1 + k % 2} for k in range(6)])
    with store_of(log) as store:
        found = node_use(derive(store), store)
    assert found is not None
    assert found.changes[0].jobs == 6
    assert (found.changes[0].busy >= 0).all()


def test_of_a_long_log_the_latest_jobs_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_STAYS", 5)
    found = use_of(*[job(10 * k, 5, "n[1-2]") for k in range(6)])
    assert found.changes[0].jobs == 2
    assert found.seconds == 15 * 60
    monkeypatch.setattr(module, "MOST_STAYS", 1)
    assert use_of(*[job(10 * k, 5, "n[1-2]") for k in range(6)]).changes[0].jobs == 1


def test_without_moments_nothing_is_known() -> None:
    with store_of("task,machine,seconds\n" + "a,x,5\n" * 3) as store:
        assert node_use(derive(store), store) is None


@examples(16)
@given(
    st.lists(
        st.tuples(st.integers(0, 200), st.integers(1, 90), st.integers(1, 4), st.integers(0, 2)),
        min_size=1,
        max_size=12,
    )
)
def test_busy_nodes_are_as_counted_minute_by_minute(jobs: list[tuple[int, int, int, int]]) -> None:
    rows = [job(a, lasts, f"n[{first}-{first + more}]") for a, lasts, first, more in jobs]
    found = use_of(*rows)
    changes = found.changes[0]
    begin = min(a for a, *_ in jobs)
    for t in range(300):
        on = {
            node
            for a, lasts, first, more in jobs
            for node in range(first, first + more + 1)
            if a <= t + begin < a + lasts
        }
        before = int(np.searchsorted(changes.times, found.begin + 60 * t, side="right"))
        assert (int(changes.busy[before - 1]) if before else 0) == len(on)
    assert changes.jobs == len(jobs)
