"""Steps are counted by a matcher that finds what Python's finds; ways without end are seen."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from steps import CountingPattern

PATTERNS = [
    r".*?[+e]",
    r"a{1,3}?[.m]",
    r"\b[a0]+\b",
    r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?",
    r'"(?:[^"]|"")*"',
    r"(?:^|/)\.\.(?:/|$)|\\",
    r"\[(?![hms]+\])[^\]]*\]|.\s",
    r"([0-9]{1,3})[ \t]+\w{2}",
]


@pytest.mark.parametrize("pattern", PATTERNS)
@given(text=st.text('01.+eE"[]hm/. \t\n\\a', max_size=12))
def test_it_finds_what_python_finds(pattern: str, text: str) -> None:
    real, steps = re.compile(pattern), 0

    def count(more: int) -> None:
        nonlocal steps
        steps += more

    counting = CountingPattern(real, count)
    assert counting.findall(text) == real.findall(text)
    whole = counting._run(text, 0, whole=True)
    assert (whole is not None) == bool(real.fullmatch(text))
    assert steps > len(text)


@pytest.mark.parametrize(("pattern", "power"), [(r"[0-9]", 1), (r"a+b", 2), (r"a*a*b", 3)])
def test_it_sees_how_the_steps_grow(pattern: str, power: int) -> None:
    def steps(length: int) -> int:
        total: list[int] = []
        CountingPattern(re.compile(pattern), total.append).findall("a" * length)
        return sum(total)

    assert 0.85 * 2**power < steps(100) / steps(50) < 1.05 * 2**power
