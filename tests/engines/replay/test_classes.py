"""Each job is of the one class whose texts it has, and is worth what its class says."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.engines.replay.classes import (
    MATCHED,
    JobClass,
    classes_of_rows,
    classify,
    with_classes,
)
from core.engines.replay.workload import ArrivingJobs
from core.engines.replay.worth import WorthCurves, WorthPiece, curves_at
from core.vocabulary.problems import InvalidInput

HOUR = 3600.0
WORDS = ("a", "ab", "b", "")
ASKED = ("", "a", "a*", "ab", "b*", "*", "c")


def _takes(asked: str, word: str) -> bool:
    return asked in ("", word) or (asked[-1] == "*" and word[: len(asked) - 1] == asked[:-1])


@given(
    st.lists(st.tuples(*[st.sampled_from(ASKED)] * 2).filter(any), max_size=4),
    st.lists(st.tuples(*[st.integers(-1, 3)] * 2), max_size=6),
)
def test_jobs_are_of_the_class_whose_texts_they_have(
    asked: list[tuple[str, str]], jobs: list[tuple[int, int]]
) -> None:
    """A text that is not known is any text to `*` alone. Of two classes, it says both."""
    classes = classes_of_rows([JobClass(qos=one, name=two) for one, two in asked])
    codes = np.array(jobs, np.int64).reshape(-1, 2).T
    texts = {"qos": (iter(WORDS), codes[0]), "name": (WORDS, codes[1]), "user": (WORDS, codes[0])}
    words = [tuple("" if code < 0 else WORDS[code] for code in job) for job in jobs]
    fit = [[k for k, row in enumerate(asked) if all(map(_takes, row, job))] for job in words]
    if all(len(one) <= 1 for one in fit):
        found = classify(classes, texts, len(jobs), str)
        assert found.of_job.tolist() == [one[0] if one else -1 for one in fit]
        none = {*range(len(asked))} - {one[0] for one in fit if one}
        assert [int(problem.row.split()[1]) - 1 for problem in found.problems] == sorted(none)
        return
    with pytest.raises(InvalidInput) as refused:
        classify(classes, texts, len(jobs), str)
    first = refused.value.problems[0]
    job = int(first.message.split()[1].strip(","))
    assert {int(first.row.split()[1]) - 1, int(first.message.split()[4]) - 1} <= {*fit[job]}


def test_two_classes_of_one_job_are_named_with_it() -> None:
    classes = classes_of_rows(
        [JobClass(name="a*"), JobClass(qos="x")], "c.csv", ["line 2", "line 9"]
    )
    texts = {"name": (["b", "ab"], np.array([0, 1])), "qos": (["x"], np.array([-1, 0]))}
    with pytest.raises(InvalidInput) as refused:
        classify(classes, texts, 2, lambda job: f"job {job}")
    assert [str(problem) for problem in refused.value.problems] == [
        "error: c.csv, row line 9: fits job 1, as line 2 does; let one of the two fit it"
    ]


def test_a_column_that_the_jobs_lack_is_named() -> None:
    found = classify(classes_of_rows([JobClass(user="eva")]), {}, 2, str)
    assert found.of_job.tolist() == [-1, -1]
    assert str(found.problems[0]).startswith(
        "warning: classes, row number 1, column user: is not known"
    )


def test_jobs_are_worth_what_their_class_says_and_others_what_they_were() -> None:
    fades = (WorthPiece(0.0, 1.0, 0.0, 0.0), WorthPiece(100.0, 0.0, 0.0, 0.0))
    rows = [
        JobClass(name="a", worth=5, full_hours=1, nothing_hours=3, tier=2, may_stop_others=True),
        JobClass(name="b", worth=2, nothing_hours=2, may_be_stopped=True),
        JobClass(name="c", worth=3, full_hours=2, nothing_hours=2),
        JobClass(name="d", worth=0.5),
    ]
    jobs = ArrivingJobs.plain(np.zeros(5))
    of_job = np.array([0, 1, 2, 3, -1])
    classed, curves = with_classes(
        jobs, WorthCurves((fades,), ("fades",)), classes_of_rows(rows), of_job
    )

    def worth(hours: float) -> list[float]:
        shares = curves_at(curves, classed.curve, classed.urgency, np.full(5, hours * HOUR))
        return (classed.priority * shares).round(9).tolist()

    assert worth(0) == [5, 2, 3, 0.5, 1]
    assert worth(1) == [5, 1, 3, 0.5, 0]
    assert worth(1.999) == [2.5025, 0.001, 3, 0.5, 0]
    assert worth(2) == [2.5, 0, 0, 0.5, 0]
    assert worth(3) == [0, 0, 0, 0.5, 0]
    assert classed.rights is not None
    assert classed.rights.may_stop_others.tolist() == [True, False, False, False, False]
    assert classed.rights.may_be_stopped.tolist() == [False, True, False, False, False]
    assert classed.rights.tier.tolist() == [2, 0, 0, 0, 0]


def test_classes_without_rights_let_nobody_stop_anybody() -> None:
    jobs, curves = ArrivingJobs.plain(np.zeros(1)), JobClass(name="a").curve
    classes = classes_of_rows([JobClass(name="a", worth=2)])
    made = with_classes(jobs, WorthCurves((curves[1],), ("one",)), classes, np.zeros(1, np.int64))
    assert made[0].rights is None
    assert made[1].names == ("one",)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (JobClass(), "row number 1: says nothing of its jobs; for all jobs, write * as their name"),
        (JobClass(name="a", full_hours=5, nothing_hours=4), "column nothing_hours: is 4, before"),
        (JobClass(name="a", full_hours=5), "column nothing_hours: is blank; say when"),
        (JobClass(name="a", worth=-1), "column worth: is -1; give 0 to"),
        (JobClass(name="a", nothing_hours=0), "column nothing_hours: is 0; give 0.001 to"),
        (JobClass(name="a", tier=65_533), "column tier: is 65533; give a whole number, 0 to"),
        (JobClass(name=7), "column name: is 7; give a text"),  # type: ignore[arg-type]
    ],
)
def test_a_class_that_cannot_be_is_located(row: JobClass, said: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        classes_of_rows([row])
    assert said in str(refused.value.problems[0])


def test_the_columns_that_tell_jobs_apart() -> None:
    assert MATCHED == ("partition", "qos", "account", "user", "name")
