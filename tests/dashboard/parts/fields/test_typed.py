"""Times and amounts are read as people type them; what is none is refused with an example."""

import pytest

from core.vocabulary.say.quantities import ENERGY, POWER
from dashboard.parts.fields.typed import amount_typed, duration_typed


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1h", 3600),
        (" 1 H ", 3600),
        ("90 min", 5400),
        ("90m", 5400),
        ("90 minutes", 5400),
        ("1:30", 5400),
        ("0:45", 2700),
        ("1:30:05", 5405),
        ("1h30", 5400),
        ("1 h 30 min", 5400),
        ("43 min 30 s", 2610),
        ("1d 2h", 93_600),
        ("1.5 hours", 5400),
        ("30 s", 30),
        ("45", 2700),
        ("1e2", 6000),
    ],
)
def test_durations(text: str, seconds: float) -> None:
    assert duration_typed(text, "min", 60.0) == pytest.approx(seconds)


def test_a_number_alone_is_of_the_unit_that_is_shown() -> None:
    assert duration_typed("12", "ms", 1e-3) == pytest.approx(0.012)
    assert duration_typed("12 ms", "ms", 1e-3) == pytest.approx(0.012)
    assert amount_typed("3", ENERGY, "kWh") == pytest.approx(1.08e7)
    assert amount_typed("3 kwh", ENERGY, "MJ") == pytest.approx(1.08e7)
    assert amount_typed("3 mj", ENERGY, "kWh") == pytest.approx(3e6)
    assert amount_typed("2kW", POWER, "W") == pytest.approx(2000)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "soon",
        "-1h",
        "1:75",
        "1:5",
        "3 weeks",
        "1,5h",
        "nan",
        "inf",
        "1h 2h 3x",
        "9" * 400,
        "<b>",
    ],
)
def test_what_is_no_time_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(ValueError, match=r"Type for example 1h, 90 min or 1:30") as refused:
        duration_typed(text, "min", 60.0)
    assert len(str(refused.value)) < 120


@pytest.mark.parametrize("text", ["", "much", "-3", "3 km", "1.2.3", "1e999", "kWh"])
def test_what_is_no_energy_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not a valid energy\. Type for example 300kWh"):
        amount_typed(text, ENERGY, "kWh")


@pytest.mark.parametrize(("letters", "shown"), [(39, 39), (40, 40), (41, 40)])
def test_so_much_of_what_was_typed_is_repeated(letters: int, shown: int) -> None:
    with pytest.raises(ValueError, match=f"^“{'x' * shown}” is not a valid time"):
        duration_typed("x" * letters, "min", 60.0)
