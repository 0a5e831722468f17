"""The page Policies in each of its states: nothing asked, an answer, one that is for earlier
settings, several days, a stop, and no policy.
"""

import json
from dataclasses import replace
from unittest.mock import Mock

import pytest
from pages import (
    Open,
    button,
    charts,
    field,
    figures,
    html,
    kept,
    opened,
    parameter,
    press,
    put,
    run,
    settled,
    spoken,
)
from streamlit.testing.v1 import AppTest

from core.capabilities.arrivals.asked import ArrivalsSettings, GivenWorkload
from core.capabilities.arrivals.question import ReplayQuestion, TrialPart
from core.capabilities.arrivals.study_block import AskedArrivals, read, written
from core.capabilities.arrivals.trials import ReplayComparison
from core.files.findings import Findings
from core.files.strict_json import Fields
from core.shells.studies import StudySettings
from core.vocabulary.budget import Cancelled
from core.vocabulary.say.words import Sense, share
from dashboard.parts.replays import replaying
from dashboard.screens.arrivals.state import STATE
from dashboard.workspace.session import WORKSPACE
from dashboard.workspace.workspace import begin

KEPT = STATE.settings, STATE.asked_key, STATE.answered
QUICK = {"arrivals_jobs": 100, "arrivals_policies": "max-upr max-upe"}


def replayed(page: AppTest) -> AppTest:
    """The page with an answer, however long kernels compile before it."""
    settled(press(page, "Replay"))
    while any(one.label == "Stop" for one in page.button):
        settled(page)
    return page


def test_a_day_whose_jobs_draw_nothing_has_no_energy_budget(open_page: Open) -> None:
    def labels(workload: str) -> list[str]:
        page = open_page("arrivals", sample="two-by-two", **QUICK, arrivals_workload=workload)
        return [one.label for one in page.select_slider]

    assert "Energy budget" in labels("budget")
    assert "Energy budget" not in labels("urgent")


@pytest.fixture
def page(open_page: Open) -> AppTest:
    return open_page("arrivals", sample="two-by-two", **QUICK)


@pytest.fixture
def answered(page: AppTest) -> AppTest:
    return replayed(page)


def test_replays_begin_by_themselves_when_the_page_opens(page: AppTest, open_page: Open) -> None:
    assert "earns most: " in settled(page).header[0].value
    page = open_page("arrivals", sample="two-by-two", arrivals_jobs=2_001, arrivals_days=2)
    assert page.session_state[STATE.asked_key].settings.jobs == 2_001
    assert not button(page, "Replay").disabled


def test_the_page_opens_on_the_work_and_the_machines_of_the_system(open_page: Open) -> None:
    """Issue 35: types are kept, and another system has its own day."""
    page = open_page("arrivals", sample="two-by-two")
    first = page.session_state[STATE.given_key]
    assert first.name == "Jobs by hour on two-by-two"
    assert page.session_state[STATE.asked_key].given is first
    page.session_state[WORKSPACE] = begin("testbed")
    run(page)
    other = page.session_state[STATE.given_key]
    assert other.name == "Jobs by hour on testbed"
    assert page.session_state[STATE.asked_key].given is other
    assert len(other.file.workload.pools) == 4
    assert page.session_state[STATE.settings].own == other.digest
    put(page, "Workload", "budget")
    page.session_state[WORKSPACE] = begin("nine")
    assert parameter(run(page), "arrivals_workload") == "budget", "what is chosen stays"


def test_an_address_opens_on_the_work_that_was_seen(open_page: Open) -> None:
    """A budget in the address had put a drawn day in the place of the work of the system."""
    page = open_page("arrivals", sample="two-by-two", arrivals_budget="none")
    assert page.session_state[STATE.asked_key].given.name == "Jobs by hour on two-by-two"
    assert "arrivals_workload" not in page.query_params
    page = open_page("arrivals", sample="two-by-two", arrivals_workload="budget", **QUICK)
    assert page.session_state[STATE.asked_key].given is None
    assert parameter(page, "arrivals_workload") == "budget"


