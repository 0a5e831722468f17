"""What is uploaded beside a log counts, is said, and goes when its file goes."""

import gzip

import pytest
from log_stores import dump
from pages import Open, html, opened, press, settled
from streamlit.testing.v1 import AppTest

from dashboard.parts.frame.handed import FilePlace

pytestmark = pytest.mark.usefixtures("computed_here")

RUNS = [
    {
        "JobName": "ab"[k % 2],
        "NodeList": "gv1",
        "AllocCPUS": 8,
        "Start": f"2024-03-01T{k:02}:00:00",
        "Elapsed": "00:30:00",
    }
    for k in range(8)
]
LOG = dump(*RUNS).encode()
NODES = b"NODELIST|STATE|CPUS\ngv[1-4]|idle|8\ngv5|down|8\n"
WATTS = "time,node,watts\n" + "".join(
    f"2024-03-01 {minute // 60:02}:{minute % 60:02}:30,gv1,{90 if minute % 60 >= 30 else 210}\n"
    for minute in range(440)
)


def page_with(open_page: Open, **files: bytes) -> AppTest:
    """The page with files for its places; in their names, an underscore stands for a dot."""
    page = open_page("importing", sample="two-by-two")
    places: dict[str, FilePlace] = {"log_txt": "importing.log", "nodes_txt": "importing.nodes"}
    for name, data in files.items():
        opened(page, places.get(name, "importing.watts"), (name.replace("_", "."), data))
    return page


def test_nodes_and_watts_beside_a_log_count(open_page: Open) -> None:
    page = page_with(open_page, log_txt=LOG, nodes_txt=NODES, w_csv=WATTS.encode())
    said = html(page)
    assert "log.txt (Slurm sacct): 8 jobs" in said
    assert "5 nodes of 1 type: 5 gv." in said
    assert "440 samples of power of 1 node, from 2024-03-01 00:00:30" in said
    found = page.session_state["log.desk"].answered
    assert found.system.machine_counts.tolist() == [4]
    assert found.system.idle_power.tolist() == [90]
    assert found.system.apc.tolist() == [[210], [210]]


def test_watts_that_cannot_be_read_are_named_beside_a_good_log(open_page: Open) -> None:
    page = page_with(open_page, log_txt=LOG, w_csv=WATTS.encode() + b"2024-03-01 09:00:00,gv1,x\n")
    assert "log.txt (Slurm sacct): 8 jobs" in html(page)
    assert "is no power; write a number" in html(page)
    assert page.session_state["log.desk"].answered.system.idle_power.tolist() == [0]


def test_watts_without_a_log_wait_for_it(open_page: Open) -> None:
    page = page_with(open_page, w_csv_gz=gzip.compress(WATTS.encode()))
    assert not page.error
    assert any("as soon as you open the log" in one.value for one in page.caption)
    assert page.session_state["log.desk"].opened is None


@pytest.mark.thorough
def test_a_sample_log_is_one_click_away(open_page: Open) -> None:
    page = settled(
        settled(press(open_page("importing", sample="two-by-two"), "Sample log: university"))
    )
    said = html(page)
    assert "jobs.txt.gz, of the sample log 'university'" in said
    assert "nodes.csv, of the sample log 'university'" in said
    assert "40 nodes of 5 types" in said
    found = page.session_state["log.desk"].answered
    assert found.system.machine_counts.sum() == 40
    assert found.system.idle_power.min() == 62
