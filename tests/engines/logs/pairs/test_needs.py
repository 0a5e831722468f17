"""A machine type cannot run what asks for more than it was ever seen to have."""

import math
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from log_stores import dump, store_of, swf
from scipy import stats

from core.engines.logs.derived.derivation import derive
from core.engines.logs.pairs import needs
from core.engines.logs.pairs.needs import Misfit, misfit_in_words
from core.engines.logs.reading import limits
from core.engines.logs.reading import store as store_module
from core.engines.logs.types.node_table import Machine, NodeTable
from core.engines.logs.types.settings import RunSettings

SETTINGS = RunSettings(task_type="name", machine_type="prefix", rare_below=1, min_runs=1)


def misfits(
    *jobs: Mapping[str, object], table: NodeTable | None = None
) -> dict[tuple[str, str], Misfit]:
    """Why pairs cannot run, by names: `on` is the machine type."""
    rows = [{"NodeList": f"{job['on']}{k}", **job} for k, job in enumerate(jobs)]
    with store_of(dump(*rows, without=["on"], separator="\t")) as store:
        found = derive(store, SETTINGS, table)
    system = found.system
    return {
        (system.task_names[i], system.machine_names[j]): why
        for (i, j), why in found.misfits.items()
    }


def jobs(
    column: str, a_on_x: Sequence[object], b_on_y: Sequence[object]
) -> list[dict[str, object]]:
    """Runs of `a` on `x` and of `b` on `y`, and one of `c` on each, so that pairs are connected."""
    return [
        *({"JobName": "a", "on": "x", column: cell} for cell in a_on_x),
        *({"JobName": "b", "on": "y", column: cell} for cell in b_on_y),
        *({"JobName": "c", "on": on} for on in "xy"),
    ]


GPUS, MEMORY, MODEL, FEATURE = "AllocTRES", "ReqMem", "ReqTRES", "Constraints"


@pytest.mark.parametrize(
    ("column", "asked", "had", "why"),
    [
        # Issue 33, point 1: one run without GPUs shows that a task type needs none.
        (GPUS, ["gres/gpu=2"], [""], (2, 0)),
        (GPUS, ["gres/gpu=4", "gres/gpu=2"], ["gres/gpu=1"], (2, 1)),
        (GPUS, ["gres/gpu=4", "gres/gpu=2"], ["gres/gpu=2"], None),
        (GPUS, ["gres/gpu=4", ""], [""], None),
        (MEMORY, ["64G", "32G"], ["16G"], (32 * 1024, 16 * 1024)),
        (MEMORY, ["64G", "32G"], ["32G"], None),
        (MEMORY, ["64G", "1G"], ["2G"], None),
        (MEMORY, ["64G"], [""], None),  # nobody knows what nodes of y have
        (MODEL, ["gres/gpu:a100=1"], ["gres/gpu:v100=1"], ("a100", 0)),
        (MODEL, ["gres/gpu:a100=1", "gres/gpu=1"], ["gres/gpu:v100=1"], None),
        (MODEL, ["gres/gpu:a100=1"], ["gres/gpu:a100=2,gres/gpu=2"], None),
        ("ReqGRES", ["gpu:a100:2"], ["gpu:v100:2"], ("a100", 0)),
        (FEATURE, ["avx512"], ["ib"], ("avx512", 0)),
        (FEATURE, ["avx512&ib", "ib"], ["avx512"], ("ib", 0)),
        (FEATURE, ["avx512&ib"], ["ib&avx512"], None),
        (FEATURE, ["avx512&ib"], ["avx512", "ib", "rome"], None),
        (FEATURE, ["a|b"], ["b"], None),
        (FEATURE, ["a"], ["a|b"], ("a", 0)),
        (FEATURE, ["[a|b]"], ["c*2"], ("a or b", 0)),
        (FEATURE, ["c"], ["c*2"], None),
        (FEATURE, ["(a&b)|c"], ["c"], ("(a&b)|c", 0)),
        (FEATURE, ["a", ""], ["c"], None),
        ("Partition", ["gpu"], ["other"], ("gpu", 0)),
        ("Partition", ["gpu", "all"], ["cpu"], None),
        ("Partition", ["gpu,cpu"], ["cpu"], None),
    ],
)
def test_what_all_runs_asked_for_must_be_there(
    column: str, asked: list[str], had: list[str], why: tuple[float | str, float] | None
) -> None:
    rows = [{"Partition": "other", **row} for row in jobs(column, asked, had)]
    found = misfits(*rows).get(("a", "y"))
    assert (found and (found.asked, found.there)) == why
    if found:
        needs_of = {GPUS: "gpus", MEMORY: "memory", FEATURE: "features", "Partition": "partition"}
        assert found.need == needs_of.get(column, "gpu model")


