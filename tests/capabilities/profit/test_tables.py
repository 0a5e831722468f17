"""Rewards and prices of the day are read from few words or from a file, and what is wrong told."""

from argparse import ArgumentTypeError

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.capabilities.profit.settings import REWARD
from core.capabilities.profit.tables import (
    clock,
    named_rate,
    read_day_tariff,
    read_rewards,
    time_of_day,
)
from core.vocabulary.problems import InvalidInput


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
        (b"from,price\n", "t.csv", "has no rows; give from,price and a row each"),
        (b"from,price\n7\n", "t.csv, row 7", "line 2 has 1 cells, but the header has 2"),
        (b"from,price\n7,-1\n", "t.csv, row line 2, column price", "-1 is out of range"),
        (b"from,price\nx,1\n", "t.csv, row line 2, column from", "'x' is not a time of day"),
        (b"from,price\n25,1\n", "t.csv, row line 2, column from", "'25' is not a time of day"),
        (b"from,price\n7,1\n07:00,2\n", "", "two prices from the same hour"),
        (b"from,price\n7,\0\n", "t.csv", "holds a NUL byte"),
    ],
)
def test_a_faulty_file_is_told_where(tmp_path, content, place, said):
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    with pytest.raises(InvalidInput) as refusal:
        read_day_tariff(str(path))
    told = [str(problem) for problem in refusal.value.problems]
    assert any(place in each and said in each for each in told), told


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
    ("content", "said"),
    [(b"from,price\n", "has no rows; give from,price and"), (b"from,price\n7,\0\n", "holds a NUL")],
)
def test_a_file_that_is_no_table_is_told_by_its_name(tmp_path, content, said):
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    with pytest.raises(InvalidInput) as refusal:
        read_day_tariff(str(path))
    (problem,) = refusal.value.problems
    assert (problem.file, problem.row, problem.column) == ("t.csv", "", "")
    assert problem.message.startswith(said)


def test_a_file_of_rewards_without_rows_is_refused(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text("task_type,reward\n")
    with pytest.raises(InvalidInput) as refusal:
        read_rewards(str(path))
    assert "r.csv: has no rows; give task_type,reward and a row" in str(refusal.value)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("7:1,8", "'8' is no HOUR:PRICE; give steps as 0:0.20,7:0.35,20:0.20, hours 0 to below 24"),
        ("24:1", "'24:1' is no HOUR:PRICE; give steps as 0:0.20,7:0.35,20:0.20, hours 0 to"),
        ("7:x", "'x' is not a number; give 0 to 1e+09 a kWh"),
        ("7:1,07:00:2", "--day-tariff gives two prices from the same hour on; keep one"),
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
