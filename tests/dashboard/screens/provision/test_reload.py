"""A reload brings the plan back: the address has the small settings, and the server the tables."""

from dataclasses import replace

import numpy as np
import pytest
from pages import failing, html, parameter, press, run, settled, spoken, tell
from plan_page import desk_of

from core import solve
from core.capabilities.provision.futures.uncertainty import Variation
from core.vocabulary.budget import Cancelled
from core.vocabulary.kinds import MachineType
from core.vocabulary.system import System
from dashboard.screens.provision.examples import with_examples
from dashboard.screens.provision.inputs import LimitInputs, PlanInputs
from dashboard.screens.provision.state import KeptPlan, plan_shelf
from dashboard.workspace.chosen import Chosen
from dashboard.workspace.session import CHOSEN, WORKSPACE
from dashboard.workspace.workspace import choose, set_market


@pytest.fixture(autouse=True)
def unanswered(monkeypatch):
    """No plan is answered: the address says what was asked."""
    monkeypatch.setattr("dashboard.screens.provision.answer.decided", failing(Cancelled))


def again(open_page, page, **changed):
    """The address of a page, opened in another session."""
    said = {name: parameter(page, name) for name in page.query_params}
    return open_page("provision", **(said | changed))


def test_a_reload_keeps_the_plan(open_page):
    """Issue 33, point 22: prices, rewards, rates and limits of an own plan, and its examples."""
    page = settled(open_page("provision", sample="two-by-two"))
    desk = desk_of(page)
    first = replace(desk.inputs.offers[0], price=77.0, most=3.0, resale=None)
    desk.fill(
        replace(
            desk.inputs,
            offers=(first, *desk.inputs.offers[1:]),
            rules=("bought(M1) <= 4",),
            spread=replace(desk.inputs.spread, times=Variation(0, "empirical", (1.0, 3.0))),
        )
    )
    run(page)
    other = desk_of(again(open_page, page))
    assert other.inputs == desk.inputs
    assert other.inputs.examples == desk.inputs.examples
    assert other.usual == desk.usual
    assert again(open_page, page).query_params == page.query_params


def test_a_reload_keeps_what_was_taken_out_of_a_plan_file(open_page):
    page = open_page("provision", sample="nine")
    press(page, "nine")
    desk = desk_of(page)
    assert desk.usual.limits.power is not None or desk.usual.limits.most_machines is not None
    desk.fill(replace(desk.inputs, limits=LimitInputs(desk.inputs.limits.budget)))
    run(page)
    other = desk_of(again(open_page, page))
    assert (other.inputs, other.usual) == (desk.inputs, desk.usual)
    more = desk_of(again(open_page, page, provision_budget="123"))
    assert more.inputs.limits.budget == 123


def test_a_plan_that_is_gone_is_said_to_be(open_page):
    page = open_page("provision", sample="two-by-two", provision_plan="0" * 24)
    assert any("the server no longer has the plan of this address" in one for one in _notes(page))
    system = page.session_state["wattfront.workspace"].system
    assert desk_of(page).inputs == with_examples(system, PlanInputs.of(system))


def test_a_plan_of_other_types_is_left_alone(open_page):
    page = settled(open_page("provision", sample="two-by-two"))
    other = again(open_page, page, sample="nine", kept="")
    assert len(desk_of(other).inputs.offers) == 9


def test_what_an_address_says_alone_needs_no_key(open_page):
    page = open_page("provision", sample="two-by-two", provision_budget="9")
    assert "provision_plan" not in page.query_params
    assert "provision_plan" not in settled(open_page("provision", sample="e1")).query_params


def test_equal_plans_have_one_key(types):
    blank = PlanInputs.of(types)
    shelf = plan_shelf()
    one, same = KeptPlan("a", blank, blank), KeptPlan("a", replace(blank), blank)
    marked = KeptPlan("a", replace(blank, examples=frozenset({"price", "budget"})), blank)
    assert shelf.put(one) == shelf.put(same) != shelf.put(marked)
    assert shelf.get(shelf.put(marked)) == marked


def _notes(page):
    return [*spoken(page), html(page)]


def system_of(page):
    return page.session_state[WORKSPACE].version.system


def with_machines(page, origin, *added):
    """The plan once machine types were added that are as the first one."""
    workspace = page.session_state[WORKSPACE]
    before, like = workspace.system, [0] * len(added)
    more = System(
        before.task_types,
        (*before.machine_types, *(MachineType(name) for name in added)),
        np.hstack([before.etc, before.etc[:, like]]),
        np.hstack([before.apc, before.apc[:, like]]),
    )
    version = replace(workspace.version, system=more, origin=origin, edited=True)
    page.session_state[WORKSPACE] = choose(workspace, version)
    run(page)
    return desk_of(page)


