"""A system's line says its size and what is special about it."""

from core.samples import load_sample
from dashboard.logic.summary import summary


def test_the_test_bed_has_two_impossible_pairs() -> None:
    assert summary(load_sample("testbed")) == (
        "90 tasks of 4 types · 4 machines of 4 types · 2 pairs cannot run · power known"
    )


def test_a_system_without_powers_says_so() -> None:
    assert summary(load_sample("e1")).endswith("every pair can run · power unknown")
