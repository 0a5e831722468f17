"""Whatever Wattfront reads is recognised wherever it is dropped; one click opens it."""

import gzip
from importlib.util import find_spec
from pathlib import Path
from typing import get_args

import pytest
import streamlit as st
from books import book, zipped
from capabilities.centre.files.centre_files import USUAL as CENTRE
from pages import Open, html, press, run
from streamlit.testing.v1 import AppTest

from core.files.samples.named import load_sample, log_folder, plan_folder
from dashboard.parts.frame.handed import FilePlace
from dashboard.parts.opening import opener, recognised
from dashboard.parts.opening.log_folder import LogFolder
from dashboard.parts.opening.opener import ACTIONS, FILES, PASTE, TITLE
from dashboard.parts.opening.recognised import BELONGS, FileKind, kind_of, recognise
from dashboard.screens.what_if.compare.file import what_ifs_bytes
from dashboard.screens.what_if.compare.what_ifs import WhatIf
from dashboard.workspace import asking, session

DUMP = (
    Path(__file__).parents[3] / "engines" / "logs" / "dumps" / "real" / "parsable2.txt"
).read_bytes()
SWF = b"; MaxProcs: 8\n" + b"".join(
    b"%d %d 5 60 4 -1 -1 4 200 -1 1 3 1 7 1 -1 -1 -1\n" % (k, 10 * k) for k in range(1, 10)
)
JOBS = b"arrival,seconds\n0,60\n5,70\n"
TABLE = b"task,machine,seconds\na,m,60\na,m,61\na,m,62\n"
ETC = b"task,fast,slow\nsort,1,2\n"
NODES = b"node,type,cores,idle_watts\ncpu[001-100],cpu,32,90\n"
OUTCOME = b"job,job_type,pool,option,units,start,end,worth,energy,estimated_end\n"
SCHEDULE = b"machine_type,machine,task_type,count,start (s),end (s)\nfast,1,sort,2,0,2\n"
SIZES = b"size,cores,memory_gb\nsmall,2,4\n"
CLASSES = b"qos,tier,may_stop\nhigh,1,yes\nlow,,\n"
DAY = b"Stunde;price (EUR/kWh);carbon [kg/kWh]\n0;0,2;0.4\n12;0,4;0.2\n"
PARTS = {"etc.csv": ETC, "tasks.csv": b"task,count,release\nsort,2,60\n"}
WITH_NETWORK = {"etc.csv": ETC, "network.toml": b"bandwidth = 40\n"}


WHAT_IFS = what_ifs_bytes([WhatIf.of(1, "mine", load_sample("two-by-two"))])


def packed(folder: Path) -> bytes:
    return zipped({path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()})


WATTS = b"time,node,watts\n2024-03-01 00:00:30,n1,90\n"


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        ("a.txt", DUMP, "log"),
        ("a.swf", SWF, "log"),
        ("runs.csv", TABLE, "log"),
        ("jobs.csv", JOBS, "workload"),
        ("jobs.csv", b"task,machine,seconds,arrival\na,m,100,0\nb,m,100,50\n", "workload"),
        ("etc.csv", ETC, None),  # a system is told by reading it, once
        ("plan.zip", packed(plan_folder("e1")), "plan"),
        ("nodes.csv", NODES, "nodes"),
        ("types.csv", b"type;count;gpus\ngpu;3;4\n", "nodes"),
        ("machines.csv", b"type,count\nfast,1\n", None),
        ("bags.zip", zipped(PARTS), "bags"),
        ("bags.zip", zipped(WITH_NETWORK), "bags"),
        ("centre.zip", zipped(CENTRE), "centre"),
        ("c.json", b'{"format": "wattfront-centre", "version": 1}', "centre"),
        ("out.csv", OUTCOME, "outcome"),
        ("out.zip", zipped({"out.csv": OUTCOME, "out.workload.zip": b""}), "outcome"),
        ("out.parquet", b"PAR1", "outcome"),
        ("schedule.csv", SCHEDULE, "schedule"),
        ("s.json", b'{"format": "wattfront-schedule"', "schedule"),
        ("what.json", b'{"format":"wattfront-what-ifs"', "what-ifs"),
        ("day.csv", DAY, "hours"),
        ("day.csv", b"from,price,carbon\n", "hours"),
        ("map.csv", b"machine_type,node\nfast,n1\n", "map"),
        ("classes.csv", CLASSES, "classes"),
        ("classes.csv", b"name,tier\na,x\n", "classes"),
        ("sizes.csv", SIZES, "sizes"),
        ("sizes.csv", b"size,cores\n", "sizes"),
        ("watts.csv.gz", gzip.compress(WATTS, mtime=0), "watts"),
        ("a.zip", b"PK\x03\x04", None),
        ("s.json", b'{"format": "wattfront-study"', "study"),
        ("a.txt", b"hello", None),
        ("a.bin", bytes(range(256)), None),
        ("", b"", None),
    ],
)
def test_kinds(name: str, data: bytes, kind: str | None) -> None:
    """Issue 33, point 7."""
    folder = LogFolder()
    (path,) = folder.keep([(name, data)])
    assert kind_of(name, data, path) == kind


