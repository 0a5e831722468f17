"""What holds of every page, or of all that have it: an address makes the round trip, a file that is
refused loses nothing, and what fails is told in words. What is special to a page is in its tests.
"""

from typing import Any

import pytest
import tasks
from books import zipped
from capabilities.centre.files.centre_files import USUAL as CENTRE
from capabilities.provision.plan_files import FILES as PLAN
from examples import thorough
from pages import Open, failing, html, opened, parameter, press, settled, visit
from shares_page import BAGS
from streamlit.testing.v1 import AppTest

from core.engines.compute.task import Lost
from core.engines.logs.reading.store import Stopped
from core.engines.relaxed import SolverFailed
from core.engines.verify.verdict import Verdict
from core.vocabulary.problems import Problem
from dashboard.parts.frame.handed import FilePlace
from dashboard.server import computing
from dashboard.server.processes import WORKERS
from dashboard.workspace.session import WORKSPACE
from dashboard.workspace.workspace import set_idle_fraction

# Settings of each page that are not the usual ones, as the page itself writes them.
ADDRESSES: dict[str, dict[str, str]] = {
    "trade_offs": {
        "axis": "money",
        "price": "0.5",
        "currency": "CHF",
        "spacing": "0.05",
        "polish": "0",
        "show": "vertices corners",
    },
    "profit": {
        "profit_ratio": "1.5",
        "cap_kw": "0.3",
        "currency": "CHF",
        "profit_depreciation": "2:0.5",
        "profit_deadline": "6000",
        "day_tariff": "3:0.1 9:0.4",
        "profit_over": "power-cap",
        "profit_show": "part start",
    },
    "provision": {
        "provision_budget": "9",
        "provision_scenarios": "8",
        "provision_whole": "no",
        "provision_caution": "0.25",
    },
    "arrivals": {
        "arrivals_workload": "budget",
        "arrivals_jobs": "100",
        "arrivals_policies": "max-upr max-upe",
        "arrivals_budget": "none",
        "arrivals_seed": "7",
        "arrivals_filter": "task",
    },
    "late": {
        "late_workload": "uncertain",
        "late_days": "2",
        "late_methods": "greedy-min",
        "late_errors": "high",
    },
    "fair_shares": {
        "shares_cells": "r0:600 t1:50 d2:1500000 m3:4 l3:none b0:500000000",
        "shares_bandwidth": "80",
        "shares_begins": "32400",
        "shares_stretch": "3",
    },
    "what_if": {"what_if_view": "map", "sweep": "idle:0:100:50 machines.1:0:2:1"},
    "centre": {
        "centre_centre": "parasol",
        "centre_minimise": "excess",
        "centre_most_late": "0.1",
        "centre_most_cost": "3",
        "centre_seconds": "0",
        "centre_methods": "none",
        "centre_beside": "yes",
        "centre_plan": "as-usual",
    },
    "switch_off": {"off_most_waits": "0.05", "off_start_seconds": "240", "off_asleep_watts": "15"},
    "schedule": {"machines_at": "2.1", "machines_tasks": "2", "machines_order": "finish"},
}


FEW_JOBS = {"arrivals_workload": "budget", "arrivals_jobs": "100", "arrivals_policies": "max-upr"}


@pytest.mark.parametrize("view", ADDRESSES)
def test_an_address_makes_the_round_trip(open_page: Open, view: str) -> None:
    """Also when it is written anew, since another part of it was changed on another page."""
    asked = ADDRESSES[view]
    page = settled(open_page(view, sample="two-by-two", **asked))
    assert {name: parameter(page, name) for name in asked} == asked
    visit(page, "importing")
    page.session_state[WORKSPACE] = set_idle_fraction(page.session_state[WORKSPACE], 0.25)
    settled(visit(page, view))
    page.query_params.pop("chosen", None)
    assert page.query_params == {"sample": "two-by-two", "idle": "0.25", **asked}
    assert not page.warning


