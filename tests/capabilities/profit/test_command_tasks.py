"""`profit` of single tasks says which to accept by a deadline."""

import pytest

PART = ("--deadline", "6s", "--energy-price", 0)


def test_single_tasks_are_accepted_by_a_deadline(wattfront, idling):
    """Free electricity; A has room for six of type 1, B for two of type 2: none to spare."""
    outcome = wattfront("profit", idling, *PART, "--rewards", "1=10", "2=5", "--json")
    data = outcome.data
    assert data["accepted"] == {"1": 6, "2": 2}
    assert (data["earns"], data["profit"]) == pytest.approx((70, 70 * 600))
    assert data["upper_bound"] == pytest.approx(70 * 600)
    assert data["gap"] == pytest.approx(0, abs=1e-4)
    assert (data["deadline"], data["makespan"], data["verified"]) == (6, 6, True)
    assert (data["unit"], data["tasks"]) == ("money per hour", 12)
    assert "day" not in data
    said = wattfront("profit", idling, *PART, "--rewards", "1=10", "2=5").out
    assert "accept 8 of 12 tasks" in said
    assert "6 of 6 1" in said


def test_rewards_may_stand_in_a_file_and_who_is_not_named_brings_nothing(
    wattfront, idling, tmp_path
):
    table, out = tmp_path / "rewards.csv", tmp_path / "schedule.csv"
    table.write_text("task_type,reward\n1,10\n")
    outcome = wattfront("profit", idling, *PART, "--rewards", table, "-o", out)
    assert "accept 6 of 12 tasks" in outcome.out
    assert "wattfront verify takes it with --part" in outcome.out
    assert "6 of 12 tasks on" in wattfront("verify", idling, out, "--part").out
    assert wattfront("verify", idling, out).status == 2
    table.write_text("task_type,reward\n1,ten\n2,-1\n")
    refused = wattfront("profit", idling, *PART, "--rewards", table)
    assert refused.status == 2
    assert "rewards.csv, row line 2, column reward: 'ten' is not a number" in refused.err
    assert "rewards.csv, row line 3, column reward: -1 is out of range" in refused.err


def test_where_no_task_pays_none_is_accepted(wattfront, idling, tmp_path):
    words = ("--deadline", 6, "--energy-price", 3.6e6, "--rewards", "1=1", "2=1")
    outcome = wattfront("profit", idling, *words, "-o", tmp_path / "none.csv", "--json")
    assert outcome.status == 0
    assert outcome.data["accepted"] == {"1": 0, "2": 0}
    assert outcome.data["profit"] == pytest.approx(-30 * 3600)
    assert outcome.data["makespan"] is None
    assert "no task is worth accepting" in outcome.err
    assert "accept no tasks" in wattfront("profit", idling, *words).out