@pytest.mark.parametrize(
    ("requests", "why"),
    [
        (["cpu=8", "cpu=8"], None),  # the job was alone on a node, and got its GPUs as well
        (["cpu=8,gres/gpu=3", "gres/gpu=2,gres/gpu:a100=2"], Misfit("gpus", 2, 0)),
        (["gres/gpu:a100=1,gres/gpu:v100=2"], Misfit("gpus", 3, 0)),
        (["", ""], Misfit("gpus", 4, 0)),  # nobody knows what was requested
        (["", "cpu=8"], None),
    ],
)
def test_gpus_that_a_run_did_not_request_are_not_needed(
    requests: list[str], why: Misfit | None
) -> None:
    """Issue 33, point 1: an exclusive job is given all GPUs of its node, and may need none."""
    rows = jobs("ReqTRES", requests, ["cpu=8"])
    rows = [{**row, "AllocTRES": "gres/gpu=4" if row["on"] == "x" else "cpu=8"} for row in rows]
    assert misfits(*rows).get(("a", "y")) == why


@pytest.mark.parametrize(
    ("gpus", "nodes", "there", "why"),
    [
        (8, 4, 2, None),
        (3, 2, 1, Misfit("gpus", 2, 1)),  # they do not fill the nodes evenly: one has two
    ],
)
def test_gpus_are_those_of_one_node(gpus: int, nodes: int, there: int, why: Misfit | None) -> None:
    wide = {"on": "x", "NodeList": f"x[1-{nodes}]", "NNodes": nodes}
    a = {"JobName": "a", "AllocTRES": f"gres/gpu={gpus}", **wide}
    found = misfits(a, *jobs("AllocTRES", [], [f"gres/gpu={there}"]))
    assert found.get(("a", "y")) == why
    assert ("a", "y") not in misfits(a, {**a, "NodeList": "y1"}, *jobs("AllocTRES", [], [""])), (
        "it ran"
    )


def test_a_log_without_requests_beside_one_with_them() -> None:
    """Issue 33, point 1: runs whose log has no request need what they were given."""
    given = [{**row, "NodeList": f"{row['on']}1"} for row in jobs("AllocTRES", ["gres/gpu=2"], [])]
    asked = {"JobID": 9, "JobName": "b", "NodeList": "y1", "ReqTRES": "cpu=1", "AllocTRES": "cpu=1"}
    with store_of(dump(*given, without=["on"]), dump(asked)) as store:
        found = derive(store, SETTINGS)
    assert [why for _, why in found.misfits.items() if why.need == "gpus"] == [Misfit("gpus", 2, 0)]


def test_requests_that_are_not_kept_are_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    """A log has more different requests than are kept: such runs need what they were given."""
    a = {"JobName": "a", "on": "x", "ReqTRES": "mem=1G", "AllocTRES": "gres/gpu=2"}
    others = [("b", "y", k) for k in range(600)] + [("c", "x", 1), ("c", "y", 1)]
    rows = [{"JobName": n, "on": on, "ReqTRES": f"cpu={k}"} for n, on, k in others]
    assert ("a", "y") not in misfits(*rows, a)
    monkeypatch.setattr(limits, "VALUES", 2)
    assert misfits(*rows, a)["a", "y"] == Misfit("gpus", 2, 0)


