"""What whole tasks keep of promises is said beside them, and nobody has to ask for it."""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from capabilities.fair_shares.made import made
from pages import Open, figures, html, settled

from core.capabilities.fair_shares.shares import AskedBags, FairShares, promises_of
from core.capabilities.fair_shares.tasks.policies import PolicyRun
from core.engines.compute.task import Task, packed, unpacked
from core.vocabulary.budget import Cancelled, Effort
from dashboard.screens.fair_shares.answer import (
    LIKELY_BEST,
    best_replay,
    kept_promises,
    policy_found,
    replaying,
)


@pytest.fixture(scope="module")
def answer() -> FairShares:
    """Two bags of a single task that takes 100 s on either of two machines, alone 50 s."""
    return promises_of(AskedBags(made((1, 1), [[100.0, 100.0], [100.0, 100.0]])))


@pytest.fixture(scope="module")
def found(answer: FairShares) -> list[PolicyRun]:
    return [policy_found(answer.now, name, Effort(0)) for name in ("fifo-rr", "cbs3m-edf-online")]


def job(latest: Sequence[PolicyRun] | None, failure: Exception | None = None) -> Any:
    return SimpleNamespace(latest=latest, failure=failure, running=latest is None and not failure)


def test_the_best_is_right_and_has_the_smallest_worst_stretch(found: list[PolicyRun]) -> None:
    worst = replace(found[0], scores=replace(found[0].scores, max_stretch=9.0))
    assert best_replay([worst, found[1]]) is found[1]
    assert best_replay([worst, replace(found[1], faults=("late",))]) is worst
    assert best_replay([]) is None


def test_a_worker_can_send_what_it_found(answer: FairShares) -> None:
    """Also of a policy that plans by a function of its own."""
    sent = unpacked(packed(policy_found(answer.now, "mwma-ms", Effort(0))))
    assert sent.policy.label == "MWMA MS"


def test_ends_of_whole_tasks_stand_beside_promises(
    answer: FairShares, found: list[PolicyRun]
) -> None:
    """Both are promised by 100 s, and keep it; at half of that stretch they would be 50 s late."""
    kept = kept_promises(answer, job(found[1:]))
    assert kept.beside(answer, 2.0) == ["done by 08:01:40 (0 s)"] * 2
    assert kept.beside(answer, 1.0) == ["done by 08:01:40 (+50 s)"] * 2
    assert kept.said == (
        "Whole tasks: under CBS3M EDF online, which knows each bag from its release on, each bag "
        "is done within 2 times what it takes alone: as promised. It is the best of 1 replay, "
        "each judged by other code."
    )


def test_what_is_later_than_promised_is_said(answer: FairShares, found: list[PolicyRun]) -> None:
    late = replace(found[0], scores=replace(found[0].scores, max_stretch=2.5))
    said = kept_promises(answer, job([late])).said
    assert said.startswith("Whole tasks: under FIFO RR, each bag is done within 2.5 times")
    assert "times what it takes alone: 25 % more than promised. It is" in said


def test_polish_is_counted_and_not_timed(answer: FairShares) -> None:
    """Issue 33, point 18: the headline had 2.73 at one visit and 2.76 at the next."""
    asked: list[Task[Any]] = []
    turn = SimpleNamespace(compute=asked.append)
    working: Any = SimpleNamespace(begin=str, show=str, turn=lambda: nullcontext(turn))
    replaying(answer, ["polished-online"])(working)
    assert [task.given for task in asked] == [(answer.now, "polished-online", Effort(work=0.6))]


def test_with_a_change_stretches_are_of_before(answer: FairShares, found: list[PolicyRun]) -> None:
    changed = replace(answer, after=answer.now)
    assert "times what it takes alone: " in kept_promises(answer, job(found)).said
    assert "times what it took alone before: " in kept_promises(changed, job(found)).said


def test_replays_of_both_jobs_count_once(answer: FairShares, found: list[PolicyRun]) -> None:
    assert "the best of 2 replays" in kept_promises(answer, job(found), job(found[:1])).said


def test_before_anything_is_known_it_says_so(
    answer: FairShares, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert kept_promises(answer, job(None)).said == "Whole tasks are being replayed."
    assert kept_promises(answer, job(None)).beside(answer, 2.0) == []
    stopped = kept_promises(answer, job(None, Cancelled()))
    assert stopped.said == "Whole tasks were not replayed."
    assert kept_promises(answer, job(None, ValueError())).said == "Whole tasks cannot be replayed."
    monkeypatch.setattr("dashboard.screens.fair_shares.answer.MOST_TASKS", 1)
    assert kept_promises(answer).said == "2 tasks are more than this page replays as whole tasks."


def test_the_page_replays_whole_tasks_unasked(open_page: Open) -> None:
    """Issue 33, point 32: the headline and the first figure are of whole tasks then."""
    page = settled(open_page("fair_shares", sample="two-by-two", shares_bags="system"))
    table = next(one.value for one in page.dataframe if "Whole tasks" in one.value)
    assert all(said.startswith("done by 08:00") for said in table["Whole tasks"])
    assert f"the best of {len(LIKELY_BEST)} replays" in html(page)
    worst = figures(page)["Worst stretch"]
    assert page.header[0].value.startswith(
        f"As whole tasks, each bag is done within {worst} times what it takes alone."
    )
    assert any("the best replay, and how much later" in one.value for one in page.caption)