def at_stake(page: AppTest) -> dict[str, Any]:
    """What a person has given on the pages; of desks, their inputs."""
    found: dict[str, Any] = {}
    for name, value in page.session_state.items():
        if name.startswith("wattfront.") and not name.endswith(".answered"):
            desks = value.values() if isinstance(value, dict) else ()
            found[name] = [getattr(desk, "inputs", desk) for desk in desks] or value
    return found


BROKEN_CENTRE = zipped({**CENTRE, "servers.csv": "kind,count\ncpu,0\n"})
BROKEN_BAGS = zipped({**BAGS, "network.toml": "bandwith = 5\n"})
BROKEN_PLAN = zipped({**PLAN, "plan.toml": "[limits]\nbudgets = 3\n"})
# Files that a page refuses: where they are dropped, and what is said.
REFUSED: list[tuple[str, FilePlace, bytes, str, str]] = [
    ("provision", "provision.plan", BROKEN_PLAN, "This file is no plan. Nothing has", "budget"),
    (
        "arrivals",
        "arrivals.workload",
        b"job,arrival,seconds,units\nj,60,-300,1\n",
        "This file is no workload. Nothing has changed:",
        "give more than 0 s",
    ),
    (
        "fair_shares",
        "fair_shares.bags",
        BROKEN_BAGS,
        "This file has no valid bags. Nothing has changed:",
        "did you mean bandwidth?",
    ),
    (
        "centre",
        "centre.file",
        BROKEN_CENTRE,
        "This file is no day of a centre. Nothing has changed:",
        "busy_watts",
    ),
    (
        "centre",
        "centre.curve",
        b"time,carbon\n2026-08-01T00:00Z,much\n",
        "This file has no curve that can be used. Nothing has changed:",
        "much",
    ),
    (
        "what_if",
        "what_if.file",
        b'{"format": "wattfront-system"}',
        "The file could not be opened. Nothing has changed:",
        "not a document of the format",
    ),
]


@pytest.mark.parametrize(("view", "place", "data", "error", "said"), REFUSED)
def test_a_file_that_is_refused_is_told_and_loses_nothing(
    open_page: Open, view: str, place: FilePlace, data: bytes, error: str, said: str
) -> None:
    few = {"centre_centre": "parasol", "centre_seconds": 0, "provision_scenarios": 8, **FEW_JOBS}
    page = settled(open_page(view, sample="two-by-two", **few))
    before = at_stake(page)
    opened(page, place, ("<b>mine</b>", data))
    assert page.error[0].value.startswith(error)
    assert said in html(page)
    assert "<b>mine" not in html(page)
    assert at_stake(page) == before


RUNS = "task,machine,seconds\n" + "".join(
    f"{task},{machine},{seconds}\n"
    for task, machine, seconds in (("a", "x", 100), ("a", "y", 50), ("b", "x", 20))
    for _ in range(10)
)
SWF = "; MaxProcs: 64\n; UnixStartTime: 1400000000\n" + "".join(
    f"{k} {10 * k} 0 60 8 -1 -1 8 3600 -1 1 1 1 -1 1 -1 -1 -1\n" for k in range(1, 4)
)
NO_JOB = "JobID|JobName|State|Start|End|NodeList|ConsumedEnergyRaw\n1|job|CD|1|2|n|\n"
# Where logs are opened: the place, what reads them, a log, and what is said of it.
LOGS: dict[str, tuple[FilePlace, str, str, str]] = {
    "importing": ("importing.log", "importing.log_answer.read_log_files", RUNS, "30 runs"),
    "schedule": (
        "schedule.log",
        "schedule.happened_panel.read_happened",
        NO_JOB,
        "has no job of this schedule that started",
    ),
    "arrivals": (
        "arrivals.log",
        "arrivals.log_work.read_log_files",
        SWF,
        "3 jobs on 64 cores",
    ),
}


def with_log(open_page: Open, view: str) -> AppTest:
    """The page after a log was opened."""
    place, _, log, _ = LOGS[view]
    page = open_page(view, sample="two-by-two", **FEW_JOBS)
    return opened(page, place, ("jobs.txt", log.encode()))


