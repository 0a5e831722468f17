"""The day of the study is drawn as its work arrives, and drawn anew when that changes."""

import json
from dataclasses import replace

import numpy as np
import pytest
from pages import Open, button, html, opened, parameter, press, put, run, settled, spoken, visit
from streamlit.testing.v1 import AppTest
from trade_offs_page import report

from core import System, study
from core.capabilities.arrivals.asked import GivenWorkload
from core.capabilities.arrivals.made.system_work import HourlyWork
from core.files.samples.named import load_sample
from core.vocabulary.arrivals import HourlyArrivals
from core.vocabulary.kinds import MachineType, TaskType
from dashboard.parts.replays.state import OF_STUDY
from dashboard.parts.taking.take_away import QUICK, settings_of, study_bytes
from dashboard.screens.arrivals import own_day
from dashboard.screens.arrivals.own_day import made_day, why_no_day
from dashboard.screens.arrivals.state import STATE
from dashboard.workspace import session
from dashboard.workspace.session import WORKSPACE

TWO = load_sample("two-by-two")
JOBS = b"job,arrival,seconds,units\nj,0,300,1\n"
ASKED = {"arrivals_policies": "max-upr", "arrivals_budget": "none"}


def test_a_pattern_becomes_a_workload() -> None:
    rates = tuple((0.0, 100.0 * (hour == 9)) for hour in range(24))
    made, other = (
        made_day(TWO, HourlyWork(rates, fades=7200.0, seed=seed), "two-by-two") for seed in (7, 8)
    )
    assert isinstance(made, GivenWorkload)
    assert isinstance(other, GivenWorkload)
    jobs = made.file.workload.jobs
    assert (jobs.arrival // 3600 == 9).all()
    assert (made.name, made.file.workload.pools.units.sum()) == ("Jobs by hour on two-by-two", 2)
    assert other.digest != made.digest


def all_day(*rates: float) -> HourlyWork:
    return HourlyWork((rates,) * 24)


def test_each_refusal_says_what_to_change(monkeypatch: pytest.MonkeyPatch) -> None:
    assert why_no_day(TWO, all_day(1.0, 0.0)) == ""
    assert "No task arrives. Type on Work" in why_no_day(TWO, all_day(0.0, 0.0))
    monkeypatch.setattr(own_day, "MOST_JOBS", 48)
    assert why_no_day(TWO, all_day(1.0, 1.0)) == ""
    assert "More than 48 tasks arrive a day" in why_no_day(TWO, all_day(1.0, 1.01))
    types, machines = (TaskType("a", 1), TaskType("b", 0)), (MachineType("x"), MachineType("y", 0))
    one = System(types, machines, [[1.0, 2.0], [np.inf, 3.0]])
    assert why_no_day(one, all_day(1.0, 0.0)) == ""
    assert "runs b. Give it a machine on Machines" in why_no_day(one, all_day(1.0, 1.0))
    said = made_day(TWO, all_day(1e-9, 0.0), "two")
    assert isinstance(said, str)
    assert "By chance no task arrives. Take another seed" in said


@pytest.fixture
def page(open_page: Open) -> AppTest:
    return open_page("arrivals", sample="two-by-two", **ASKED)


def typed(page: AppTest, rate: float) -> AppTest:
    """The page after a person typed on Work how many tasks of each type come in an hour."""
    now = page.session_state[WORKSPACE]
    names = now.system.task_names
    said = HourlyArrivals(names, np.full((24, len(names)), rate), 0.0)
    version = replace(now.version, seen=replace(now.version.seen, arrivals=said), edited=True)
    page.session_state[WORKSPACE] = replace(now, version=version)
    return settled(run(page))


def jobs_of(page: AppTest) -> int:
    return len(page.session_state[STATE.given_key].file.workload.jobs)


def test_a_day_is_drawn_anew_with_what_is_typed_of_it(page: AppTest, open_page: Open) -> None:
    before = page.session_state[STATE.given_key]
    put(page, "Worth falls to 0 in (h)", 3.0)
    made = settled(page).session_state[STATE.given_key]
    assert [piece.begin for piece in made.file.workload.curves.pieces[0]] == [0, 3 * 3600]
    assert page.session_state[STATE.asked_key].given is made, "it is replayed at once"
    assert page.dataframe[0].value["Jobs done"].tolist() == [str(len(made.file.workload.jobs))]
    put(page, "arrivals.day.seed 0", 2)
    other = page.session_state[STATE.given_key]
    assert len({one.digest for one in (before, made, other)}) == 3
    there = {name: parameter(page, name) for name in ("arrivals_day_fades", "arrivals_day_seed")}
    assert there == {"arrivals_day_fades": "3", "arrivals_day_seed": "2"}
    link = open_page("arrivals", sample="two-by-two", **ASKED, **there)
    assert link.session_state[STATE.given_key].digest == other.digest, "whoever opens it sees this"


def test_the_day_comes_back_after_another_workload(page: AppTest) -> None:
    own = page.session_state[STATE.given_key]
    opened(page, "arrivals.workload", ("mine.csv", JOBS))
    assert page.session_state[STATE.given_key].name == "mine.csv"
    assert jobs_of(typed(page, 2.0)) == 1, "Work says nothing of a workload that was opened"
    typed(page, 0.0)
    assert button(page, "Replay this day").disabled
    typed(page, 2.0)
    settled(press(page, "Replay this day"))
    assert page.session_state[STATE.given_key].name == f"{own.name} (edited)"


REFUSED = "The day of this study cannot be replayed. Until it can, "


def refused(page: AppTest) -> list[str]:
    return [one.removeprefix(REFUSED) for one in spoken(page) if one.startswith(REFUSED)]


def test_what_stands_in_for_a_day_is_said_until_there_is_one(open_page: Open) -> None:
    page = typed(open_page("arrivals", sample="two-by-two", arrivals_policies="none"), 0.0)
    assert page.session_state[STATE.settings].workload == "budget"
    assert refused(page) == ["the page has a drawn day, which is not yours."]
    assert "No task arrives. Type on Work how many do." in html(page)
    assert "arrivals_workload" not in page.query_params, "a reload would say it again"
    typed(page, 5.0)
    assert page.session_state[STATE.settings].workload == "own"
    assert refused(page) == []
    typed(page, 0.0)
    put(page, "Workload", "testbed")
    assert refused(page) == [], "another workload was chosen"
    assert parameter(page, "arrivals_workload") == "testbed"
    typed(page, 6.0)
    assert page.session_state[STATE.settings].workload == "testbed"


@pytest.mark.thorough
def test_the_day_does_not_take_the_place_of_work_that_was_chosen_after_it_was_refused(
    page: AppTest,
) -> None:
    typed(page, 0.0)
    put(put(page, "Workload", "testbed"), "Workload", "budget")
    assert refused(page) == [], "that is what a person chose"
    assert parameter(page, "arrivals_workload") == "budget"
    typed(page, 5.0)
    assert page.session_state[STATE.settings].workload == "budget"


@pytest.mark.thorough
def test_the_day_does_not_take_the_place_of_drawn_work_that_an_address_says(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(own_day, "MOST_JOBS", 0)
        page = open_page("arrivals", sample="two-by-two", **ASKED)
        assert refused(page), "there never was a day"
    page.query_params["arrivals_workload"] = "budget"
    with monkeypatch.context() as patch:
        patch.setattr(session, "went_back", lambda: True)
        run(page)
    assert refused(page) == []
    typed(page, 5.0)
    assert page.session_state[STATE.settings].workload == "budget"


def test_whoever_opens_an_address_with_drawn_work_that_stands_in_is_told(
    page: AppTest, open_page: Open
) -> None:
    put(typed(page, 0.0), "Jobs a day", 200)
    assert refused(page), "drawn work stands in"
    said = {name: parameter(page, name) for name in page.query_params}
    assert said["arrivals_workload"] == OF_STUDY, "200 jobs a day alone would mean a drawn day"
    link = open_page("arrivals", **said | ASKED)
    assert refused(link) == ["the page has a drawn day, which is not yours."]
    here, there = (one.session_state[STATE.settings] for one in (page, link))
    assert (replace(here, own=""), here.jobs) == (there, 200), (
        "who opens a link sees the same numbers"
    )
    typed(link, 5.0)
    assert link.session_state[STATE.settings].workload == "own", "and the day of the study then"


def test_a_link_to_the_own_day_has_what_changes_its_numbers(page: AppTest, open_page: Open) -> None:
    page.session_state[STATE.settings] = replace(page.session_state[STATE.settings], seed=7, days=3)
    run(page)
    said = {name: parameter(page, name) for name in page.query_params}
    assert (said["arrivals_seed"], said["arrivals_workload"]) == ("7", OF_STUDY)
    assert "arrivals_days" not in said, "the day of the study is the same on each"
    link = open_page("arrivals", **said)
    assert link.session_state[STATE.asked_key].settings.seed == 7
    assert link.session_state[STATE.given_key].digest == page.session_state[STATE.given_key].digest


def test_a_day_that_by_chance_has_no_job_leaves_what_was_opened(page: AppTest) -> None:
    opened(page, "arrivals.workload", ("mine.csv", JOBS))
    press(typed(page, 1e-9), "Replay this day")
    assert refused(page) == ["the workload that you chose stays."]
    assert "Take another seed in Your day" in html(page)
    assert jobs_of(page) == 1
    opened(page, "arrivals.workload", ("other.csv", JOBS.replace(b"300", b"60")))
    assert refused(page) == []
    assert page.session_state[STATE.given_key].name == "other.csv"


@pytest.mark.parametrize("name", ["mine.csv", ""])
def test_an_opened_study_follows_work_unless_it_has_a_workload_of_a_file(
    page: AppTest, open_page: Open, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    settled(put(page, "arrivals.day.seed 0", 7))
    if name:
        settled(opened(page, "arrivals.workload", (name, JOBS)))
    kept = page.session_state[STATE.given_key]
    now = page.session_state[WORKSPACE]
    with monkeypatch.context() as patch:
        patch.setattr("streamlit.session_state", page.session_state)
        settings = settings_of(now, QUICK, STATE.blocks(now.system))
        settings = replace(settings, view=STATE.view(now.system))
    data = study_bytes(study(now.system, method="bound"), None, settings).decode()
    there = open_page("studies", sample="e1")
    report(there, "wattfront.shelf", opened={"name": "mine", "file": data, "at": 1})
    visit(there, "arrivals")
    again = there.session_state[STATE.given_key]
    assert again.file.workload.jobs.arrival.tolist() == kept.file.workload.jobs.arrival.tolist()
    follows = typed(there, 20.0).session_state[STATE.given_key]
    assert (follows is again) == bool(name)
    assert (jobs_of(there) > 500) == (not name)
    assert any("does not follow Work" in one.value for one in there.caption) == bool(name)


def test_a_day_in_a_study_file_of_before_stays_as_it_is_and_that_is_said(
    page: AppTest, open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Issue 35, 4: until 0.2.0 a day was kept without the mark `of_study`. It may be from a file
    just as well, so it is not drawn anew: its numbers are those with which it was saved.
    """
    settled(put(page, "arrivals.day.seed 0", 7))
    kept, now = page.session_state[STATE.given_key], page.session_state[WORKSPACE]
    with monkeypatch.context() as patch:
        patch.setattr("streamlit.session_state", page.session_state)
        settings = settings_of(now, QUICK, STATE.blocks(now.system))
    document = json.loads(study_bytes(study(now.system, method="bound"), None, settings))
    assert document["settings"]["arrivals"]["own"].pop("of_study") is True
    there = open_page("studies", sample="e1")
    file = json.dumps(document)
    report(there, "wattfront.shelf", opened={"name": "mine", "file": file, "at": 1})
    visit(there, "arrivals")
    again = there.session_state[STATE.given_key]
    assert again.file.workload.jobs.arrival.tolist() == kept.file.workload.jobs.arrival.tolist()
    assert typed(there, 20.0).session_state[STATE.given_key] is again
    assert any("does not follow Work" in one.value for one in there.caption)
    settled(press(there, "Replay this day"))
    assert jobs_of(there) > 500
    assert not any("does not follow Work" in one.value for one in there.caption)
