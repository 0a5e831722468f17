"""Rows become runs or are counted, also where logs were joined and where rows are unusual."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.engines.logs.reading import limits, parser
from core.engines.logs.reading.cutting import Cuts
from core.engines.logs.reading.layout import ROWS_AT_ONCE, Form, Layout
from core.engines.logs.reading.logs import read_logs
from core.engines.logs.reading.odd_rows import joined
from core.engines.logs.reading.store import RunStore
from core.files.findings import Unreadable
from core.vocabulary.arrays import ByteArray

BLOCKS = (7, 17, 50, 97, 1 << 20)
FIXED = """\
       JobID    Elapsed      State
------------ ---------- ----------
{}              00:00:05 COMPLETED+
"""
HEADER = "JobID|JobName|State|Elapsed|ConsumedEnergyRaw\n"


def read(folder: Path, text: str) -> RunStore:
    log = folder / "log"
    log.write_text(text, encoding="utf-8", newline="")
    store = read_logs([log], folder=folder)
    assert store.rows == store.runs + sum(store.rejected.values())
    return store


def texts(store: RunStore, name: str) -> list[str]:
    return [store.values(name)[k] for k in store.column(name)]


def test_a_job_has_more_steps_than_rows_are_cut_at_once(tmp_path: Path) -> None:
    steps = ROWS_AT_ONCE + 1
    rows = "".join(f"1.{k}|s|COMPLETED|00:00:01|2\n" for k in range(steps))
    store = read(tmp_path, f"{HEADER}1|a|COMPLETED|00:00:05|\n{rows}2|b|COMPLETED|00:00:06|7\n")
    assert store.column("joules").tolist() == [2 * steps, 7]
    assert store.rejected == {"step, counted with its job": steps}
    store.close()


def test_steps_beyond_what_is_held_have_lost_their_job(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "BLOCK_BYTES", 100)
    monkeypatch.setattr(limits, "HELD_BYTES", 300)
    rows = "".join(f"1.{k}|s|COMPLETED|00:00:01|2\n" for k in range(40))
    store = read(tmp_path, f"{HEADER}1|a|COMPLETED|00:00:05|\n{rows}2|b|COMPLETED|00:00:06|7\n")
    assert store.column("job").tolist() == [1, 2]
    assert sum(store.rejected.values()) == 40
    assert 0 < store.rejected["step without its job"] < 40
    store.close()


@pytest.mark.parametrize("block", BLOCKS)
def test_dumps_of_other_columns_and_forms_are_joined(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    monkeypatch.setattr(limits, "BLOCK_BYTES", block)
    parts = (
        FIXED.format(1),
        FIXED.format(2),
        "JobID|State|Elapsed\n3|COMPLETED|00:00:06\n",
        "Elapsed|State|JobID\n00:00:07|FAILED|4\n",
        FIXED.format(5),
    )
    store = read(tmp_path, "".join(parts))
    assert store.column("job").tolist() == [1, 2, 3, 4, 5]
    assert store.column("elapsed").tolist() == [5, 5, 6, 7, 5]
    assert store.column("line").tolist() == [3, 6, 8, 10, 13]
    assert store.rejected == {}
    store.close()


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize(
    "parts",
    [
        ("JobName|State|Elapsed\na|X|00:00:05\n", "State|JobName|Elapsed\nX|b|00:00:06\n"),
        ("JobName|State|Elapsed\na|X|00:00:05\n", "JobName|Elapsed\nb|00:00:06\n"),
        ("task,machine,seconds\na,m,5\n", "seconds,task,machine\n6,b,m\n"),
    ],
)
def test_headers_are_found_without_numbers_of_jobs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, parts: tuple[str, str], block: int
) -> None:
    monkeypatch.setattr(limits, "BLOCK_BYTES", block)
    store = read(tmp_path, "".join(parts))
    assert store.column("elapsed").tolist() == [5, 6]
    assert texts(store, "name") == ["a", "b"]
    store.close()


@pytest.mark.parametrize("block", [17, 1 << 20])
def test_a_first_job_whose_name_has_a_line_end_keeps_its_steps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    monkeypatch.setattr(limits, "BLOCK_BYTES", block)
    rows = "1|two\nlines|COMPLETED|00:00:05|\n" + "".join(
        f"1.{k}|s|COMPLETED|00:00:01|2\n" for k in range(9)
    )
    store = read(tmp_path, HEADER + rows)
    assert store.column("joules").tolist() == [18]
    assert texts(store, "name") == ["two\nlines"]
    store.close()


def test_lines_may_end_with_a_carriage_return_before_the_line_feed(tmp_path: Path) -> None:
    text = HEADER + "1|a|COMPLETED|00:00:05|3\n2|b|COMPLETED|00:00:06|4\n"
    store = read(tmp_path, text.replace("\n", "\r\n"))
    assert store.column("elapsed").tolist() == [5, 6]
    assert store.column("line").tolist() == [2, 3]
    store.close()


@pytest.mark.parametrize("block", [1 << 20, 64])
@pytest.mark.parametrize("end", ["", "\r", "\n", "\r\n"])
@pytest.mark.parametrize(
    "text",
    [
        HEADER + "1|a|COMPLETED|00:00:05|3\n" * 9,
        "task,machine,seconds\na,b,1\na,b,2\n",
        "; Version: 2\n" + " ".join(["1"] * 18),
        " ".join(["1"] * 18) + "\n" + " ".join(["2"] * 18),
        "JobID    Elapsed      State\n----- ---------- ----------\n1       00:00:05  COMPLETED",
    ],
)
def test_a_log_whose_lines_end_with_carriage_returns_alone_is_refused(
    text: str, end: str, block: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It names the log and says what to write in their place, wherever blocks are cut."""
    monkeypatch.setattr(limits, "BLOCK_BYTES", block)
    returns = text.strip("\n").replace("\n", "\r") + end
    with pytest.raises(Unreadable, match=r"^log: ends its lines with a carriage return .* tr "):
        read(tmp_path, returns)


