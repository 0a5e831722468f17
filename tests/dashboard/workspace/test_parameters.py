"""Parameters are read within their ranges; each that cannot be read is ignored, with a note."""

from core.vocabulary.ranges import Range
from dashboard.workspace.parameters import Parameters, written, written_pairs

HOURS, MONEY = Range(0.0, 23.0, "h"), Range(0.0, 10.0, "EUR")


def test_pairs_are_whole_or_nothing() -> None:
    given = {
        "good": "0:0.2 7.5:3",
        "none": "",
        "twice": "1:2 1:3",
        "torn": "1:2 3",
        "three": "1:2:3",
        "far": "1:11",
        "late": "24:1",
        "odd": "nan:1",
    }
    parameters = Parameters(given)
    found = {name: parameters.pairs(name, float, HOURS, MONEY, "0:1 2:3") for name in given}
    assert found.pop("good") == ((0.0, 0.2), (7.5, 3.0))
    assert set(found.values()) == {()}
    assert parameters.pairs("absent", float, HOURS, MONEY, "0:1") == ()
    assert [note.split()[0] for note in parameters.notes] == [
        *("twice", "torn", "three", "far", "late", "odd"),
    ]
    assert parameters.notes[0] == "twice is “1:2 1:3”; give pairs such as 0:1 2:3"


def test_positions_are_whole_numbers() -> None:
    parameters = Parameters({"wear": "1.5:2"})
    assert parameters.pairs("wear", int, Range(1, 3, ""), MONEY, "1:2") == ()
    assert len(parameters.notes) == 1


def test_numbers_and_pairs_are_written_as_they_are_read() -> None:
    pairs = {0.0: 0.1 + 0.2, 7.0: 1e-9}
    parameters = Parameters({"pairs": written_pairs(pairs), "number": written(1e9)})
    assert dict(parameters.pairs("pairs", float, HOURS, MONEY, "")) == pairs
    assert parameters.number("number", Range(0, 1e9, ""), float) == 1e9
    assert written(3.0) == "3"
    assert written(("a", "b")) == "a b"