def typed(page, **rows):
    """The page after cells of the table of machines were typed, by machine type."""
    names = page.session_state[WORKSPACE].system.machine_names
    cells = {names.index(name): edits for name, edits in rows.items()}
    return run(tell(page, desk_of(page).key("machines"), edited_rows=cells))


def market(page):
    """What the study says of buying and selling its machines, by machine type."""
    types = page.session_state[WORKSPACE].version.system.machine_types
    return {one.name: (one.price, one.resale, one.failures_a_year) for one in types}


def test_what_is_typed_here_is_that_of_the_study_until_undo(open_page):
    """Issue 35: prices and failures of machines are typed once, so every page and file has them."""
    page = settled(open_page("provision", sample="two-by-two"))
    desk, blank = desk_of(page), (None, None, None)
    example, turn = desk.inputs, desk.turn
    page.session_state[CHOSEN] = Chosen.of(solve(system_of(page)).schedule, "picked")
    run(page)
    typed(page, A={"price": 500.0, "failure_rate": 0.001})
    assert market(page) == {"A": (500.0, None, 8.76), "B": blank}
    assert desk.inputs.offers[0].price == 500
    assert desk.inputs.offers[0].resale is None, "that of an example goes with it"
    assert desk.inputs.offers[1] == example.offers[1]
    assert "price" in desk.inputs.examples, "that of the other type still is one"
    assert desk.turn == turn, "the editor stays as it is"
    typed(page, A={"price": 500.0, "failure_rate": 0.001, "resale": 600.0})
    assert market(page)["A"] == (500.0, None, 8.76), "a resale above the price is not taken"
    assert page.session_state[WORKSPACE].version.draft is None
    assert page.error[0].value == "This plan cannot be computed:"
    typed(page, A={"price": 700.0, "failure_rate": 0.001, "resale": 600.0, "most": 5})
    assert market(page)["A"] == (700.0, 600.0, 8.76)
    other = again(open_page, page).session_state
    assert other[WORKSPACE].system == other[CHOSEN].schedule.system == system_of(page)
    for _ in range(2):
        press(page, "Undo")
    assert market(page)["A"] == (500.0, None, 8.76)
    press(page, "Undo")
    assert (market(page)["A"], desk.inputs, desk.past) == (blank, example, [])
    assert not page.session_state[WORKSPACE].version.edited
    assert page.session_state[CHOSEN].fingerprint_of_system == system_of(page).fingerprint


def test_undo_takes_back_no_more_than_what_was_typed_here(open_page):
    """Issue 35: the cluster was edited elsewhere meanwhile; that stays."""
    page = typed(open_page("provision", sample="two-by-two"), A={"price": 500.0})
    now = page.session_state[WORKSPACE]
    page.session_state[WORKSPACE] = set_market(now, {"B": {"price": 9.0}})
    press(run(page), "Undo")
    assert market(page) == {"A": (None, None, None), "B": (9.0, None, None)}
    assert desk_of(page).inputs.offers[1].price == 9


def test_a_cleared_price_is_that_of_the_sample_plan_again(open_page):
    page = open_page("provision", sample="e1")
    before = desk_of(page).inputs
    name = system_of(page).machine_names[0]
    typed(page, **{name: {"price": 77.0}})
    assert market(page)[name] == (77.0, None, None)
    assert desk_of(page).inputs.offers[0] == replace(before.offers[0], price=77.0)
    fresh = open_page("provision", kept=parameter(page, "kept"))
    assert desk_of(fresh).inputs.offers[0].price == 77, "the study has it, also without the plan"
    typed(page, **{name: {"price": None}})
    assert desk_of(page).inputs == before
    press(press(page, "Undo"), "Undo")
    assert desk_of(page).inputs == before


def test_prices_stay_when_machine_types_are_added(open_page):
    """Issue 35: those of other systems differ."""
    page = open_page("provision", sample="two-by-two")
    origin = page.session_state[WORKSPACE].version.origin
    typed(page, A={"price": 111.0, "failure_rate": 0.036}, B={"price": 222.0})
    for names in (("new",), ("newer",)):
        now = with_machines(page, origin, *names)
        assert [offer.price for offer in now.inputs.offers[:2]] == [111, 222]
        assert now.inputs.offers[0].failure_rate == pytest.approx(1e-5)
        assert "price" in now.inputs.examples, "that of the new type is one"
    other = open_page("provision", sample="two-by-two")
    assert 111 not in [offer.price for offer in desk_of(other).inputs.offers]