@pytest.mark.parametrize(
    ("cells", "cores", "name"),
    [
        ("a,billing=1,cpu=4,mem=2G,node=2,n[1,3]", 4, "a"),
        ("a,b,cpu=4,node=2,n[1-2],m7", 4, "a,b"),
        ('"a,b",,n1', 0, "a,b"),
        ('"say ""hi""","cpu=2,mem=1G","n[1,3]"', 2, 'say "hi"'),
    ],
)
def test_commas_within_cells_of_a_dump(tmp_path: Path, cells: str, cores: int, name: str) -> None:
    text = f"JobID,State,Elapsed,JobName,AllocTRES,NodeList\n1,COMPLETED,00:00:05,{cells}\n"
    store = read(tmp_path, text)
    assert store.rejected == {}
    assert store.column("cores").tolist() == [cores]
    assert texts(store, "name") == [name]
    store.close()


def test_a_row_that_can_be_read_in_two_ways_is_rejected(tmp_path: Path) -> None:
    text = "JobID|JobName|Comment|State|Elapsed\n1|a|b|c|COMPLETED|00:00:05\n"
    store = read(tmp_path, text)
    reason = "separators in its texts can be read in several ways"
    assert store.rejected == {reason: 1}
    assert store.examples[reason][0].line == 2
    store.close()


def test_titles_like_those_of_our_columns_are_columns_of_texts(tmp_path: Path) -> None:
    store = read(tmp_path, "task,machine,seconds,line,limit\na,m,5,x,y\n")
    assert store.column("line").tolist() == [2]
    assert store.column("task").tolist() == [-1]
    assert texts(store, "line (text)") == ["x"]
    assert texts(store, "limit (text)") == ["y"]
    store.close()


