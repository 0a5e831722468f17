"""The file of rows not used has each of them once, with its reason, and spreadsheets read it."""

import csv
from io import StringIO

import pytest
from log_stores import dump, store_of

from core.derive import rejected
from core.derive.derivation import derive
from core.derive.rejected import rejected_lines
from core.runs.settings import RunSettings


def rows_of(*logs: str) -> list[dict[str, str]]:
    with store_of(*logs) as store:
        found = derive(store, RunSettings(rare_below=1))
        text = "".join(rejected_lines(found, store))
        reader = csv.DictReader(StringIO(text))
        rows = [*reader]
        assert all(None not in row and None not in row.values() for row in rows)
        assert len(rows) == found.rows - found.used == sum(found.rejected.values())
    return rows


def test_each_row_has_its_place_and_reason() -> None:
    log = dump(*[{}] * 4, {"State": "FAILED"}, {"Elapsed": ""}, {"NodeList": "n1,g1"})
    found = [(row["reason"], row["line"], row["job"]) for row in rows_of(log)]
    assert found == [
        ("ended as FAILED", "6", "5"),
        ("no duration", "7", "6"),
        ("ran on several machine types", "8", "7"),
    ]


@pytest.mark.parametrize(
    "name", ["=cmd()", "<script>", 'a "quoted" name', "a, b; c", "@x", "+1", "-1", "é" * 300]
)
def test_names_are_no_formulas(name: str) -> None:
    (row,) = rows_of(dump(*[{}] * 3, {"State": "FAILED", "JobName": name}))
    assert row["name"] in (name, f"'{name}")
    assert row["name"][0] not in "=+-@"


def test_rows_of_several_lines_stay_one(monkeypatch: pytest.MonkeyPatch) -> None:
    good = "1,job,COMPLETED,00:01:00,n1\n"
    log = f'JobID,JobName,State,Elapsed,NodeList\n{good * 3}9,"two\nlines",x\n'.replace("1,", "1,")
    rows = rows_of(log.replace("1,job", "2,job", 1).replace("1,job", "3,job", 1))
    (broken,) = [row for row in rows if "lines" in row["row"]]
    assert broken["row"] == '9,"two\nlines",x'
    assert broken["name"] == ""


def test_many_rows_come_in_parts_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    log = dump(*[{}] * 3, *({"State": "FAILED"} for _ in range(20)))
    whole = rows_of(log)
    monkeypatch.setattr(rejected, "_AT_ONCE", 3)
    assert rows_of(log) == whole
    monkeypatch.setattr(rejected, "MOST_ROWS", 7)
    with store_of(log) as store:
        assert len([*rejected_lines(derive(store, RunSettings(rare_below=1)), store)]) == 8
