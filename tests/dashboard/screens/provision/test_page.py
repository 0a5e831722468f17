"""The page What to buy in each of its states: what is missing, examples, an answer, one that is for
earlier settings, limits that clash, a stop.
"""

import json
from contextlib import nullcontext
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from books import zipped
from pages import (
    button,
    charts,
    failing,
    field,
    figures,
    html,
    opened,
    parameter,
    press,
    put,
    run,
    settled,
    spoken,
)
from plan_page import desk_of

from core.files.samples.named import load_sample
from core.shells.studies import StudySettings
from core.vocabulary.budget import Cancelled
from dashboard.screens.provision.answer import ProvisionAsked, searching
from dashboard.screens.provision.closer import VIEWS
from dashboard.screens.provision.desk import PlanDesk
from dashboard.screens.provision.examples import with_examples
from dashboard.screens.provision.inputs import OfferInput, PlanInputs
from dashboard.screens.provision.state import STATE, current
from dashboard.screens.provision.take_away import shopping_json, whole_counts
from dashboard.workspace.session import WORKSPACE
from dashboard.workspace.workspace import set_idle_fraction


def looked_at(page, view):
    return settled(put(page, "A closer look", view))


def test_a_plan_without_prices_says_what_it_needs(page):
    desk = desk_of(page)
    desk.fill(PlanInputs.of(page.session_state[WORKSPACE].system))
    desk.requested = desk.answered = None
    run(page)
    assert any("the price of 2 machine types" in said for said in spoken(page))
    assert not page.header
    assert button(page, "Find what to buy").disabled
    assert charts(page) == []


def test_examples_give_an_answer_and_are_marked_as_examples(filled):
    assert "Expected work: " in filled.header[0].value
    assert any("Examples, not your numbers: arrival rate" in said for said in spoken(filled))
    assert {"Cost", "Expected work", "A perfect forecast", "Planning for uncertainty"} <= set(
        figures(filled)
    )
    assert len(charts(filled)) == 3
    assert button(filled, "Find what to buy").disabled, "there is nothing new to find"


@pytest.mark.parametrize("sought", ["mean", "energy"])
def test_peaks_of_a_log_stand_beside_a_sale(open_page, sought):
    settings = {"provision_sought": sought, "provision_scenarios": 16}
    page = open_page("provision", sample="university", **settings)
    assert " left after the sale)" in html(settled(settled(page)))


def budget(page):
    return next(field for field in page.number_input if field.label.startswith("Budget"))


@pytest.mark.thorough
def test_an_answer_stays_until_it_is_asked_again(filled):
    before = filled.header[0].value
    budget(filled).set_value(budget(filled).value / 4)
    run(filled)
    assert filled.header[0].value == before
    assert any("This answer is for earlier settings" in said for said in spoken(filled))
    settled(press(filled, "Find what to buy"))
    assert filled.header[0].value != before
    assert not any("This answer is for earlier settings" in said for said in spoken(filled))
    assert not any("budget" in said for said in spoken(filled) if "Examples" in said)
    press(filled, "Undo")
    assert any("This answer is for earlier settings" in said for said in spoken(filled))


@pytest.mark.thorough
def test_money_and_the_power_cap_are_those_of_the_site(filled):
    """The currency is only a word, so an answer stays; a cap is a limit, so it is asked again."""
    desk, before = desk_of(filled), filled.header[0].value
    own = desk.inputs.limits.power
    put(filled, "Electricity (EUR per kWh)", 0.6)
    put(filled, "Currency", "CHF")
    assert budget(filled).label == "Budget (CHF)"
    assert filled.header[0].value == before.replace("EUR", "CHF")
    assert not any("This answer is for earlier settings" in said for said in spoken(filled))
    a_year = figures(filled)["Electricity a year"]
    put(filled, "Electricity (CHF per kWh)", 1.2)
    twice = figures(filled)["Electricity a year"]
    first, second = (float(said.split()[0].replace(",", "")) for said in (a_year, twice))
    assert second == pytest.approx(2 * first, rel=0.02)
    put(filled, "PUE", 2.0)
    put(filled, "Power cap (kW)", "5000 W")
    assert (own, desk.inputs.limits.power) == (None, 2500.0)
    assert "Power up to 2.5 kW" in html(filled)
    assert any("This answer is for earlier settings" in said for said in spoken(filled))
    put(filled, "Power cap (kW)", "")
    assert desk.inputs.limits.power is None
    assert "provision_power" not in filled.query_params