def test_numbers_beyond_reason_are_unknown(tmp_path: Path) -> None:
    huge = "9" * 250
    store = read(tmp_path, f"task,machine,seconds,cores,memory\na,m,{huge},1e29,1e29\n")
    assert str(store.column("elapsed")[0]) == "nan"
    assert store.column("cores").tolist() == [0]
    store.close()


def test_more_than_is_read_at_once_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = HEADER + "1|a|COMPLETED|00:00:05|3\n"
    monkeypatch.setattr(limits, "LOG_BYTES", len(text))
    read(tmp_path, text).close()
    monkeypatch.setattr(limits, "LOG_BYTES", len(text) - 1)
    with pytest.raises(Unreadable, match="give fewer at once"):
        read(tmp_path, text)


def test_a_full_disk_is_said(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text(HEADER)
    with pytest.raises(Unreadable, match="cannot be kept on disk"):
        read_logs([log], folder=tmp_path / "none")


def job(number: object, **more: object) -> dict[str, object]:
    return {"job_id": number, "name": "j", "state": "COMPLETED", "time": {"elapsed": 5}} | more


def step(number: object, name: str, joules: object) -> dict[str, object]:
    return {
        "step": {"id": number, "name": name},
        "statistics": {"energy": {"consumed": joules}},
    }


@pytest.mark.parametrize("block", BLOCKS)
def test_dumps_in_json_are_joined_and_cut_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    monkeypatch.setattr(limits, "BLOCK_BYTES", block)
    first = json.dumps({"meta": {"command": ["--jobs"]}, "jobs": [job(1), job(2)], "errors": []})
    store = read(tmp_path, first + "\n" + json.dumps({"jobs": [job(3), job(4)]})[:-45])
    assert store.column("job").tolist() == [1, 2, 3]
    assert store.rejected == {"cut off at the end of the log": 1}
    store.close()


def test_a_damaged_job_in_json_is_named(tmp_path: Path) -> None:
    dump = json.dumps({"jobs": [job(1), job(2), job(3)]})
    at = dump.index('"job_id": 2')
    with pytest.raises(Unreadable, match=r"^log: is damaged or cut off in job 2"):
        read(tmp_path, f"{dump[:at]}!{dump[at:]}")


@pytest.mark.parametrize(
    ("steps", "joules"),
    [
        ([step("7.batch", "batch", 30), step("7.0", "sh", 40)], 40),
        ([step("7.batch", "batch", 50), step("7.0", "sh", 40)], 50),
        ([step({"job_id": 7, "step_id": "batch"}, "batch", 50)], 50),
        ([step({"job_id": 7, "step_id": 4294967291}, "sh", 50), step({"step_id": 0}, "x", 9)], 50),
        # What ran in the shell of an interactive job is counted by its own step.
        ([step("7.interactive", "interactive", 60), step("7.0", "x", 50)], 60),
        ([step("7.extern", "extern", 90), step("7.0", "x", 50)], 50),
        # A program of this name is a step like others.
        ([step("7.0", "batch", 30), step("7.1", "x", 40)], 70),
        ([step("7.0", "x", {"set": True, "infinite": False, "number": 33})], 33),
        ([{"tres": {"consumed": {"total": [{"type": "energy", "count": 99}]}}}], 99),
        ([step("7.0", "x", 2**64 - 2)], None),
    ],
)
def test_energy_of_steps_in_json(
    tmp_path: Path, steps: list[dict[str, object]], joules: float | None
) -> None:
    store = read(tmp_path, json.dumps({"jobs": [job(7, steps=steps)]}))
    found = store.column("joules").tolist()[0]
    assert (None if found != found else found) == joules
    store.close()


@pytest.mark.parametrize(
    ("number", "more", "wanted"),
    [
        (12, {}, (12, -1)),
        (12.0, {}, (12, -1)),
        ("12", {}, (12, -1)),
        ({"set": True, "number": 12}, {}, (12, -1)),
        (13, {"array": {"job_id": 12, "task_id": 0}}, (12, 0)),
        (13, {"array": {"job_id": 12, "task_id": {"set": True, "number": 4}}}, (12, 4)),
        (13, {"array": {"job_id": 12, "task_id": {"set": False, "number": 0}}}, (13, -1)),
        (13, {"array": {"job_id": None, "task_id": None}, "het": {"job_id": 0}}, (13, -1)),
        (13, {"het": {"job_id": 12, "job_offset": 1}}, (12, -4)),
        (13, {"het": {"job_id": 12, "job_offset": {"set": True, "number": 0}}}, (12, -3)),
    ],
)
def test_numbers_of_jobs_in_json(
    tmp_path: Path, number: object, more: dict[str, object], wanted: tuple[int, int]
) -> None:
    store = read(tmp_path, json.dumps({"jobs": [job(number, **more)]}))
    assert (store.column("job")[0], store.column("task")[0]) == wanted
    store.close()


def test_cores_in_json_are_those_asked_for_where_none_are_allocated(tmp_path: Path) -> None:
    asked = {"required": {"CPUs": 4}}
    given = asked | {"tres": {"allocated": [{"type": "cpu", "name": None, "count": 8}]}}
    store = read(tmp_path, json.dumps({"jobs": [job(1, **asked), job(2, **given)]}))
    assert store.column("cores").tolist() == [4, 8]
    store.close()


@pytest.mark.parametrize("block", BLOCKS)
def test_titles_behind_the_number_of_a_job_are_no_header(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    monkeypatch.setattr(limits, "BLOCK_BYTES", block)
    rows = "2JobID|Elapsed|State\n3              00:00:06 COMPLETED\n"
    store = read(tmp_path, FIXED.format(1) + rows)
    assert store.column("job").tolist() == [1, 3]
    assert store.rejected == {"no job number": 1}
    store.close()


def test_lines_above_the_header_are_counted(tmp_path: Path) -> None:
    store = read(
        tmp_path, "sacct: warning\n\n7|x|COMPLETED|00:00:09|1\n" + HEADER + "1|a|X|00:00:05|\n"
    )
    assert store.rejected == {"above the header": 2}
    assert [example.line for example in store.examples["above the header"]] == [1, 3]
    assert store.column("line").tolist() == [5]
    store.close()


@pytest.mark.parametrize(("more", "rejected"), [(0, {}), (1, {"row is too long": 1})])
def test_a_row_of_the_most_bytes_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: int, rejected: dict[str, int]
) -> None:
    monkeypatch.setattr(limits, "ROW_BYTES", 60)
    row = "1||COMPLETED|00:00:05|"
    name = "x" * (60 - len(row) + more)
    store = read(tmp_path, f"{HEADER}{row.replace('||', f'|{name}|')}\n2|b|COMPLETED|00:00:06|7\n")
    assert store.rejected == rejected
    assert store.column("job").tolist() == [1, 2][more:]
    store.close()


def test_of_a_long_text_the_first_thousand_bytes_are_kept(tmp_path: Path) -> None:
    rows = "".join(f"{k}|{'x' * length}|CD|00:00:05|\n" for k, length in enumerate((999, 1001), 1))
    store = read(tmp_path, HEADER + rows)
    assert [len(text) for text in texts(store, "name")] == [999, 1000]
    store.close()


def test_comments_of_swf_are_facts_wherever_they_are(tmp_path: Path) -> None:
    job = " ".join(["1"] * 18)
    text = f"; MaxProcs: 8\n{job}\n; Note: {'y' * 300}\n; MaxProcs: 9\nbroken\n{job}\n"
    store = read(tmp_path, text)
    assert store.logs[0].facts == {"MaxProcs": "8", "Note": "y" * 200}
    assert (store.runs, store.rejected) == (2, {"wrong number of cells": 1})
    assert store.examples["wrong number of cells"][0][1:] == (5, "broken")
    store.close()


def test_lines_of_json_count_from_the_first(tmp_path: Path) -> None:
    store = read(tmp_path, json.dumps({"jobs": [job(1), job(2)]}))
    assert store.column("job").tolist() == [1, 2]
    assert store.column("line").tolist() == [1, 2]
    store.close()


@pytest.mark.parametrize(
    ("headers", "runs"),
    [
        (HEADER + "{}|a|COMPLETED|00:00:05|\n", 1),
        ("JobID|State|Elapsed\nElapsed|JobID|State\n00:00:05|{}|COMPLETED\n", 1),
        ("; UnixStartTime: {}\n" + "1 " * 17 + "1\n", 1),
        (HEADER + "{}|a|COMP\n", 0),
    ],
)
def test_twice_as_many_headers_are_twice_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, headers: str, runs: int
) -> None:
    work = 0
    cut = Layout.cut

    def counted(layout: Layout, data: ByteArray, most: int, *, final: bool) -> tuple[Cuts, int]:
        nonlocal work
        work += len(data)
        return cut(layout, data, most, final=final)

    monkeypatch.setattr(Layout, "cut", counted)
    monkeypatch.setattr(parser, "_NEAR", 64)
    works = []
    for many in (50, 100):
        work = 0
        store = read(tmp_path, "".join(headers.format(k) for k in range(1, many + 1)))
        assert (store.runs, store.rows) == (many * runs, many)
        works.append(work)
        store.close()
    assert works[1] < 2.5 * works[0]


