"""Whatever Wattfront reads is recognised wherever it is dropped; one click takes it there."""

from pathlib import Path

import pytest
from books import zipped
from pages import Open, button, failing, field, html, press, run, settled, visit
from streamlit.testing.v1 import AppTest

from core.files import write_system
from core.files.samples.named import load_sample, log_folder, plan_folder
from core.vocabulary.budget import Cancelled
from dashboard.parts.opening.log_folder import LogFolder
from dashboard.parts.opening.opener import FILES, TITLE
from dashboard.parts.opening.panel import kind_of, read_system
from dashboard.parts.opening.recognised import recognise
from dashboard.workspace import session

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
PARTS = {"etc.csv": ETC, "tasks.csv": b"task,count,release\nsort,2,60\n"}
WITH_NETWORK = {"etc.csv": ETC, "network.toml": b"bandwidth = 40\n"}


def packed(folder: Path) -> bytes:
    return zipped({path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()})


def system_zip(tmp_path: Path) -> bytes:
    write_system(load_sample("two-by-two"), tmp_path / "mine.zip")
    return (tmp_path / "mine.zip").read_bytes()


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        ("a.txt", DUMP, "log"),
        ("a.swf", SWF, "log"),
        ("runs.csv", TABLE, "log"),
        ("jobs.csv", JOBS, "workload"),
        ("etc.csv", ETC, "system"),
        ("plan.zip", packed(plan_folder("e1")), "plan"),
        ("nodes.csv", NODES, "nodes"),
        ("types.csv", b"type;count;gpus\ngpu;3;4\n", "nodes"),
        ("machines.csv", b"type,count\nfast,1\n", None),
        ("bags.zip", zipped(PARTS), "bags"),
        ("bags.zip", zipped(WITH_NETWORK), "bags"),
        ("out.csv", OUTCOME, "outcome"),
        ("out.zip", zipped({"out.csv": OUTCOME, "out.workload.zip": b""}), "outcome"),
        ("out.parquet", b"PAR1", "outcome"),
        ("schedule.csv", SCHEDULE, "schedule"),
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


def test_what_is_no_system_is_not_read_as_one(tmp_path: Path) -> None:
    assert read_system({"a.txt": DUMP}) is None
    assert read_system({"jobs.csv": JOBS}) is None
    read = read_system({"etc.csv": ETC})
    assert read is not None
    assert read.system is not None
    without_header = read_system({"a.txt": DUMP.partition(b"\n")[2]})
    assert without_header is not None
    assert [p.message for p in without_header.problems] == [
        "has no header; dump it again without --noheader"
    ]
    assert read_system({"out.csv": OUTCOME, "out.toml": b""}) is None
    assert read_system({"nodes.csv": NODES}) is None
    assert read_system({"schedule.csv": SCHEDULE}) is None
    beside = read_system({"etc.csv": ETC + b"sort,1,x\n", "machines.csv": NODES})
    assert beside is not None
    assert beside.problems
    faulty = read_system({"etc.csv": ETC + b"sort,1,x\n"})
    assert faulty is not None
    assert faulty.problems


def test_a_log_that_is_dropped_as_a_system(open_page: Open) -> None:
    """Issue 33, point 7: it had 1,001 problems. A click derives a system from it."""
    page = open_page("system", sample="two-by-two")
    page.segmented_control(key="start.source").set_value("file")
    page = run(page)
    page.file_uploader[0].upload("dump.txt", DUMP)
    page = run(page)
    assert not page.error
    assert "dump.txt is an accounting log." in html(page)
    page = settled(settled(press(page, "Derive a system from it")))
    assert not page.error
    assert "dump.txt (Slurm sacct)" in html(page)
    assert "dump.txt, from another uploader" in html(page)
    page = press(page, "Remove")
    assert "Slurm sacct" not in html(page)


def dropped_on_system(open_page: Open, **files: bytes) -> AppTest:
    page = open_page("system", sample="two-by-two")
    page.segmented_control(key="start.source").set_value("file")
    page = run(page)
    for name, data in files.items():
        page.file_uploader[0].upload(name.replace("_", "."), data)
    return run(page)


def test_a_table_of_nodes_that_is_dropped_as_a_system(open_page: Open) -> None:
    """It waits for its log, and counts as if it were uploaded below Machines."""
    page = dropped_on_system(open_page, nodes_csv=NODES)
    assert not page.error
    assert "nodes.csv is a table of nodes." in html(page)
    page = press(page, "Use it with a log")
    assert "nodes.csv, from another uploader" in html(page)
    assert any("as soon as you upload the log" in one.value for one in page.caption)
    page.file_uploader(key="log.files").upload("a.txt", DUMP)
    page = settled(settled(run(page)))
    assert "a.txt (Slurm sacct)" in html(page)
    assert page.session_state["log.desk"].table.of("cpu").idle_watts == 90
    page = press(page, "Remove")
    assert page.session_state["log.desk"].table.of("cpu").idle_watts is None


