"""The report lists every figure and claim, and marks exactly the failing ones as failing."""

import re
from dataclasses import replace

import numpy as np

from benchmarks.publications.claim import Claim
from benchmarks.publications.figure import Figure, Panel, Series, Table
from benchmarks.publications.report import report

PREAMBLE = "# Again\n\n- Read on.\n"


def figure(holds=True):
    x = np.arange(1.0, 31.0)
    values = np.column_stack([x, 3 * x])
    panel = Panel(
        "Speed", "tasks", "run time", "ms", [Series("ours", x, values)], "lines", robust=True
    )
    few = replace(panel, series=[Series("theirs", x[:1], values[:1])], unit="%", robust=False)
    claim = Claim("It is fast", "fast", "very", holds, "a lot")
    return Figure("9", "Speeds", "As usual.", [panel, few], [claim], ["By the way."])


def test_every_figure_and_claim_is_listed(small_figures):
    text = report(PREAMBLE, small_figures, {}, [])
    for made in small_figures:
        assert f"## Figure {made.number}: {made.title}" in text
        for claim in made.claims:
            row = f"| {claim.claim} | {claim.published} | {claim.here} | **{claim.verdict}** |"
            assert text.count(row) >= 2


def test_a_failing_claim_is_counted_and_marked():
    assert "1 of 1 hold" in report(PREAMBLE, [figure()], {}, [])
    failing = report(PREAMBLE, [figure(holds=False)], {}, [])
    assert "0 of 1 hold" in failing
    assert failing.count("**does not hold**") == 2


def test_a_failing_claim_has_its_cause_beside_it_and_no_other_has_one():
    made = figure(holds=False)
    explained = replace(made, claims=[replace(made.claims[0], cause="tried in vain")])
    assert report(PREAMBLE, [explained], {}, []).count("| a lot | tried in vain |") == 2
    assert report(PREAMBLE, [made], {}, []).count("| a lot | not found |") == 2
    holding = replace(made, claims=[replace(made.claims[0], cause="tried", holds=True)])
    assert "tried" not in report(PREAMBLE, [holding], {}, [])


def test_the_list_of_claims_says_which_figure_or_table_each_is_of():
    table = replace(figure(), number="5.2", kind="Table", table=Table(["x"], [["1"]]))
    text = report(PREAMBLE, [figure(), table], {}, [])
    assert re.findall(r"^\| ([^|]*) \| It is fast \|", text, re.MULTILINE) == ["9", "Table 5.2"]
    assert text.count("| It is fast | fast | very | **holds** | a lot |") == 4


def test_what_was_published_without_a_number_is_said():
    claim = Claim("It is fast", "fast", "very", False)
    assert "no number was published" in report(
        PREAMBLE, [replace(figure(), claims=[claim])], {}, []
    )


def test_pictures_are_linked_and_missing_ones_explained():
    assert "![Figure 9: Speeds](nine.svg)" in report(
        PREAMBLE, [figure()], {"Figure 9": "nine.svg"}, []
    )
    without = report(PREAMBLE, [figure()], {}, [])
    assert "![" not in without
    assert "matplotlib" in without
    assert "matplotlib" not in report(PREAMBLE, [figure()], {"Figure 9": "nine.svg"}, [])


def test_tables_show_ends_of_a_long_sweep_and_blanks_where_nothing_was_measured():
    text = report(PREAMBLE, [figure()], {}, ["Made by hand."])
    assert "- Made by hand." in text
    assert "By the way." in text
    assert "| 1 | 2 | 2.00 ± 1.00 |" in text
    assert "| 30 | 60 |  |" in text
    assert len(re.findall(r"^\| \d+ \|", text, re.MULTILINE)) == 11 + 1  # and the claim's row


def test_all_rows_of_a_table_are_equally_wide(small_figures):
    for table in re.findall(r"(?:^\|.*\n)+", report(PREAMBLE, small_figures, {}, []), re.MULTILINE):
        assert len({line.count("|") for line in table.splitlines()}) == 1