@pytest.mark.parametrize("block", [1, 2])
def test_needs_are_the_same_in_any_blocks(monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    rows = jobs("ReqTRES", ["cpu=1,gres/gpu=2"] * 2, ["cpu=1"] * 2)
    whole = misfits(*rows)
    assert [why.need for why in whole.values()] == ["gpus"]
    monkeypatch.setattr(store_module, "_BLOCK", block)
    assert misfits(*rows) == whole


def test_memory_that_is_all_of_a_node_is_there() -> None:
    """Memory is kept in single precision: 63.9 GiB of a log are more than 63.9 of a table."""
    table = NodeTable({"y": Machine(memory_gib=63.9)})
    assert ("a", "y") not in misfits(*jobs("ReqMem", ["63.9G"], ["16G"]), table=table)


def test_memory_is_that_of_one_node() -> None:
    wide = {"NNodes": 4, "ReqMem": "64G"}
    a, b = {"JobName": "a", "on": "x"}, {"JobName": "b", "on": "y"}
    rest = jobs("ReqMem", [], [])
    there = {**b, **wide, "NodeList": "y[1-4]"}
    assert misfits({**a, "ReqMem": "32G"}, there, *rest)["a", "y"] == Misfit(
        "memory", 32 * 1024, 16 * 1024
    )
    asked = {**a, **wide, "NodeList": "x[1-4]"}
    assert ("a", "y") not in misfits(asked, {**b, "ReqMem": "16G"}, *rest)


def test_the_table_of_nodes_says_what_nodes_have() -> None:
    rows = jobs("AllocTRES", ["gres/gpu=2"], [""])
    assert ("a", "y") not in misfits(*rows, table=NodeTable({"y": Machine(gpus=2)}))
    rows = jobs("ReqMem", ["64G"], ["16G"])
    assert ("a", "y") not in misfits(*rows, table=NodeTable({"y": Machine(memory_gib=64)}))
    found = misfits(*rows, table=NodeTable({"y": Machine(memory_gib=63.9)}))
    assert found["a", "y"] == Misfit("memory", 64 * 1024, pytest.approx(63.9 * 1024))


def test_swf_logs_write_minus_one_for_an_unknown_partition() -> None:
    rows = [
        *[{14: 1, 15: 1}] * 3,
        *[{14: 2, 15: 2, 16: 5}] * 3,
        *[{14: 3, 15: queue, 16: 5} for queue in (1, 2)],
    ]
    asked = RunSettings("application", "queue", rare_below=1, min_runs=1)
    with store_of(swf(*rows)) as store:
        assert not derive(store, asked).misfits


@given(st.integers(0, 300), st.integers(0, 300), st.integers(1, 600))
def test_the_chance_of_no_run_is_hypergeometric(a: int, b: int, every: int) -> None:
    a, b = min(a, every), min(b, every)
    expected = stats.hypergeom.logpmf(0, every, a, b)
    found = needs._log_chance_of_none(a, b, every)
    assert found == pytest.approx(expected, rel=1e-6, abs=1e-6) or found == expected == -math.inf


@pytest.mark.parametrize(
    ("a", "b", "others", "is_no_accident"),
    [(100, 100, 400, True), (99, 100, 400, False), (100, 99, 400, False), (100, 100, 900, False)],
)
def test_hundreds_of_chances_without_a_run_are_no_accident(
    a: int, b: int, others: int, is_no_accident: bool
) -> None:
    """Issue 33, point 1: `a` never ran on `y`, which ran so many of the others. By chance that is
    less likely than a millionth with 400 others (5e-10), but not with 900 (2e-5).
    """
    rows = [
        *[{"JobName": "a", "on": "x"}] * a,
        *[{"JobName": "b", "on": "y"}] * (b - 1),
        *[{"JobName": "c", "on": "x"}] * (others - 1),
        *[{"JobName": "c", "on": "y"}],
    ]
    expected = Misfit("chances", a, b) if is_no_accident else None
    assert misfits(*rows).get(("a", "y")) == expected


def test_a_table_of_runs_gives_no_chances() -> None:
    """Somebody has chosen what to measure, so a pair that is missing can run."""
    rows = ["a,x,5"] * 200 + ["b,y,5"] * 200 + ["c,x,5", "c,y,5"]
    with store_of("task,machine,seconds\n" + "\n".join(rows) + "\n") as store:
        assert not derive(store, RunSettings(rare_below=1, min_runs=1)).misfits


@pytest.mark.parametrize(
    ("why", "said"),
    [
        (Misfit("gpus", 4, 0), "had at least 4 GPUs a node, and no run there had any"),
        (Misfit("gpus", 4, 1), "had at least 4 GPUs a node, and no run there had more than 1"),
        (Misfit("memory", 65536, 512), "at least 64 GiB of memory a node, and no run there had "),
        (Misfit("features", "a or b"), "asked for the feature a or b, and no run there did"),
        (Misfit("chances", 1400, 3000), "none of its 1,400 runs was there, although 3,000 other "),
    ],
)
def test_why_a_pair_cannot_run(why: Misfit, said: str) -> None:
    assert said in misfit_in_words(why)


@pytest.mark.parametrize("column", [MODEL, FEATURE, "Partition"])
def test_a_table_may_say_that_nodes_have_what_no_run_asked_for(column: str) -> None:
    asked = "gres/gpu:a100=1" if column == MODEL else "a100"
    rows = jobs(column, [asked], ["gres/gpu:v100=1" if column == MODEL else "v100"])
    table = NodeTable({"y": Machine(words=frozenset({"a100"}))})
    assert ("a", "y") in misfits(*rows)
    assert ("a", "y") not in misfits(*rows, table=table)