def test_lines_that_make_no_row_are_looked_at_once() -> None:
    looked = 0

    class Cells(list[int]):
        def __getitem__(self, at: Any) -> Any:
            nonlocal looked
            looked += 1
            return super().__getitem__(at)

    layout = Layout(Form.SEPARATED, 67, {}, {})
    assert len(list(joined(Cells([2] * 400), layout))) == 400
    assert looked < 3 * 400
    # 65 lines are the most that make a row, of 66 cells.
    assert list(joined([2] * 66, replace(layout, cells=66))) == [(0, 65, True), (65, 66, False)]
    assert [group[:2] for group in joined([2] * 65, layout)] == [(k, k + 1) for k in range(65)]


def test_a_header_again_is_no_row_even_where_the_log_ends(tmp_path: Path) -> None:
    store = read(tmp_path, HEADER + "1|a|COMPLETED|00:00:05|\n" + HEADER[:-1])
    assert (store.runs, store.rejected) == (1, {})


@pytest.mark.parametrize("block", [40, 90, 1 << 20])
def test_lines_are_counted_across_a_long_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    monkeypatch.setattr(limits, "ROW_BYTES", 60)
    monkeypatch.setattr(limits, "QUOTED_BYTES", 10)
    monkeypatch.setattr(limits, "BLOCK_BYTES", block)
    good = "1|a|COMPLETED|00:00:05|\n"
    store = read(tmp_path, f"{HEADER}{good}2|{'x' * 400}|COMPLETED|00:00:05|\n3{good[1:]}")
    assert store.column("line").tolist() == [2, 4]
    assert store.rejected == {"row is too long": 1}
    assert store.examples["row is too long"][0].line == 3
    store.close()


@pytest.mark.parametrize(
    ("text", "runs", "rejected"),
    [
        (HEADER + "1|a|CD|00:00:05|\n2|b|CD|00:00:06|", 1, {"cut off at the end of the log": 1}),
        ("JobID,State,Elapsed\n1,CD,00:00:05\n2,CD,00:00:06", 2, {}),
        ("task,machine,seconds\na,x,5\nb,x,6", 2, {}),
        ("; Version: 2\n" + " ".join(["1"] * 18), 1, {}),
    ],
)
def test_a_last_line_without_end(
    tmp_path: Path, text: str, runs: int, rejected: dict[str, int]
) -> None:
    store = read(tmp_path, text)
    assert (store.runs, store.rejected) == (runs, rejected)
    store.close()
