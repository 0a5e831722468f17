"""Rewards and prices of the day are read from few words or from a file, and what is wrong told."""

import pytest

from core.model.problems import InvalidInput
from core.profit.tables import clock, read_day_tariff, read_rewards


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
