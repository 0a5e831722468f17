"""A problem says where it is and is worded for people; an error stops, a warning does not."""

import json

import pytest

from core.vocabulary.problems import InvalidInput, Problem, errors

MISSING = Problem("etc.csv", "T3", "GPU", "is not a number; give seconds")
ODD = Problem("machines.csv", "GPU", "idle_power", "is high; check it", "warning")


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        (MISSING, "error: etc.csv, row T3, column GPU: is not a number; give seconds"),
        (ODD, "warning: machines.csv, row GPU, column idle_power: is high; check it"),
        (Problem("etc.csv", "", "", "is empty"), "error: etc.csv: is empty"),
        (Problem("", "", "GPU", "is odd"), "error: column GPU: is odd"),
        (Problem("", "", "", "nothing was given"), "error: nothing was given"),
    ],
)
def test_is_said_with_the_place_that_is_known(problem: Problem, said: str) -> None:
    assert str(problem) == said


def test_becomes_json_with_its_five_fields() -> None:
    assert json.loads(json.dumps(ODD.as_dict())) == {
        "file": "machines.csv",
        "row": "GPU",
        "column": "idle_power",
        "message": "is high; check it",
        "severity": "warning",
    }


def test_only_errors_stop() -> None:
    assert errors([ODD, MISSING, ODD]) == [MISSING]
    assert errors([ODD]) == []


def test_the_exception_carries_all_and_says_each_on_a_line() -> None:
    raised = InvalidInput(iter([MISSING, ODD]))
    assert raised.problems == (MISSING, ODD)
    assert str(raised).splitlines() == [str(MISSING), str(ODD)]
    assert isinstance(raised, ValueError)


@pytest.mark.parametrize("more", [0, 1, 1000])
def test_a_long_list_is_cut_in_the_message_but_not_in_the_list(more: int) -> None:
    raised = InvalidInput([MISSING] * (20 + more))
    lines = str(raised).splitlines()
    assert len(raised.problems) == 20 + more
    assert len(lines) == 20 + (more > 0)
    assert (lines[-1] == f"... and {more} more") == (more > 0)
