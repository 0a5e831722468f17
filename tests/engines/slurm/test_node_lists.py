"""Lists of nodes are short, and as Slurm reads them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.engines.logs.types.nodes import expand_nodes
from core.engines.slurm.places import fold_nodes, nodes_of_machines
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.node_use import NodeUse
from core.vocabulary.system import System


@pytest.mark.parametrize(
    ("names", "text"),
    [
        ([], ""),
        (["login"], "login"),
        (["n7"], "n7"),
        (["n10", "n9", "n8", "n8", "login"], "login,n[8-10]"),
        (["n08", "n09", "n10", "n11"], "n[08-11]"),
        (["n9", "n09", "n10"], "n[09-10],n9"),
        (["r1n1", "r1n2", "r2n1", "4"], "4,r1n[1-2],r2n1"),
        (["a b", "c\n1", "$(x)", "-o", "n1,n2", "ok-1"], "ok-1"),
    ],
)
def test_names_fold_into_the_list_that_slurm_reads(names: list[str], text: str) -> None:
    assert sorted(expand_nodes(fold_nodes(names))) == sorted(expand_nodes(text))
    assert len(fold_nodes(names)) <= len(text)


@given(st.lists(st.from_regex(r"[a-c]{0,2}-?[0-9]{0,3}(\.x)?", fullmatch=True)))
def test_folded_names_are_the_same_names(names: list[str]) -> None:
    there = {name for name in names if name[:1].isalnum()}
    assert sorted(expand_nodes(fold_nodes(names))) == sorted(there)


def test_machines_have_the_nodes_that_a_log_names_for_their_type() -> None:
    """A cn is a machine, a gv is two; of one cn and of two types no node is known."""
    use = NodeUse(
        ("gv", "cn", "old"),
        np.array([2, 3, 1]),
        np.array([2.0, 1.0, 1.0]),
        0.0,
        9.0,
        (),
        ("c10", "gv-a", "c9", "c8", "gv1", "bad name"),
        np.array([1, 0, 1, 1, 0, 1]),
        np.zeros(6),
    )
    counts = {"cn": 4, "gv": 3, "new": 1, "old": 1}
    kinds = tuple(MachineType(name, count) for name, count in counts.items())
    system = System((TaskType("T", 1),), kinds, np.ones((1, 4)))
    assert nodes_of_machines(use, system) == (("c8", "c9", "c10"), ("gv1", "gv1", "gv-a"), (), ())
