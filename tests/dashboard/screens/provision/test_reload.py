"""A reload brings the plan back: the address has the small settings, and the server the tables."""

from dataclasses import replace

import numpy as np
import pytest
from pages import failing, html, parameter, press, run, settled, spoken
from plan_page import desk_of

from core.capabilities.provision.futures.uncertainty import Variation
from core.vocabulary.budget import Cancelled
from core.vocabulary.kinds import MachineType
from core.vocabulary.system import System
from dashboard.screens.provision.inputs import LimitInputs, OfferInput, PlanInputs, with_examples
from dashboard.screens.provision.state import KeptPlan, plan_shelf
from dashboard.workspace.session import WORKSPACE
from dashboard.workspace.workspace import Given, choose


@pytest.fixture(autouse=True)
def unanswered(monkeypatch):
    """No plan is answered: the address says what was asked."""
    monkeypatch.setattr("dashboard.screens.provision.answer.answer", failing(Cancelled))


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


def test_prices_stay_when_machine_types_are_added(open_page):
    """Issue 35: prices and failures of machines are typed once; those of other systems differ."""
    page = settled(open_page("provision", sample="two-by-two"))
    desk, origin = desk_of(page), page.session_state[WORKSPACE].version.origin
    typed = (OfferInput(111.0, 11.0, failure_rate=1e-5), OfferInput(222.0))
    desk.fill(replace(desk.inputs, offers=typed, examples=desk.inputs.examples - {"price"}))
    run(page)
    for names in (("new",), ("newer",)):
        now = with_machines(page, origin, *names)
        assert [offer.price for offer in now.inputs.offers[:2]] == [111, 222]
        assert now.inputs.offers[0].failure_rate == 1e-5
        assert "price" in now.inputs.examples, "that of the new type is one"
    other = with_machines(page, Given("another.csv"), "newest")
    assert 111 not in [offer.price for offer in other.inputs.offers]