def test_what_slurm_lists_of_nodes_is_a_table_of_nodes(open_page: Open) -> None:
    """The page says what it lists, and which nodes do not count."""
    rows = b"cpu[01-04]|idle|8\ncpu05|down*|8\n"
    page = dropped_on_system(open_page, nodes_txt=b"NODELIST|STATE|CPUS\n" + rows)
    assert "nodes.txt is a table of nodes." in html(page)
    page = press(page, "Use it with a log")
    assert "5 nodes of 1 type: 5 cpu." in html(page)
    assert "Down or drained, and not counted: cpu05 (of cpu)." in html(page)


def test_bags_that_are_dropped_as_a_system(open_page: Open) -> None:
    """The system is opened, and a click opens its bags."""
    page = dropped_on_system(open_page, bags_zip=zipped(PARTS))
    assert page.session_state["wattfront.workspace"].title == "bags.zip"
    assert "bags.zip has bags of tasks that arrive." in html(page)
    page = press(page, "Open them on Fair shares")
    assert "bags.zip, from another uploader" in html(page)
    assert not page.error


def test_an_outcome_that_is_dropped_as_a_system(open_page: Open) -> None:
    """It is taken with the files beside it."""
    workload = zipped({"jobs.csv": b"", "pools.csv": b""})
    page = dropped_on_system(open_page, out_csv=OUTCOME, out_workload_zip=workload)
    assert "out.csv is an outcome of jobs." in html(page)
    page = press(page, "Check it on *Policies*")
    assert "out.csv, out.workload.zip, from another uploader" in html(page)
    opened = page.session_state["arrivals.outcome.opened"][1]
    assert {problem.file for problem in opened.problems} == {"pools.csv", "jobs.csv"}


def test_a_system_that_is_dropped_as_an_outcome(open_page: Open, tmp_path: Path) -> None:
    page = open_page("arrivals", sample="two-by-two")
    page.file_uploader(key="arrivals.outcome").upload("mine.zip", system_zip(tmp_path))
    page = run(page)
    assert "is not one outcome (CSV or Parquet) with its workload" in html(page)
    assert "mine.zip is a system." in html(page)


def test_a_log_that_is_dropped_as_bags(open_page: Open) -> None:
    page = open_page("fair_shares", sample="two-by-two")
    page.file_uploader(key="fair_shares.bags").upload("month.swf", SWF)
    page = run(page)
    assert "month.swf is an accounting log." in html(page)
    assert not page.error


def test_a_schedule_that_is_dropped_as_a_system(open_page: Open) -> None:
    page = dropped_on_system(open_page, schedule_csv=SCHEDULE)
    assert "schedule.csv is a schedule; no page opens it, but" in html(page)
    assert [error.value for error in page.error] == ["This file cannot be opened:"]


def test_a_dump_without_its_header_as_a_workload(open_page: Open) -> None:
    """Issue 33, point 11: the page says the same as the command."""
    page = open_page("arrivals", sample="two-by-two")
    page.file_uploader(key="arrivals.file").upload("dump.txt", DUMP.partition(b"\n")[2])
    page = run(page)
    assert "dump.txt has no header; dump it again without --noheader." in html(page)
    assert [error.value for error in page.error] == ["This file cannot be opened:"]
    assert "column arrival is missing" not in html(page)


def log_page(open_page: Open, **files: bytes) -> AppTest:
    page = open_page("system", sample="two-by-two")
    page.segmented_control(key="start.source").set_value("log")
    page = run(page)
    for name, data in files.items():
        page.file_uploader(key="log.files").upload(name.replace("_", "."), data)
    return settled(settled(run(page)))


def test_a_schedule_that_is_dropped_as_a_log(open_page: Open) -> None:
    """A log without its header has said so itself, once; a schedule has not."""
    page = log_page(open_page, schedule_csv=SCHEDULE)
    assert "schedule.csv is a schedule; no page opens it, but" in html(page)
    page = log_page(open_page, dump_txt=DUMP.partition(b"\n")[2])
    assert html(page).count("has no header") == 1


def test_a_system_that_is_dropped_as_a_log(open_page: Open, tmp_path: Path) -> None:
    """Issue 33, point 7."""
    page = log_page(open_page, mine_zip=system_zip(tmp_path))
    assert "mine.zip is a system." in html(page)
    page = press(page, "Open it on System")
    assert page.session_state["wattfront.workspace"].title == "mine.zip"


def test_a_bad_file_beside_good_logs(open_page: Open, tmp_path: Path) -> None:
    """Issue 33, point 5: the good ones are used, the bad one is named, with where it belongs."""
    page = log_page(open_page, a_txt=DUMP, bad_txt=b"hello", jobs_csv=JOBS)
    assert "a.txt (Slurm sacct)" in html(page)
    assert [warning.value for warning in page.warning][:1] == [
        "2 logs cannot be read; the others are in use:"
    ]
    assert "bad.txt: is not recognised" in html(page)
    assert "jobs.csv is a workload." in html(page)
    assert not page.error


