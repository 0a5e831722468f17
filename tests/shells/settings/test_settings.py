"""A setting that is declared once is the same on the command line, in the address, in a study file
and in the widgets of a page.
"""

import argparse
import json
import math
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import pytest
from any_settings import any_settings
from hypothesis import given
from hypothesis import strategies as st
from patience import PATIENCE
from streamlit.testing.v1 import AppTest

from core.capabilities.arrivals.asked import ArrivalsSettings
from core.capabilities.centre.settings import DaySettings, PlanningSettings
from core.capabilities.fair_shares.settings import SharesSettings, SharingSettings, WhatIfSettings
from core.capabilities.makespan.settings import SolveSettings
from core.capabilities.profit.settings import ProfitSettings
from core.capabilities.provision.files.plan_file import PlanSpread, ScenarioSettings
from core.capabilities.provision.fronts.answer import FrontAsked
from core.capabilities.provision.goals.goal import Goal
from core.capabilities.provision.settings import PlanAim, PlanAsked
from core.capabilities.switch_off.settings import SwitchOffSettings
from core.engines.logs.types.settings import RunSettings
from core.engines.replay.classes import JobClass
from core.files.findings import Findings
from core.files.strict_json import Fields
from core.shells.settings.forms import (
    declare_flags,
    flag_words,
    given_flags,
    read_block,
    shell_word,
    written_block,
)
from core.shells.settings.site import PRICES, add_site, given_site
from core.vocabulary.prices.site import Site
from core.vocabulary.problems import InvalidInput
from core.vocabulary.ranges import Range
from core.vocabulary.setting import (
    ByHour,
    Flag,
    NumberIn,
    OneOf,
    SomeOf,
    WholeIn,
    YesNo,
    setting,
    settings_in,
    strange_settings,
)
from dashboard.parts.replays.state import CloserLook
from dashboard.screens.provision.inputs import LimitInputs
from dashboard.workspace.parameters import (
    Parameters,
    parameters_of,
    read_settings,
    written_settings,
)
from dashboard.workspace.trade_off_settings import TradeOffSettings

HEAT = Range(-10.0, 1e6, "degrees")
EGGS = Range(0, 12, "eggs")
SPICES = ("salt", "pepper", "saffron")


@dataclass(frozen=True, slots=True)
class Toy:
    """Settings of each kind, with and without None, and a field that is no setting."""

    heat: float = setting(
        180.5, NumberIn(HEAT), "Heat", "How hot.", flag=Flag("X", "how hot it is")
    )
    rest: float | None = setting(
        None, NumberIn(HEAT), "Rest", blank="no rest", flag=Flag("X", "how warm it rests")
    )
    eggs: int = setting(
        2,
        WholeIn(EGGS),
        "Eggs",
        flag=Flag("N", "how many", WholeIn(Range(0, 10**9, "eggs"))),
    )
    guests: int | None = setting(
        4, WholeIn(EGGS), "Guests", blank="nobody", flag=Flag("N", "how many eat")
    )
    dish: str = setting(
        "soup",
        OneOf(("soup", "cake", "mine"), str.upper, private=("mine",)),
        "Dish",
        flag=Flag("NAME", "what is made"),
    )
    size: int = setting(8, OneOf((8, 12)), "Size", flag=Flag("CM", "how large it is"))
    taste: str | None = setting(None, OneOf(SPICES, str.upper), "Taste", blank="plain")
    spices: tuple[str, ...] = setting(
        ("salt",),
        SomeOf(SPICES, "spice", str.upper),
        "Spices",
        flag=Flag("NAME", "any", name="--spice"),
    )
    cold: bool = setting(False, YesNo(), "Cold", flag=Flag("", "it is served cold"))
    glow: tuple[tuple[float, float], ...] = setting(
        (), ByHour(HEAT, "heat", "degrees"), "Glow", flag=Flag("HOUR:X", "how hot from when on")
    )
    key: str = ""


