"""Accounting logs are uploaded on the page Policies and replayed; what is wrong with them is said
with its place and remedy.
"""

import gzip
import re
from pathlib import Path

import pytest
from pages import Open, html, opened, parameter, press, put, run, settled, tell, turn
from streamlit.testing.v1 import AppTest

from core.capabilities.arrivals.asked import ArrivalsSettings
from core.capabilities.arrivals.made.from_logs import LogWork, LogWorkload
from core.engines.logs.reading.logs import read_logs
from core.engines.replay.classes import JobClass
from core.vocabulary.say.words import counted
from dashboard.screens.arrivals import log_work
from dashboard.screens.arrivals.state import STATE

DUMPS = Path(__file__).parents[3] / "engines" / "logs" / "dumps" / "real"
SWF = """\
; Version: 2.2
; Computer: Linux cluster
; Installation: a university
; MaxJobs: 5
; MaxNodes: 16
; MaxProcs: 64
; UnixStartTime: 1400000000
; TimeZoneString: Europe/Luxembourg
; Note: Jobs of one morning.
;
    1      0     12    600   16   -1   -1   16   3600   -1  1   1   1  -1   1  -1 -1 -1
    2     60      0    300   64   -1   -1   64    240   -1  1   1   1  -1   1  -1 -1 -1
    3     90      5      0    8   -1   -1    8   3600   -1  5   2   1  -1   1  -1 -1 -1
    4    120     30   1200   -1   -1   -1   24   3600   -1  1   2   1  -1   2  -1 -1 -1
    5    130     30     60  128   -1   -1  128   3600   -1  1   3   2  -1   2  -1 -1 -1
"""


@pytest.fixture
def page(open_page: Open) -> AppTest:
    return open_page("arrivals", sample="two-by-two", arrivals_policies="easy max-upr")


def with_logs(page: AppTest, *files: tuple[str, bytes]) -> AppTest:
    """The page when it has read the logs."""
    return opened(page, "arrivals.log", *files)


def settings_of(page: AppTest) -> ArrivalsSettings:
    found: ArrivalsSettings = page.session_state[STATE.settings]
    return found


def jobs_done(page: AppTest) -> list[str]:
    tables = [one.value for one in page.dataframe]
    found: list[str] = next(one["Jobs done"] for one in tables if "Jobs done" in one).tolist()
    return found


def test_an_swf_log_is_replayed(page: AppTest) -> None:
    with_logs(page, ("morning.swf.gz", gzip.compress(SWF.encode())))
    assert settings_of(page).workload == "own"
    assert page.warning[0].value == "The log was opened, with warnings:"
    shown = html(page)
    assert "1 job ran longer than asked for; the longer time is used" in shown
    assert "morning.swf.gz: 3 jobs on 64 cores, which draw nothing; so no energy budget" in shown
    assert "Energy budget" not in [one.label for one in page.select_slider]
    assert "line 13" in shown
    assert "has no time for which it ran; the job is left out" in shown
    assert (
        "has more cores than the 64 that there are; the job is left out; give more cores" in shown
    )
    workload = page.session_state[STATE.given_key].file.workload
    assert workload.jobs.arrival.tolist() == [0, 60, 120]
    assert workload.options.units.tolist() == [16, 64, 24]
    assert workload.options.seconds.tolist() == [3600, 300, 3600]
    settled(press(page, "Replay"))
    assert set(jobs_done(page)) == {"3"}
    assert "3 jobs within 2 min." in html(page)
    assert "There is no energy budget" in html(page)


@pytest.mark.thorough
def test_units_and_watts_are_chosen(page: AppTest) -> None:
    with_logs(page, ("morning.swf", SWF.encode()))
    first = settings_of(page).own
    page.number_input(key="arrivals.log.units").set_value(128)
    page.number_input(key="arrivals.log.watts").set_value(10.0)
    settled(settled(run(page)))
    workload = page.session_state[STATE.given_key].file.workload
    assert workload.pools.units.tolist() == [128]
    assert workload.options.watts.tolist() == [160, 640, 240, 1280]
    assert settings_of(page).own != first
    assert "morning.swf: 4 jobs on 128 cores, which draw 10 W each." in html(page)
    assert "Energy budget" in [one.label for one in page.select_slider]
    assert "has more cores" not in html(page)
    settled(press(page, "Replay"))
    assert "The workload: morning.swf, 4 jobs within 2 min 10 s." in html(page)
    assert re.search(r"Jobs may take [\d,.]+ \w+ for all of them, 70 % of", html(page))


