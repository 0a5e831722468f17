"""Sizes are read back as they were written; faults are named by line and column."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.arrivals.files.sizes_file import (
    inspect_sizes_bytes,
    is_sizes,
    read_sizes,
    sizes_csv,
)
from core.capabilities.arrivals.made.job_sizes import JobSize, JobSizes
from core.vocabulary.problems import InvalidInput

SECONDS = st.none() | st.floats(1e-3, 1e9)


@given(st.data())
def test_what_is_written_reads_back(data: st.DataObject) -> None:
    kinds = data.draw(st.sampled_from([(), ("FT",), ("a*", "=B c")]))
    names = data.draw(st.lists(st.sampled_from(["a", "=1", "m5.large", "Ü,x"]), min_size=1))
    rows = tuple(
        JobSize(
            name,
            cores,
            data.draw(st.floats(0.001, 1e6)),
            data.draw(st.none() | st.floats(0, 100)),
            (1.5 if cores == 1 else data.draw(SECONDS),) * len(kinds),
        )
        for cores, name in enumerate(dict.fromkeys(names), start=1)
    )
    places = tuple(f"line {line}" for line in range(2, 2 + len(rows)))
    sizes = JobSizes(rows, kinds, "s.csv", places)
    assert inspect_sizes_bytes("s.csv", sizes_csv(sizes)).require() == sizes
    assert is_sizes(sizes_csv(sizes))


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("size,cores,memory_gb\n", True),
        ("\ufeffSize;Cores\na;b\n", True),
        ("size,memory_gb,prize\n", True),
        ("cores,memory_gb\n", False),
        ("node,cores,memory_gib\n", False),
        ("size,cores,arrival,seconds\n", False),
        ("", False),
    ],
)
def test_content_says_that_it_has_sizes(text: str, *, is_one: bool) -> None:
    """With or without faults."""
    assert is_sizes(text.encode()) is is_one


def test_a_row_says_what_a_size_has(tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    path.write_text("size,cores,memory_gb,Seconds:FT\nsmall,1,2.5,\nbig,8,16,20\n")
    assert read_sizes(path) == JobSizes(
        (JobSize("small", 1, 2.5, None, (None,)), JobSize("big", 8, 16.0, None, (20.0,))),
        ("FT",),
        "s.csv",
        ("line 2", "line 3"),
    )


def test_all_faults_are_said_at_once_with_places_and_remedies() -> None:
    text = "size,cores,memory_gb,price\na,1,2,-1\na,-3,0,\n,1,x,\nb,1,2,\n"
    said = [str(one) for one in inspect_sizes_bytes("s.csv", text.encode()).problems]
    for part in (
        "line 2, column price: -1 is out of range; give 0",
        "line 3, column cores: -3 is out of range; give 1",
        "line 3, column memory_gb: 0 is out of range; give 0.001",
        "line 3, column size: is that of line 2, too; give each size its own name",
        "line 4, column size: is empty",
        "line 4, column memory_gb: 'x' is not a number",
        "line 5, column cores: and memory_gb are those of 'a' in line 2, too; keep one of the two",
    ):
        assert any(part in one for one in said), part
    assert len(said) == 7


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "size,cores\na,1\n",
            "column memory_gb is missing; let the header be size,cores,memory_gb",
        ),
        ("size,cores,memory_gb,prise\na,1,2,3\n", "columns that are not used: prise; remove them"),
        ("size,cores,memory_gb\n", "has no row; give one for each size"),
        ("size,cores,memory_gb,seconds:X\na,1,2,\n", "column seconds:x: is blank in all sizes"),
        ("size,cores,memory_gb,seconds:X\na,1,2,0\n", "line 2, column seconds:x: 0 is out of"),
        ("size,cores,memory_gb,seconds:x,seconds:X\na,1,2,3,4\n", "is there twice; remove one"),
        ("size,cores,memory_gb\n" + "a,1,2\n" * 101, "at most 100 rows"),
        ("size,cores,memory_gb\na,1.5,2\n", "line 2, column cores: '1.5' is not a whole number"),
    ],
)
def test_faults_have_places(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "s.csv"
    path.write_text(text)
    with pytest.raises(InvalidInput) as refused:
        read_sizes(path)
    assert said in " ".join(map(str, refused.value.problems))
