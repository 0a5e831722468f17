"""What a person chose is told by the address, and read back from it."""

from dataclasses import replace

import pytest
from any_settings import any_settings
from hypothesis import given
from hypothesis import strategies as st

from core.engines.front.wish import StatedWish
from core.shells.studies import StudySettings
from dashboard.workspace.answering import SECONDS, PolishSettings
from dashboard.workspace.page_state import all_parameters
from dashboard.workspace.trade_off_settings import (
    PARAMETERS,
    WISH_LABELS,
    TradeOffSettings,
    read,
    restored,
    written,
)

WISHES = st.none() | st.builds(
    StatedWish, st.sampled_from(tuple(WISH_LABELS)), st.floats(1e-6, 1e15)
)


@given(any_settings(TradeOffSettings), WISHES)
def test_what_is_written_is_read_back(settings: TradeOffSettings, wish: StatedWish | None) -> None:
    wanted = replace(settings, wish=wish)
    parameters = written(wanted)
    assert read(parameters) == (wanted, ())
    assert parameters.keys() <= PARAMETERS


def test_what_is_as_usual_is_not_written() -> None:
    assert written(TradeOffSettings()) == {}


def test_every_parameter_is_known_to_the_address() -> None:
    assert all_parameters() >= PARAMETERS


@pytest.mark.parametrize(
    ("name", "given", "note"),
    [
        ("axis", "joules", "give one of kWh, MJ, money, carbon"),
        ("polish", "-1", "give 0 to 600 s"),
        ("spacing", "wide", "spacing is “wide”"),
        ("deadline", "nan", "deadline is “nan”"),
        ("rivals", "min-min <b>", "rivals is “<b>”"),
    ],
)
def test_what_cannot_be_read_is_said_and_ignored(name: str, given: str, note: str) -> None:
    settings, notes = read({name: given})
    assert note in notes[0]
    assert settings == (
        TradeOffSettings(rivals=("min-min",)) if name == "rivals" else TradeOffSettings()
    )


def test_of_a_study_what_the_page_can_be_set_to_is_restored() -> None:
    view = {"axis": "money", "deadline": "7200", "odd": "1"}
    settings = StudySettings("mine", spacing=0.02, seconds=5000.0, view=view)
    found = restored(settings)
    assert found.polish_settings == PolishSettings(0.02, SECONDS.high)
    assert restored(replace(settings, work=7.0)).polish == 7.0
    assert (found.axis, found.wish) == ("money", StatedWish("deadline", 7200.0))
    assert restored(replace(settings, view={})) == TradeOffSettings(
        spacing=0.02, polish=SECONDS.high
    )
