"""Jobs and their steps, their numbers and their times, are those of the rows."""

from typing import Any

import pytest
from log_stores import runs_of


def columns(header: str, *rows: str, of: str) -> list[Any]:
    with runs_of("\n".join([header, *rows]) + "\n", of) as (_, found):
        return found[of]


@pytest.mark.parametrize(
    ("header", "row", "times"),
    [
        ("Start|End", "100|160", (100, 160, 60)),
        ("Start|Elapsed", "100|00:01:00", (100, 160, 60)),
        ("Start|Elapsed", "100|00:00:00", (100, 100, 0)),
        ("End|Elapsed", "160|00:01:00", (100, 160, 60)),
        ("Start|End|Elapsed", "100|999|00:01:00", (100, 160, 60)),
        ("Start|End|Elapsed", "Unknown|160|00:01:00", (100, 160, 60)),
        ("Start|End|Elapsed", "100|160|", (100, 160, 60)),
        ("Start|End|Elapsed", "160|100|", (160, 100, None)),
        ("Start|End|Elapsed", "100|100|00:00:00", (100, 100, 0)),
        ("Start|End|Elapsed", "100|101|00:00:00.5", (100, 100.5, 0.5)),
        ("Start|End|Elapsed", "100|Unknown|", (100, None, None)),
    ],
)
def test_times(header: str, row: str, times: tuple[float | None, ...]) -> None:
    with runs_of(f"JobID|JobName|{header}\n1|a|{row}\n", "start", "end", "elapsed") as (_, found):
        assert [value for (value,) in found.values()] == [*times]


HEADER = "JobID|JobName|State|Elapsed|ConsumedEnergyRaw"


@pytest.mark.parametrize(
    ("job", "steps", "joules"),
    [
        ("0.5", {}, 0.5),
        ("", {}, None),
        ("0", {}, 0),
        ("", {"batch": "10"}, 10),
        ("0", {"batch": "10"}, 10),
        ("7", {"batch": "10"}, 7),
        ("", {"batch": "10", "0": "4", "1": "5"}, 10),
        ("", {"batch": "10", "0": "4", "1": "7"}, 11),
        ("", {"extern": "10"}, None),
        ("", {"0": "0"}, None),
        ("9223372036854775808", {"0": "5"}, 5),
    ],
)
def test_energy_is_that_of_the_job_or_of_its_steps(
    job: str, steps: dict[str, str], joules: float | None
) -> None:
    rows = [f"1|a|COMPLETED|00:01:00|{job}"]
    rows += [f"1.{name}|s|COMPLETED|00:01:00|{energy}" for name, energy in steps.items()]
    assert columns(HEADER, *rows, "2|a|COMPLETED|00:01:00|", of="joules") == [
        joules,
        None,
    ]


def test_watts_of_a_table_are_joules() -> None:
    header = "task,machine,seconds,watts,joules"
    rows = ("a,x,5,100,", "a,x,5,100,7", "a,x,,100,")
    assert columns(header, *rows, of="joules") == [500, 7, None]


@pytest.mark.parametrize(
    ("numbers", "joules"),
    [
        # Steps of another job are not counted.
        ({"1_1": "", "1_2.0": 9, "1_1.0": 4}, [4]),
        # Each job has the energy of its own steps.
        ({"1": "", "2": "", "2.batch": 9, "3": "", "3.0": 4}, [None, 9, 4]),
        # Issue 34: where no step has energy, jobs that measured none keep their zero.
        ({"1": 0, "1.0": "", "2": 5, "2.0": 0}, [0, 5]),
    ],
)
def test_steps_belong_to_the_job_above_them(
    numbers: dict[str, object], joules: list[float | None]
) -> None:
    rows = [f"{number}|a|COMPLETED|00:01:00|{energy}" for number, energy in numbers.items()]
    assert columns(HEADER, *rows, of="joules") == joules
