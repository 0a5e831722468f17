"""The arguments of `wattfront profit` mean what their help says, and what cannot go together is
refused.
"""

import argparse
from argparse import ArgumentTypeError
from dataclasses import replace
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.capabilities.profit.command import (
    declare,
    faults,
    named_rate,
    profit_settings_of,
    read_rewards,
    strangers,
    terms_of,
)
from core.capabilities.profit.settings import REWARD, ProfitSettings
from core.capabilities.profit.terms import Terms
from core.shells.settings.by_hour import clock, read_by_hour, time_of_day
from core.vocabulary.prices.site import ANY_PRICE, Site
from core.vocabulary.problems import InvalidInput
from core.vocabulary.setting import ByHour

JOULES_COST_1 = ProfitSettings(ratio=1.2, electricity="joule", site=Site())
read_day_tariff = partial(
    read_by_hour, kind=ByHour(ANY_PRICE, "price", "money"), flag="--day-tariff"
)


def asked(*words):
    """The arguments of a command line; `SystemExit` where one of them cannot be read."""
    parser = argparse.ArgumentParser()
    declare(parser)
    return parser.parse_args(["system", *words])


def complaints(*words):
    return list(faults(asked(*words)))


def test_what_is_given_is_kept():
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
        site=Site(
            price=0.2,
            currency="CHF",
            carbon=0.5,
            carbon_price=0.1,
            pue=1.25,
            cap_kw=2.0,
            day_tariff=((0.0, 0.2), (6.0, 0.4)),
        ),
        overhead=3.0,
        wear=(("A", 1.0), ("B", 2.0), ("C", 3.0)),
        depreciation=(("A", 4.0), ("B", 5.0)),
        deadline=120.0,
        rewards=(("1", 7.0),),
    )
    assert asked("--rewards", "1=5", "2=6", "--rewards", "3=7").rewards == ["1=5", "2=6", "3=7"]


def test_what_is_left_out_is_as_usual():
    given = asked("--ratio", "1.2")
    assert profit_settings_of(given) == replace(JOULES_COST_1, price=0.0)
    assert (given.seconds, given.seed, given.rewards, given.start) == (2.0, 0, [], None)


def test_as_published_rates_an_hour_become_rates_a_second():
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
def test_without_a_price_of_its_own_a_kwh_costs_the_mean_of_the_day(words, price):
    found = profit_settings_of(asked("--ratio", "1.2", *words))
    assert found.electricity == "kWh"
    assert found.site.price == pytest.approx(price)


@pytest.mark.parametrize(("words", "kept"), [((), 100.0), (("--cap-at-machines",), 200.0)])
def test_the_cap_that_is_kept_is_that_of_the_site(two, words, kept):
    given = asked("--ratio", "1.2", "--pue", "2", "--power-cap", "100", *words)
    settings = profit_settings_of(given)
    assert settings.site.cap_kw == pytest.approx(kept / 1e3)
    terms = terms_of(two, settings, given)
    assert terms.price == pytest.approx(1656)
    assert replace(terms, price=0.0) == Terms(
        0.0, pue=2.0, power_cap=100.0, cap_at_machines=bool(words)
    )


def test_terms_are_those_of_the_ratio_or_of_the_price(two):
    system, usual = two, asked("--ratio", "1.2")
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
        (("--ratio", "1", "--currency", "EUR"), []),
        ((*REWARDS, "--ratio", "0"), ["--rewards pay for tasks one by one; leave out --ratio"]),
        ((*REWARDS, "--price", "0"), ["--rewards pay for tasks one by one; leave out --price"]),
        ((), ["give --ratio or --price of a batch, or --rewards of tasks and a --deadline"]),
        (("--rewards", "1=5", "--energy-price", "1"), [f"--rewards and --deadline {EACH_OTHER}"]),
        (("--ratio", "1", "--deadline", "5"), [f"--rewards and --deadline {EACH_OTHER}"]),
        (("--price", "0"), [f"--price {NEEDS_PRICE} (0 if it is free)"]),
        (("--rewards", "1=5", "--deadline", "5"), [f"--rewards {NEEDS_PRICE} (0 if it is free)"]),
        (("--ratio", "1", "--carbon", "0"), [f"--carbon {NEEDS_PRICE}"]),
        (("--ratio", "1", "--carbon-price", "0"), [f"--carbon-price {NEEDS_PRICE}"]),
        (
            ("--ratio", "1", "--cap-at-machines"),
            ["--cap-at-machines is about --power-cap; give that, too"],
        ),
        (("--ratio", "1", "--start", "0"), ["--start is about --day-tariff; give that, too"]),
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
            ("--ratio", "1", "-o", "x.png", "--study", "s.txt"),
            [
                "x.png cannot be written: name a .csv, .json, .xlsx file",
                "s.txt cannot be written: name a .json file",
            ],
        ),
    ],
)
def test_what_goes_together_and_what_does_not(words, said):
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
def test_what_is_no_argument_is_refused(words):
    with pytest.raises(SystemExit):
        asked(*words)


def test_a_currency_that_is_none_says_why(capsys):
    with pytest.raises(SystemExit):
        asked("--ratio", "1", "--currency", "<u>")
    assert "'<u>' is not a currency; give letters" in capsys.readouterr().err


