"""Text of strangers stands in HTML as it was written."""

from core.vocabulary.problems import Problem
from dashboard.parts.frame import markup

EVIL = "<img src=x onerror=alert(1)>&amp;"


def test_nothing_of_a_problem_is_taken_for_markup() -> None:
    written = markup.problems([Problem(EVIL, EVIL, EVIL, EVIL, "warning")])
    assert "<img" not in written
    assert written.count("&lt;img src=x onerror=alert(1)&gt;&amp;amp;") == 4
    assert "Warning:</em>" in written


def test_a_place_that_does_not_apply_is_a_dash() -> None:
    assert '<td data-label="Column">–</td>' in markup.problems([Problem("etc", "T1", "", "oh")])


def test_what_is_at_no_place_is_a_list() -> None:
    problem = Problem("", "", "", EVIL)
    assert markup.problems([problem]) == markup.items([EVIL])
    assert "<table>" in markup.problems([problem, Problem("etc", "", "", "oh")])


def test_of_very_many_problems_the_first_are_shown_and_the_others_counted() -> None:
    written = markup.problems([Problem("etc", "", "", "oh")] * (markup.PROBLEMS_SHOWN + 3))
    assert written.count("<td>oh</td>") == markup.PROBLEMS_SHOWN
    assert "and 3 more problems" in written


def test_lists_and_the_context_line_are_plain() -> None:
    assert "<img" not in markup.items([EVIL]) + markup.context(EVIL, [EVIL])
