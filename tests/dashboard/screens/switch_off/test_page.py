"""A system from a log is answered at once; without one, the page says what it needs."""

import json

import pytest
from log_stores import dump
from pages import (
    button,
    charts,
    field,
    html,
    opened,
    parameter,
    press,
    put,
    run,
    settled,
    visit,
)
from studied import as_file

from core import study as core_study
from core.capabilities.switch_off.advice import SHARES
from core.capabilities.switch_off.settings import SwitchOffSettings
from core.shells.told.told import ToldTable
from core.vocabulary.budget import Effort
from core.vocabulary.prices.site import Site
from core.vocabulary.without_work import USUAL_IDLE_SHARE, WithoutWork
from dashboard.parts.taking.take_away import settings_of
from dashboard.screens.switch_off.take_away import command_of, table_csv
from dashboard.workspace.answering import PolishSettings
from dashboard.workspace.session import WORKSPACE
from dashboard.workspace.workspace import Version, edit, undo

pytestmark = pytest.mark.usefixtures("computed_here")

LOG = dump(
    *[
        {
            "Partition": kind,
            "NodeList": f"{kind}[1-{nodes}]",
            "NNodes": nodes,
            "Start": f"2024-03-{day:02}T{hour:02}:00:00",
            "Elapsed": "05:00:00",
            "ConsumedEnergyRaw": 300 * nodes * 5 * 3600,
        }
        for day in range(1, 15)
        for kind, hour, nodes in (("cpu", 0, 1), ("cpu", 8, 6), ("cpu", 14, 3), ("gpu", 9, 2))
    ]
)


@pytest.fixture
def page(open_page):
    """The page of a system that was made from a log."""
    page = open_page("importing", sample="two-by-two")
    opened(page, "importing.log", ("jobs.txt", LOG.encode()))
    put(page, "import.step", "Go on")
    press(settled(page), "Use this system and go on to Trade-offs")
    return settled(visit(page, "switch_off"))


def test_without_a_log_the_page_says_how_to_get_one(open_page):
    page = open_page("switch_off", sample="nine")
    assert page.header[0].value == "Which nodes may sleep? The log of your jobs says it."
    words = "sacct --allusers --duplicates --parsable2 --starttime=now-30days"
    assert page.code[0].value.startswith(words)
    assert not page.metric
    assert not charts(page)
    assert press(page, "Open a log").file_uploader


def test_a_log_is_answered_when_the_page_opens(page):
    lead = page.header[0].value
    assert "nodes can sleep" in lead or lead.startswith("Leave")
    assert [one.label for one in page.metric] == [
        "Saved a year",
        "Worth a year",
        "Of the most possible",
        "Jobs that wait",
        "Asleep on average",
    ]
    assert len(charts(page)) == 2
    assert "Chosen by the first 6 d" in html(page)


def test_more_jobs_that_may_wait_let_more_nodes_sleep(page):
    put(page, "Jobs that may wait for a start", 1.0)
    assert page.header[0].value.startswith("8 of 8 nodes can sleep")
    assert parameter(page, "off_most_waits") == "1"
    _, lines = [one.value for one in page.code]
    assert "SuspendTime=" in lines
    assert "NodeName=cpu[1-6],gpu[1-2] Weight=10" in lines
    put(page, "A start takes (s)", 600.0)
    assert "ResumeTimeout=1200" in page.code[1].value
    assert "wait 10 min for a start" in page.header[0].value


def test_a_click_on_a_plan_takes_it(page):
    """Each point says its place among the shares."""
    figure = json.loads(charts(page)[0].proto.spec)
    drawn = figure["data"]
    named = [one for one in figure["layout"]["annotations"] if " half: " in one["text"]]
    upper, lower = sorted(named, key=lambda one: -one["y"])
    assert (upper["yanchor"], lower["yanchor"]) == ("bottom", "top")
    assert upper["font"] != lower["font"], "each has the colour of its line"
    places = [mark[0] for trace in drawn for mark in trace.get("customdata", ())]
    assert places == sorted({*places} & {*range(len(SHARES))})
    assert len(places) > 2