DECLARED = [
    *(Toy, ArrivalsSettings, CloserLook, ProfitSettings, TradeOffSettings),
    *(FrontAsked, Goal, LimitInputs, PlanAim, PlanAsked, PlanSpread, RunSettings),
    *(ScenarioSettings, SharesSettings, WhatIfSettings, SharingSettings),
    *(Site, SolveSettings, SwitchOffSettings, JobClass, DaySettings, PlanningSettings),
]
"""All classes that declare settings."""
USUAL = Toy(heat=0.0, guests=None, spices=())
"""What the command takes for flags that are not given."""


def read_words(words: list[object]) -> Toy:
    parser = argparse.ArgumentParser(exit_on_error=False)
    declare_flags(parser, Toy)
    arguments = parser.parse_args([shell_word(word) for word in words])
    return replace(USUAL, **given_flags(arguments, Toy))


def told(content: dict[str, object], kind: type = Toy) -> tuple[dict[str, Any], list[str]]:
    findings = Findings()
    found = read_block(Fields(content, "s.json [toy]", findings), kind)
    return found, [str(problem) for problem in findings.problems()]


@pytest.mark.parametrize("kind", DECLARED)
@given(st.data())
def test_any_settings_go_through_the_address(kind: type, data: st.DataObject) -> None:
    settings = data.draw(any_settings(kind))
    said = written_settings(settings, kind(), "toy_")
    assert set(said) <= parameters_of(kind, "toy_")
    parameters = Parameters(said)
    assert read_settings(parameters, kind(), "toy_") == settings
    assert parameters.notes == []


@pytest.mark.parametrize("kind", DECLARED)
@given(st.data())
def test_any_settings_go_through_a_study_file(kind: type, data: st.DataObject) -> None:
    settings = data.draw(any_settings(kind))
    found, problems = told(json.loads(json.dumps(written_block(settings))), kind)
    assert problems == []
    assert kind(**found) == settings


@pytest.mark.parametrize("kind", DECLARED)
@given(st.data())
def test_a_program_may_ask_for_any_settings(kind: type, data: st.DataObject) -> None:
    assert [*strange_settings(data.draw(any_settings(kind)))] == []


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"heat": math.nan}, ["heat is nan; give -10 to 1e+06 degrees"]),
        ({"rest": 2e6}, ["rest is 2000000.0; give -10 to 1e+06 degrees"]),
        ({"eggs": 10**9}, []),  # a command can do more than a page
        ({"eggs": 1.5}, ["eggs is 1.5; give a whole number, 0 to 1e+09 eggs"]),
        ({"size": 9}, ["size is 9; give 8, 12"]),
        ({"spices": ("salt", "sugar")}, ["spice is 'sugar'; give salt, pepper, saffron"]),
        ({"glow": ((3.0, 5.0), (7.0, 2e6))}, ["glow is 2000000.0; give -10 to 1e+06 degrees"]),
        ({"cold": "no", "dish": []}, ["dish is []; give", "cold is 'no'; give True, False"]),
    ],
)
def test_what_no_flag_takes_is_strange(asked: dict[str, Any], said: list[str]) -> None:
    found = [*strange_settings(replace(Toy(), **asked))]
    assert len(found) == len(said)
    assert all(one.startswith(begins) for one, begins in zip(found, said, strict=True))


@given(any_settings(Toy))
def test_any_settings_go_through_the_command_line(settings: Toy) -> None:
    # Nothing says that a flag's value is to be none, or that none of several is chosen.
    without = [name for name in ("rest", "guests") if getattr(settings, name) is None]
    settings = replace(settings, taste=None, **{name: getattr(USUAL, name) for name in without})
    assert read_words(flag_words(settings, USUAL)) == settings


@pytest.mark.parametrize("kind", DECLARED)
def test_usual_settings_need_no_word(kind: type) -> None:
    assert written_settings(kind(), kind()) == {}
    assert flag_words(kind(), kind()) == []
    assert kind(**told({}, kind)[0]) == kind()


@pytest.mark.parametrize("kind", DECLARED)
def test_the_usual_value_is_one_of_those_allowed(kind: type) -> None:
    for name, one in settings_in(kind).items():
        assert one.usual is not None or one.blank is not None, name
        match one.kind:
            case NumberIn(allowed) | WholeIn(allowed):
                assert one.usual is None or one.usual in allowed
            case OneOf(choices):
                assert one.usual is None or one.usual in choices
            case SomeOf(choices):
                assert set(one.usual) <= set(choices)