@pytest.mark.thorough
def test_a_real_dump_of_sacct_is_replayed(page: AppTest) -> None:
    with_logs(page, ("parsable2.txt", (DUMPS / "parsable2.txt").read_bytes()))
    store = read_logs([DUMPS / "parsable2.txt"])
    ran = int((store.column("elapsed") > 0).sum())
    store.close()
    workload = page.session_state[STATE.given_key].file.workload
    assert len(workload.jobs) == ran > 20
    assert "as many as jobs had at once" in html(page)
    assert workload.options.watts.any()
    assert "Jobs draw what the log says" in html(page)
    units = counted(int(workload.pools.units[0]), "core")
    assert f"parsable2.txt: {ran} jobs on {units}." in html(page)
    settled(put(page, "arrivals.log.watts", 0.0))
    assert not page.session_state[STATE.given_key].file.workload.options.watts.any()
    settled(press(page, "Replay"))
    assert set(jobs_done(page)) == {str(ran)}
    page.selectbox(key="arrivals.log.unit").set_value("nodes")
    settled(settled(run(page)))
    assert page.session_state[STATE.given_key].file.workload.options.units.max() == 5
    assert page.session_state[STATE.asked_key].given is page.session_state[STATE.given_key], (
        "it begins anew"
    )


@pytest.mark.thorough
def test_several_logs_are_one_workload(page: AppTest) -> None:
    later = SWF.replace("1400000000", "1400003600")
    with_logs(page, ("a.swf", SWF.encode()), ("b.swf", later.encode()))
    given = page.session_state[STATE.given_key]
    assert given.name == "a.swf and 1 more"
    assert given.file.workload.jobs.arrival.tolist() == [0, 60, 120, 3600, 3660, 3720]


REQUEUED = b"""\
JobID|State|Submit|Start|ElapsedRaw|AllocCPUS|QOS
1|PREEMPTED|2024-03-04T08:00:00|2024-03-04T08:00:00|1800|4|low
1|COMPLETED|2024-03-04T08:30:00|2024-03-04T08:50:00|3600|4|low
2|COMPLETED|2024-03-04T08:10:00|2024-03-04T08:30:00|600|4|high
"""


def test_classes_of_the_jobs_of_a_log_are_typed(page: AppTest) -> None:
    """What cannot be of them is named at its place; what the log lost stands beside the rest."""
    with_logs(page, ("a.txt", REQUEUED))
    before = page.session_state[STATE.given_key]

    def told(*rows: dict[str, object]) -> AppTest:
        return settled(settled(tell(page, f"arrivals.classes {turn(page)}", added_rows=[*rows])))

    told({"qos": "low", "may_be_stopped": True}, {"qos": "l*"})
    assert "fits job 1 (line 3 of a.txt), as number 2 does; let one of the two fit it" in html(page)
    assert page.session_state[STATE.given_key] is before
    told({"worth": 3.0}, {"qos": "low"})
    assert '<td data-label="Row">number 2</td>' in html(page)
    assert "says nothing of its jobs" in html(page)
    told({"qos": "low", "may_be_stopped": True}, {"qos": "high", "may_stop_others": True}, {})
    made = page.session_state[STATE.given_key]
    assert made.digest != before.digest
    assert made.classes == (
        JobClass(qos="low", may_be_stopped=True),
        JobClass(qos="high", may_stop_others=True),
    )
    assert made.file.workload.jobs.rights.may_stop_others.tolist() == [False, True]
    assert (made.lost.attempts, made.lost.core_seconds) == (1, 7200)
    settled(press(page, "Replay"))
    settled(put(page, "A closer look at the day", "stopping"))
    costs = next(one.value for one in page.dataframe if "Urgent jobs wait" in one.value)
    assert costs.iloc[-1].tolist()[:3] == ["In the log itself", "1", "2"]
    classes = next(one.value for one in page.dataframe if "May be stopped" in one.value)
    assert classes["QOS"].tolist() == ["low", "high"]


