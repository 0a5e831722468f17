"""What a log does not say of a job follows from its other columns and from its steps."""

import math
from pathlib import Path
from typing import Any

import pytest

from core.engines.logs.reading.logs import read_logs


def columns(folder: Path, header: str, *rows: str, of: str) -> list[Any]:
    (folder / "log").write_text("\n".join([header, *rows]) + "\n")
    store = read_logs([folder / "log"], folder=folder)
    found = store.column(of).tolist()
    store.close()
    return [None if math.isnan(value) else value for value in found]


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
def test_times(tmp_path: Path, header: str, row: str, times: tuple[float | None, ...]) -> None:
    for name, wanted in zip(("start", "end", "elapsed"), times, strict=True):
        found = columns(tmp_path, f"JobID|JobName|{header}", f"1|a|{row}", of=name)
        assert found == [wanted], name


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
    tmp_path: Path, job: str, steps: dict[str, str], joules: float | None
) -> None:
    rows = [f"1|a|COMPLETED|00:01:00|{job}"]
    rows += [f"1.{name}|s|COMPLETED|00:01:00|{energy}" for name, energy in steps.items()]
    assert columns(tmp_path, HEADER, *rows, "2|a|COMPLETED|00:01:00|", of="joules") == [
        joules,
        None,
    ]


def test_watts_of_a_table_are_joules(tmp_path: Path) -> None:
    header = "task,machine,seconds,watts,joules"
    rows = ("a,x,5,100,", "a,x,5,100,7", "a,x,,100,")
    assert columns(tmp_path, header, *rows, of="joules") == [500, 7, None]


def test_steps_of_another_job_are_not_counted(tmp_path: Path) -> None:
    rows = [
        "1_1|a|COMPLETED|00:01:00|",
        "1_2.0|s|COMPLETED|00:01:00|9",
        "1_1.0|s|COMPLETED|00:01:00|4",
    ]
    assert columns(tmp_path, HEADER, *rows, of="joules") == [4]


def test_each_job_has_the_energy_of_its_own_steps(tmp_path: Path) -> None:
    rows = [f"{k}|a|COMPLETED|00:01:00|" for k in (1, 2, 3)]
    rows.insert(2, "2.batch|s|COMPLETED|00:01:00|9")
    rows.append("3.0|s|COMPLETED|00:01:00|4")
    assert columns(tmp_path, HEADER, *rows, of="joules") == [None, 9, 4]
