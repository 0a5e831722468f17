"""Two objectives against each other on the page: the pairs, the chart, and a point as a limit."""

from dataclasses import replace

import pytest
from pages import charts, html, press, put, run, settled, spoken
from plan_page import desk_of

from core.capabilities.provision.goals.goal import Goal
from core.capabilities.provision.words import RewardRate
from dashboard.screens.provision import front_view
from dashboard.screens.provision.answer import GoalFound
from dashboard.screens.provision.front_view import two_figure
from dashboard.screens.provision.sweeps import (
    goal_title,
    pair_title,
    pairs_of,
    point_said,
    two_objectives,
    with_goal,
)

MONEY, WORK = RewardRate("hour", "EUR"), RewardRate("hour", "EUR", by_work=True)


def by_name(figure, name):
    return next(trace for trace in figure.data if trace.name == name)


@pytest.fixture(scope="module")
def both(found):
    return two_objectives(found.file, ("reward", "power"))


def test_pairs_are_those_that_the_plan_says_something_about(found):
    assert pairs_of(found.plan) == [
        ("reward", "power"),
        ("reward", "cost"),
        ("reward", "failures"),
        ("power", "cost"),
        ("power", "failures"),
        ("cost", "failures"),
    ]
    offers = tuple(replace(offer, failure_rate=0.0) for offer in found.plan.offers)
    bare = replace(found.plan, offers=offers, powers=None)
    assert pairs_of(bare) == [("reward", "cost")]
    assert pair_title(("reward", "failures"), MONEY) == "Reward and failure rate"
    assert pair_title(("reward", "failures"), WORK) == "Work and failure rate"


def test_power_is_in_kilowatts_and_no_method_beats_the_front(found, both):
    figure = two_figure(both, found)
    front = by_name(figure, "Front")
    assert front.x == pytest.approx(both.front.chain[:, 1] / 1000)
    assert max(front.y) == pytest.approx(3600 * found.best.reward, rel=0.02)
    assert len([trace for trace in figure.data if trace.legendgroup == "region"]) == len(
        both.regions
    )
    ours = by_name(figure, "Our advice")
    assert found.best.power is not None
    assert ours.x[0] == pytest.approx(found.best.power / 1000)
    assert by_name(figure, "Possible on average").x is not None
    assert not any(trace.name == "Picked" for trace in figure.data)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("pair", "right", "up"),
    [
        (("reward", "cost"), "Cost (EUR)", "Expected reward (EUR an hour)"),
        (("cost", "failures"), "Mean failures (an hour)", "Cost (EUR)"),
        (("power", "cost"), "Cost (EUR)", "Mean power (kW)"),
    ],
)
def test_each_pair_has_its_axes(found, pair, right, up):
    data = two_objectives(found.file, pair)
    figure = two_figure(data, found, 0)
    assert figure.layout.xaxis.title.text == right
    assert up in str(figure.layout)
    assert by_name(figure, "Picked").x[0] == by_name(figure, "Front").x[0]
    assert by_name(figure, "Our advice").x[0] is not None
    if "cost" in pair:
        assert not data.possible.size
        assert not data.endless


def test_the_pointer_shows_what_is_bought(found, both):
    last = len(both.front.points) - 1
    said = [*point_said(both, last, found.plan, found.asked.inputs)]
    assert said[0].count(", ") == 1
    assert said[0].endswith("W")
    assert said[1].startswith("Buy ")
    assert said[2].startswith("Costs ")
    place, hover = by_name(two_figure(both, found), "Front").customdata[last]
    assert int(place) == last
    assert hover.startswith(f"{said[0]}<br>Buy ")


def test_a_mean_of_a_point_becomes_a_limit(inputs):
    whole = replace(inputs, whole=True, caution=0.5)
    asked = with_goal(whole, "power", "reward", 0.123456789)
    assert asked.goal == Goal("power", reward=0.123456)
    assert (asked.whole, asked.caution) == (True, 0.0)
    assert with_goal(inputs, "reward", "power", 0.123456789).goal == Goal(power=0.123457)
    by_cost = with_goal(inputs, "failures", "cost", 55.5)
    assert by_cost.goal == Goal("failures")
    assert by_cost.limits.budget == 55.5
    assert goal_title("power", "reward", MONEY) == "The least power for this reward"
    assert goal_title("reward", "cost", WORK) == "The most work for this cost"


@pytest.fixture
def looked(filled):
    """The page with a look at two objectives."""
    return settled(put(filled, "A closer look", "front"))


@pytest.mark.thorough
def test_a_click_shows_the_purchase_and_takes_its_mean_over(looked):
    desk = desk_of(looked)
    assert any("Click a point of the front" in said for said in spoken(looked))
    assert "nothing is further beyond than " in " ".join(spoken(looked)).lower() or (
        "every vertex is there" in " ".join(spoken(looked)).lower()
    )
    data = desk.closer["front reward power"]
    place = len(data.front.points) - 1
    looked.session_state[front_view._PICKED] = (desk.answered.asked, ("reward", "power"), place)
    settled(run(looked))
    assert len(charts(looked)) == 3
    said = next(iter(point_said(data, place, desk.answered.plan, desk.inputs)))
    assert said in html(looked)
    press(looked, "The least power for this work")
    settled(looked)
    assert isinstance(desk.for_goal, GoalFound)
    mean = float(data.front.points[place].objectives[0])
    assert desk.inputs.goal.objective == "power"
    assert desk.inputs.goal.reward == pytest.approx(mean, rel=1e-5)
    assert "Sought: the least power with work of at least " in html(looked)
    press(looked, "Undo")
    assert desk.inputs.goal == Goal()
