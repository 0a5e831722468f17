"""What people get is what was recorded: answers of commands, files, reports, pages."""

import sys

import pytest
from golden.record import PYTHON, RECORDED, TRANSCRIPTS, WORDED_BY_PYTHON, path_of, transcript
from golden.transcript import difference, digest, masked

AGAIN = """
If that is meant, record it anew, and read the diff of tests/golden/recorded before it is committed:
    PYTHONPATH=.:tests:tests/helpers python -m golden.record
With a folder as argument, whole texts go there."""


@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_it_is_as_recorded(name: str) -> None:
    if name in WORDED_BY_PYTHON and sys.version_info[:2] != PYTHON:
        pytest.skip("another version of Python words it differently")
    found = difference(path_of(name).read_text(encoding="utf-8"), transcript(TRANSCRIPTS[name]))
    assert found is None, f"{name}.txt: {found}{AGAIN}"


def test_nothing_else_is_recorded() -> None:
    assert {path.stem for path in RECORDED.iterdir()} == {*TRANSCRIPTS}


def test_only_the_last_digits_of_numbers_are_no_difference() -> None:
    assert difference("a 1,234.5 b\n", "a 1234.5000000000001 b\n") is None
    assert difference("a 1.0 b\n", "a 1.000001 b\n") is not None
    assert difference("a 1 b\n", "a 1 c\n") is not None
    assert difference("a\n", "a\nb\n") is not None
    assert digest("0.1 J") == digest("0.10000000000000001 J") != digest("0.1000001 J")


def test_only_what_differs_by_chance_is_masked() -> None:
    said = '{"gap": 0.5, "seconds": {"read": 1.5e-05, "bound": 2}, "makespan": 3.5}'
    assert masked(said) == '{"gap": 0.5, "seconds": {"read": _, "bound": _}, "makespan": 3.5}'
    words = "  gap   3 s\n  took  read 1 min 2.5 s, bound 3.1 ms"
    assert masked(words) == "  gap   3 s\n  took  read _, bound _"
