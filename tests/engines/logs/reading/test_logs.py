"""A log is read into runs, whatever its format, and wherever its bytes are cut into blocks."""

import gzip
import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from string import ascii_lowercase
from typing import Any

import pytest
from engines.logs.dumps import dumps, oracle, read
from hypothesis import given
from hypothesis import strategies as st
from log_stores import CUT_OFF, HEADER, STEP, job_row, runs_of

from core.engines.logs.reading import limits, recognising
from core.engines.logs.reading.logs import LogProgress, is_log, read_logs
from core.engines.logs.reading.store import COLUMNS, Stopped
from core.files.findings import Unreadable

DUMP = """\
JobID|JobName|Partition|State|Start|End|Elapsed|AllocCPUS|NNodes|NodeList|ConsumedEnergyRaw
1|sort_1|cpu|COMPLETED|2024-03-01T00:00:00|2024-03-01T00:10:00|00:10:00|4|1|cpu1|
1.batch|batch||COMPLETED|2024-03-01T00:00:00|2024-03-01T00:10:00|00:10:00|4|1|cpu1|60000
2|a|b|cpu|COMPLETED|2024-03-01T01:00:00|2024-03-01T01:00:30|00:00:30|4|1|cpu2|3000
3|cut|cpu|COMPL"""


@pytest.mark.parametrize(
    ("content", "log"),
    [
        (DUMP.encode(), True),
        (gzip.compress(DUMP.encode()), True),
        (b"; MaxProcs: 4\n1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18\n", True),
        (b"task,machine,seconds\na,b,1\n", True),
        (b'{"meta": {}, "jobs": [ {"job_id": 1}]}', True),
        (b'{"jobs": [["job", "arrival"]]}', False),
        (b'{"meta": {}}', False),
        (b"arrival,seconds\n1,2\n", False),
        (b"JobID|State\n1|COMPLETED\n", False),
        (b"", False),
        (b"PK\x05\x06" + bytes(18), False),
        (b"\0\1\2", False),
    ],
)
def test_a_log_is_told_from_other_files_by_its_first_bytes(
    tmp_path: Path, content: bytes, log: bool
) -> None:
    path = tmp_path / "any"
    path.write_bytes(content)
    assert is_log(path) is log
    assert not is_log(tmp_path)
    assert not is_log(tmp_path / "nowhere")


def test_progress_is_the_share_of_all_bytes(tmp_path: Path) -> None:
    """Of a reading that is stopped, nothing is left."""
    paths = [tmp_path / name for name in "ab"]
    for path in paths:
        path.write_text(DUMP)
    told: list[LogProgress] = []
    read_logs(paths, folder=tmp_path, report=told.append).close()
    assert [one.fraction for one in told] == [0.5, 0.5, 1.0, 1.0]
    assert told[-1].rows == 8
    assert told[-1].in_words() == "100 % read, 8 rows"
    assert LogProgress(0.0249, 1).in_words() == "2 % read, 1 row"
    with pytest.raises(Stopped):
        read_logs(paths, folder=tmp_path, should_stop=lambda: True)
    assert sorted(tmp_path.iterdir()) == paths


