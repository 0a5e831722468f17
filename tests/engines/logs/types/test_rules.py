"""Rules make task types of the names of jobs, and machine types of those of nodes."""

import re
import signal
import threading
from contextlib import AbstractContextManager, nullcontext

import numpy as np
import pytest
from log_stores import dump, store_of, swf

from core.engines.logs.reading import limits
from core.engines.logs.types import clusters as room
from core.engines.logs.types import names, rules
from core.engines.logs.types.clusters import Clusters
from core.engines.logs.types.names import node_stems, stem
from core.engines.logs.types.node_table import Machine, NodeTable
from core.engines.logs.types.nodes import Nodes
from core.engines.logs.types.rule_parts import (
    MOST_PARTS,
    NOT_KEPT,
    SEVERAL,
    UNKNOWN,
    Labels,
    RuleRefused,
)
from core.engines.logs.types.rules import found_in, machine_rule, task_rule


def test_equal_texts_have_equal_numbers() -> None:
    labels = Labels()
    assert labels.numbers(["b", "", "näh", "b"]).tolist() == [0, 1, 2, 0]
    assert labels.numbers(["a", "näh"]).tolist() == [3, 2]
    assert labels.numbers([]).tolist() == []
    assert [*labels] == ["b", "", "näh", "a"]
    assert (labels[0], labels[-1], labels[1:3]) == ("b", "a", ["", "näh"])
    with pytest.raises(IndexError):
        labels[4]