def test_policies_are_replayed_and_ranked(answered: AppTest) -> None:
    assert "earns most: " in answered.header[0].value
    assert {"Worth", "Possible at most", "Energy", "Jobs done", "Mean time to the end"} <= set(
        figures(answered)
    )
    assert "of what is possible at most" in answered.header[0].value
    assert f"earns most: {figures(answered)['Worth']} of what" in answered.header[0].value
    assert float(figures(answered)["Possible at most"].replace(",", "")) > 100
    table = answered.dataframe[0].value
    assert table.columns[-1] == "Replayed in"
    assert sorted(table["Policy"]) == [
        "Most worth per core-second",
        "Most worth per kWh",
    ]
    assert answered.header[0].value.startswith(table["Policy"].iloc[0])
    assert len(charts(answered)) >= 1
    assert "±" not in table["Worth"].iloc[0], "one day has no interval"


def test_an_answer_stays_until_it_is_asked_again(answered: AppTest) -> None:
    before = answered.header[0].value
    put(answered, "Energy budget", 0.4)
    assert parameter(answered, "arrivals_budget") == "0.4"
    assert answered.header[0].value == before
    assert any("This answer is for earlier settings" in said for said in spoken(answered))
    replayed(answered)
    assert not any("This answer is for earlier settings" in said for said in spoken(answered))


@pytest.mark.thorough
def test_several_days_have_intervals(open_page: Open) -> None:
    page = open_page("arrivals", sample="two-by-two", **QUICK, arrivals_days=3)
    replayed(page)
    table = page.dataframe[0].value
    assert all("±" in said for said in table["Worth"])


def test_without_a_policy_there_is_nothing_to_replay(open_page: Open) -> None:
    page = open_page("arrivals", sample="two-by-two", arrivals_policies="none")
    assert button(page, "Replay").disabled