@pytest.mark.parametrize("bad", ["text", "zip", "cut", "twice"])
def test_a_log_that_cannot_be_read_does_not_block_the_others(tmp_path: Path, bad: str) -> None:
    """Issue 33, point 5: it is left out whole, whether its first bytes or later ones are wrong."""
    good, more = tmp_path / "good.txt", tmp_path / "more.txt"
    good.write_text(DUMP.removesuffix("3|cut|cpu|COMPL"))
    more.write_text("task,machine,seconds\na,m,7\n")
    named = b"JobID|JobName|Elapsed|ReqMem|Extra\n" + b"7|bad|00:00:09|1|x\nbroken\n" * 9_000
    content = {
        "text": b"hello",
        "zip": b"PK\x03\x04" + bytes(90),
        "cut": gzip.compress(named)[:-200],
        "twice": gzip.compress(named)[:-9] + b"?",
    }
    (tmp_path / "bad.log").write_bytes(content[bad])
    limits_of_blocks = pytest.MonkeyPatch()
    limits_of_blocks.setattr(limits, "BLOCK_BYTES", 1_000)
    paths = [good, tmp_path / "bad.log", more]
    store = read_logs(paths, folder=tmp_path, skip_unreadable=True)
    alone = read_logs([good, more], folder=tmp_path)
    limits_of_blocks.undo()
    assert [why.partition(":")[0] for why in store.refused] == ["bad.log"]
    assert alone.refused == ()
    assert [log.name for log in store.logs] == ["good.txt", "more.txt"]
    for name in ("known", "texts", "rows", "rejected", "examples"):
        assert getattr(store, name) == getattr(alone, name), name
    for name in (*COLUMNS, *store.texts):
        assert store.column(name).tobytes() == alone.column(name).tobytes() or name in store.texts
    names = [store.values("name")[k] for k in store.column("name")]
    assert names == ["sort_1", "a|b", "a"]
    assert store.rejected_rows.read_text() == alone.rejected_rows.read_text()
    with pytest.raises(Unreadable, match=r"^bad.log"):
        read_logs(paths, folder=tmp_path)
    with pytest.raises(Unreadable, match=r"^bad.log: .*; bad.log: "):
        read_logs([tmp_path / "bad.log"] * 2, folder=tmp_path, skip_unreadable=True)
    store.close()
    alone.close()


BLOCKS = (7, 17, 40, 90, 1 << 20)
FIXED = """\
       JobID    Elapsed      State
------------ ---------- ----------
{}              00:00:05 COMPLETED+
"""
SWF = " ".join(["1"] * 18)


def job(number: object, **more: object) -> dict[str, object]:
    return {"job_id": number, "name": "j", "state": "COMPLETED", "time": {"elapsed": 5}} | more


def step(number: object, name: str, joules: object) -> dict[str, object]:
    return {"step": {"id": number, "name": name}, "statistics": {"energy": {"consumed": joules}}}


STEPS = [
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
    # Without a number, the name tells; with neither, it is a step like others.
    ([step(None, "batch", 30), step("7.0", "x", 40)], 40),
    ([step(None, "a.out", 30), step({"step_id": 3}, "x", 40)], 70),
    ([{"statistics": {"energy": {"consumed": 30}}}, step("7.0", "x", 40)], 70),
]
ASKED = {"required": {"CPUs": 4}}
GIVEN = ASKED | {"tres": {"allocated": [{"type": "cpu", "name": None, "count": 8}]}}
COMMAS = "JobID,State,Elapsed,JobName,AllocTRES,NodeList\n"
LINES = "1|a:b<c|CD|00:00:07\n2||CD|00:00:08\n3|cut|CD\n"


def in_json(*jobs: dict[str, object]) -> str:
    return json.dumps({"meta": {"command": ["--jobs"]}, "jobs": jobs, "errors": []})


def of_release(state: object, seconds: object, of_array: object) -> str:
    one = {
        "job_id": 12,
        "name": "a|b\nc",
        "state": state,
        "array": of_array,
        "nodes": "n[1-2]",
        "time": {"elapsed": seconds, "start": 1_700_000_000, "limit": seconds},
        "tres": {"allocated": [{"type": "cpu", "name": "", "count": 8}]},
        "steps": [step(None, "batch", 900)],
    }
    return in_json(one, one | {"job_id": 13})


OF_RELEASE = {
    "job": [12, 13],
    "elapsed": [60, 60],
    "cores": [8, 8],
    "joules": [900, 900],
    "limit": [3_600, 3_600],
    "name": ["a|b c", "a|b c"],
    "state": ["COMPLETED"] * 2,
}

