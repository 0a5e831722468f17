"""Classes are a table of what each says, with the columns that some of them has."""

from core.capabilities.arrivals.classes_told import classes_tables
from core.engines.replay.classes import JobClass


def test_without_classes_there_is_no_table() -> None:
    assert list(classes_tables(())) == []


def test_a_text_that_no_class_has_has_no_column() -> None:
    (table,) = classes_tables([JobClass(name="a*", worth=2.5, nothing_hours=4.0, tier=65_532)])
    assert table.head[0] == "Name"
    assert table.rows == (("a*", "2.5", "0", "4", "65,532", "no", "no"),)
    assert table.note.startswith("A text that ends in * is a beginning.")


def test_many_classes_are_counted() -> None:
    (table,) = classes_tables([JobClass(user=f"u{number}") for number in range(103)])
    assert len(table.rows) == 100
    assert table.note.endswith("3 more classes are left out.")