def test_types_that_are_not_there_and_types_given_twice(two_by_two):
    given = asked("--ratio", "1", "--wear", "A=1", "C=2", "--depreciation", "B=1", "B=2")
    rewards = (("1", 1.0), ("A", 2.0), ("2", 3.0), ("2", 3.0))
    assert list(strangers(given, rewards, two_by_two())) == [
        "--wear: there is no machine type 'C'; there are A, B",
        "--depreciation: machine type 'B' is there twice; give one rate",
        "--rewards: there is no task type 'A'; there are 1, 2",
        "--rewards: task type '2' is there twice; give one rate",
    ]


@pytest.mark.parametrize(
    ("said", "hour"),
    [("7", 7.0), ("7.5", 7.5), ("07:30", 7.5), (" 0:00 ", 0.0), ("23:59", 1439 / 60)],
)
def test_hours_of_the_day(said, hour):
    assert clock(said) == hour


@pytest.mark.parametrize("said", ["24", "-1", "7:60", "24:00", "noon", "", "1:2:3", "nan", "7h"])
def test_what_is_no_hour_of_the_day(said):
    assert clock(said) != clock(said), "not a number"


def test_few_words():
    assert read_rewards("a=b=0.5") == (("a=b", 0.5),)
    assert read_day_tariff("0:0.20,07:30:0.35,20:0") == ((0.0, 0.2), (7.5, 0.35), (20.0, 0.0))


def test_few_words_may_be_too_many_for_the_name_of_a_file():
    steps = [f"{minute // 60}:{minute % 60:02}:0.25" for minute in range(0, 1440, 15)]
    assert len(read_day_tariff(",".join(steps))) == 96
    assert read_rewards(f"{200 * 'é'}=1") == ((200 * "é", 1.0),)


def test_files(tmp_path):
    rewards, tariff = tmp_path / "a=b.csv", tmp_path / "t.csv"
    rewards.write_text('task_type;reward\n"x;y";1\nz;2e-3\n')
    tariff.write_text("price,from,note\n0.2,20:00,night\n0.4,7,day\n")
    assert read_rewards(str(rewards)) == (("x;y", 1.0), ("z", 0.002))
    assert read_day_tariff(str(tariff)) == ((20.0, 0.2), (7.0, 0.4))


@pytest.mark.parametrize(
    ("content", "place", "said"),
    [
        (b"", "t.csv", "column from is missing; let the header be from,price"),
        (b"from,price\n", "t.csv:", "has no rows; give from,price and a row each"),
        (b"from,price\n7\n", "t.csv, row 7", "line 2 has 1 cells, but the header has 2"),
        (b"from,price\n7,-1\n", "t.csv, row line 2, column price", "-1 is out of range"),
        (b"from,price\nx,1\n", "t.csv, row line 2, column from", "'x' is not a time of day"),
        (b"from,price\n25,1\n", "t.csv, row line 2, column from", "'25' is not a time of day"),
        (b"hour,price (ct/kWh)\n7,1\n", "t.csv, column price", "is in 'ct/kwh'; give it in money"),
        (b"from;price\n7;1,250\n", "t.csv, row line 2, column price", "thousands or decimals"),
        (b"from,price\n7,1\n07:00,2\n", "--day-tariff", "two numbers from the same hour"),
        (b"from,price\n7,\0\n", "t.csv:", "holds a NUL byte"),
    ],
)
def test_a_faulty_file_is_told_where(tmp_path, content, place, said):
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    with pytest.raises(InvalidInput) as refusal:
        read_day_tariff(str(path))
    told = [str(problem) for problem in refusal.value.problems]
    assert any(each.startswith(f"error: {place}") and said in each for each in told), told


def test_all_that_is_wrong_with_a_file_is_told_in_its_place(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(b"from,price\n25,x\n7,\n8,nan\n9,-1\n")
    with pytest.raises(InvalidInput) as refusal:
        read_day_tariff(str(path))
    problems = refusal.value.problems
    assert {problem.file for problem in problems} == {"t.csv"}
    assert [(each.row, each.column) for each in problems] == [
        ("line 2", "from"),
        *((f"line {line}", "price") for line in (2, 3, 4, 5)),
    ]
    assert problems[0].message.startswith("'25' is not a time of day; give 0 to below 24, as 7")
    assert problems[3].message.startswith("'nan' is not a number")
    assert problems[4].message == "-1 is out of range; give 0 to 1e+09 a kWh"


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("7:1,8", "'8' is no HOUR:PRICE; give steps as 0:0.20,7:0.35,20:0.20, hours 0 to below 24"),
        ("24:1", "'24:1' is no HOUR:PRICE; give steps as 0:0.20,7:0.35,20:0.20, hours 0 to"),
        ("7:x", "'x' is not a number; give 0 to 1e+09 a kWh"),
        ("7:1,07:00:2", "--day-tariff gives two numbers from the same hour on; keep one"),
    ],
)
def test_words_that_are_no_steps_of_the_day(said, told):
    with pytest.raises(InvalidInput) as refusal:
        read_day_tariff(said)
    assert told in str(refusal.value)


def test_a_rate_is_named():
    with pytest.raises(ArgumentTypeError, match=r"'GPU' is no NAME=MONEY, as in GPU=0\.2"):
        named_rate(REWARD)("GPU")
    assert named_rate(REWARD)("GPU=0.2") == ("GPU", 0.2)
    with pytest.raises(ArgumentTypeError, match="'24' is not a time of day"):
        time_of_day("24")
    assert time_of_day("07:30") == 7.5


def test_a_tariff_is_no_parquet_file_whose_hours_nobody_checks(tmp_path):
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"from": [-3.0, 30.0], "price": [0.1, 0.2]}), path)
    with pytest.raises(InvalidInput):
        read_day_tariff(str(path))