@pytest.mark.parametrize(
    ("view", "failure"),
    [
        *(("importing", Stopped), ("schedule", Lost), ("arrivals", Lost)),
        *(
            thorough("importing", Lost),
            thorough("schedule", Stopped),
            thorough("arrivals", Stopped),
        ),
    ],
)
def test_reading_that_was_stopped_or_lost_can_begin_again(
    open_page: Open, monkeypatch: pytest.MonkeyPatch, view: str, failure: type[Exception]
) -> None:
    _, reader, _, said = LOGS[view]
    with monkeypatch.context() as patched:
        patched.setattr(f"dashboard.screens.{reader}", failing(failure))
        page = with_log(open_page, view)
    if failure is Stopped:
        assert any("Reading was stopped" in info.value for info in page.info)
    else:
        assert page.error[0].value.startswith("The computation ended unexpectedly.")
    assert said not in html(page)
    settled(settled(press(page, "Read the log")))
    assert said in html(page)


def asked_of(open_page: Open, view: str, idle: float) -> AppTest:
    """The page of a system that no other test asks for."""
    return settled(open_page(view, sample="two-by-two", idle=idle))


@pytest.mark.parametrize(
    ("view", "solver"),
    [
        ("trade_offs", "dashboard.workspace.answering.study"),
        ("schedule", "dashboard.workspace.answering.study"),
        ("profit", "core.capabilities.profit.earn.most_profit"),
    ],
)
def test_a_solver_that_gives_up_is_reported_without_a_traceback(
    open_page: Open, monkeypatch: pytest.MonkeyPatch, view: str, solver: str
) -> None:
    monkeypatch.setattr(solver, failing(SolverFailed("the range of times may be too wide")))
    page = asked_of(open_page, view, 0.371)
    assert "gave up" in page.error[0].value
    assert page.text[0].value == "the range of times may be too wide"


def test_a_schedule_that_fails_its_check_is_not_called_verified(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    def faulty(*_: object) -> Verdict:
        problem = Problem("schedule", "M #1", "count", "3 tasks are missing")
        return Verdict((problem,), (), 1, 1, 1.0, None, 1.0, 0.0, 0.0)

    monkeypatch.setattr("core.verify", faulty)
    page = asked_of(open_page, "schedule", 0.372)
    assert "Do not use it" in page.error[0].value
    assert any("3 tasks are missing" in text.value for text in page.text)


@pytest.mark.parametrize(
    ("view", "computation"),
    [
        ("trade_offs", "dashboard.workspace.answering.study"),
        thorough("profit", "dashboard.screens.profit.polish.earn"),
    ],
)
def test_a_computation_that_dies_is_said_and_can_be_gone_on_with(
    open_page: Open, monkeypatch: pytest.MonkeyPatch, view: str, computation: str
) -> None:
    monkeypatch.setattr(computing, "WORKERS", WORKERS)
    with monkeypatch.context() as deadly:
        deadly.setattr(computation, tasks.die_of_anything)
        page = asked_of(open_page, view, 0.373)
        assert "ended unexpectedly" in page.error[0].value
        assert "Sorry" not in page.error[0].value
        if view == "profit":
            assert page.header[0].value, "the first answer stays"
    settled(press(page, "Go on"))
    assert not page.error
    assert any("polished" in caption.value for caption in page.caption)


@pytest.mark.parametrize(
    ("view", "command"),
    [("provision", "provision"), ("arrivals", "replay"), ("fair_shares", "fair-shares")],
)
def test_a_system_without_powers_has_a_report_and_a_study_file(
    open_page: Open, view: str, command: str
) -> None:
    quick = {"arrivals_jobs": 100, "arrivals_policies": "max-upr", "provision_scenarios": 8}
    page = settled(open_page(view, sample="e1", **quick))
    if view == "arrivals":
        settled(press(page, "Replay"))
    labels = {one.label for one in page.get("download_button")}
    assert {"Report (HTML)", "Study file (JSON)"} <= labels
    assert any(f"wattfront {command} study.json" in one.value for one in page.code)