CLASSES = b"qos,worth,may_stop,may_be_stopped\nlow,,,yes\nhigh,3,yes,\n"


def test_a_file_of_classes_is_the_table_of_the_log(page: AppTest) -> None:
    """One that clashes with the log is named by its row; one that is none changes nothing."""
    with_logs(page, ("a.txt", REQUEUED))
    opened(page, "arrivals.classes", ("c.csv", CLASSES))
    settled(page)
    assert "They are in the table “Classes of jobs” of this log." in html(page)
    made = page.session_state[STATE.given_key]
    assert [row.qos for row in made.classes] == ["low", "high"]
    assert made.file.workload.jobs.priority.tolist() == [1, 3]
    opened(page, "arrivals.classes", ("c.csv", b"qos,worth\nlow,soon\n"))
    assert page.error[0].value == "This file has no classes of jobs. Nothing has changed:"
    assert "line 2" in html(page)
    assert page.session_state[STATE.given_key] is made
    opened(page, "arrivals.classes", ("c.csv", b"qos,worth\nl*,2\nlow,3\n"))
    settled(page)
    assert "as number 1 does; let one of the two fit it" in html(page)


def test_classes_wait_for_the_next_log(page: AppTest) -> None:
    """They go before those of a workload that was there."""
    with_logs(page, ("a.txt", REQUEUED))
    settled(settled(tell(page, f"arrivals.classes {turn(page)}", added_rows=[{"qos": "low"}])))
    assert page.session_state[STATE.given_key].classes
    press(page, "Remove")
    opened(page, "arrivals.classes", ("c.csv", CLASSES))
    assert "They wait for the next log that is opened" in html(page)
    with_logs(page, ("b.txt", REQUEUED))
    assert [row.worth for row in page.session_state[STATE.given_key].classes] == [1, 3]
    with_logs(page, ("c.txt", REQUEUED.replace(b"low", b"slow")))
    assert [row.worth for row in page.session_state[STATE.given_key].classes] == [1, 3]


SIZES = b"size,cores,memory_gb,price\nsmall,8,16,0.4\nlarge,32,64,\n"


def test_jobs_of_a_log_run_in_the_sizes_of_a_file(page: AppTest) -> None:
    """The memory that the log does not say is asked for; choices of the law are those that count;
    sizes that are removed are gone.
    """
    opened(page, "arrivals.sizes", ("s.csv", SIZES))
    assert "They wait for the next log that is opened" in html(page)
    with_logs(page, ("a.swf", SWF.encode()))
    settled(page)
    assert "is not known of all jobs, so that of the cluster is not" in html(page)
    settled(put(page, "Memory in all (GB)", 48.0))
    assert "is 64, but the cluster has 48 GB; leave the size out" in html(page)
    settled(put(page, "Memory in all (GB)", 256.0))
    made = page.session_state[STATE.given_key]
    assert [row.name for row in made.sizes.rows] == ["small", "large"]
    assert made.file.workload.options.units.tolist() == [8, 32] * 3
    assert made.file.workload.options.further[:, 0].tolist() == [16, 64] * 3
    assert "where 95 % of the work runs on all cores at once" in html(page)
    before = made.digest
    settled(put(page, "Parallel share", 0.5))
    assert page.session_state[STATE.given_key].digest != before
    settled(put(page, "More cores speed up by", "downey"))
    assert "Downey's model (average parallelism 16, sigma 1)" in html(page)
    labels = [one.label for one in page.number_input]
    assert "Parallel share" not in labels
    assert {"Average parallelism", "Variation (sigma)"} <= {*labels}
    table = next(one.value for one in page.dataframe if "Price an hour" in one.value)
    assert table["Size"].tolist() == ["small", "large"]
    settled(press(page, "Replay"))
    ran = next(one.value for one in page.dataframe if "8 cores, 16 GB" in one.value.to_numpy())
    assert len(ran) <= 2
    opened(page, "arrivals.sizes", ("s.csv", b"size,cores\na,1\n"))
    assert page.error[0].value == "This file has no sizes. Nothing has changed:"
    settled(press(page, "Remove the sizes"))
    assert page.session_state[STATE.given_key].sizes.rows == ()
    assert page.session_state[STATE.given_key].file.workload.options.further is None