LOG = (log_folder("university") / "jobs.txt.gz").read_bytes()
UNSAID = book({"1": [["x", "A"], ["a", 1]], "2": [["x", "A"], ["a", 2]]})
BOTH = "a system: 1 task type, 2 machine types"
LISTED = (log_folder("university") / "nodes.csv").read_bytes()


@pytest.mark.parametrize(
    ("name", "data", "said", "place"),
    [
        ("jobs.gz", LOG, "Slurm sacct: 4,000 jobs, 40 nodes, 2 to 16 March 2026", "importing.log"),
        ("nodes.csv", NODES, "a table of nodes: 100 nodes of 1 type: 100 cpu", "importing.nodes"),
        (
            "etc.csv",
            ETC,
            "a system: 1 task type, 2 machine types, without powers",
            "importing.file",
        ),
        (
            "a.txt",
            DUMP.partition(b"\n")[2],
            "almost a log, but it has no header; dump it again without --noheader",
            None,
        ),
        ("a.txt", b"hello", "nothing that Wattfront reads", None),
        (
            "c.csv",
            CLASSES,
            "classes of jobs: 2 rows, of which 1 may stop others",
            "arrivals.classes",
        ),
        (
            "c.csv",
            b"name,worth\na,2\n",
            "classes of jobs: 1 row, of which 0 may stop others",
            "work.classes",
        ),
        ("c.csv", b"name,worth\na,x\n", "classes of jobs", None),
        ("s.csv", SIZES, "sizes that are offered: 1 row", "arrivals.sizes"),
        ("s.csv", b"size,cores\na,1\n", "sizes that are offered", None),
        ("day.csv", b"from,price\n25,0.2\n", "numbers by the hour of the day", None),
        ("apc.csv", ETC, "powers of a system; add its table of times", None),
        ("a.swf", SWF, "SWF: 9 jobs", "importing.log"),
        ("c.zip", zipped(CENTRE), "a day of a centre", "centre.file"),
        ("c.csv", b"time,carbon\n2026-08-01T00:00Z,1\n", "a curve over time: CSV", "centre.curve"),
        (
            "c.json",
            b'{"data": [{"from": "2026-08-01T00:00Z", "to": "2026-08-01T00:30Z", '
            b'"intensity": {"forecast": 1, "actual": 2}}]}',
            "a curve over time: NESO JSON",
            "centre.curve",
        ),
        (
            "e.csv",
            b"MTU (CET/CEST),Day-ahead Price (EUR/MWh)\n01/08/2026 00:00 - 01/08/2026 01:00,80\n",
            "a curve over time: ENTSO-E CSV",
            "centre.curve",
        ),
        ("x.json", b'{"data": [1, 2]}', "nothing that Wattfront reads", None),
        (
            "book.xlsx",
            UNSAID,
            "tables, of which none says that it has times: choose it on Import",
            "importing.file",
        ),
        (
            "pasted text",
            b"\tfast\tslow\nsort\t1\t2\n\n\tfast\tslow\nsort\t3\t4",
            BOTH,
            "importing.file",
        ),
    ],
)
def test_each_kind_is_said_in_one_line(
    name: str, data: bytes, said: str, place: str | None
) -> None:
    (found,) = recognise(((name, data),))
    assert (found.said, next(iter(found.places), None)) == (said, place)


def test_values_of_nothing_may_be_watts_or_a_curve() -> None:
    (found,) = recognise((("c.csv", b"time,value\n2026-08-01T00:00Z,1\n"),))
    assert found.places == ("importing.watts", "centre.curve")
    (found,) = recognise((("c.csv", WATTS),))
    assert found.places == ("importing.watts",)


def test_each_place_has_its_button() -> None:
    """Of a place without one, the dialog would end in an apology."""
    assert {*ACTIONS} == {*get_args(FilePlace)}


def test_a_long_log_is_read_only_where_it_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recognised, "_LONG_IF_PACKED", len(LOG) - 1)
    for data, said in ((LOG, "an accounting log"), (gzip.decompress(LOG), "Slurm sacct")):
        assert recognise((("jobs", data),))[0].said.startswith(said)


