"""`provision --objective` answers with the best purchase that keeps limits on means."""

import argparse

import pytest
from capabilities.provision.plan_files import POWERED, answered, folder_with

from core.capabilities.provision.goals.goal import Goal, add_goal, goal_of, goal_words

ASKED = ("e1", "--scenarios", 256, "--objective", "cost", "--at-least", "reward=1.5")


def test_the_cheapest_purchase_for_a_reward_is_answered(wattfront):
    data = answered(wattfront, *ASKED)
    best, alone = data["rp"], data["mvp"]
    assert (data["objective"], data["limits"]) == ("cost", {"reward": 1.5})
    assert best["buy"] == pytest.approx({"M1": 0.9, "M3": 0.975}, abs=0.01)
    assert best["cost"] == pytest.approx(1.8754, abs=1e-3)
    assert data["lower"] <= best["cost"] == pytest.approx(data["upper"])
    assert data["gap"] <= 2e-6
    assert best["expected_reward"] == pytest.approx(1.5, abs=1e-6)
    low, high = best["confidence95"]
    assert low < 1.5 < high
    assert best["power"] is None
    assert best["mean_value_reward"] > 1.5
    # For the mean future alone, less is bought, and the reward is missed.
    assert alone["cost"] == pytest.approx(1.55, abs=1e-3)
    assert alone["mean_value_reward"] == pytest.approx(1.5, abs=1e-6)
    assert alone["expected_reward"] < 1.3
    assert data["fresh"]["reward"]["mean"] == pytest.approx(1.5, abs=0.01)
    assert data["fresh"]["power"] is None
    assert data["prices"]["reward"] == pytest.approx(1.81, abs=0.01)
    assert data["scenarios"] == 256


@pytest.mark.thorough
def test_power_and_failures_are_limits_and_objectives(wattfront, tmp_path):
    plan = folder_with(tmp_path, **POWERED)
    asked = (plan, "--scenarios", 1)
    most = answered(wattfront, *asked)["rp"]
    least = answered(wattfront, *asked, "--objective", "power", "--at-least", "reward=2")
    assert least["lower"] == pytest.approx(least["rp"]["power"])
    assert least["rp"]["power"] < most["power"]
    assert least["rp"]["expected_reward"] == pytest.approx(2.0)
    kept = answered(wattfront, *asked, "--at-most", "power=0.2kW", "--at-most", "failures=0.5")
    assert kept["limits"] == {"failures": 0.5, "power": 200.0}
    assert kept["rp"]["power"] <= 200 + 1e-6
    assert kept["rp"]["failure_rate"] <= 0.5 + 1e-6
    assert kept["rp"]["confidence95"] is None
    said = wattfront("provision", *asked, "--at-most", "power=0.2kW", "--at-most", "failures=5").out
    assert "the most reward with at most 5 failures a second and a power of at most 200 W" in said
    assert "The limit on failures does not bind." in said
    assert "  Mean power       200 W\n" in said
    assert "the cheapest is chosen" in said


def test_who_seeks_the_least_power_is_asked_for_the_work_to_do(wattfront, tmp_path):
    """Issue 35, 7: all machines were sold, and nothing said why."""
    plan = (folder_with(tmp_path, **POWERED), "--scenarios", 1, "--objective", "power")
    asked = "No reward is asked for, so machines that run nothing may be the best: give the least"
    assert asked in wattfront("provision", *plan).out
    assert asked not in wattfront("provision", *plan, "--at-least", "reward=2").out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["--objective", "cost", "--at-least", "reward=2.5"],
            "no purchase has a reward of at least 2.5 EUR a second on average; at most 1.9",
        ),
        (["--at-least", "reward=1"], "reward is the objective, so it takes no limit"),
        (["--objective", "cost", "--integer"], "--integer does not go with --objective"),
        (["--objective", "cost", "--risk", 0.1], "--risk does not go with --objective"),
        (["--objective", "cost", "--method", "mvp"], "--method mvp does not go with"),
        (["--objective", "cost", "--solver", "direct"], "--solver direct does not go with"),
        (["--at-most", "cost=3"], "the limit on cost is --budget"),
        (["--at-most", "reward=3"], "reward has a limit of the other kind, --at-least"),
        (["--at-least", "speed=3"], "'speed=3' is no limit of this flag; write --at-least reward"),
        (["--at-most", "failures=-1"], "-1 is out of range"),
        (["--at-most", "power=3 PS"], "'PS' is not a unit of power"),
        (
            ["--objective", "cost", "--at-least", "reward=1", "--at-least", "reward=2"],
            "there are two limits on reward",
        ),
        (["--objective", "power"], "power needs the watts of tasks"),
    ],
)
def test_what_cannot_be_done_is_said_with_its_remedy(wattfront, words, said):
    outcome = wattfront("provision", "e1", "--scenarios", 64, *words)
    assert outcome.status == 2
    assert said in outcome.err


def test_limits_that_contradict_each_other_say_what_is_possible(wattfront, tmp_path):
    plan = folder_with(tmp_path, **POWERED)
    asked = ("--scenarios", 1, "--objective", "cost", "--at-least", "reward=2")
    limits = ("--at-most", "failures=0.1", "--at-most", "power=10")
    outcome = wattfront("provision", plan, *asked, *limits)
    assert outcome.status == 2
    assert "no purchase has a power of at most 10 W on average together with the 2 limits on " in (
        outcome.err
    )
    assert "or let another limit give" in outcome.err


def test_a_mean_future_in_which_no_purchase_keeps_the_limits_is_said(wattfront, tmp_path):
    # Where what is fast varies, the mean of rates is above the rate of means.
    settings = "[limits]\nbudget = 20\n[spread.times]\ncov = '50 %'\n"
    plan = folder_with(
        tmp_path,
        etc_csv="task_type,M1\nT1,1\n",
        tasks_csv="task_type,reward,arrival_rate\nT1,1,5\n",
        machines_csv="machine_type,count,price\nM1,0,10\n",
        plan_toml=settings,
    )
    asked = (plan, "--scenarios", 64, "--objective", "cost", "--at-least", "reward=2.2")
    assert answered(wattfront, *asked)["mvp"] is None
    said = wattfront("provision", *asked).out
    assert "If everything were as on average, no purchase would keep the limits." in said


@pytest.mark.parametrize(
    "goal",
    [Goal(), Goal("power"), Goal("cost", reward=12.5 / 86400), Goal(failures=0.25, power=1234.5)],
)
def test_flags_ask_for_a_goal(goal):
    parser = argparse.ArgumentParser()
    add_goal(parser)
    again = goal_of(parser.parse_args(goal_words(goal, "1/day")), "1/day")
    assert again.objective == goal.objective
    assert again.limits == pytest.approx(goal.limits)