def test_a_field_that_is_no_setting_is_left_alone() -> None:
    assert [*settings_in(Toy), "key"] == [one.name for one in fields(Toy)]
    assert "key" not in written_block(Toy(key="k"))
    assert written_settings(Toy(key="k"), Toy()) == {}


def test_words_are_in_the_order_that_is_asked_for() -> None:
    settings = replace(USUAL, heat=1.5, eggs=3, spices=("salt", "pepper"), cold=True)
    assert flag_words(settings, USUAL, "spices", "cold", "heat") == [
        *("--spice", "salt", "--spice", "pepper", "--cold", "--heat", 1.5),
    ]
    assert flag_words(replace(settings, heat=-1e-5), USUAL, "heat") == ["--heat=-1e-05"]


def test_only_the_flags_that_are_asked_for_are_declared() -> None:
    parser = argparse.ArgumentParser(exit_on_error=False)
    declare_flags(parser, Toy, "eggs")
    assert parser.parse_args(["--eggs", "3"]).eggs == 3
    assert [*vars(parser.parse_args([]))] == ["eggs"]


def test_numbers_by_hour_are_read_from_steps_or_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "glow.csv").write_text("from,heat\n20:30,5\n7,60\n")
    for words in (["--glow", "20:30:5,7:60"], ["--glow", tmp_path / "glow.csv"]):
        assert read_words(words).glow == ((20.5, 5.0), (7.0, 60.0))


def test_a_decimal_comma_of_a_number_by_hour_is_named() -> None:
    with pytest.raises(InvalidInput, match=r"; if '0:5,20' has a decimal comma, write 0:5\.20"):
        read_words(["--glow", "0:5,20,7:60"])


def test_a_flag_may_take_more_than_a_page() -> None:
    assert read_words(["--eggs", 10**9]).eggs == 10**9
    assert told({"eggs": 10**9})[1] == [
        "error: s.json [toy], column eggs: 1,000,000,000 is out of range; give 0 to 12 eggs"
    ]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--heat", "warm"], "'warm' is not a number; give -10 to 1e\\+06 degrees"),
        (["--heat", "2e6"], "2e6 is out of range; give -10"),
        (["--eggs", "1.5"], "1.5 is not a whole number"),
        (["--dish", "pie"], "choose from .?soup"),
        (["--size", "9"], "choose from 8, 12"),
        (["--spice", "mint"], "choose from .?salt"),
    ],
)
def test_a_flag_that_cannot_be_read_says_what_to_give(words: list[object], said: str) -> None:
    with pytest.raises(argparse.ArgumentError, match=said):
        read_words(words)


@pytest.mark.parametrize(
    ("name", "text", "instead"),
    [
        ("heat", "warm", "-10 to 1e+06 degrees"),
        ("heat", "none", "-10 to 1e+06 degrees"),
        ("rest", "2e6", "-10 to 1e+06 degrees"),
        ("eggs", "1.5", "a whole number, 0 to 12 eggs"),
        ("dish", "mine", "one of soup, cake"),
        ("dish", "none", "one of soup, cake"),
        ("size", "9", "one of 8, 12"),
        ("spices", "mint", "one of salt, pepper, saffron"),
        ("cold", "maybe", "one of yes, no"),
        ("glow", "24:5", "pairs such as 0:0.2 7:0.35"),
    ],
)
def test_a_parameter_that_cannot_be_read_is_ignored_with_a_note(
    name: str, text: str, instead: str
) -> None:
    parameters = Parameters({f"toy_{name}": text})
    assert read_settings(parameters, Toy(), "toy_") == Toy()
    assert parameters.notes == [f"toy_{name} is “{text}”; give {instead}"]