Rejected = Mapping[str, "int | list[int]"]
LOGS: Mapping[str, tuple[str, Mapping[str, list[Any]], Rejected]] = {
    "a dump": (
        DUMP,
        {
            **{"elapsed": [600, 30], "joules": [60_000, 3_000], "name": ["sort_1", "a|b"]},
            "line": [2, 4],
        },
        {STEP: 1, CUT_OFF: [5]},
    ),
    "dumps of other columns and forms are joined": (
        FIXED.format(1)
        + FIXED.format(2)
        + "JobID|State|Elapsed\n3|COMPLETED|00:00:06\nElapsed|State|JobID\n00:00:07|FAILED|4\n"
        + FIXED.format(5),
        {"job": [1, 2, 3, 4, 5], "elapsed": [5, 5, 6, 7, 5], "line": [3, 6, 8, 10, 13]},
        {},
    ),
    "dumps of other separators are joined": (
        "".join("JobID|State|Elapsed\n1|CD|00:00:07\n".replace("|", s) for s in ("|", "::", ",")),
        {"elapsed": [7, 7, 7], "state": ["CD"] * 3},
        {},
    ),
    "other columns, without numbers of jobs": (
        "JobName|State|Elapsed\na|X|00:00:05\nState|JobName|Elapsed\nX|b|00:00:06\n",
        {"elapsed": [5, 6], "name": ["a", "b"]},
        {},
    ),
    "fewer columns, without numbers of jobs": (
        "JobName|State|Elapsed\na|X|00:00:05\nJobName|Elapsed\nb|00:00:06\n",
        {"elapsed": [5, 6], "name": ["a", "b"]},
        {},
    ),
    "tables of runs are joined": (
        "task,machine,seconds\na,m,5\nseconds,task,machine\n6,b,m\n",
        {"elapsed": [5, 6], "name": ["a", "b"]},
        {},
    ),
    "titles behind the number of a job are no header": (
        FIXED.format(1) + "2JobID|Elapsed|State\n3              00:00:06 COMPLETED\n",
        {"job": [1, 3]},
        {"no job number": [4]},
    ),
    "a row with titles and no number of a job is no header": (
        f"{HEADER}1|a|COMPLETED|00:00:05|\nthe end|b|COMPLETED|00:00:06|\n",
        {"job": [1]},
        {"no job number": [3]},
    ),
    "a header again is no row, even where the log ends": (
        f"{HEADER}1|a|COMPLETED|00:00:05|\n{HEADER[:-1]}",
        {"job": [1]},
        {},
    ),
    "another header of a table is no row, even where the log ends": (
        "task,machine,s\na,m,5\nmachine,task,s",
        {"elapsed": [5]},
        {},
    ),
    "lines above the header are counted": (
        f"sacct: warning\n\n7|x|COMPLETED|00:00:09|1\n{HEADER}1|a|X|00:00:05|\n",
        {"line": [5]},
        {"above the header": [1, 3]},
    ),
    "blank lines are lines, too": (
        f"{HEADER}\n1|a|COMPLETED|00:00:05|\n\n\n2|b|COMPLETED|00:00:06|\n",
        {"line": [3, 6]},
        {},
    ),
    "lines end with a carriage return before the line feed": (
        f"{HEADER}1|a|COMPLETED|00:00:05|3\n2|b|COMPLETED|00:00:06|4\n".replace("\n", "\r\n"),
        {"elapsed": [5, 6], "line": [2, 3]},
        {},
    ),
    "a first job whose name has a line end keeps its steps": (
        f"{HEADER}1|two\nlines|COMPLETED|00:00:05|\n"
        + "".join(f"1.{k}|s|COMPLETED|00:00:01|2\n" for k in range(9)),
        {"joules": [18], "name": ["two\nlines"]},
        {STEP: 9},
    ),
    "commas within cells": (
        COMMAS
        + "1,CD,00:00:05,a,billing=1,cpu=4,mem=2G,node=2,n[1,3]\n"
        + "2,CD,00:00:05,a,b,cpu=4,node=2,n[1-2],m7\n"
        + '3,CD,00:00:05,"a,b",,n1\n'
        + '4,CD,00:00:05,"say ""hi""","cpu=2,mem=1G","n[1,3]"\n',
        {
            "cores": [4, 4, 0, 2],
            "name": ["a", "a,b", "a,b", 'say "hi"'],
            "nodelist": ["n[1,3]", "n[1-2],m7", "n1", "n[1,3]"],
        },
        {},
    ),
    "a row that can be read in two ways": (
        "JobID|JobName|Comment|State|Elapsed\n1|a|b|c|COMPLETED|00:00:05\n",
        {"job": []},
        {"separators in its texts can be read in several ways": [2]},
    ),
    **{
        f"the separator {separator}": (
            f"JobID|JobName|State|Elapsed\n{LINES}".replace("|", separator),
            {"elapsed": [7, 8], "name": ["a:b<c", ""]},
            {"wrong number of cells": [4]},
        )
        for separator in ("||", "::", "<|>", "\N{BROKEN BAR}")
    },
    "comments of SWF are facts wherever they are": (
        f"; MaxProcs: 8\n{SWF}\n; Note: {'y' * 300}\n; MaxProcs: 9\nbroken\n{SWF}\n",
        {"job": [1, 1]},
        {"wrong number of cells": [5]},
    ),
    "an SWF log may begin anew": (
        f"; UnixStartTime: 1000\n{SWF}\n; UnixStartTime: 2000\n{SWF}\n{SWF}\n",
        {"submit": [1001, 2001, 2001]},
        {},
    ),
    "durations": (
        "JobID|JobName|Elapsed\n1|x|2-01:00:00\n2|x|10:00\n3|x|00:00:05.250\n4|x|1-02:03\n"
        "5|x|INVALID\n6|x|\n7|x|7:5\n",
        {"elapsed": [176_400, 600, 5.25, 93_780, None, None, None]},
        {},
    ),
    "titles like those of our columns are columns of texts": (
        "task,machine,seconds,line,limit\na,m,5,x,y\n",
        {"line": [2], "task": [-1], "line (text)": ["x"], "limit (text)": ["y"]},
        {},
    ),
    "numbers beyond reason are unknown": (
        f"task,machine,seconds,cores,memory\na,m,{'9' * 250},1e29,1e29\n",
        {"elapsed": [None], "cores": [0]},
        {},
    ),
    "a table with a comma for decimals": (
        "Task Type;Host;Time (min);Energy (kWh)\na;m;1,5;0,001\n",
        {"elapsed": [90], "joules": [3_600], "name": ["a"]},
        {},
    ),
    "a table with tabs": (
        "job\tnode\thours\tjoules\na\tm\t2\t5\n",
        {"elapsed": [7_200], "joules": [5], "machine": ["m"]},
        {},
    ),
    "a row of a table with too many cells": (
        "task,machine,seconds\na,m,5\nb,m,6,7,8\nc,m,9\n",
        {"elapsed": [5, 9]},
        {"wrong number of cells": [3]},
    ),
    "a table in quotation marks": (
        '"task","machine","start","end"\n"a, ""b""","m",100,160\n',
        {"elapsed": [60], "joules": [None], "name": ['a, "b"']},
        {},
    ),
    "a last line without end": (
        f"{HEADER}1|a|CD|00:00:05|\n2|b|CD|00:00:06|",
        {"job": [1]},
        {CUT_OFF: [3]},
    ),
    "the own energy of a job counts, however little": (
        HEADER + job_row(1, joules=0.5) + job_row("1.0", "s", 7),
        {"joules": [0.5]},
        {STEP: 1},
    ),
    "a lone line without end": (f"{HEADER}1|a|CD|00:00:05|", {"job": []}, {CUT_OFF: [2]}),
    "blanks behind the last line": (f"{HEADER}1|a|CD|00:00:05|\n  ", {"job": [1]}, {}),
    **{
        f"a last line without end is whole {name}": (text, {"elapsed": seconds}, {})
        for name, text, seconds in (
            ("with quotation marks", "JobID,State,Elapsed\n1,CD,00:00:05\n2,CD,00:00:06", [5, 6]),
            ("in a table", "task,machine,seconds\na,x,5\nb,x,6", [5, 6]),
            ("in SWF", f"; Version: 2\n{SWF}", [1]),
        )
    },
    "dumps in JSON are joined and cut off": (
        in_json(job(1), job(2)) + "\n" + json.dumps({"jobs": [job(3), job(4)]})[:-45],
        {"job": [1, 2, 3]},
        {CUT_OFF: 1},
    ),
    "energy of steps in JSON": (
        in_json(*(job(7, steps=steps) for steps, _ in STEPS)),
        {"joules": [joules for _, joules in STEPS]},
        {STEP: sum(len(steps) for steps, _ in STEPS)},
    ),
    "cores in JSON are those asked for where none are allocated": (
        in_json(job(1, **ASKED), job(2, **GIVEN)),
        {"cores": [4, 8], "line": [1, 2]},
        {},
    ),
    **{
        f"JSON of release {k}": (of_release(*release), OF_RELEASE, {STEP: 2})
        for k, release in enumerate(
            (
                ({"current": "COMPLETED", "reason": "None"}, 60, {"job_id": 0, "task_id": None}),
                (
                    {"current": ["COMPLETED"]},
                    {"set": True, "infinite": False, "number": 60},
                    {"job_id": 0, "task_id": {"set": False, "infinite": False, "number": 0}},
                ),
                ("COMPLETED", 60, {}),
            )
        )
    },
}