def test_limits_that_clash_are_named_with_what_each_has_to_give(open_page):
    page = open_page(
        "provision", sample="two-by-two", provision_scenarios=8, provision_min_machines=1000
    )
    settled(page)
    assert page.error[0].value == "No purchase keeps all limits of this plan:"
    assert "lower min_machines from 1,000 to " in html(page)
    assert "raise budget from " in html(page)
    assert charts(page) == []


def test_a_plan_with_a_fault_names_it(filled):
    desk = desk_of(filled)
    first, *others = desk.inputs.offers
    desk.fill(replace(desk.inputs, offers=(replace(first, resale=1e6), *others)))
    run(filled)
    assert filled.error[0].value == "This plan cannot be computed:"
    assert "a gain without end" in html(filled)


def test_a_limit_that_changes_nothing_is_a_warning(filled):
    desk = desk_of(filled)
    desk.inputs = replace(desk.inputs, limits=replace(desk.inputs.limits, failure_rate=1.0))
    run(filled)
    assert [one.value for one in filled.warning] == ["Not all of this plan counts:"]
    assert "since no machine type has a failure_rate" in html(filled)
    assert not filled.error


@pytest.mark.thorough
def test_a_closer_look_is_computed_when_it_is_chosen(filled):
    desk, computed = desk_of(filled), list[str]()
    options = field(filled, "A closer look").options
    assert "Kinds of operations" not in options
    for view in (view for view in VIEWS if view not in ("better", "kinds")):
        assert [*desk.closer] == computed
        looked_at(filled, view)
        computed.append("front reward power" if view == "front" else view)
        assert [*desk.closer] == computed
        more = {"spread": 2, "count": 2, "why": 0}
        assert len(charts(filled)) == 2 + more.get(view, 1)
        assert not filled.error


def test_a_region_without_an_end_says_what_would_give_it_one(page):
    free = {
        "machines.csv": PLAN["machines.csv"].replace("A,0,100,10,", "A,0,0,0,"),
        "apc.csv": "task_type,A,B\nx,100,50\ny,100,\n",
    }
    given(page, **free)
    looked_at(page, "front")
    said = [info.value for info in page.info]
    assert "All that is possible is not drawn, since it has no end:" in said
    assert "has no end; give max, or a price" in html(page)


@pytest.mark.thorough
def test_whole_machines_and_caution_are_said_wherever_they_hold_or_do_not(open_page):
    page = open_page("provision", sample="e1")
    put(page, "Scenarios", 8)
    settled(press(page, "Find what to buy"))
    assert figures(page)["Whole machines"].startswith("−0.1")
    assert "Worst 5 %" not in figures(page)
    put(page, "Weight of the worst 5 %", 50)
    settled(press(page, "Find what to buy"))
    assert parameter(page, "provision_caution") == "0.5"
    assert "Worst 5 %" in figures(page)
    assert page.code[0].value == "wattfront provision wattfront-e1-plan.zip --risk 0.5"
    looked_at(page, "budget")
    (said,) = (one for one in spoken(page) if "Machines are whole; only where" in one)
    assert (
        "The worst 5 % have a weight of 50 % in what is chosen; the reward is that of all." in said
    )


def test_a_clash_with_whole_machines_is_named(page):
    desk = desk_of(page)
    system = page.session_state[WORKSPACE].system
    half = f"bought({system.machine_names[0]}) = 0.5"
    desk.fill(replace(with_examples(system, desk.inputs), rules=(half,), whole=True))
    settled(press(run(page), "Find what to buy"))
    assert page.error[0].value == "No purchase keeps all limits of this plan:"
    assert "no purchase of whole machines keeps all limits; loosen the rule" in html(page)


def test_improvements_are_shares_of_the_rival_or_rewards(filled):
    assert " % more on average; it is better in " in html(filled)
    assert field(filled, "Improvement").options == ["% of the rival", "As it is"]
    put(filled, "Improvement", "reward")
    assert " node-hours an hour more on average; it is better in " in html(filled)


PLAN = {
    "machines.csv": "machine_type,count,price,resale,max\nA,0,100,10,\nB,3,50,,4\n",
    "tasks.csv": "task_type,reward,arrival_rate\nx,1,2\ny,2,1\n",
    "etc.csv": "task_type,A,B\nx,1,2\ny,1,\n",
    "plan.toml": """
[limits]
budget = 250
[spread.arrivals]
cov = "20 %"
[scenarios]
count = 8
""",
}


