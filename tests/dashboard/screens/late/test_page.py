"""The page Late and uncertain plans the tasks of the system in force, and drawn bags if asked."""

from dataclasses import replace

import numpy as np
import pytest
from pages import (
    Open,
    button,
    charts,
    field,
    figures,
    html,
    parameter,
    press,
    put,
    run,
    settled,
    spoken,
)
from streamlit.testing.v1 import AppTest

from core.capabilities.arrivals.asked import ArrivalsSettings, GivenWorkload
from core.capabilities.arrivals.question import TrialPart
from core.files.samples.named import load_sample
from core.shells.studies import StudySettings
from core.shells.studies.seen import seen_in_sample
from core.vocabulary.arrivals import HourlyArrivals
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.say.words import Sense, amount
from core.vocabulary.system import System
from dashboard.parts.replays import replaying
from dashboard.parts.replays.rates import rates_of
from dashboard.parts.replays.state import ReplayState
from dashboard.screens.late.own_tasks import MOST_TASKS, own_tasks
from dashboard.screens.late.state import STATE
from dashboard.workspace.session import WORKSPACE
from dashboard.workspace.workspace import begin


def replayed(page: AppTest) -> AppTest:
    """The page with an answer, however long kernels compile before it."""
    settled(press(page, "Replay"))
    while any(one.label == "Stop" for one in page.button):
        settled(page)
    return page


def refused(page: AppTest) -> list[str]:
    return [one for one in spoken(page) if one.startswith("A day of your own tasks")]


def test_own_tasks_are_those_of_a_day_of_the_log_without_an_end() -> None:
    system, known = load_sample("university"), seen_in_sample("university").arrivals
    assert known is not None
    made = own_tasks(system, rates_of(system, known), "high", 3)
    assert isinstance(made, GivenWorkload)
    file = made.file
    assert len(file.workload.jobs) == pytest.approx(known.of(system).sum(), rel=0.3)
    assert np.isinf(file.workload.horizon.end)
    assert 0.2 < file.truth.time.mean() < 0.5, "errors are 67 % on average"
    exact = own_tasks(system, rates_of(system, known), "none", 3)
    assert isinstance(exact, GivenWorkload)
    assert exact.file.truth.time.min() == 1.0


def test_each_refusal_says_what_to_change() -> None:
    """Issue 35, 3."""
    two, e1 = load_sample("two-by-two"), load_sample("e1")
    for system, tasks, why in (
        (
            e1,
            48,
            "The system has no powers, and all methods here plan the energy, too. Type powers",
        ),
        (two, 0, "No task arrives. Type on Work how many do."),
        (two, MOST_TASKS, ""),
        (two, MOST_TASKS + 1, "More than 1,000 tasks arrive a day, the most that are replayed"),
        (two, 1e-9, "By chance no task arrives. Take another seed, or type more on Work."),
    ):
        made = own_tasks(system, np.full((24, 2), tasks / 48), "medium", 1)
        assert (made if isinstance(made, str) else "").startswith(why)
        assert isinstance(made, str) == bool(why)
    stuck = System(
        (TaskType("a"), TaskType("b", 0)), (MachineType("x", 1), MachineType("y", 0)),
        [[1.0, 1.0], [np.inf, 1.0]], [[1.0, 1.0], [np.nan, 1.0]],
    )  # fmt: skip
    said = own_tasks(stuck, np.ones((24, 2)), "medium", 1)
    assert isinstance(said, str)
    assert "runs b. Give it a machine on Machines" in said


def test_the_usual_tasks_of_one_fast_type_are_replayed(monkeypatch: pytest.MonkeyPatch) -> None:
    """41.667 an hour were rounded to 41.7, which are 1,000.8 a day: too many by rounding alone."""
    monkeypatch.setattr("dashboard.parts.replays.rates._USUAL_JOBS", 1_000.0)
    system = System((TaskType("T"),), (MachineType("M", 9),), np.ones((1, 1)), np.ones((1, 1)))
    assert isinstance(own_tasks(system, rates_of(system, None), "medium", 1), GivenWorkload)