def test_idle_power_above_the_page_goes_before(page):
    now = page.session_state[WORKSPACE]
    assert now.idle == WithoutWork(USUAL_IDLE_SHARE), "the log says nothing of it"
    page.session_state[WORKSPACE] = type(now)(now.version)
    run(page)
    assert "Idle power, where unknown (share)" in [one.label for one in page.number_input]
    put(page, "Jobs that may wait for a start", 1.0)
    before = page.metric[0].value
    page.session_state[WORKSPACE] = type(now)(now.version, idle=WithoutWork(0.9))
    run(page)
    assert "Idle power, where unknown (share)" not in [one.label for one in page.number_input]
    assert page.metric[0].value != before


def test_what_is_saved_is_worth_what_the_site_says(page):
    put(page, "Jobs that may wait for a start", 1.0)
    before = page.metric[1].value
    now = page.session_state[WORKSPACE]
    page.session_state[WORKSPACE] = type(now)(now.version, site=Site(3.0, currency="CHF"))
    run(page)
    assert before.endswith("EUR")
    assert page.metric[1].value.endswith("CHF")


def test_a_study_file_brings_the_log_and_the_settings_back(page, open_page):
    """Issue 35: in another session, without the log."""
    put(page, "Jobs that may wait for a start", 1.0)
    before, now = page.header[0].value, page.session_state[WORKSPACE]
    view = {name: text for name, text in page.query_params.items() if name.startswith("off_")}
    asked = settings_of(now, PolishSettings(0.2, 0.0), {}, view)
    study = as_file(core_study(now.system, effort=Effort(0)), asked)
    again = open_page("importing", sample="two-by-two")
    opened(again, "importing.file", ("study.json", study))
    visit(again, "switch_off")
    assert again.header[0].value == before
    assert again.query_params["off_most_waits"] == view["off_most_waits"] == "1"
    assert again.session_state[WORKSPACE].version.seen.node_use is not None


def test_each_type_has_its_week(page):
    names = page.session_state[WORKSPACE].version.seen.node_use.names
    assert field(page, "Machine type").options == [*names]
    put(page, "Machine type", names.index("gpu"))
    assert "of 2 nodes busy" in charts(page)[1].proto.spec


def test_the_use_of_nodes_stays_with_the_system(page):
    """Also after an edit, and after undo and redo."""
    now = page.session_state[WORKSPACE]
    use = now.version.seen.node_use
    system = now.version.system
    fewer = Version(system.with_counts(system.task_counts * 2, system.machine_counts), None)  # type: ignore[arg-type]
    edited = edit(now, fewer.tables)
    assert edited.version.system != system
    assert edited.version.seen.node_use is use
    assert undo(edited).version.seen.node_use is use
    assert edited.version.fingerprint != now.version.fingerprint
    assert undo(now).version.seen.node_use is None


def test_a_system_without_the_types_of_the_log_asks_for_one(page):
    now = page.session_state[WORKSPACE]
    version = Version(undo(now).version.system, now.version.origin, seen=now.version.seen)
    page.session_state[WORKSPACE] = type(now)(version)
    run(page)
    assert not page.metric
    assert button(page, "Open a log")


def test_an_empty_field_keeps_its_value(page):
    put(page, "A sleeping node draws (W)", None)
    assert field(page, "A sleeping node draws (W)").value in (None, 10.0)
    assert page.metric


def test_the_answer_can_be_taken_away(page):
    put(page, "A start takes (s)", 240.0)
    assert (
        page.code[0].value == "wattfront switch-off jobs.txt --start-seconds 240 --idle-power 0.3"
    )
    labels = [one.label for one in page.get("download_button")]
    assert labels == [
        "By machine type (CSV)",
        "More or fewer jobs that wait (CSV)",
        "All numbers (JSON)",
    ]


def test_tables_are_files_that_no_spreadsheet_runs():
    table = ToldTable.of_columns("t", {"Machine type": ["=1+1"], "Nodes": ["2"]})
    assert table_csv(table) == b"Machine type,Nodes\n'=1+1,2\n"
    asked = SwitchOffSettings(0.05, asleep_watts=15.0)
    said = "wattfront switch-off jobs.txt --most-waits 0.05 --asleep-watts 15 --idle-power 0.3"
    assert command_of(asked, WithoutWork(0.3, 20.0)) == said