def test_lines_for_slurm_are_those_of_the_classes(open_page: Open) -> None:
    """An example without them; of others than one QOS or partition the page says why not."""
    page = open_page(
        "arrivals", sample="two-by-two", arrivals_policies="easy", arrivals_stop="tiers"
    )

    def said() -> list[str]:
        return [one.value for one in page.code if not one.value.startswith("wattfront ")]

    assert "PartitionName=urgent" in said()[0]
    with_logs(page, ("a.txt", REQUEUED))
    rows = [
        {"qos": "low", "may_be_stopped": True},
        {"qos": "high", "tier": 2, "may_stop_others": True},
        {"user": "<i>ada", "qos": "x", "may_be_stopped": True},
    ]
    settled(settled(tell(page, f"arrivals.classes {turn(page)}", added_rows=rows)))
    lines, commands = said()
    assert lines.startswith("PreemptType=preempt/qos\nPreemptMode=REQUEUE\n")
    assert commands.splitlines() == [
        "sacctmgr -i modify qos low set Priority=1 PreemptMode=REQUEUE",
        "sacctmgr -i modify qos high set Priority=3 Preempt=low",
    ]
    assert "Left out: qos=x and user=&lt;i&gt;ada." in html(page)
    settled(put(page, "arrivals.stops.mode", "CANCEL"))
    assert said()[1].splitlines()[0].endswith("PreemptMode=CANCEL")
    assert "does not run again" in html(page)
    settled(put(page, "What is kept", "all"))
    assert "PreemptMode=SUSPEND,GANG" in said()[0]
    settled(put(page, "Workload", "budget"))
    assert "PartitionName=urgent" in said()[0], "drawn work has no classes"


@pytest.mark.parametrize(
    ("name", "data", "place", "said"),
    [
        ("a.txt", b"what is this\n", "a.txt: ", "is not recognised; give "),
        ("a.txt", b"", "a.txt: ", "is empty; give a log with its rows"),
        ("a.txt", b"JobID|State\n1|COMPLETED\n", "a.txt: ", "has no column Elapsed; dump it again"),
        (
            "allocations-raw.txt",
            (DUMPS / "allocations-raw.txt").read_bytes(),
            "line 2",
            "dump the log with Submit and Start",
        ),
    ],
)
def test_a_log_that_gives_no_workload_changes_nothing(
    page: AppTest, name: str, data: bytes, place: str, said: str
) -> None:
    before = settings_of(page)
    with_logs(page, (name, data))
    assert page.error[0].value.endswith(("The log cannot be read:", "Nothing has changed:"))
    assert place in html(page)
    assert said in html(page)
    assert settings_of(page) == before


def test_without_files_the_log_is_forgotten_but_its_workload_stays(page: AppTest) -> None:
    with_logs(page, ("a.swf", SWF.encode()))
    press(page, "Remove")
    assert not page.warning
    assert settings_of(page).workload == "own"


def test_a_log_of_too_many_jobs_names_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.swf"
    path.write_text(SWF)
    store = read_logs([path])
    found = log_work.work_of_store(store.folder, LogWork(), "a.swf")
    assert isinstance(found, LogWorkload)
    monkeypatch.setattr(log_work, "MOST_ROWS", 4)
    refused = log_work.work_of_store(store.folder, LogWork(), "a.swf")
    assert not isinstance(refused, LogWorkload)
    assert str(refused[0]) == (
        "error: a.swf: has 5 jobs; this page takes 4 at most. Make a workload with wattfront "
        "generate-workload log, and replay it with wattfront replay"
    )
    store.close()


def test_the_workload_of_a_log_is_not_in_the_address(page: AppTest) -> None:
    with_logs(page, ("a.swf", SWF.encode()))
    assert "arrivals_workload" not in page.query_params
    assert parameter(page, "arrivals_policies") == "easy max-upr"
