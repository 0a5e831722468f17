"""The page What to buy with another objective: the choice, the answer, and what is kept."""

import json
from dataclasses import replace

import numpy as np
import pytest
from pages import button, charts, figures, html, parameter, press, run, settled, spoken
from plan_page import desk_of

from core.capabilities.provision.goals.answer import told
from core.capabilities.provision.goals.goal import Goal
from core.capabilities.provision.study_block import ProvisionSettings
from core.shells.studies import StudySettings
from dashboard.screens.provision.answer import decide
from dashboard.screens.provision.charts import shopping_bars
from dashboard.screens.provision.inputs import PlanInputs
from dashboard.screens.provision.state import STATE, current
from dashboard.screens.provision.take_away import shopping_json
from dashboard.workspace.session import WORKSPACE


def look_for(page, objective):
    next(box for box in page.selectbox if box.label == "Look for").set_value(objective)
    return run(page)


def field(page, begins):
    return next(one for one in page.number_input if one.label.startswith(begins))


@pytest.mark.thorough
def test_the_cheapest_purchase_for_a_reward_is_found_and_kept(filled):
    desk = desk_of(filled)
    reward = desk.answered.best.reward
    look_for(filled, "cost")
    field(filled, "Work at least").set_value(round(0.5 * reward * 3600, 3))
    run(filled)
    assert any("This answer is for earlier settings" in said for said in spoken(filled))
    assert parameter(filled, "provision_objective") == "cost"
    assert float(parameter(filled, "provision_mean_reward")) == pytest.approx(
        0.5 * reward, rel=1e-3
    )
    settled(press(filled, "Find what to buy"))
    found = desk.for_goal
    assert filled.header[0].value == told(found.answer).lead
    assert "Expected work: " in filled.header[0].value
    assert found.purchase.cost < desk.answered.best.purchase.cost
    assert "Sought: the least cost with work of at least " in html(filled)
    assert len(charts(filled)) == 1
    assert button(filled, "Find what to buy").disabled
    assert {"Cost", "Expected work", "Mean power"} <= set(figures(filled))
    code = filled.code[0].value
    assert "--objective cost --at-least reward=" in code
    press(filled, "Undo")
    press(filled, "Undo")
    assert desk.inputs.goal == Goal()
    assert len(charts(filled)) == 3, "this was answered before"
    assert button(filled, "Find what to buy").disabled


def test_caution_does_not_go_with_another_objective(filled):
    desk = desk_of(filled)
    desk.fill(replace(desk.inputs, caution=0.5, goal=Goal("cost")))
    run(filled)
    assert filled.error[0].value == "This plan cannot be computed:"
    assert "does not go with another objective or limits on means" in html(filled)


def test_the_objective_has_no_field_for_a_limit(filled):
    def limits():
        named = ("Work at least", "Mean failures at most", "Mean power at most")
        return [name for name in named for one in filled.number_input if one.label.startswith(name)]

    assert limits() == ["Mean failures at most", "Mean power at most"]
    field(filled, "Mean power at most").set_value(0.25)
    run(filled)
    assert desk_of(filled).inputs.goal == Goal(power=250.0)
    assert "The most work with a power of at most 250 W, on average" in html(filled)
    look_for(filled, "power")
    assert limits() == ["Work at least", "Mean failures at most"]
    assert desk_of(filled).inputs.goal == Goal("power")


def test_a_study_keeps_the_goal_and_brings_it_back(filled, monkeypatch):
    desk = desk_of(filled)
    goal = Goal("cost", reward=0.001)
    desk.fill(replace(desk.inputs, goal=goal))
    desk.answered = None
    now = filled.session_state[WORKSPACE]
    monkeypatch.setattr(
        "streamlit.session_state", {"wattfront.provision": {desk.name: desk}, WORKSPACE: now}
    )
    assert "provision" in STATE.blocks(now.system), "what was typed is kept before it is answered"
    desk.past = []
    assert STATE.blocks(now.system) == {}, "nothing was typed or answered"
    desk.for_goal = decide(now.system, desk.inputs)
    kept = STATE.blocks(now.system)["provision"]
    assert isinstance(kept, ProvisionSettings)
    assert kept.goal == goal
    STATE.restore(StudySettings("", blocks={"provision": kept}))
    desk.fill(PlanInputs.of(now.system))
    assert current(now.system) is desk
    assert desk.inputs.goal == goal


@pytest.fixture(scope="module")
def cheapest(types, inputs):
    return decide(types, replace(inputs, goal=Goal("cost", reward=1.0)))


def test_bars_show_the_purchase_beside_that_for_the_mean_future(cheapest):
    figure = shopping_bars(cheapest.plan, cheapest.purchases, "EUR")
    assert {*figure.data[0].x} == {"This goal", "If all goes as expected"}
    total = sum(np.array(trace.y)[0] for trace in figure.data)
    assert total == pytest.approx((cheapest.purchase.buy - cheapest.purchase.sell).sum())


def test_the_export_is_what_the_command_says(cheapest):
    data = json.loads(shopping_json(cheapest))
    assert data["objective"] == "cost"
    assert data["rp"]["cost"] == pytest.approx(cheapest.purchase.cost)
