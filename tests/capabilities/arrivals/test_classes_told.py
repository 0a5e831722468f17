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


def test_a_blank_is_any_text() -> None:
    (table,) = classes_tables([JobClass(qos="high"), JobClass(user="ada")])
    assert table.head[:3] == ("QOS", "User", "Worth")
    assert [row[:2] for row in table.rows] == [("high", "any"), ("any", "ada")]


def test_many_classes_are_counted() -> None:
    (hundred,), (more,) = (
        classes_tables([JobClass(user=f"u{number}") for number in range(count)])
        for count in (100, 101)
    )
    assert len(hundred.rows) == len(more.rows) == 100
    assert hundred.note.endswith("are not stopped.")
    assert more.note == f"{hundred.note} Left out: 1 more."