@pytest.mark.thorough
def test_a_stop_keeps_what_is_there_and_goes_on(
    page: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    settled(page)  # or the replays that began by themselves would count
    real, asked = replaying.replayed_day, list[TrialPart]()

    def stopped(question: ReplayQuestion, part: TrialPart) -> object:
        if not question.is_unlimited(part):
            asked.append(part)
        if len(asked) == 2:
            raise Cancelled
        return real(question, part)

    monkeypatch.setattr(replaying, "replayed_day", stopped)
    replayed(page)
    assert any("The replays were stopped" in said for said in spoken(page))
    assert len(page.dataframe[0].value) == 1
    settled(press(page, "Go on"))
    assert len(page.dataframe[0].value) == 2
    assert len(asked) == 3, "what was there is not computed again"


def test_a_budget_between_the_steps_of_the_slider_is_one_of_them(open_page: Open) -> None:
    page = open_page("arrivals", sample="two-by-two", **QUICK, arrivals_budget="0.73")
    slider = field(page, "Energy budget")
    assert slider.value == 0.73
    at = slider.options.index("73 %")
    assert (slider.options[at - 1], slider.options[at + 1]) == ("70 %", "75 %")
    assert (slider.options[0], slider.options[-1]) == ("40 %", "None")


def test_the_time_that_the_bound_takes_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fifth was done in 4 s, so it takes 20 s."""
    job, began = Mock(), 100.0
    monkeypatch.setattr(replaying.time, "monotonic", lambda: 104.0)
    tell = replaying.telling_share(job, began)
    tell(0.0)
    assert not job.begin.called, "nothing is known yet"
    tell(0.2)
    job.begin.assert_called_once_with("Proving what is possible", 20.0, 4.0)


def test_the_page_hears_how_far_the_bound_is(
    page: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[float] = []
    monkeypatch.setattr(replaying, "telling_share", lambda *_: told.append)
    replayed(page)
    assert len(told) > 10
    assert 0.4 < max(told) <= 1


JOBS = "job,arrival,seconds,units\n" + "\n".join(f"j{k},{60 * k},300,1" for k in range(9))


def given(page: AppTest, name: str, data: bytes) -> AppTest:
    """The page after a workload was opened."""
    return opened(page, "arrivals.workload", (name, data))


def test_a_workload_of_your_own_is_replayed(page: AppTest) -> None:
    given(page, "my jobs.csv", JOBS.encode())
    assert page.session_state[STATE.settings].workload == "own"
    replayed(page)
    assert set(page.dataframe[0].value["Jobs done"]) == {"9"}
    assert any("9 jobs" in said for said in [html(page)])


def test_a_file_is_kept_in_a_study_alone(page: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also before it is replayed; a day that is drawn of the study is none."""
    assert kept(page) == "In this address"
    assert kept(run(given(page, "my jobs.csv", JOBS.encode()))) == "Not saved"
    names = (STATE.settings, STATE.given_key, WORKSPACE)
    here = {name: page.session_state[name] for name in names}
    monkeypatch.setattr("streamlit.session_state", here)
    block = STATE.blocks(here[WORKSPACE].system)["arrivals"]
    assert isinstance(block, AskedArrivals)
    assert block.given is here[STATE.given_key]
    assert STATE.own() == block.given.digest
    here[STATE.given_key] = replace(block.given, of_study=True)
    assert STATE.own() == ""
    here[STATE.given_key] = block.given
    STATE.change(workload="budget")
    assert (STATE.own(), STATE.blocks(here[WORKSPACE].system)) == ("", {})


def test_a_study_file_keeps_the_question_and_its_figures(
    answered: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = {name: answered.session_state[name] for name in (*KEPT, WORKSPACE)}
    monkeypatch.setattr("streamlit.session_state", here)
    system = here[WORKSPACE].system
    block = STATE.blocks(system)["arrivals"]
    assert isinstance(block, AskedArrivals)
    assert (block.settings.jobs, block.settings.policies) == (100, ("max-upr", "max-upe"))
    assert isinstance(block.found, ReplayComparison)
    assert block.found.common == [0]
    table = answered.dataframe[0].value
    best = "max-upr" if "UPR" in table["Policy"].iloc[0] else "max-upe"
    shown = share(block.found.share(best).mean, Sense.PLAIN)
    assert shown == table["Of what is possible"].iloc[0]
    assert block.found.refused == []
    here[STATE.settings] = ArrivalsSettings()
    STATE.restore(StudySettings("", blocks={"arrivals": block}))
    assert STATE.current() == block.settings
    assert STATE.blocks(system) == {}, "nothing was replayed since"
    here[STATE.given_key] = GivenWorkload("mine", "1", Mock())
    STATE.restore(StudySettings(""))
    assert (STATE.given(), STATE.current().own) == (None, ""), "it was of the study before"


@pytest.mark.thorough
def test_a_study_file_keeps_a_workload_of_your_own(
    page: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    replayed(given(page, "my jobs.csv", JOBS.encode()))
    here = {name: page.session_state[name] for name in (*KEPT, STATE.given_key)}
    here[WORKSPACE] = page.session_state[WORKSPACE]
    monkeypatch.setattr("streamlit.session_state", here)
    kept = STATE.blocks(here[WORKSPACE].system)["arrivals"]
    findings = Findings()
    content = json.loads(json.dumps(written(kept)))
    again = read(Fields(content, "s.json", findings), None)
    assert not findings.failed
    del here[STATE.given_key]
    STATE.restore(StudySettings("", blocks={"arrivals": again}))
    mine = here[STATE.given_key]
    assert (STATE.current().workload, STATE.current().own) == ("own", mine.digest)
    assert len(mine.file.workload.jobs) == 9
    STATE.ask()
    assert here[STATE.asked_key].given is mine


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("view", "said", "tables"),
    [
        ("arrivals", QUICK, 1),
        ("late", {"late_workload": "uncertain", "late_methods": "greedy-min"}, 2),
    ],
)
def test_an_outcome_that_the_judge_refuses_is_said(
    open_page: Open,
    monkeypatch: pytest.MonkeyPatch,
    view: str,
    said: dict[str, object],
    tables: int,
) -> None:
    real = replaying.replayed_day

    def refused(question: ReplayQuestion, part: TrialPart) -> object:
        one, record = real(question, part)
        return one._replace(verified=False), record

    monkeypatch.setattr(replaying, "replayed_day", refused)
    page = replayed(open_page(view, sample="two-by-two", **said))
    assert not page.exception
    assert page.error[0].value.startswith("An independent check disagrees")
    assert len(page.dataframe) == tables, "one method has nobody beside it"


@pytest.mark.thorough
def test_the_testbed_is_replayed(open_page: Open) -> None:
    page = open_page("arrivals", sample="two-by-two", **QUICK, arrivals_workload="testbed")
    replayed(page)
    assert len(page.dataframe[0].value) == 2
    assert parameter(page, "arrivals_workload") == "testbed"
