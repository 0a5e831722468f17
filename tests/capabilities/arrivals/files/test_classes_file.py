"""Classes of jobs are read back as they were written; faults are named by line and column."""

from dataclasses import replace
from pathlib import Path

import pytest
from any_settings import any_settings
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.arrivals.files.classes_file import (
    classes_csv,
    inspect_classes_bytes,
    is_classes,
    read_classes,
)
from core.engines.replay.classes import MATCHED, JobClass
from core.vocabulary.problems import InvalidInput

TEXTS = st.sampled_from(("", "a", "b*", "*", "=1+2", 'a,"b', "1.0", "Wärme"))


@given(st.lists(any_settings(JobClass), min_size=1, max_size=3), st.data())
def test_what_is_written_reads_back(
    tmp_path_factory: pytest.TempPathFactory, rows: list[JobClass], data: st.DataObject
) -> None:
    rows = [
        replace(
            row,
            **{**{name: data.draw(TEXTS) for name in MATCHED}, "name": f"x{number}"},
            full_hours=0.0 if row.nothing_hours is None else row.full_hours % row.nothing_hours,
        )
        for number, row in enumerate(rows)
    ]
    path = tmp_path_factory.mktemp("classes") / "c.csv"
    path.write_bytes(classes_csv(rows))
    assert list(read_classes(path).rows) == rows
    assert is_classes(path.read_bytes())


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("name,worth\n", True),
        ("\ufeffQOS;May stop;particion\nhigh;maybe\n", True),
        ("user\ttier\n", True),
        ("name,user\n", False),
        ("worth,tier\n", False),
        ("name,arrival,seconds,worth\n", False),
        ("job,job_type,arrival,priority,may_stop_others,may_be_stopped,tier\n", False),
        ("", False),
    ],
)
def test_content_says_that_it_has_classes(text: str, *, is_one: bool) -> None:
    """With or without faults; tables of jobs have some of its columns, too."""
    assert is_classes(text.encode()) is is_one


def test_a_row_says_what_is_not_usual(tmp_path: Path) -> None:
    path = tmp_path / "c.csv"
    path.write_text("QOS,may_stop,worth,full_hours,nothing_hours\nhigh,x,5,1,8\nl*,,,,\n")
    found = read_classes(path)
    high = JobClass(qos="high", worth=5, full_hours=1, nothing_hours=8, may_stop_others=True)
    assert found.rows == (high, JobClass(qos="l*"))
    assert (found.label, found.places) == ("c.csv", ("line 2", "line 3"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name,particion\na,b\n", "c.csv: columns that are not used: particion; remove them"),
        ("name,may_stop\na,maybe\n", "line 2, column may_stop_others: 'maybe' is neither yes nor"),
        ("name,tier\na,1\nb,1.5\n", "line 3, column tier: '1.5' is not a whole number"),
        ("name,worth\na,1e16\n", "line 2, column worth: 1e+16 is out of range"),
        ("name,full_hours,nothing_hours\na,5,4\n", "line 2, column nothing_hours: is 4, before"),
        ("name,full_hours\na,5\n", "line 2, column nothing_hours: is blank; say when jobs"),
        ("name,worth\na,1\n ,2\n", "line 3: says nothing of its jobs; for all jobs, write *"),
        ("worth\n2\n", "line 2: says nothing of its jobs"),
        ("name,worth\n", "has no row; give one for each class of jobs"),
        ("name\n" + "a\n" * 1_001, "1,000"),
    ],
)
def test_faults_have_places(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "c.csv"
    path.write_text(text)
    with pytest.raises(InvalidInput) as refused:
        read_classes(path)
    assert said in " ".join(map(str, refused.value.problems))
    assert inspect_classes_bytes("c.csv", text.encode()).problems == refused.value.problems
