"""Whole tasks on the view of fair shares: policies, trials of one's own bags, online release by
release, and what is said where they cannot be replayed or were stopped.
"""

from dataclasses import replace

import pytest
from pages import (
    Open,
    bar_colours,
    button,
    failing,
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
from shares_page import desk, drawn, given, table_with
from streamlit.testing.v1 import AppTest

from core.capabilities.fair_shares.tasks.policies import TASK_POLICIES
from core.capabilities.fair_shares.trials import DrawnTrials, TrialScores
from core.vocabulary.budget import Cancelled
from dashboard.parts.charts.palette import paint_task
from dashboard.screens.fair_shares import answer as whole_tasks
from dashboard.screens.fair_shares.state import ANSWERED

pytestmark = pytest.mark.usefixtures("nothing_replayed_unasked")


def test_whole_tasks_are_replayed_when_asked_for(open_page: Open) -> None:
    page = settled(open_page("fair_shares", sample="two-by-two", shares_bags="system"))
    settled(press(page, "Replay whole tasks"))
    table = table_with(page, "Sum of stretches")
    assert len(table) == len(TASK_POLICIES) > 18
    assert table["Worst stretch"].map(float).is_monotonic_increasing
    assert float(table["Worst stretch"][0]) >= float(figures(page)["Not below"])
    assert any("has the smallest worst stretch" in said for said in spoken(page))
    assert "Run trials" not in [one.label for one in page.button], "all bags come at once"
    assert drawn(page) == ["dates", "plan", "energy", "policies", "tasks", "online"]
    of_study = {name: paint_task(rank).fill for rank, name in enumerate(("T2", "T1"))}
    assert {one for one in bar_colours(page) if one[0] in of_study} == of_study.items()
    assert parameter(page, "shares_whole") == "yes"
    beside = page.session_state[ANSWERED].beside
    assert set(beside.scores) == {*TASK_POLICIES}
    assert beside.front is not None
    assert beside.wrong == ()
    put(page, "Score", "makespan")
    assert table_with(page, "Sum of stretches")["Makespan"][0].endswith(" s")
    ends = table_with(page, "Whole tasks end")
    assert max(ends["Stretch"].map(float)) == float(table["Worst stretch"][0])
    put(page, "Task by task under", "mwma-ms")
    assert any("MWMA MS: all bags advance" in said for said in spoken(page))


@pytest.mark.thorough
def test_trials_say_whether_another_day_ranks_alike(page: AppTest) -> None:
    given(page)
    settled(press(page, "Replay whole tasks"))
    assert any("gaps of the same mean, 60 s." in said for said in spoken(page))
    assert "trials" not in drawn(page)
    assert field(page, "Trials").value == 20
    put(page, "Trials", 2)
    settled(press(page, "Run trials"))
    assert parameter(page, "shares_trials") == "2"
    assert "trials" in drawn(page)
    (lead,) = (said for said in spoken(page) if "has the smallest mean worst stretch" in said)
    assert lead.startswith("**In 2 trials, ")
    table = table_with(page, "More than the best")
    assert len(table) == len(TASK_POLICIES)
    assert [*table][:3] == ["Policy", "Worst stretch", "More than the best"]
    assert table["More than the best"][0] == "best"
    assert all(" ± " in said for said in table["Worst stretch"])
    put(page, "Mean score", "makespan")
    assert [*table_with(page, "More than the best")][1].startswith("Makespan (")


@pytest.mark.thorough
def test_trials_that_are_stopped_go_on_where_they_were(
    page: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    computed: list[int] = []
    original = whole_tasks.trial_found

    def at_most_two(asked: DrawnTrials, seed: int) -> TrialScores:
        if len(computed) == 2:
            raise Cancelled
        computed.append(seed)
        return original(replace(asked, policies=("fifo-rr",)), seed)

    given(page)
    desk(page).see(whole=True, trials=3)
    with monkeypatch.context() as patched:
        patched.setattr(whole_tasks, "trial_found", at_most_two)
        settled(run(page))
        assert any("The trials were stopped." in one.value for one in page.info)
        assert any("So far 2 of 3." in said for said in spoken(page))
        computed.clear()
        settled(press(page, "Go on with the trials"))
    assert computed == [3]
    assert any("In 3 trials" in said for said in spoken(page))


@pytest.mark.thorough
def test_online_it_is_seen_release_by_release_what_is_known(page: AppTest) -> None:
    given(page)
    settled(press(page, "Replay whole tasks"))
    assert any("At 08:01, 2 of 2 bags are known." in said for said in spoken(page))
    assert "New: y." in html(page)
    assert "online" in drawn(page)
    assert button(page, "Next release").disabled
    press(page, "Previous release")
    assert any("At 08:00, 1 of 2 bags are known. A worst stretch of 1 " in s for s in spoken(page))
    assert "Known from now on: x." in html(page)
    assert button(page, "Previous release").disabled
    table = table_with(page, "Promise then")
    assert table["Bag"].tolist() == ["x"]
    assert table["Done"].tolist() == ["0 %"]
    assert table["Promise before"].tolist() == ["–"]
    press(page, "Next release")
    table = table_with(page, "Promise then")
    assert table["Bag"].tolist() == ["x", "y"]


@pytest.mark.thorough
def test_online_there_is_a_choice_of_policies(page: AppTest) -> None:
    given(page)
    settled(press(page, "Replay whole tasks"))
    settled(put(page, "Policy online", "polished-online"))
    assert any(said.startswith("Polished online: the next task is") for said in spoken(page))
    assert any("At 08:01, 2 of 2 bags are known." in said for said in spoken(page))


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("computed", "said", "go_on"),
    [
        ("online_steps", "Planning was stopped.", "Go on release by release"),
        ("policy_found", "The replays were stopped.", "Go on with the policies"),
    ],
)
def test_what_is_stopped_can_go_on(
    page: AppTest, monkeypatch: pytest.MonkeyPatch, computed: str, said: str, go_on: str
) -> None:
    given(page)
    with monkeypatch.context() as patch:
        patch.setattr(f"dashboard.screens.fair_shares.answer.{computed}", failing(Cancelled))
        settled(press(page, "Replay whole tasks"))
        assert any(said in one.value for one in page.info)
    settled(press(page, go_on))
    assert not any("stopped" in one.value for one in page.info)
    assert len(table_with(page, "Worst stretch")) == len(TASK_POLICIES)
    assert any("At 08:01, 2 of 2 bags are known." in one for one in spoken(page))


@pytest.mark.thorough
def test_online_too_many_plans_are_not_kept(page: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dashboard.screens.fair_shares.answer.MOST_PLANNED", 1)
    given(page)
    settled(press(page, "Replay whole tasks"))
    assert any("There are too many releases" in said for said in spoken(page))
    assert "online" not in drawn(page)


def test_too_many_whole_tasks_are_left_to_the_command(
    page: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dashboard.screens.fair_shares.answer.MOST_TASKS", 100)
    run(page)
    assert any("wattfront fair-shares --policy all" in said for said in spoken(page))
    assert "Replay whole tasks" not in [one.label for one in page.button]


def test_a_task_that_fits_on_no_machine_is_named(page: AppTest) -> None:
    given(page, **{"machines.csv": "machine_type,count,memory\nA,2,1\nB,1,1\n"})
    settled(press(page, "Replay whole tasks"))
    assert any("Whole tasks cannot be replayed:" in one.value for one in page.error)
    assert "x" in html(page)