def test_a_log_that_breaks_off_is_no_way_on() -> None:
    broken = gzip.compress(DUMP + DUMP.partition(b"\n")[2] * 3_000, 1)[:-9]
    (found,) = recognise((("jobs.gz", broken),))
    assert found.said.startswith("an accounting log, but it is damaged after ")
    assert not found.places


def test_an_outcome_comes_before_what_is_beside_it() -> None:
    files = {"o.toml": b"", "o.workload.zip": WORKLOAD, "o.csv": OUTCOME}
    (found,) = recognise(tuple(files.items()))
    assert found.files[0] == 2


def test_tables_of_one_system_are_one_and_a_bad_file_is_bad_alone() -> None:
    files = {"times.csv": ETC, "power.csv": ETC, "x.bin": bytes(range(9)), "log.txt": DUMP}
    found = {one.files: one for one in recognise(tuple(files.items()))}
    assert [*found] == [(0, 1), (2,), (3,)]
    assert found[0, 1].said == "a system: 1 task type, 2 machine types"
    first = [next(iter(one.places), None) for one in found.values()]
    assert first == ["importing.file", None, "importing.log"]
    assert all(problem.file == "x.bin" for problem in found[2,].problems)
    assert not found[3,].problems


def test_problems_of_tables_are_counted_by_file() -> None:
    files = {"times.csv": ETC.replace(b"1", b"-1"), "power.csv": ETC.replace(b"1,2", b"-1,q")}
    (found,) = recognise(tuple(files.items()))
    assert found.said == ("a system with 3 problems to correct: 1 in times.csv and 2 in power.csv")


@pytest.mark.parametrize("kind", BELONGS)
def test_what_a_file_is_stands_behind_a_dash_without_a_verb(kind: FileKind) -> None:
    assert BELONGS[kind].said.split()[0] not in ("is", "has", "are", "says")


