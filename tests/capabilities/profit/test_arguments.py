"""The arguments of `wattfront profit` mean what their help says, and what cannot go together is
refused.
"""

import argparse
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.capabilities.profit.arguments import (
    declare,
    faults,
    profit_settings_of,
    strangers,
    terms_of,
)
from core.capabilities.profit.settings import ProfitSettings
from core.capabilities.profit.terms import Terms
from core.vocabulary.system import System

RECORDED = Path(__file__).parents[2] / "golden" / "recorded" / "help.txt"
JOULES_COST_1 = ProfitSettings(ratio=1.2, electricity="joule", energy_price=0.0)


def asked(*words: str) -> argparse.Namespace:
    """The arguments of a command line; `SystemExit` where one of them cannot be read."""
    parser = argparse.ArgumentParser()
    declare(parser)
    return parser.parse_args(["system", *words])


def complaints(*words: str) -> list[str]:
    return list(faults(asked(*words)))


def test_the_help_is_as_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Word for word, but for `--json`, which all commands have, and threads, as many as here."""
    monkeypatch.setenv("COLUMNS", "100")
    parser = argparse.ArgumentParser("wattfront profit")
    declare(parser)
    _, recorded = RECORDED.read_text(encoding="utf-8").split("$ wattfront profit --help\n")
    usage, _, rest = recorded.partition("$ ")[0].partition("\n\n")
    said = parser.format_help()
    assert " ".join(said.partition("\n\n")[0].split()) == " ".join(usage.split()).replace(
        " [--json] SYSTEM", " SYSTEM"
    )
    here, there = set(said.splitlines()), set(rest.splitlines())
    assert {line.split()[0] for line in there - here} == {"What", "--threads", "--json"}
    assert {line.split()[0] for line in here - there if line[:4] == "  --"} == {"--threads"}


def test_what_is_given_is_kept() -> None:
    given = asked(
        *("--price", "5", "--energy-price", "0.2", "--carbon", "0.5", "--carbon-price", "0.1"),
        *("--power-cap", "2kW", "--pue", "1.25", "--overhead", "3", "--currency", "CHF"),
        *("--wear", "A=1", "B=2", "--wear", "C=3", "--depreciation", "A=4", "--depreciation=B=5"),
        *("--day-tariff", "0:0.2,6:0.4", "--deadline", "2min"),
    )
    assert profit_settings_of(given, (("1", 7.0),)) == ProfitSettings(
        by="bag",
        ratio=0.0,
        price=5.0,
        electricity="kWh",
        energy_price=0.2,
        currency="CHF",
        carbon=0.5,
        carbon_price=0.1,
        pue=1.25,
        overhead=3.0,
        cap_kw=2.0,
        wear=(("A", 1.0), ("B", 2.0), ("C", 3.0)),
        depreciation=(("A", 4.0), ("B", 5.0)),
        deadline=120.0,
        rewards=(("1", 7.0),),
        day_tariff=((0.0, 0.2), (6.0, 0.4)),
    )
    assert asked("--rewards", "1=5", "2=6", "--rewards", "3=7").rewards == ["1=5", "2=6", "3=7"]


def test_what_is_left_out_is_as_usual() -> None:
    given = asked("--ratio", "1.2")
    assert profit_settings_of(given) == replace(JOULES_COST_1, price=0.0)
    assert (given.seconds, given.seed, given.rewards, given.start) == (2.0, 0, [], None)


def test_as_published_rates_an_hour_become_rates_a_second() -> None:
    found = profit_settings_of(
        asked("--ratio", "1.2", "--wear", "A=3600", "--depreciation", "B=1800")
    )
    assert (found.wear, found.depreciation) == ((("A", 1.0),), (("B", 0.5),))


@pytest.mark.parametrize(
    ("words", "price"),
    [
        (("--day-tariff", "0:0.2,6:0.4"), 0.25 * 0.2 + 0.75 * 0.4),
        (("--day-tariff", "0:0.2,6:0.4", "--energy-price", "0.7"), 0.7),
        (("--day-tariff", "0:0.2,6:0.4", "--energy-price", "0"), 0.0),
        (("--energy-price", "0.7"), 0.7),
    ],
)
def test_without_a_price_of_its_own_a_kwh_costs_the_mean_of_the_day(
    words: tuple[str, ...], price: float
) -> None:
    found = profit_settings_of(asked("--ratio", "1.2", *words))
    assert found.electricity == "kWh"
    assert found.energy_price == pytest.approx(price)


@pytest.mark.parametrize(("words", "kept"), [((), 100.0), (("--cap-at-machines",), 200.0)])
def test_the_cap_that_is_kept_is_that_of_the_site(
    two_by_two: Callable[..., System], words: tuple[str, ...], kept: float
) -> None:
    given = asked("--ratio", "1.2", "--pue", "2", "--power-cap", "100", *words)
    settings = profit_settings_of(given)
    assert settings.cap_kw == pytest.approx(kept / 1e3)
    terms = terms_of(two_by_two(20, 10), settings, given)
    assert terms.price == pytest.approx(1656)
    assert replace(terms, price=0.0) == Terms(
        0.0, pue=2.0, power_cap=100.0, cap_at_machines=bool(words)
    )


def test_terms_are_those_of_the_ratio_or_of_the_price(two_by_two: Callable[..., System]) -> None:
    system, usual = two_by_two(20, 10), asked("--ratio", "1.2")
    terms = terms_of(system, profit_settings_of(usual), usual)
    assert terms.price == pytest.approx(1656)
    assert replace(terms, price=0.0) == Terms(0.0)
    given = asked("--price", "5", "--energy-price", "3.6")
    terms = terms_of(system, profit_settings_of(given), given)
    assert (terms.price, terms.energy_price) == (5.0, pytest.approx(1e-6))
    assert np.isinf(terms.power_cap)


NEEDS_PRICE = "needs --energy-price, the money that a kWh costs"
EACH_OTHER = "need each other; give both, or neither"
REWARDS = ("--rewards", "1=5", "--deadline", "5", "--energy-price", "1")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--ratio", "1"), []),
        (("--price", "1", "--energy-price", "0"), []),
        (("--price", "1", "--day-tariff", "0:1", "--start", "7"), []),
        (REWARDS, []),
        (("--ratio", "1", "--carbon", "0", "--carbon-price", "0", "--energy-price", "0"), []),
        (("--ratio", "1", "--cap-at-machines", "--power-cap", "0"), []),
        (("--ratio", "1", "--study", "s.json", "--currency", "EUR"), []),
        (
            (*REWARDS, "--ratio", "0"),
            ["--rewards pay for tasks one by one; leave out --ratio"],
        ),
        (
            (*REWARDS, "--price", "0"),
            ["--rewards pay for tasks one by one; leave out --price"],
        ),
        (
            (),
            ["give --ratio or --price of a batch, or --rewards of tasks and a --deadline"],
        ),
        (
            ("--rewards", "1=5", "--energy-price", "1"),
            [f"--rewards and --deadline {EACH_OTHER}"],
        ),
        (("--ratio", "1", "--deadline", "5"), [f"--rewards and --deadline {EACH_OTHER}"]),
        (("--price", "0"), [f"--price {NEEDS_PRICE} (0 if it is free)"]),
        (
            ("--rewards", "1=5", "--deadline", "5"),
            [f"--rewards {NEEDS_PRICE} (0 if it is free)"],
        ),
        (
            ("--ratio", "1", "--carbon", "0"),
            [f"--carbon {NEEDS_PRICE}", f"--carbon and --carbon-price {EACH_OTHER}"],
        ),
        (
            ("--ratio", "1", "--carbon-price", "0"),
            [f"--carbon-price {NEEDS_PRICE}", f"--carbon and --carbon-price {EACH_OTHER}"],
        ),
        (
            ("--ratio", "1", "--cap-at-machines"),
            ["--cap-at-machines is about --power-cap; give that, too"],
        ),
        (
            ("--ratio", "1", "--start", "0"),
            ["--start is about --day-tariff; give that, too"],
        ),
        (
            (*REWARDS[:2], *REWARDS[4:], "--deadline", "0.9e-9"),
            ["--deadline 9e-10 s is out of range; give 1e-09 to 1e+15 s"],
        ),
        ((*REWARDS[:2], *REWARDS[4:], "--deadline", "1e-9"), []),
        ((*REWARDS[:2], *REWARDS[4:], "--deadline", "1e15"), []),
        (
            (*REWARDS, "--study", "s.json"),
            ["a study file holds what batch after batch earns; leave out --study, or --rewards"],
        ),
        (
            ("--ratio", "1", "--currency", "EUR"),
            ["--currency is about --study; give that, too"],
        ),
        (
            ("--ratio", "1", "-o", "x.png", "--study", "s.txt"),
            [
                "x.png cannot be written: name a .csv, .json, .xlsx file",
                "s.txt cannot be written: name a .json file",
            ],
        ),
    ],
)
def test_what_goes_together_and_what_does_not(words: tuple[str, ...], said: list[str]) -> None:
    assert complaints(*words) == said


@pytest.mark.parametrize(
    "words",
    [
        ("--ratio", "1", "--price", "1"),
        ("--ratio", "-1"),
        ("--ratio", "1", "--pue", "0.99"),
        ("--ratio", "1", "--overhead", "-1"),
        ("--ratio", "1", "--power-cap", "5parsec"),
        ("--ratio", "1", "--wear", "A"),
        ("--ratio", "1", "--depreciation", "A=-1"),
        ("--ratio", "1", "--start", "24"),
        ("--ratio", "1", "--deadline", "x"),
        ("--ratio", "1", "--idle-power", "2"),
        ("--price", "x"),
        ("--price", "1", "--energy-price", "x"),
        ("--price", "1", "--carbon", "x"),
        ("--price", "1", "--carbon-price", "x"),
        ("--ratio", "1", "--currency", "<u>"),
    ],
)
def test_what_is_no_argument_is_refused(words: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit):
        asked(*words)


def test_a_currency_that_is_none_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        asked("--ratio", "1", "--currency", "<u>")
    assert "'<u>' is not a currency; give letters" in capsys.readouterr().err


def test_types_that_are_not_there_and_types_given_twice(
    two_by_two: Callable[..., System],
) -> None:
    given = asked("--ratio", "1", "--wear", "A=1", "C=2", "--depreciation", "B=1", "B=2")
    rewards = (("1", 1.0), ("A", 2.0), ("2", 3.0), ("2", 3.0))
    assert list(strangers(given, rewards, two_by_two())) == [
        "--wear: there is no machine type 'C'; there are A, B",
        "--depreciation: machine type 'B' is there twice; give one rate",
        "--rewards: there is no task type 'A'; there are 1, 2",
        "--rewards: task type '2' is there twice; give one rate",
    ]
