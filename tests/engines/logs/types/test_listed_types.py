"""Nodes that Slurm lists are of one type where names and what they have agree."""

from hypothesis import given
from hypothesis import strategies as st

from core.engines.logs.types.node_listing import ListedNode
from core.engines.logs.types.node_table import types_of_listed


def listed(*nodes: tuple[str, int, float, int, str]) -> dict[str, ListedNode]:
    return {
        name: ListedNode("", cores, memory, gpus, frozenset(model.split()))
        for name, cores, memory, gpus, model in nodes
    }


def test_names_make_types_of_what_is_alike() -> None:
    nodes = listed(
        ("cx01", 32, 125.5, 0, ""),
        ("cx02", 32, 126.0, 0, ""),
        ("gv1", 24, 192, 4, "v100"),
        ("gv2", 24, 192, 4, "v100"),
    )
    assert types_of_listed(nodes) == [("cx", ["cx01", "cx02"]), ("gv", ["gv1", "gv2"])]


def test_nodes_of_one_name_that_differ_are_told_apart_by_what_differs() -> None:
    nodes = listed(
        ("n1", 32, 128, 0, ""),
        ("n2", 32, 512, 0, ""),
        ("n3", 64, 512, 0, ""),
        ("n4", 64, 512, 2, "a40"),
        ("n5", 64, 512, 1, ""),
        ("fat", 8, 1, 0, ""),
    )
    assert dict(types_of_listed(nodes)) == {
        "n 32 cores no GPUs 128 GiB": ["n1"],
        "n 32 cores no GPUs 512 GiB": ["n2"],
        "n 64 cores no GPUs 512 GiB": ["n3"],
        "n 64 cores 2 a40 512 GiB": ["n4"],
        "n 64 cores 1 GPU 512 GiB": ["n5"],
        "fat": ["fat"],
    }


def test_nodes_with_names_of_their_own_are_of_types_by_what_they_have() -> None:
    names = [f"{first}{last}" for first in "abcdefghij" for last in "uvwxyz"]
    people = [(name, 8, 16, k % 2, "") for k, name in enumerate(names)]
    found = dict(types_of_listed(listed(*people)))
    assert {name: len(nodes) for name, nodes in found.items()} == {
        "8 cores no GPUs 16 GiB": 30,
        "8 cores 1 GPU 16 GiB": 30,
    }


@given(
    st.dictionaries(
        st.from_regex(r"[ab][0-9]{1,2}", fullmatch=True),
        st.tuples(
            st.sampled_from([None, 8, 16]),
            st.sampled_from([None, 16.0, 18.0, 64.0]),
            st.sampled_from([None, 0, 2]),
        ),
        max_size=8,
    )
)
def test_each_node_is_of_one_type_and_nodes_of_a_type_have_the_same(
    nodes: dict[str, tuple[int | None, float | None, int | None]],
) -> None:
    found = types_of_listed({name: ListedNode("", *has) for name, has in nodes.items()})
    assert sorted(node for _, names in found for node in names) == sorted(nodes)
    assert len({name for name, _ in found}) == len(found)
    for _, names in found:
        assert len({(nodes[name][0], nodes[name][2]) for name in names}) == 1
        memory = [nodes[name][1] or 0 for name in names]
        assert max(memory) <= 1.25 * min(memory)
