"""The origin of a derived system, and the jobs that are not used, are written beside it."""

import csv
import json
from io import StringIO
from pathlib import Path

import pytest
from log_stores import dump, store_of

from core.engines.logs.derived import records
from core.engines.logs.derived.derivation import derive
from core.engines.logs.derived.records import (
    examples,
    provenance,
    provenance_path,
    provenance_text,
    rejected_lines,
)
from core.engines.logs.reading import store as store_module
from core.engines.logs.reading.rejections import Example
from core.engines.logs.types.settings import RunSettings
from core.files.archive import write_file

ROWS = "".join(f"a,é,{seconds},{2 * seconds}\n" for seconds in range(1, 10))
LOG = f"task,machine,seconds,watts\n{ROWS}a,y,5,\nb,é,7,\n"
SETTINGS = RunSettings(rare_below=1, min_runs=1, statistic="median")


def test_each_pair_has_its_estimate_with_intervals() -> None:
    with store_of(LOG) as store:
        found = provenance(derive(store, SETTINGS), store)
        text = provenance_text(derive(store, SETTINGS), store)
    assert json.loads(text) == json.loads(json.dumps(found))
    assert '"machine_type": "é"' in text
    assert text.startswith('{\n "format": "wattfront provenance",\n "version": 1,\n')
    assert text.endswith("}\n")
    pairs = {(pair["task_type"], pair["machine_type"]): pair for pair in found["pairs"]}
    assert len(pairs) == 4
    assert pairs["a", "é"]["origin"] == "measured"
    # Of 9 values, the second smallest and the second largest enclose the median in 96 % of cases.
    time = {"runs": 9, "value": 5, "confidence95": [2, 8], "half_between": [3, 7]}
    assert pairs["a", "é"]["time"] == time
    assert pairs["a", "é"]["power"] == {
        **{"runs": 9, "value": 10, "confidence95": [4, 16], "half_between": [6, 14]}
    }
    one = {"runs": 1, "value": 5, "confidence95": None, "half_between": [5, 5]}
    assert (pairs["a", "y"]["time"], pairs["a", "y"]["power"]) == (one, None)
    assert pairs["b", "y"]["origin"] == "estimated"
    assert (pairs["b", "y"]["time"], pairs["b", "y"]["power"]) == (None, None)
    assert (found["kinds_of_operations"], found["powers_from"]) == (1, "runs")
    assert (found["rows"], found["used"], found["rejected"]) == (11, 11, {})


def test_without_estimates_and_powers_nothing_is_said_of_them() -> None:
    with store_of("task,machine,seconds\na,x,5\na,y,5\nb,x,5\n") as store:
        found = provenance(derive(store, SETTINGS, estimates=False), store)
    assert [found[name] for name in ("kinds_of_operations", "powers_from", "held_out_error")] == [
        None
    ] * 3
    assert len(found["pairs"]) == 3


@pytest.mark.parametrize(
    ("system", "beside"),
    [
        ("x/cluster.xlsx", "x/cluster.provenance.json"),
        ("x/cluster", "x/cluster.provenance.json"),
        ("a.b.json", "a.b.provenance.json"),
    ],
)
def test_it_is_beside_the_system(system: str, beside: str) -> None:
    assert provenance_path(Path(system)) == Path(beside)


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
    monkeypatch.setattr(records, "_AT_ONCE", 3)
    assert rows_of(log) == whole
    monkeypatch.setattr(records, "MOST_ROWS", 7)
    monkeypatch.setattr(store_module, "_BLOCK", 5)
    with store_of(log) as store:
        assert len([*rejected_lines(derive(store, RunSettings(rare_below=1)), store)]) == 8


def test_the_first_runs_of_each_reason_are_examples(monkeypatch: pytest.MonkeyPatch) -> None:
    failed = [{"State": "FAILED", "JobName": f"f{k}"} for k in range(4)]
    log = dump(*[{}] * 3, *failed, {"Elapsed": "", "JobName": ""})
    with store_of(log, dump({"JobID": 9, "State": "FAILED"}, {"JobID": 10})) as store:
        found = examples(derive(store, RunSettings(rare_below=1)), store)
        assert found == {
            "ended as FAILED": [
                Example("log-0", 5 + k, f"f{k}, FAILED, n1, cpu") for k in range(3)
            ],
            "no duration": [Example("log-0", 9, "COMPLETED, n1, cpu")],
        }


def test_logs_without_columns_of_texts_have_examples(monkeypatch: pytest.MonkeyPatch) -> None:
    with store_of("task,machine,seconds\n" + "a,x,5\n" * 3 + "b,x,0\n") as store:
        found = derive(store, RunSettings(rare_below=1))
        (example,) = examples(found, store)["took 0 s"]
        assert (example.line, example.text) == (5, "b")


def test_a_run_has_its_own_reason_in_every_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "_BLOCK", 2)
    rows = rows_of(dump(*[{}] * 3, {"State": "FAILED"}, {}, {"Elapsed": ""}))
    assert [(row["reason"], row["line"]) for row in rows] == [
        ("ended as FAILED", "5"),
        ("no duration", "7"),
    ]


def test_the_columns_are_those_of_the_runs() -> None:
    started = "1970-01-01T00:01:40"
    (row,) = rows_of(dump(*[{}] * 3, {"State": "FAILED", "Start": started, "NNodes": 2}))
    assert row == {
        **{"reason": "ended as FAILED", "log": "log-0", "line": "5", "row": "", "job": "4"},
        **{"start": "100", "elapsed": "60", "nodes": "2", "cores": "4"},
        **{"name": "job", "state": "FAILED", "nodelist": "n1", "partition": "cpu"},
    }


def test_the_file_has_the_lines_and_lines_within_rows_as_they_are(tmp_path: Path) -> None:
    good = "".join(f"{k},job,CD,00:01:00,n1\n" for k in range(3))
    with store_of(f'JobID,JobName,State,Elapsed,NodeList\n{good}9,"two\r\nlines",x\n') as store:
        found = derive(store, RunSettings(rare_below=1))
        write_file(tmp_path / "rejected.csv", rejected_lines(found, store))
        content = (tmp_path / "rejected.csv").read_bytes()
        assert content == "".join(rejected_lines(found, store)).encode()
    assert b"two\r\nlines" in content
