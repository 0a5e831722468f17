"""Cells become numbers, whatever way a release or a site writes them."""

import json
from pathlib import Path
from typing import Any

import pytest

from core.engines.logs.reading.logs import read_logs
from core.engines.logs.reading.store import RunStore


def read(folder: Path, text: str) -> RunStore:
    log = folder / "log"
    log.write_text(text, encoding="utf-8")
    return read_logs([log], folder=folder)


def column(folder: Path, name: str, cells: list[str], wanted: str) -> list[Any]:
    """What becomes of the cells of a column of sacct."""
    rows = "".join(f"{k}|00:00:09|4|2|{cell}\n" for k, cell in enumerate(cells, 1))
    store = read(folder, f"JobID|Elapsed|AllocCPUS|NNodes|{name}\n{rows}")
    found = store.column(wanted).tolist()
    store.close()
    return [None if value != value else value for value in found]


@pytest.mark.parametrize(
    ("name", "wanted", "cells"),
    [
        ("ReqMem", "memory", {"4Gc": 16384, "4000Mn": 8000, "16G": 16384, "512": 512, "16?": None}),
        ("ConsumedEnergy", "joules", {"1.5K": 1500, "2M": 2e6, "0": 0, "": None, "9e18": None}),
        ("ConsumedEnergyRaw", "joules", {"12": 12, "9223372036854775808": None}),
        ("TimelimitRaw", "limit", {"5": 300, "": None}),
        ("Timelimit", "limit", {"1-00:00:00": 86_400, "UNLIMITED": None, "Partition_Limit": None}),
        ("AllocTRES", "gpus", {"cpu=4,gres/gpu=2": 2, "gres/gpu:a=1,gres/gpu:b=2": 3, "cpu=4": 0}),
        # Issue 33, point 11: GPUs of one kind count once, whichever entry comes first.
        ("AllocTRES", "gpus", {"gres/gpu=2,gres/gpu:a100=2": 2, "gres/gpu:a100=2,gres/gpu=2": 2}),
        ("ReqTRES", "gpus", {"gres/gpu=3,gres/gpu:a=1,gres/gpu:b=2": 3}),
        ("ReqTRES", "memory", {"cpu=1,mem=2G,node=1": 2048, "mem=500M": 500}),
        ("Submit", "submit", {"1970-01-02T00:00:00": 86_400, "86400": 86_400, "Unknown": None}),
        (
            "Submit",
            "submit",
            {"2024-02-29 12:00:00+0100": 1_709_208_000, "2024-13-01T00:00:00": None},
        ),
    ],
)
def test_columns_of_sacct(
    tmp_path: Path, name: str, wanted: str, cells: dict[str, float | None]
) -> None:
    assert column(tmp_path, name, [*cells], wanted) == [*cells.values()]


@pytest.mark.parametrize("separator", ["||", "::", "<|>", "\N{BROKEN BAR}"])
def test_separators_of_several_bytes(tmp_path: Path, separator: str) -> None:
    """Issue 33, point 11: dumps of `sacct --delimiter`; a byte of the separator is no end."""
    lines = ["JobID|JobName|State|Elapsed", "1|a:b<c|CD|00:00:07", "2||CD|00:00:08", "3|cut|CD"]
    store = read(tmp_path, "\n".join(lines).replace("|", separator) + "\n")
    assert store.column("elapsed").tolist() == [7, 8]
    assert [store.values("name")[k] for k in store.column("name")] == ["a:b<c", ""]
    assert store.rejected == {"wrong number of cells": 1}
    store.close()


def test_dumps_of_other_separators_may_be_joined(tmp_path: Path) -> None:
    dump = "JobID|State|Elapsed\n1|CD|00:00:07\n"
    joined = dump + dump.replace("|", "::") + dump.replace("|", ",") + dump.replace("|", "||")
    store = read(tmp_path, joined)
    assert store.column("elapsed").tolist() == [7, 7, 7, 7]
    assert store.rejected == {}
    store.close()


def test_durations(tmp_path: Path) -> None:
    cells = ["2-01:00:00", "10:00", "00:00:05.250", "1-02:03", "INVALID", "", "7:5"]
    rows = "".join(f"{k}|x|{cell}\n" for k, cell in enumerate(cells, 1))
    store = read(tmp_path, f"JobID|JobName|Elapsed\n{rows}")
    found = store.column("elapsed").tolist()
    assert found[:4] == [176_400, 600, 5.25, 93_780]
    assert all(value != value for value in found[4:])
    store.close()


def test_the_own_duration_of_a_job_holds_where_clocks_change(tmp_path: Path) -> None:
    row = "1|2024-03-31T01:30:00|2024-03-31T03:30:00|01:00:00\n"
    store = read(tmp_path, f"JobID|Start|End|Elapsed\n{row}")
    assert store.column("elapsed").tolist() == [3_600]
    store.close()


@pytest.mark.parametrize(
    ("state", "time", "array"),
    [
        ({"current": "COMPLETED", "reason": "None"}, 60, {"job_id": 0, "task_id": None}),
        (
            {"current": ["COMPLETED"]},
            {"set": True, "infinite": False, "number": 60},
            {"job_id": 0, "task_id": {"set": False, "infinite": False, "number": 0}},
        ),
        ("COMPLETED", 60, {}),
    ],
)
def test_json_of_several_releases(tmp_path: Path, state: Any, time: Any, array: Any) -> None:
    job = {
        "job_id": 12,
        "name": "a|b\nc",
        "state": state,
        "array": array,
        "nodes": "n[1-2]",
        "time": {"elapsed": time, "start": 1_700_000_000, "limit": time},
        "tres": {"allocated": [{"type": "cpu", "name": "", "count": 8}]},
        "steps": [{"step": {"name": "batch"}, "statistics": {"energy": {"consumed": 900}}}],
    }
    store = read(tmp_path, json.dumps({"meta": {}, "jobs": [job, job | {"job_id": 13}]}))
    assert store.column("job").tolist() == [12, 13]
    assert store.column("elapsed").tolist() == [60, 60]
    assert store.column("cores").tolist() == [8, 8]
    assert store.column("joules").tolist() == [900, 900]
    assert store.column("limit").tolist() == [3_600, 3_600]
    assert [store.values("state")[k] for k in store.column("state")] == ["COMPLETED"] * 2
    assert store.rejected == {"step, counted with its job": 2}
    store.close()


@pytest.mark.parametrize(
    ("table", "seconds", "joules"),
    [
        ("task,machine,seconds,watts\na,m,10,300\n", 10, 3_000),
        ("Task Type;Host;Time (min);Energy (kWh)\na;m;1,5;0,001\n", 90, 3_600),
        ("job\tnode\thours\tjoules\na\tm\t2\t5\n", 7_200, 5),
        ('"task","machine","start","end"\n"a, ""b""","m",100,160\n', 60, None),
    ],
)
def test_tables_of_runs(tmp_path: Path, table: str, seconds: float, joules: float | None) -> None:
    store = read(tmp_path, table)
    assert store.column("elapsed").tolist() == [seconds]
    found = store.column("joules").tolist()[0]
    assert (None if found != found else found) == joules
    assert store.values("name")[int(store.column("name")[0])] in ("a", 'a, "b"')
    store.close()
