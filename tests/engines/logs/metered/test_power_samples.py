"""Samples of any monitoring become watts of nodes, and what is left out is said."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.engines.logs.metered.power_samples import (
    PowerSamples,
    RawSamples,
    gathered,
    matched,
    plain_node,
)

BEGIN = 1_700_000_000.0


def raw(
    *rows: tuple[str, str, float, float], is_energy: bool = False, label: str = "w.csv"
) -> RawSamples:
    """Rows of a node, a part, a time and a value."""
    series = list(dict.fromkeys((node, part) for node, part, _, _ in rows))
    return RawSamples(
        label,
        np.array([BEGIN + time for _, _, time, _ in rows]),
        np.array([series.index((node, part)) for node, part, _, _ in rows], np.int64),
        np.array([value for *_, value in rows], np.float64),
        [node for node, _ in series],
        is_energy,
    )


def listed(found: PowerSamples) -> list[tuple[str, float, float, float]]:
    columns = (found.node, found.begin - BEGIN, found.end - BEGIN, found.watts)
    return [
        (found.nodes[int(node)], begin, end, watts)
        for node, begin, end, watts in zip(*(c.tolist() for c in columns), strict=True)
    ]


def test_samples_are_by_node_and_time() -> None:
    found = gathered([raw(("b", "", 2, 20), ("a", "", 1, 10), ("b", "", 0, 5))])
    assert listed(found) == [("b", 0, 0, 5), ("b", 2, 2, 20), ("a", 1, 1, 10)]


def test_parts_are_added_up_where_all_are_there() -> None:
    rows = [
        ("a", gpu, time, watts) for time in (0, 10, 20) for gpu, watts in (("0", 30), ("1", 50))
    ]
    late = [(n, g, t + (0.5 if g == "1" else 0), w) for n, g, t, w in rows]
    found = gathered([raw(*late[:-1], ("b", "0", 0, 70), ("b", "0", 20, 75))])
    assert [one for one in listed(found) if one[0] == "a"] == [
        ("a", 0, 0.5, 80),
        ("a", 10, 10.5, 80),
    ]
    assert [one[3] for one in listed(found) if one[0] == "b"] == [70, 75]
    assert any("1 moment at which a node lacks some of its parts" in note for note in found.notes)


def test_counters_of_joules_are_differenced_and_wraps_are_said() -> None:
    rows = [("a", "", 0, 1000), ("a", "", 10, 2000), ("a", "", 20, 500), ("a", "", 30, 1500)]
    found = gathered([raw(*rows, is_energy=True)])
    assert listed(found) == [("a", 0, 10, 100), ("a", 20, 30, 100)]
    assert any("a counter of joules began again 1 time" in note for note in found.notes)


def test_what_is_left_out_is_said() -> None:
    rows = [
        *[("a", "", time, 90.0) for time in range(0, 100, 10)],
        ("a", "", 20, 95.0),
        ("a", "", 30.5, np.nan),
        ("a", "", 600, 90.0),
        ("a", "", 610, 0.0),
        ("a", "", 620, 1e9),
    ]
    found = gathered([raw(*rows)])
    assert len(found) == 11
    said = " ".join(found.notes)
    assert "1 sample without a value are left out" in said
    assert "1 sample of the same node and time as another are left out, the first of a at" in said
    assert "2 samples below 1 W or above 20 kW are left out" in said
    assert "with 1 gap; the longest is 8 min 30 s on a from 2023-11-14 22:14:50" in said


@given(
    st.lists(
        st.tuples(
            st.sampled_from("ab"), st.sampled_from("01"), st.integers(0, 6), st.integers(1, 9)
        ),
        max_size=30,
        unique_by=lambda row: row[:3],
    )
)
def test_sums_over_parts_are_those_of_a_loop(rows: list[tuple[str, str, int, int]]) -> None:
    apart = [(node, part, 10.0 * time, float(watts)) for node, part, time, watts in rows]
    expected = []
    for node in dict.fromkeys(row[0] for row in apart):
        parts = {row[1] for row in apart if row[0] == node}
        for time in sorted({row[2] for row in apart if row[0] == node}):
            there = [row for row in apart if (row[0], row[2]) == (node, time)]
            if {row[1] for row in there} == parts:
                expected.append((node, time, time, sum(row[3] for row in there)))
    if apart:
        assert listed(gathered([raw(*apart)])) == expected


@pytest.mark.parametrize(
    ("name", "plain"),
    [("gv01:9100", "gv01"), ("gv01", "gv01"), (" a.b:1 ", "a.b"), ("a:b", "a:b"), (":1", ":1")],
)
def test_ports_of_exporters_are_no_part_of_a_name(name: str, plain: str) -> None:
    assert plain_node(name) == plain


@pytest.mark.parametrize(
    ("node", "known", "at"),
    [
        ("n1", ["n1", "n2"], 0),
        ("N2", ["n1", "n2"], 1),
        ("n1.uni.example", ["n1"], 0),
        ("n1", ["n1.uni.example"], 0),
        ("n1.a.example", ["n1.b.example"], None),
        ("n1", ["n1.a.example", "n1.b.example"], None),
        ("n3", ["n1"], None),
    ],
)
def test_nodes_are_matched_with_and_without_domain(
    node: str, known: Sequence[str], at: int | None
) -> None:
    assert matched([node], known).get(node) == at