@pytest.mark.parametrize("count", [(1 << 14) - 1, 1 << 14, (1 << 14) + 1])
def test_lookups_hold_wherever_texts_are_numbered_together(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last number is that of texts which are not kept, as those beyond the limit are."""
    texts = [None if k % 5 == 0 else f"t{k % 7}" for k in range(count)]
    labels = Labels()
    found = labels.lookup(texts, count)
    assert (len(found), found[-1]) == (count + 1, NOT_KEPT)
    assert [None if k < 0 else labels[k] for k in found[:-1]] == texts
    assert np.unique(found[:-1]).tolist() == [UNKNOWN, 0, 1, 2, 3, 4, 5, 6]
    monkeypatch.setattr(limits, "MANY_VALUES", 512)
    labels = Labels()
    found = labels.lookup((f"t{k}" for k in range(600)), 600)
    assert (found.tolist(), labels[511]) == ([*range(512), *[NOT_KEPT] * 89], "t511")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("align_0017.sh", "align.sh"),
        ("x_1-.sh", "x.sh"),
        ("run12", "run"),
        ("run1", "run"),
        ("gpt2-train-0005", "gpt2-train"),
        ("bowtie2-001", "bowtie2"),
        ("bowtie2-002", "bowtie2"),
        ("sample0012_align", "sample_align"),
        ("s1_align", "s1_align"),
        ("run_2024-03-01T10", "run"),
        ("nf-ALIGN_(sample_7)", "nf-ALIGN(sample"),
        ("job-9f3c2ab", "job"),
        ("job-9f3c2a", "job"),
        ("job-f93c2a", "job-f93c2a"),
        ("job-f93c2ab", "job"),
        ("job-abcdefa", "job-abcdefa"),
        ("550e8400-e29b-41d4-a716-446655440000", "(number)"),
        ("align.550e8400-e29b-41d4-a716-446655440000", "align"),
        ("20240301", "(number)"),
        ("1234567a", "(number)"),
        ("", ""),
        ("---", "---"),
        ("größe_3", "größe"),
        ("$(touch x)", "$(touch x"),
    ],
)
def test_numbers_leave_the_names_of_jobs(name: str, expected: str) -> None:
    assert stem(name) == expected


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["node001", "node002"], ["node", "node"]),
        (["node1", "node100"], ["node", "node"]),
        (["gpu-a100-01", "gpu-a100-02", "gpu-a40-01"], ["gpu-a100", "gpu-a100", "gpu-a40"]),
        (["gpu-a100-01", "gpu-a100-02"], ["gpu-a100"] * 2),
        (["c1r2n3", "c2r1n3", "c1r1n1"], ["crn"] * 3),
        (["rack1-node5", "rack3-node6"], ["rack-node"] * 2),
        (["rack1-node5", "rack4-node6"], ["rack-node"] * 2),
        (["rack1-node5", "rack5-node6"], ["rack1-node", "rack5-node"]),
        (["n01.cluster.example", "n02.other"], ["n", "n"]),
        (["login"], ["login"]),
        (["n7-gpu"], ["n-gpu"]),
        (["10.0.0.1", "17"], [None, None]),
        (["n" + "9" * 300], ["n"]),
        ([""], [None]),
        ([], []),
    ],
)
def test_numbers_that_count_leave_the_names_of_nodes(
    names: list[str], expected: list[str | None]
) -> None:
    assert [*node_stems(names)] == expected


def test_of_too_many_shapes_of_names_only_the_last_number_counts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(names, "_MOST_SHAPES", 1)
    assert [*node_stems(["r1n1", "r2n2", "q1m1", "q2m2", "x"])] == ["rn", "rn", "q1m", "q2m", "x"]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("[a-z]+", ["job", "x", None]),
        ("([a-z]+)_(\\d)", ["job-1", None, None]),
        ("(job)|(x)", ["job", "x", None]),
        ("z*", ["", "", ""]),
        ("[[a-z]", ["j", "x", None]),
        ("z" * 500, [None, None, None]),
    ],
)
def test_groups_are_found_or_all_that_matches(pattern: str, expected: list[str | None]) -> None:
    assert [*found_in(pattern, ["job_1", "x", "7"])] == expected


@pytest.mark.parametrize(
    "pattern", ["", "x" * 501, "(", "a{99999999999}", "(?L)a", "(?au)a", "[b-a]", "\\8"]
)
def test_what_is_no_pattern_is_refused(pattern: str) -> None:
    with pytest.raises(RuleRefused, match=r"write one such as|correct it"):
        found_in(pattern, ["a"])


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|a)*$", "(.*)*(.*)*(.*)*x"])
def test_a_pattern_that_takes_years_is_refused(
    pattern: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules, "_SECONDS", 0.01)
    before = signal.getsignal(signal.SIGVTALRM)
    with pytest.raises(RuleRefused, match=re.escape("such as (a+)+")):
        list(found_in(pattern, ["a" * 60 + "!"]))
    assert signal.getsignal(signal.SIGVTALRM) == before
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0, 0)


def test_other_threads_find_the_same_without_a_limit() -> None:
    found: list[list[str | None]] = []
    thread = threading.Thread(target=lambda: found.append([*found_in("b", ["abc"])]))
    thread.start()
    thread.join()
    assert found == [["b"]]


def test_all_names_share_one_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 100, 3))
    given: list[float] = []

    def limited(_pattern: str, seconds: float) -> AbstractContextManager[None]:
        given.append(seconds)
        return nullcontext()

    monkeypatch.setattr(rules, "AT_ONCE", 1)
    monkeypatch.setattr(rules, "_limited", limited)
    monkeypatch.setattr(rules.time, "thread_time", lambda: float(next(clock)))
    assert [*found_in("b", ["b"] * 5)] == ["b"] * 5
    assert given == [10, 7, 4, 1, 1e-3]


TABLE = NodeTable({"slow": Machine()}, {"n1": "slow", "n2": "slow", "g-a100-1": "fast"})
NONE = {UNKNOWN: "?", SEVERAL: "several", NOT_KEPT: "lost"}
LISTS = ["n1", "n[1-2]", "g-a100-[1-2],g-a100-7", "n1,g-a100-1", "", "None assigned", "n[1-", "n9"]


def machine_types(rule: str, *logs: str, table: NodeTable | None = None) -> list[str]:
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
    assert machine_types(rule, dump(*rows), table=TABLE) == expected


def test_minus_one_of_swf_is_no_machine_type() -> None:
    assert machine_types("partition", swf({16: 1}, {16: -1})) == ["1", "?"]


def test_a_table_of_runs_names_its_machines() -> None:
    log = "task,machine,seconds\na,n1,1\na,n2,1\na,m7,1\n"
    assert machine_types("machine", log) == ["n1", "n2", "m7"]
    assert machine_types("prefix", log) == ["n", "n", "m"]


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


def task_types(rule: str, *logs: str) -> list[str | None]:
    with store_of(*logs) as store:
        made = task_rule(rule, store)
        (block,) = store.blocks(made.columns)
        return [made.name(key) if key >= 0 else None for key in made.keys(block).tolist()]


ROWS = (
    {"JobName": "sort_1", "Account": "a", "AllocCPUS": 1, "ReqMem": "1G"},
    {"JobName": "sort_2", "Account": "", "AllocCPUS": 2, "ReqMem": "1025M"},
    {"JobName": "md", "Account": "a", "AllocCPUS": 3, "ReqMem": ""},
    {"JobName": "", "Account": "b", "AllocCPUS": 4, "ReqMem": "1M"},
)


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("name", ["sort_1", "sort_2", "md", "(none)"]),
        ("stem", ["sort", "sort", "md", "(none)"]),
        ("account", ["a", "(none)", "a", "b"]),
        ("column:account", ["a", "(none)", "a", "b"]),
        ("pattern:[a-z]+", ["sort", "sort", "md", None]),
        ("pattern:_(.)|(m)", ["1", "2", "m", None]),
        ("size", ["1 core 1 GiB", "2 cores 2 GiB", "4 cores", "4 cores 1 GiB"]),
        ("stem+account", ["sort, a", "sort, (none)", "md, a", "(none), b"]),
        ("account+pattern:o+|d", ["a, o", "(none), o", "a, d", None]),
        (" account + stem ", ["a, sort", "(none), sort", "a, md", "b, (none)"]),
        (
            "account+stem+size",
            [
                *("a, sort, 1 core 1 GiB", "(none), sort, 2 cores 2 GiB"),
                *("a, md, 4 cores", "b, (none), 4 cores 1 GiB"),
            ],
        ),
    ],
)
def test_each_rule_names_the_types_of_runs(rule: str, expected: list[str | None]) -> None:
    assert task_types(rule, dump(*ROWS)) == expected


def test_gpus_are_part_of_the_size() -> None:
    log = dump(*({"AllocTRES": f"cpu=4,gres/gpu={gpus}", "ReqMem": ""} for gpus in (1, 3)))
    assert task_types("size", log) == ["4 cores 1 GPU", "4 cores 4 GPUs"]


def test_numbers_of_swf_are_names_and_minus_one_is_none() -> None:
    log = swf({14: 7}, {14: 8}, {14: -1})
    assert task_types("application", log) == ["7", "8", "(none)"]


def test_names_that_are_not_kept_are_told_from_no_type(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MANY_VALUES", 512)
    rows = [{"JobName": f"j{chr(97 + k % 26)}{chr(97 + k // 26)}x"} for k in range(676)]
    with store_of(dump(*rows)) as store:
        for rule, some_have_none in (("name", False), ("size+pattern:jb", True)):
            made = task_rule(rule, store)
            (block,) = store.blocks(made.columns)
            keys = made.keys(block)
            lost = block["name"] == -1
            assert lost.sum() > 100
            assert np.all(keys[lost] == NOT_KEPT)
            assert np.any(keys[~lost] == UNKNOWN) == some_have_none


@pytest.mark.parametrize(
    ("rule", "said_of_tasks", "said_of_machines"),
    [
        ("", "a part of the rule is blank", "a part of the rule is blank"),
        ("partition+", "a part of the rule is blank", "a part of the rule is blank"),
        (
            "colour",
            "'colour' is no column of this log; its columns are name, state, nodelist",
            "its columns are name",
        ),
        ("colour", "other rules are stem, ", "other rules are prefix, pattern:..., nodes and one"),
        ("column:elapsed", "is no column of this log", "is no column of this log"),
        ("name+name+name+name", "more than 3 parts; leave some out", "more than 3 parts"),
        (
            "clusters:",
            "all jobs asked for the same resources, .* choose another rule",
            "is no column",
        ),
        ("pattern:(", "no regular expression", "no regular expression"),
        ("<b>", "'<b>' is no column", "'<b>' is no column"),
        ("nodes", "'nodes' is no column", "needs a table of nodes; give one"),
    ],
)
def test_a_rule_that_cannot_be_used_says_why(
    rule: str, said_of_tasks: str, said_of_machines: str
) -> None:
    with store_of(dump({})) as store:
        with pytest.raises(RuleRefused, match=said_of_tasks):
            task_rule(rule, store)
        with pytest.raises(RuleRefused, match=said_of_machines):
            machine_rule(rule, store, Nodes(store), None)


@pytest.mark.parametrize("wanted", ["1", "2", "50", "51", "x"])
def test_two_to_fifty_clusters_can_be_asked_for(wanted: str) -> None:
    if wanted in ("2", "50"):
        assert len({*labels(wanted, SMALL, LARGE)}) == 2
    else:
        with pytest.raises(RuleRefused, match="give 2 to 50 clusters"):
            labels(wanted, SMALL, LARGE)


def test_numbers_of_texts_fit_into_a_part_of_a_key() -> None:
    assert limits.MANY_VALUES**MOST_PARTS < 2**63


SMALL = {"AllocCPUS": 1, "ReqMem": "1G", "Timelimit": "01:00:00"}
LARGE = {"AllocCPUS": 64, "ReqMem": "256G", "Timelimit": "1-00:00:00"}
GPU = {"AllocCPUS": 8, "ReqMem": "32G", "Timelimit": "04:00:00", "AllocTRES": "gres/gpu=4"}


def labels(wanted: str, *rows: dict[str, object]) -> list[str]:
    with store_of(dump(*rows)) as store:
        made = Clusters(store, wanted)
        (block,) = store.blocks(made.columns)
        return [made.label(key) for key in made.keys(block).tolist()]


def test_kinds_of_requests_are_found() -> None:
    near = [{**SMALL, "AllocCPUS": 2}, {**LARGE, "ReqMem": "250G"}]
    found = labels("", *[SMALL] * 30, *[LARGE] * 20, *[GPU] * 10, *near)
    assert len({*found}) == 3
    assert (found[60], found[61]) == (found[0], found[30])
    assert found[30] == "64 cores 256 GiB up to 1 d"
    assert found[50] == "8 cores 4 GPUs 32 GiB up to 4 h"


@pytest.mark.parametrize("wanted", [2, 3, 5])
def test_as_many_are_found_as_were_asked_for(wanted: int) -> None:
    rows = [{"AllocCPUS": 2**k} for k in range(5)]
    assert len({*labels(str(wanted), *rows)}) == wanted


def test_the_same_log_gives_the_same_clusters() -> None:
    random = np.random.default_rng(3)
    rows = [{"AllocCPUS": c, "ReqMem": f"{m}G"} for c, m in random.integers(1, 99, (80, 2))]
    assert labels("4", *rows) == labels("4", *rows)


def test_requests_beyond_the_most_frequent_go_to_the_nearest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(room, "_MOST_CELLS", 2)
    found = labels("", *[SMALL] * 9, *[LARGE] * 9, {**LARGE, "AllocCPUS": 32})
    assert found[-1] == found[9]


def test_of_requests_as_frequent_the_smallest_are_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(room, "_MOST_CELLS", 2)
    rows = [{"AllocCPUS": 2**k} for k in reversed(range(20))]
    found = labels("2", *rows)
    assert {*found} == {"1 core", "2 cores"}


def test_many_points_go_to_the_nearest_centre() -> None:
    points = np.arange((1 << 14) + 3.0)[:, None]
    nearest = room._nearest(points, np.array([[0.0], [1e9], [16_385.0]]))
    assert len(nearest) == len(points)
    assert np.flatnonzero(nearest == 2)[0] == 8_193
    assert (np.diff(nearest) >= 0).all()