def test_what_cannot_be_read_is_said_of_all_that_was_dropped(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    why = "takes longer than the limit of 60 s to read"
    monkeypatch.setattr(asking, "read", lambda refused, _reader, _files: refused(why))
    page = dropped(open_page("studies", sample="two-by-two"), a_csv=ETC, b_csv=ETC)
    said = f"<s>a.csv</s>, <s>b.csv</s> – not recognised: the upload {why}."
    assert said in html(page)


def dropped(page: AppTest, **files: bytes) -> AppTest:
    """The page with the dialog, once files were dropped; in their names _ stands for a dot."""
    uploads = [(name.replace("_", "."), data, "") for name, data in files.items()]
    press(page, TITLE).file_uploader(key=FILES).set_value(uploads)
    return run(page)


def test_nothing_is_in_force_before_a_person_says_so(open_page: Open) -> None:
    page = press(open_page("studies", sample="two-by-two"), TITLE)
    assert any("Nothing is in force before you say so." in one.value for one in page.caption)
    assert [code.value.partition(" ")[0] for code in page.code] == ["sacct", "sinfo"]
    assert {"template.xlsx", "template.zip"} <= {one.key for one in page.download_button}
    before = page.session_state[session.WORKSPACE].system
    page = dropped(page, etc_csv=ETC, bad_bin=bytes(range(9)))
    assert "<strong>etc.csv</strong> – a system: 1 task type, 2 machine types" in html(page)
    assert "<s>bad.bin</s> – nothing that Wattfront reads." in html(page)
    page.file_uploader(key=FILES).set_value([("etc.csv", b"[min];A\na;1,5\n", "")])
    assert "has a decimal comma" in (said := html(run(page)))
    assert "Warning" not in said, "errors first"
    page.file_uploader(key=FILES).set_value([("etc.csv", ETC, "text/csv")])
    assert "bad.bin" not in html(run(page)), "problems vanish with their file"
    assert page.session_state[session.WORKSPACE].system == before
    press(page, "Open it on Import")
    assert page.title[0].value == "Import"
    assert page.session_state[session.WORKSPACE].system.task_names == ("sort",)
    assert not page.file_uploader


WORKLOAD = zipped({"jobs.csv": b"", "pools.csv": b""})


@pytest.mark.parametrize(
    ("files", "actions", "places"),
    [
        ({"a_txt": DUMP}, ["Derive a system from it"], {"importing.log"}),
        ({"a_swf": SWF}, ["Replay its jobs on *Policies*"], {"arrivals.log"}),
        ({"a_txt": DUMP}, ["Compare it with the schedule"], {"schedule.log"}),
        ({"n_csv": NODES}, ["Use it with a log"], {"importing.nodes"}),
        ({"jobs_csv": JOBS}, ["Open it on *Policies*"], {"arrivals.workload"}),
        (
            {"o_csv": OUTCOME, "o_toml": b"", "o_workload_zip": WORKLOAD},
            ["Check it on *Policies*"],
            {"arrivals.outcome"},
        ),
        ({"b_zip": zipped(PARTS)}, ["Open them on Fair shares"], {"fair_shares.bags"}),
        ({"b_zip": zipped(PARTS)}, ["Open it on Import"], {"importing.file"}),
        ({"s_csv": SCHEDULE}, ["Open it on Schedule"], {"schedule.file"}),
        ({"m_csv": b"machine_type,node\nG,n1\n"}, ["Use it for batch scripts"], {"schedule.map"}),
        ({"c_csv": CLASSES}, ["Use them for a log on *Policies*"], {"arrivals.classes"}),
        (
            {"c_csv": b"name,worth\na,2\n"},
            ["Use them for the task types on *Work*", "Use them for a log on *Policies*"],
            {"work.classes"},
        ),
        (
            {"c_csv": CLASSES, "a_swf": SWF},
            ["Replay its jobs on *Policies*"],
            {"arrivals.log", "arrivals.classes"},
        ),
        ({"w_json": WHAT_IFS}, ["Compare them on *What if*"], {"what_if.file"}),
        ({"e1_zip": packed(plan_folder("e1"))}, ["Open it on *What to buy*"], {"provision.plan"}),
        # A place that is the usual one of a file gets no others that are usual elsewhere.
        (
            {"e1_zip": packed(plan_folder("e1")), "etc_csv": ETC},
            ["Open it on Import", "Open it on *What to buy*"],
            {"importing.file", "provision.plan"},
        ),
        # A log takes what is beside it along; other files wait on their pages.
        (
            {"nodes_csv": NODES, "a_txt": DUMP, "jobs_csv": JOBS},
            ["Derive a system from it", "Open it on *Policies*"],
            {"importing.log", "importing.nodes", "arrivals.workload"},
        ),
    ],
)
def test_one_click_takes_files_where_they_belong(
    open_page: Open,
    monkeypatch: pytest.MonkeyPatch,
    files: dict[str, bytes],
    actions: list[str],
    places: set[str],
) -> None:
    """Issue 35: one way in, for every kind of file."""
    gone_to: list[str] = []
    monkeypatch.setattr(opener, "go_to", gone_to.append)
    page = dropped(open_page("studies", sample="two-by-two"), **files)
    offered = [one.label for one in page.button if (one.key or "").startswith("opener ")]
    assert [label for label in offered if label in actions] == actions
    press(page, actions[0])
    handed = page.session_state["handed"]
    assert {*handed} == places
    assert gone_to[0] in places
    assert sum(len(one.files) for one in handed.values()) == len(files)
    assert find_spec(f"dashboard.screens.{gone_to[0].partition('.')[0]}.page")


@pytest.mark.parametrize(("data", "apart"), [(CLASSES, False), (b"name,worth\na,2\n", True)])
def test_classes_of_a_log_go_with_it(open_page: Open, data: bytes, *, apart: bool) -> None:
    """Those of task types may be for either, so a person says which."""
    page = dropped(open_page("studies", sample="two-by-two"), c_csv=data, a_swf=SWF)
    offered = {one.key for one in page.button if (one.key or "").startswith("opener ")}
    assert ("opener arrivals.classes" in offered) is apart
    assert ("opener work.classes" in offered) is apart


def test_text_is_pasted(open_page: Open) -> None:
    page = press(open_page("studies", sample="two-by-two"), TITLE)
    page.text_area(key=PASTE).set_value("\ta\tb\nx\t1\t2\n\t\t\n\ta\tb\nx\t10\t20\n")
    page = press(run(page), "Open it on Import")
    system = page.session_state[session.WORKSPACE].system
    assert (system.etc.tolist(), system.apc.tolist()) == ([[1, 2]], [[10, 20]])


def test_prices_by_the_hour_are_the_sites(open_page: Open) -> None:
    page = dropped(open_page("studies", sample="two-by-two"), day_csv=DAY)
    page = press(page, "Use them for the site")
    assert "day.csv is in force on every page, by the hour of the day." in html(page)
    site = page.session_state[session.WORKSPACE].site
    assert (site.day_tariff, site.price) == (((0, 0.2), (12, 0.4)), 0.3)
    assert (site.day_carbon, site.carbon) == (((0, 0.4), (12, 0.2)), 0.3)


def test_files_that_the_server_dropped_are_named(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    uploader = st.file_uploader
    monkeypatch.setattr(st, "file_uploader", lambda *given, **how: uploader(*given, **how)[1:])
    page = dropped(open_page("studies", sample="two-by-two"), a_txt=DUMP)
    assert page.error[0].value.startswith("1 file of 1 was dropped: all files together can have")
    assert not any((one.key or "").startswith("opener ") for one in page.button)
