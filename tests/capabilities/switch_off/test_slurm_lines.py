"""Lists of nodes are short, and as Slurm reads them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.switch_off.slurm_lines import fold_nodes
from core.engines.logs.types.nodes import expand_nodes


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