def test_what_is_private_to_a_session_is_not_in_its_address() -> None:
    assert written_settings(Toy(dish="mine", eggs=3), Toy()) == {"eggs": "3"}
    assert told(written_block(Toy(dish="mine")))[0]["dish"] == "mine"


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("heat", "warm", "'warm' is text; give a number"),
        ("heat", 2e6, "2e+06 is out of range; give -10 to 1e+06 degrees"),
        ("eggs", 1.5, "whole number"),
        ("dish", "pie", "'pie' is not one of soup, cake, mine; give one of them"),
        ("size", 9, "is 9; give one of 8, 12"),
        ("size", "8", "'8' is text; give a number"),
        ("taste", 3, "is missing or not text"),
        ("spices", "salt", "is not a list; give some of salt, pepper, saffron"),
        ("spices", ["peper"], "'peper' is no spice; did you mean pepper?"),
        ("spices", [7], "'7' is no spice; give some of salt"),
        ("cold", "yes", "is neither true nor false; give one of them"),
        ("glow", 5, "is not a list of steps; give [[hour, number], ...], hours from 0 to below 24"),
        ("glow", [[24, 5]], "step 1 is [24, 5]; give [[hour, number], ...]"),
        ("glow", [[7, -11]], "each once, numbers of -10 to 1e+06 degrees"),
        ("glow", [[7, 1], [7.0, 2]], "step 2 has the hour of another one"),
    ],
)
def test_a_field_that_cannot_be_read_is_told_with_its_place(
    name: str, value: object, said: str
) -> None:
    _, (problem,) = told({name: value})
    assert problem.startswith(f"error: s.json [toy], column {name}: ")
    assert said in problem


def test_null_is_no_value_where_there_may_be_none() -> None:
    found, problems = told({"guests": None, "heat": None, "spices": ["salt", "salt"]})
    assert problems == []
    assert found == {"guests": None, "spices": ("salt",)}


def page() -> None:
    import streamlit as st
    from shells.settings.test_settings import Toy

    from core.vocabulary.setting import settings_in
    from dashboard.parts.fields.setting import show_field

    def take(name: str, key: str) -> None:
        st.session_state[f"taken {name}"] = st.session_state[key]

    for name in settings_in(Toy):
        show_field("toy", take, Toy(), name, **({"segmented": True} if name == "dish" else {}))


def test_each_kind_has_its_widget() -> None:
    shown = AppTest.from_function(page, default_timeout=PATIENCE).run()
    assert not shown.exception
    numbers = {one.label: one for one in shown.number_input}
    assert [*numbers] == ["Heat", "Rest", "Eggs", "Guests"]
    heat = numbers["Heat"]
    assert (heat.value, heat.min, heat.max, heat.help) == (180.5, -10, 1e6, "How hot.")
    assert (numbers["Rest"].value, numbers["Rest"].placeholder) == (None, "no rest")
    assert (numbers["Eggs"].value, numbers["Eggs"].max) == (2, 12)
    assert shown.button_group[0].options == ["SOUP", "CAKE", "MINE"]
    assert [one.options for one in shown.selectbox] == [
        ["8", "12"],
        ["plain", "SALT", "PEPPER", "SAFFRON"],
    ]
    assert shown.multiselect[0].value == ["salt"]
    assert (shown.toggle[0].label, shown.toggle[0].value) == ("Cold", False)
    heat.set_value(20.0)
    shown.multiselect[0].set_value(["salt", "pepper"])
    shown.run()
    assert shown.session_state["taken heat"] == 20
    assert shown.session_state["taken spices"] == ["salt", "pepper"]


@pytest.mark.parametrize(
    ("words", "price", "steps"),
    [
        ([], 0.2, ((0.0, 0.2),)),
        (["--energy-price", "0.5"], 0.5, ()),
        (["--pue", "1.5"], 0.2, ((0.0, 0.2),)),
    ],
)
def test_a_flag_of_the_site_replaces_what_a_study_says(words, price, steps):
    """A price for all hours would otherwise count at no hour."""
    parser = argparse.ArgumentParser()
    add_site(parser, *PRICES)
    site = given_site(parser.parse_args(words), Site(price=0.2, day_tariff=((0.0, 0.2),)))
    assert (site.price, site.day_tariff) == (price, steps)