def test_a_log_that_is_dropped_as_a_workload(open_page: Open) -> None:
    """Issue 33, point 7: its own page takes it first."""
    page = open_page("arrivals", sample="two-by-two")
    page.file_uploader(key="arrivals.file").upload("month.swf", SWF)
    page = run(page)
    assert not page.error
    assert "month.swf is an accounting log." in html(page)
    labels = [one.label for one in page.button]
    replay, derive = "Replay its jobs on *Policies*", "Derive a system from it"
    assert labels.index(replay) < labels.index(derive)
    page = settled(settled(press(page, replay)))
    assert "month.swf: 9 jobs on 8 cores" in html(page)


def test_a_workload_that_is_dropped_as_a_plan(open_page: Open) -> None:
    """Issue 33, point 7."""
    page = open_page("provision", sample="two-by-two", provision_scenarios=4)
    page.file_uploader(key="provision.file").upload("jobs.csv", JOBS)
    page = run(page)
    assert not page.error
    page = press(page, "Open it on *Policies*")
    assert "jobs.csv, from another uploader" in html(page)
    assert field(page, "Workload").value == "own"


def test_a_plan_that_is_dropped_as_a_workload(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Issue 33, point 7. Its answer is not waited for."""
    monkeypatch.setattr("dashboard.screens.provision.answer.answer", failing(Cancelled))
    page = open_page("arrivals", sample="two-by-two")
    page.file_uploader(key="arrivals.file").upload("plan.zip", packed(plan_folder("e1")))
    page = run(page)
    assert "plan.zip is a plan of what to buy." in html(page)
    page = press(page, "Open it on *What to buy*")
    assert page.session_state["wattfront.workspace"].title == "plan.zip"


LOG = (log_folder("university") / "jobs.txt.gz").read_bytes()
LISTED = (log_folder("university") / "nodes.csv").read_bytes()


@pytest.mark.parametrize(
    ("name", "data", "said", "place"),
    [
        ("jobs.gz", LOG, "Slurm sacct: 4,000 jobs, 40 nodes, 2 to 16 March 2026", "system.log"),
        ("nodes.csv", NODES, "a table of nodes: 100 nodes of 1 type: 100 cpu", "system.nodes"),
        ("etc.csv", ETC, "a system: 1 task type, 2 machine types, without powers", "system.file"),
        ("jobs.csv", JOBS, "is a workload", "arrivals.file"),
        ("e1.zip", packed(plan_folder("e1")), "is a plan of what to buy", "provision.file"),
        (
            "s.csv",
            SCHEDULE,
            "is a schedule; no page opens it, but wattfront verify checks it",
            None,
        ),
        ("a.txt", b"hello", "nothing that Wattfront reads", None),
    ],
)
def test_each_kind_is_said_in_one_line(
    name: str, data: bytes, said: str, place: str | None
) -> None:
    (found,) = recognise(((name, data),))
    assert (found.said, found.place) == (said, place)


def test_tables_of_one_system_are_one_and_a_bad_file_is_bad_alone() -> None:
    files = {"times.csv": ETC, "power.csv": ETC, "x.bin": bytes(range(9)), "log.txt": DUMP}
    found = {one.files: one for one in recognise(tuple(files.items()))}
    assert [*found] == [(0, 1), (2,), (3,)]
    assert found[0, 1].said == "a system: 1 task type, 2 machine types"
    assert [one.place for one in found.values()] == ["system.file", None, "system.log"]
    assert all(problem.file == "x.bin" for problem in found[2,].problems)
    assert not found[3,].problems


def test_files_are_dropped_on_any_page_and_lead_to_the_one_that_shows_them(
    open_page: Open,
) -> None:
    page = press(open_page("profit"), TITLE)
    assert "Nothing is in force before you say so." in [one.value for one in page.caption]
    before = page.session_state[session.WORKSPACE].system
    files = [("etc.csv", ETC, "text/csv"), ("bad.bin", bytes(range(9)), "")]
    page.file_uploader(key=FILES).set_value(files).run()
    assert "<strong>etc.csv</strong> – a system: 1 task type, 2 machine types" in html(page)
    assert "<s>bad.bin</s> – nothing that Wattfront reads." in html(page)
    page.file_uploader(key=FILES).set_value(files[:1]).run()
    assert "bad.bin" not in html(page), "problems vanish with their file"
    assert page.session_state[session.WORKSPACE].system == before
    press(page, "Open it on System")
    assert page.title[0].value == "System"
    assert page.session_state[session.WORKSPACE].system.task_names == ("sort",)
    assert not any(one.key == FILES for one in page.file_uploader)


def test_a_log_takes_its_nodes_along(open_page: Open) -> None:
    page = press(open_page("trade_offs"), TITLE)
    files = [("nodes.csv", LISTED, "text/csv"), ("jobs.txt.gz", LOG, "application/gzip")]
    page.file_uploader(key=FILES).set_value(files).run()
    assert button(page, "Derive a system from it")
    page = settled(visit(press(page, "Derive a system from it"), "system"))
    assert "40 nodes of 5 types" in html(page)
    assert "jobs.txt.gz (Slurm sacct): 4,000 jobs" in html(page)
