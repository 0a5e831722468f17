"""Findings list a bounded number of problems, count the rest, and are fit to print."""

import pytest

from core.files import limits
from core.files.findings import Findings, shown, shown_list
from core.vocabulary.problems import Problem


def test_errors_come_before_warnings():
    findings = Findings()
    findings.warning("a", "", "", "w")
    findings.error("a", "", "", "e")
    assert [p.severity for p in findings.problems()] == ["error", "warning"]
    assert findings.failed


def test_a_warning_is_no_failure():
    findings = Findings()
    findings.warning("a", "", "", "w")
    assert not findings.failed


def test_past_the_limit_problems_are_only_counted():
    findings = Findings()
    findings.extend(Problem("a", str(i), "", "e") for i in range(limits.ERRORS_LISTED))
    assert findings.full
    assert len(findings.problems()) == limits.ERRORS_LISTED
    findings.error("a", "", "", "e")
    assert list(findings.listed(range(1_233))) == []
    assert len(findings.problems()) == limits.ERRORS_LISTED + 1
    assert "1,234 more errors" in findings.problems()[-1].message


def test_problems_can_be_printed_anywhere():
    findings = Findings()
    findings.error("f", "row\x1b[31m", "\ud800", "x" * 10 + "\n")
    (problem,) = findings.problems()
    assert str(problem).encode() == str(problem).encode("utf-8")
    assert str(problem).isprintable()


def test_long_texts_and_lists_are_shortened():
    assert shown("x" * 100) == "x" * 40 + "…"
    assert shown_list(range(7)) == "0, 1, 2, 3, 4 and 2 more"
    assert shown_list(range(5)) == "0, 1, 2, 3, 4"


@pytest.mark.parametrize(("errors", "full", "listed"), [(999, False, 999), (1000, True, 1000)])
def test_a_thousand_errors_are_listed(errors, full, listed):
    findings = Findings()
    findings.extend(Problem("a", str(i), "", "e") for i in range(errors))
    assert (findings.full, len(findings.problems())) == (full, listed)


@pytest.mark.parametrize(("letters", "kept"), [(199, 199), (200, 200), (201, 200)])
def test_places_have_two_hundred_characters_at_most_and_messages_a_thousand(letters, kept):
    findings = Findings()
    findings.error(*["x" * letters] * 3, "y" * (800 + letters))
    (problem,) = findings.problems()
    end = "" if letters == kept else "…"
    assert (problem.file, problem.row, problem.column) == ("x" * kept + end,) * 3
    assert problem.message == "y" * (800 + kept) + end
