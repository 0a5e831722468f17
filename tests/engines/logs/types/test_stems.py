"""A stem is what a name has apart from numbers that count."""

import pytest

from core.engines.logs.types import stems
from core.engines.logs.types.stems import node_stems, stem


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
    monkeypatch.setattr(stems, "_MOST_SHAPES", 1)
    assert [*node_stems(["r1n1", "r2n2", "q1m1", "q2m2", "x"])] == ["rn", "rn", "q1m", "q2m", "x"]