def test_own_tasks_that_cannot_be_made_are_never_those_of_another_system(open_page: Open) -> None:
    """Chosen once more, they had the system of before, or ended the page."""
    page = settled(open_page("late", sample="two-by-two", late_methods="greedy-min"))
    page.session_state[WORKSPACE] = begin("e1")
    for _ in range(2):
        assert settled(run(page)).session_state[STATE.settings].workload == "uncertain"
        assert len(refused(page)) == 1, "the page says so"
        put(page, "Tasks", "tasks")
        settled(press(page, "Replay"))
        assert page.session_state[STATE.asked_key].given is None
    assert not page.exception


def test_the_same_arrivals_have_the_same_tasks(open_page: Open) -> None:
    page, made = open_page("late", sample="two-by-two", late_methods="greedy-min"), []
    for rate in (5.0, 5.0, 6.0):
        now = page.session_state[WORKSPACE]
        said = HourlyArrivals(now.system.task_names, np.full((24, 2), rate), 0.0)
        version = replace(now.version, seen=replace(now.version.seen, arrivals=said))
        page.session_state[WORKSPACE] = replace(now, version=version)
        made.append(run(page).session_state[STATE.given_key])
    assert made[0] is made[1] is not made[2]
    page.session_state[STATE.given_key] = replace(made[0], digest="as a study file had them")
    assert run(page).session_state[STATE.given_key].digest == made[2].digest


def test_an_address_with_a_seed_is_still_of_own_tasks(open_page: Open) -> None:
    page = open_page("late", sample="two-by-two", late_methods="greedy-min", late_seed=3)
    assert page.session_state[STATE.asked_key].settings.workload == "tasks"
    assert not any("earlier settings" in one.value for one in settled(page).caption)


def test_the_page_opens_on_the_tasks_of_the_system(open_page: Open) -> None:
    page = open_page("late", sample="two-by-two", late_methods="greedy-min offline-maxmin")
    first = page.session_state[STATE.given_key]
    assert page.session_state[STATE.asked_key].given is first
    assert "under each of 2 methods" in settled(page).header[0].value
    assert "not your tasks" not in html(page)
    put(page, "Errors of estimates", "high")
    other = page.session_state[STATE.given_key]
    assert other.digest != first.digest
    assert page.session_state[STATE.asked_key].given is other, "it is replayed at once"
    page.session_state[WORKSPACE] = begin("testbed")
    run(page)
    assert len(page.session_state[STATE.given_key].file.workload.pools) == 4
    page.session_state[WORKSPACE] = begin("e1")
    run(page)
    assert refused(page) == [
        "A day of your own tasks cannot be planned. Until it can, the page has drawn bags."
    ]
    assert "The system has no powers" in html(page)
    assert "not your tasks" in html(page)
    page.session_state[WORKSPACE] = begin("testbed")
    assert refused(run(page)) == [], "as soon as they can be planned, they are"
    assert len(page.session_state[STATE.given_key].file.workload.pools) == 4


@pytest.mark.parametrize("bags", [1, 3, 10])
def test_a_link_while_drawn_bags_stand_in_shows_the_same(open_page: Open, bags: int) -> None:
    page = open_page("late", sample="e1", late_methods="greedy-min")
    assert page.session_state[STATE.settings].days == 10
    put(page, "Bags", bags)
    said = {name: parameter(page, name) for name in page.query_params}
    link = open_page("late", **said)
    assert link.session_state[STATE.settings] == page.session_state[STATE.settings]
    assert bool(refused(link)) == (bags > 1), "ten bags stand in, unless the address says one"


