"""Faults of classes of jobs are told by the rows that a person sees."""

from core.engines.replay.classes import JobClass
from dashboard.parts.replays.class_table import faults_of, typed_classes


def test_a_fault_names_the_row_as_it_is_shown() -> None:
    given = (JobClass(name="gone"), JobClass(), JobClass(name="a"))
    state = {
        "deleted_rows": [0],
        "edited_rows": {"2": {"full_hours": 2.0}},
        "added_rows": [{}, {"worth": 3.0}],
    }
    rows = typed_classes(given, state)
    assert [*rows] == [2, 4], "rows that say nothing are left out"
    first, second = faults_of(rows, "Classes")
    assert (first.row, first.column) == ("number 2", "Nothing after (h)")
    assert second.row == "number 4"
    named, _ = faults_of(rows, "Classes", by_name=True)
    assert named.row == "a"
