"""RESULTS.md says of every target whether it is met, and of every case how it was measured."""

import json
import math

import pytest

from benchmarks.__main__ import KEPT, TOLD
from benchmarks.case import CASES, Target, load
from benchmarks.report import MET, MISSED, duration, markdown, megabytes, percent, table, whole


def row_of(target, told):
    (row,) = (line for line in told.splitlines() if f"| {target} |" in line)
    return [cell.strip() for cell in row.strip("|").split("|")]


def test_every_target_has_its_verdict(apples, outcome):
    told = markdown({"apples": apples}, {"apples": outcome()})
    assert row_of("picked", told) == ["1. Apples", "picked", "at least 4", "3", MISSED]
    assert row_of("dropped", told) == ["1. Apples", "dropped", "at most 2", "2", MET]
    assert "2 of 3 targets are met." in told


def test_memory_counts_for_our_processes_only(apples, outcome):
    target = "memory of the whole process"
    told = markdown({"apples": apples}, {"apples": outcome(memory=(499e6, 900e6))})
    assert row_of(target, told)[-2:] == ["499 MB", MET]
    assert "| rival | 900 MB |" in told
    told = markdown({"apples": apples}, {"apples": outcome(memory=(501e6, 1e6))})
    assert row_of(target, told)[-2:] == ["501 MB", MISSED]


def test_a_chapter_says_when_how_and_on_which_machine(apples, outcome):
    cases = {"apples": apples, "pears": apples, "plums": apples, "never measured": apples}
    told = markdown(
        cases,
        {"plums": outcome(machine="slow"), "apples": outcome(), "pears": outcome(machine="slow")},
    )
    places = [line for line in told.splitlines() if line.startswith("Measured")]
    measured = "Measured on 2030-01-02 by `python -m benchmarks apples` on machine "
    assert places == [f"{measured}{number}." for number in (1, 2, 2)]
    assert told.endswith("## Machines\n\n1. a fast one\n2. slow\n")
    assert told.count("Ours picked 3.") == 3


@pytest.mark.parametrize(
    ("value", "limit", "at_least", "met"),
    [
        (0.5, 0.5, False, True),
        (0.51, 0.5, False, False),
        (100, 100, True, True),
        (99, 100, True, False),
        (math.nan, 1, False, False),
        (math.nan, 1, True, False),
    ],
)
def test_a_target_is_met_up_to_its_limit(value, limit, at_least, met):
    assert Target("", value, limit, whole, at_least=at_least).met is met


def test_what_is_committed_tells_what_was_measured():
    outcomes = json.loads(KEPT.read_text(encoding="utf-8"))
    told = TOLD.read_text(encoding="utf-8")
    assert told == markdown({name: load(name) for name in CASES}, outcomes)


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (12_345.6, "12,346 s"),
        (999.7, "1,000 s"),
        (1.5, "1.5 s"),
        (0.0123, "12.3 ms"),
        (4.56e-6, "4.56 µs"),
        (7e-9, "7 ns"),
        (0, "0 ns"),
    ],
)
def test_durations_are_shown_in_the_unit_that_fits(seconds, shown):
    assert duration(seconds) == shown


def test_quantities_are_shown_with_their_unit():
    assert percent(0.00303) == "0.303 %"
    assert percent(math.inf) == "∞"
    assert megabytes(499_999_999) == "500 MB"


def test_a_table_is_markdown():
    assert table(["", "A"], [["x", "1"]]) == "|  | A |\n| :-- | --: |\n| x | 1 |"
