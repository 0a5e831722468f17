"""A field of a study file is read, or reported by its name with the remedy."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from core.files.findings import Findings
from core.files.strict_json import Fields, read_points
from core.vocabulary.ranges import Range
from core.vocabulary.say.quantities import TIME

HOURS = Range(60, 7200, "s")
FEW = Range(2, 5, "machines")
NOT_TEXT = "is missing or not text; give it in quotation marks"
ABOVE = "is out of range; give -1e+300 to 1e+300"


@pytest.mark.parametrize(
    ("read", "value", "found", "fault"),
    [
        *((Fields.text, text, text, "") for text in ("x", "", "\ud7ff", "\ue000")),
        *((Fields.text, value, "", NOT_TEXT) for value in ("\ud800", "a\udfff", 3, None)),
        (Fields.currency, "EUR", "EUR", ""),
        (Fields.currency, "$", "$", "'$' is not a currency; give letters, or a symbol other than"),
        (Fields.currency, None, "", NOT_TEXT),
        *((Fields.number, value, value, "") for value in (3, -2.5, 1e300, -1e300)),
        (Fields.number, 2e300, math.nan, f"2e+300 {ABOVE}"),
        (Fields.number, -2e300, math.nan, f"-2e+300 {ABOVE}"),
        (Fields.number, True, math.nan, "is true; give a number"),
        (Fields.number, "3", math.nan, "'3' is text; give a number, without quotation marks"),
        (Fields.number, math.inf, math.nan, "is too large for a number; check the exponent"),
        *((lambda f, k: f.number(k, HOURS), value, value, "") for value in (60, 7200)),
        (lambda f, k: f.number(k, HOURS), 59, math.nan, "59 is out of range; give 60 to 7200 s"),
        *((lambda f, k: f.quantity(k, TIME, HOURS), value, 7200, "") for value in (7200, "2h")),
        (
            lambda f, k: f.quantity(k, TIME, HOURS),
            "3h",
            math.nan,
            "10800 is out of range; give 60 to 7200 s",
        ),
        (lambda f, k: f.quantity(k, TIME, HOURS), "2x", math.nan, "'x' is not a unit of time; giv"),
        *((lambda f, k: f.whole(k, FEW), value, value, "") for value in (2, 5, 3.0)),
        (lambda f, k: f.whole(k, FEW), 6000, 2, "6,000 is out of range; give 2 to 5 machines"),
        (lambda f, k: f.whole(k, FEW), 2.5, 2, "2.5 is not a whole number; give one such as 12"),
        (lambda f, k: f.one_of(k, ("a", "b")), "b", "b", ""),
        (lambda f, k: f.one_of(k, ("a", "b")), "c", "c", "'c' is not one of a, b; give one of the"),
        (lambda f, k: f.one_of(k, ("a", "b")), 3, "", NOT_TEXT),
    ],
)
def test_a_field_is_read_or_reported(
    read: Callable[[Fields, str], object], value: object, found: object, fault: str
) -> None:
    findings = Findings()
    fields = Fields({"key": value}, "study [plan]", findings, "price 2")
    np.testing.assert_equal(read(fields, "key"), found)
    problems = [(p.file, p.row, p.column) for p in findings.problems()]
    assert problems == ([("study [plan]", "price 2", "key")] if fault else [])
    assert all(p.message.startswith(fault) for p in findings.problems())


def test_the_object_under_a_key() -> None:
    findings = Findings()
    document: dict[str, object] = {"plan": {"a": 1, "b": None}, "odd": 3}
    plan = Fields.of(document, "plan", "study", findings)
    assert (plan.label, plan.content, plan.has("a"), plan.has("b")) == (
        *("study [plan]", {"a": 1, "b": None}, True, False),
    )
    assert Fields.of(document, "odd", "study", findings).content == {}
    (problem,) = findings.problems()
    assert (problem.file, problem.column) == ("study", "odd")
    assert problem.message == 'is not an object; give "odd": {...}'
    assert Fields({"a": 1, "b": 2.5}, "", findings).numbers() == {"a": 1, "b": 2.5}
    assert Fields({"a": "x", "b": "y"}, "", findings).texts() == {"a": "x", "b": "y"}


@pytest.mark.parametrize(
    ("known", "said"),
    [
        (("budget", "badge"), "did you mean budget?"),
        (("power", "time"), "there are power, time"),
        (("power",), "there is only power"),
    ],
)
def test_keys_that_are_not_known(known: tuple[str, ...], said: str) -> None:
    """They are an error where what they limit would not be kept, else a warning."""
    findings = Findings()
    fields = Fields({"Budgte": 1, known[0]: 2}, "study", findings)
    fields.refuse_unknown(known, "plan")
    fields.warn_of_unused(known)
    fields.warn_of_unused(("Budgte", *known))
    error, warning = findings.problems()
    assert (error.severity, error.column) == ("error", "Budgte")
    assert error.message == f"is not a key of a plan; {said}"
    assert (warning.severity, warning.file) == ("warning", "study")
    assert warning.message == "keys that are not used: Budgte; remove them"


def test_points_are_pairs_of_numbers() -> None:
    findings = Findings()
    points = read_points([[1, 2.5], [1], [1, None], 3, [4, math.inf], [0, 0]], "s", findings)
    np.testing.assert_array_equal(points[[0, 5]], [[1, 2.5], [0, 0]])
    assert [(p.row, p.message) for p in findings.problems()] == [
        (f"point {k}", "is not [joules, seconds]; give both") for k in (2, 3, 4, 5)
    ]
    assert read_points({}, "s", findings).shape == (0, 2)
    assert findings.problems()[-1].message == "is not a list; give [[joules, seconds], ...]"