def test_a_study_file_keeps_what_is_asked(open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = {"late_errors": "high", "late_methods": "greedy-min"}
    page = settled(open_page("late", sample="two-by-two", **asked))
    names = STATE.settings, STATE.asked_key, STATE.given_key, WORKSPACE
    here = {name: page.session_state[name] for name in names}
    monkeypatch.setattr("streamlit.session_state", here)
    assert STATE.view(here[WORKSPACE].system) == asked
    kept = STATE.blocks(here[WORKSPACE].system)["late"]
    asked_for = here[STATE.asked_key].settings
    STATE.begin(asked, here[WORKSPACE])
    assert STATE.current() == asked_for, "who comes back sees an answer for the present settings"
    STATE.restore(StudySettings("", view={"late_errors": "low"}))
    assert STATE.current().errors == "low"
    for name in ("late", "arrivals"):  # files had one block for both pages
        STATE.change(errors="low")
        STATE.restore(StudySettings("", blocks={name: kept}))
        assert STATE.current().errors == "high"
    policies = ReplayState("arrivals", ArrivalsSettings(workload="own"), "budget")
    policies.restore(StudySettings("", blocks={"arrivals": kept}))
    assert policies.current().workload == "own", "what is asked there is not of Policies"


@pytest.mark.thorough
def test_bags_with_uncertain_times_show_what_was_expected_and_what_happened(
    open_page: Open,
) -> None:
    said = {"late_workload": "uncertain", "late_days": 2, "late_errors": "high"}
    page = replayed(open_page("late", sample="two-by-two", **said))
    assert page.header[0].value.startswith("Bags end first under the method ")
    assert len(charts(page)) == 2
    table, beside, methods = (one.value for one in page.dataframe)
    assert len(table) == len(beside) == len(methods) == 9
    assert {"Makespan", "Energy", "Jobs done", "Mean time to the end"} <= set(figures(page))
    assert methods.columns[-1] == "Replayed in"
    assert all("±" in cell for cell in beside["Less energy than the worst"])
    assert (beside["More makespan than the best"] == "–").sum() == 1
    assert all("±" in cell for cell in table["Actual makespan"])
    assert all(cell.startswith("−") for cell in table["Difference of makespan"])
    assert all(cell.startswith("at most ") for cell in table["Makespan above the bound"])
    assert " above the lower bound. It expected" in page.header[0].value


def test_many_bags_are_chosen_with_the_workload(open_page: Open) -> None:
    page = put(open_page("late", sample="two-by-two"), "Tasks", "uncertain")
    assert parameter(page, "late_days") == "10"
    assert '<em class="wf-sample">Sample</em>' in html(page)


@pytest.mark.thorough
def test_methods_and_the_exchange_rate_are_chosen(open_page: Open) -> None:
    said = {"late_workload": "uncertain", "late_days": 2, "late_seed": 4}
    page = open_page("late", sample="two-by-two", **said)
    put(page, "Methods", ["weighed", "batch-maxmin"])
    rate = next(one for one in page.select_slider if one.label.startswith("Exchange rate"))
    assert rate.value is None
    rate.set_value(10_000.0)
    run(page)
    assert parameter(page, "late_methods") == "weighed batch-maxmin"
    assert parameter(page, "late_exchange") == "10000"
    replayed(page)
    settings = page.session_state[STATE.settings]
    table = page.dataframe[0].value
    assert table["Method"].tolist() == ["weighed", "batch MaxMin"]
    parts = [TrialPart(bag, "weighed") for bag in range(2)]
    bags = [replaying.replayed(settings.question(None), part)[0] for part in parts]
    hours = [one.score.makespan / 3600 for one in bags]
    assert table.loc[0, "Actual makespan"].startswith(amount(sum(hours) / 2, Sense.PLAIN))
    put(page, "Methods", ["batch-maxmin"])
    assert not any(one.label.startswith("Exchange rate") for one in page.select_slider)
    put(page, "Methods", [])
    assert button(page, "Replay").disabled


def test_the_first_bag_is_drawn_and_taken_away(open_page: Open) -> None:
    said = {"late_workload": "uncertain", "late_methods": "greedy-min weighed"}
    page = replayed(open_page("late", sample="two-by-two", **said))
    assert len(page.dataframe) == 3
    before = charts(page)[-1].proto.spec
    assert field(page, "Method").options == ["weighed", "greedy Min"]
    assert field(page, "Method").value == "weighed", "it ends first"
    put(page, "Method", "greedy-min")
    assert charts(page)[-1].proto.spec != before
    assert parameter(page, "late_look_policy") == "greedy-min"
    labels = {one.label for one in page.get("download_button")}
    assert {
        "Figures by method and bag (CSV)",
        "Jobs (CSV)",
        "Workload (ZIP of CSV tables)",
    } <= labels
    assert any(one.value.endswith("--policy greedy-min --policy weighed") for one in page.code)