def given(page, **changed):
    """The page after a plan was opened."""
    return opened(page, "provision.plan", ("my plan.zip", zipped({**PLAN, **changed})))


def test_a_plan_file_fills_everything_and_undo_goes_back(page):
    page.session_state[WORKSPACE] = set_idle_fraction(page.session_state[WORKSPACE], 0.25)
    before = page.session_state[WORKSPACE].version.system
    given(page)
    now = page.session_state[WORKSPACE]
    assert now.system.machine_names == ("A", "B")
    assert now.title == "my plan.zip"
    assert now.idle.idle_power is None, "the plan says what idle machines draw"
    assert page.header[0].value.startswith("Buy ")
    desk = desk_of(page)
    assert desk.inputs.offers == (OfferInput(100, 10, 0), OfferInput(50, 0, 3, most=4))
    assert budget(page).value == 250
    press(page, "Undo")
    assert page.session_state[WORKSPACE].version.system == before


def test_the_provisioned_system_opens_on_trade_offs(filled):
    desk = desk_of(filled)
    counts = whole_counts(desk.answered.best.purchase)
    press(filled, "Open the provisioned system")
    assert filled.title[0].value == "Trade-offs"
    assert filled.session_state[WORKSPACE].version.system.machine_counts.tolist() == counts


def test_what_was_computed_about_an_answer_goes_with_it(found, certain):
    desk = PlanDesk("", found.asked.inputs, found.asked.inputs)
    desk.take(found)
    desk.closer["budget"] = "a sweep"
    fresh = replace(found, fresh={})
    desk.take(fresh)
    assert desk.closer, "it is the same answer, which says more"
    desk.take(certain)
    assert desk.closer == {}
    assert desk.is_current(certain.asked)
    assert not desk.is_done(certain.asked)


@pytest.mark.parametrize("aim", [{"caution": 0.25}, {"sought": "energy"}])
def test_a_study_file_keeps_the_plan(filled, monkeypatch, aim):
    desk = desk_of(filled)
    desk.inputs = replace(desk.inputs, whole=True, **aim)
    now = filled.session_state[WORKSPACE]
    kept_here = {"wattfront.provision": {desk.name: desk}, WORKSPACE: now}
    monkeypatch.setattr("streamlit.session_state", kept_here)
    kept = STATE.blocks(now.system)["provision"]
    of_file = PlanInputs.of_file(kept.file)
    assert of_file.limits == desk.inputs.limits
    assert of_file.demands == desk.inputs.demands
    assert [one.price for one in of_file.offers] == [one.price for one in desk.inputs.offers]
    STATE.restore(StudySettings("", blocks={"provision": kept}))
    desk.fill(PlanInputs.of(now.system))
    assert current(now.system) is desk
    assert desk.inputs == replace(of_file, whole=True, **aim)
    assert STATE.blocks(load_sample("nine")) == {}, "its plan was never open"


def test_sample_plans_are_there_at_once(open_page):
    page = settled(open_page("provision", sample="e1", provision_scenarios=8))
    assert page.header[0].value.startswith("Buy 3.5 machines for 3.4")
    assert "Arrivals ± by type, uniform" in html(page)
    assert not any("Examples" in said for said in spoken(page))


def test_a_stop_leaves_a_way_to_go_on(open_page, monkeypatch):
    monkeypatch.setattr("dashboard.screens.provision.answer.decided", failing(Cancelled))
    page = settled(open_page("provision", sample="two-by-two", provision_scenarios=8))
    assert page.info[0].value == "The search was stopped."
    assert button(page, "Go on")


@pytest.mark.thorough
def test_kinds_of_operations_are_chosen_by_error_and_their_errors_are_shown(filled):
    assert not any("Times are made of operations" in said for said in html(filled).split("<li>"))
    assert field(filled, "Model of the times").options[:3] == [
        "No operations",
        "Operations, kinds chosen by error",
        "1 kind of operations",
    ]
    put(filled, "Model of the times", "by error")
    settled(press(filled, "Find what to buy"))
    said = "chosen by error; on average, times are off by "
    assert any(said in caption.value for caption in filled.caption)
    assert f"Times are made of operations: 2 kinds, {said}" in html(filled)
    assert "Kinds of operations" in field(filled, "A closer look").options
    looked_at(filled, "kinds")
    assert "2 kinds of operations: the fewest with a mean error of at most 1 %." in html(filled)
    assert len(charts(filled)) == 3
    assert parameter(filled, "provision_operations") == "by error"
    put(filled, "Model of the times", 2)
    assert not any(said in caption.value for caption in filled.caption)