@pytest.mark.parametrize("log", LOGS)
def test_what_a_log_has(log: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its runs and rejected rows are these, wherever its bytes are cut into blocks."""
    text, columns, rejected = LOGS[log]
    # So few lines are looked at that what follows is read as it comes.
    monkeypatch.setattr(recognising, "_LOOKED_AT", 3 if "above" in log else 2)
    ends = [len(text[:at].encode()) + 1 for at, one in enumerate(text) if one == "\n"]
    for block in (*BLOCKS, *ends[:4]):
        monkeypatch.setattr(limits, "BLOCK_BYTES", block)
        with runs_of(text, *columns) as (store, found):
            assert found == columns, block
            assert store.rejected == {
                reason: rows if isinstance(rows, int) else len(rows)
                for reason, rows in rejected.items()
            }, block
            for reason, rows in rejected.items():
                if isinstance(rows, list):
                    assert [row.line for row in store.examples[reason]] == rows, block


def test_what_comments_of_swf_say() -> None:
    with runs_of(LOGS["comments of SWF are facts wherever they are"][0]) as (store, _):
        assert store.logs[0].facts == {"MaxProcs": "8", "Note": "y" * 200}
        assert store.examples["wrong number of cells"][0].text == "broken"
    names = [f"{a}{b}" for a in ascii_lowercase for b in ascii_lowercase][:201]
    comments = "".join(f"; {name}: 1\n" for name in names)
    with runs_of(f"{comments}{SWF}\n") as (store, _):
        assert store.logs[0].facts == dict.fromkeys(names[:200], "1")


@pytest.mark.parametrize("block", [1 << 20, 64])
@pytest.mark.parametrize("end", ["", "\r", "\n", "\r\n"])
@pytest.mark.parametrize(
    "text",
    [
        HEADER + "1|a|COMPLETED|00:00:05|3\n" * 9,
        "task,machine,seconds\na,b,1\na,b,2\n",
        f"; Version: 2\n{SWF}",
        f"{SWF}\n{SWF}",
        FIXED.format(1),
    ],
)
def test_a_log_whose_lines_end_with_carriage_returns_alone_is_refused(
    text: str, end: str, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It names the log and says what to write in their place, wherever blocks are cut."""
    monkeypatch.setattr(limits, "BLOCK_BYTES", block)
    returns = text.strip("\n").replace("\n", "\r") + end
    said = r"^log-0: ends its lines with a carriage return .* tr "
    with pytest.raises(Unreadable, match=said), runs_of(returns):
        pass


def test_a_full_disk_is_said(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text(HEADER)
    with pytest.raises(Unreadable, match="cannot be kept on disk"):
        read_logs([log], folder=tmp_path / "none")


def test_a_damaged_job_in_json_is_named() -> None:
    dump = in_json(job(1), job(2), job(3))
    at = dump.index('"job_id": 2')
    said = r"^log-0: is damaged or cut off in job 2"
    with pytest.raises(Unreadable, match=said), runs_of(f"{dump[:at]}!{dump[at:]}"):
        pass


@given(dumps(), st.sampled_from([7, 64, 333, 1 << 20]))
def test_runs_are_those_of_the_oracle_wherever_blocks_are_cut(text: str, block: int) -> None:
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(limits, "BLOCK_BYTES", block)
        runs, rejected, rows = read(text.encode(), Path(folder))
    assert runs == oracle(text)
    assert rows == len(runs) + sum(rejected.values())