def test_each_type_says_why_this_and_why_not_that(filled):
    """Issue 35: a sentence for each machine type, with what is lost otherwise."""
    looked_at(filled, "why")
    said = html(filled)
    assert all(f"<li>{offer.name}: " in said for offer in desk_of(filled).answered.plan.offers)
    assert "to buy no other type loses " in said


def test_the_least_wait_is_an_objective_where_a_log_has_the_hours_of_work(open_page, filled):
    """Issue 35: what is sought where there are no rewards; a study keeps that it is."""
    assert field(filled, "Sought").disabled
    page = open_page("provision", sample="university", provision_scenarios=8)
    put(page, "Sought", "wait")
    settled(press(page, "Find what to buy"))
    assert "the queue of a Tuesday" in page.header[0].value
    assert "No purchase within the limits has a shorter longest queue (proven)." in html(page)
    assert "Longest queue" in figures(page)
    assert "Whole machines" in html(page)
    assert page.code[0].value == "wattfront provision wattfront-university-study.json --least-wait"
    assert parameter(page, "provision_sought") == "wait"
    answered = desk_of(page).for_goal
    assert json.loads(shopping_json(answered))["proven"]
    desk = desk_of(open_page("provision", sample="university", provision_least_wait="yes"))
    assert desk.inputs.of_week == "wait", "addresses of before are read"
    assert answered.purchase.buy.any()
    endless = replace(answered, answer=replace(answered.answer, found=None))
    assert not endless.purchase.buy.any()


def test_the_least_energy_is_an_objective_with_its_cost_at_the_site(open_page):
    """Issue 35: without rewards the objective is what an administrator has."""
    page = open_page("provision", sample="university", provision_sought="energy")
    settled(press(page, "Find what to buy"))
    found = desk_of(page).for_goal.answer.found
    assert found.energy < 0.9 * found.before
    assert "the energy of a week falls by " in page.header[0].value
    assert "By that, the purchase pays for itself in " in html(page)
    assert {"Energy a week", "Electricity a year", "Pays for itself in"} <= {*figures(page)}
    assert "The least energy" in html(page)
    said = "wattfront provision wattfront-university-study.json --least-energy"
    assert page.code[0].value == said


@pytest.mark.thorough
def test_tasks_count_by_their_work_until_rewards_are_wanted(filled):
    """Issue 35: without rewards, the objective is what an administrator has."""
    assert "node-hours an hour" in filled.header[0].value
    put(filled, "Tasks count by their work", False)
    assert any("still needs the reward of 2 task types" in said for said in spoken(filled))
    settled(press(filled, "Fill in examples"))
    settled(press(filled, "Find what to buy"))
    assert "Expected reward: " in filled.header[0].value


@pytest.mark.thorough
def test_the_first_answer_is_of_few_scenarios_and_says_so(page, monkeypatch):
    """Issue 35: every page's first answer is there within two seconds; it says what it is."""
    desk, system = desk_of(page), page.session_state[WORKSPACE].system
    inputs = replace(desk.inputs, scenarios=replace(desk.inputs.scenarios, count=256))
    shown = list[Any]()
    searching(system, ProvisionAsked(system.fingerprint, inputs))(shows(shown))
    assert [one.file.scenarios.count for one in shown] == [64, 256, 256]
    assert [one.fresh is None for one in shown] == [True, True, False]
    first = lambda *_: lambda job: job.show(shown[0])  # noqa: E731
    monkeypatch.setattr("dashboard.screens.provision.answer.searching", first)
    desk.put(inputs)
    desk.requested = None
    run(page)
    assert any("A first answer, from 64 of 256 scenarios" in said for said in spoken(page))
    desk.closer["better"] = 1
    desk.take(shown[2])
    assert desk.closer == {}, "what was computed of the first answer is not of this one"
    run(page)
    assert not any("A first answer" in said for said in spoken(page))


def shows(shown):
    """A job that keeps what it shows; it computes in this process."""

    def compute(task, report=None):
        del report
        return task.function(*task.given, **task.named)

    here = SimpleNamespace(compute=compute, begin=lambda _: None, show=shown.append)
    here.turn = lambda: nullcontext(here)
    return here
