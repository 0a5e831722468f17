"""What is said of stopping jobs, with numbers, and in words that fit them."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from arriving_days import HOUR, a_trial, tried
from engines.replay.stopping.stopped_days import Job, day
from interpreted import interpreted

from core.capabilities.arrivals.files.workload_file import WorkloadFile
from core.capabilities.arrivals.question import JoulesAllowed, ReplayQuestion
from core.capabilities.arrivals.stops_told import stops_tables
from core.capabilities.arrivals.told import told
from core.capabilities.arrivals.trials import PolicyTrial, compare_policies
from core.engines.compute.executors import InThisThread
from core.engines.logs.types.requeued import LostWork
from core.engines.replay.stopping.rules import NOTHING, Stopping
from core.engines.replay.stopping.score import StopScore, UrgentWaits
from core.engines.replay.workload import StopRights, Workload
from core.shells.told.told import Told


def stopped(worth: float, *, wait: float, can: float = np.inf, lost: float = 0.0) -> PolicyTrial:
    urgent = UrgentWaits(4, 0, wait, 2 * wait, can)
    stops = StopScore(round(lost), lost * HOUR, lost / 100, urgent, HOUR + lost * 36)
    return a_trial(worth)._replace(stops=stops)


def stopping(*trials: PolicyTrial, policies: tuple[str, ...] = ("easy", "easy-tiers")) -> Told:
    question = ReplayQuestion("budget-100", policies, bounded=False)
    return told(
        tried(question, {name: [one] for name, one in zip(policies, trials, strict=True)}), ""
    )


def test_whether_stopping_is_worth_it_is_said_with_numbers() -> None:
    said = stopping(stopped(40, wait=600, can=900), stopped(60, wait=6, can=900, lost=10))
    assert (
        "Without stopping, urgent jobs wait 10 min on average under EASY backfilling, and 95 % of "
        "them at most 20 min; the worth of most halves after 15 min, so some come too late."
    ) in said.sentences
    assert (
        "EASY backfilling, stops lower tiers: urgent jobs wait 6 s on average; 10 stops cost 10 "
        "core-hours, 10 % of all work. It earns 20.0 percentage points more than the best that "
        "stops none, and the other jobs take 10 % longer to their end."
    ) in said.sentences
    assert [table.title for table in said.tables] == [
        "Policies beside each other",
        "What stopping jobs costs",
    ]
    assert said.tables[1].rows[0][1:] == (*("10", "10", "10 %", "6 s", "12 s", "1 h 6 min"),)
    waits = [one["urgent_wait"]["can"] for one in said.data["policies"].values()]
    assert waits == [900.0, 900.0]


def test_what_no_job_reaches_is_said() -> None:
    """Checkpoints and costs that are longer than each job are taken, since jobs may differ."""

    def said(**asked: float) -> list[str]:
        question = ReplayQuestion("urgent-500", ("easy", "easy-tiers"), bounded=False)
        question = replace(question, stopping=Stopping(**asked))
        trials = {"easy": [stopped(40, wait=6)], "easy-tiers": [stopped(60, wait=6)]}
        return [one for one in told(tried(question, trials), "").sentences if "longer than" in one]

    workload = ReplayQuestion("urgent-500", ()).file(0).workload
    longest = float(workload.options.seconds.max())
    first, second, third = said(checkpoints=36e4, stop_seconds=1e5, resume_seconds=longest + 1)
    assert first.startswith(
        "Checkpoints are 4 d 4 h apart, longer than any job that may be stopped"
    )
    assert second.startswith("Stopping a job takes 1 d 3 h")
    assert third.startswith("Going on takes")
    near = longest * 0.99
    assert said(checkpoints=near, stop_seconds=near, resume_seconds=near) == []
    assert said(checkpoints=NOTHING) == said() == []


def test_the_best_that_stops_is_beside_the_best_that_stops_none() -> None:
    worths = {"easy": 40, "conservative": 50, "easy-tiers": 70, "conservative-tiers": 60}
    trials = [stopped(worth, wait=worth) for worth in worths.values()]
    said = stopping(*trials, policies=tuple(worths))
    (waits,) = (one for one in said.sentences if one.startswith("Without stopping"))
    assert "wait 50 s" in waits
    assert any("wait 70 s" in one and "20.0 percentage" in one for one in said.sentences)
    assert said.data["policies"]["easy"]["urgent_wait"]["can"] is None


def test_the_log_has_a_row_where_it_lost_work() -> None:
    question = ReplayQuestion("budget-100", ("easy",), bounded=False)
    found = tried(question, {"easy": [stopped(40, wait=6)]})
    for lost, rows in (
        (LostWork(1, 2, 2 * HOUR, HOUR), 2),
        (LostWork(0, 0, 0.0, 0.0), 1),
        (None, 1),
    ):
        (table,) = stops_tables(found, lost)
        assert len(table.rows) == rows
        assert lost is None or rows == 1 or table.rows[1][1:3] == ("2", "2")


def test_urgent_jobs_that_can_wait_need_not_stop_others() -> None:
    endings = {
        np.inf: "the worth of most of them never halves",
        1300.0: "they need not stop others",
    }
    endings |= {500.0: "so many come too late"}
    for can, ending in endings.items():
        said = stopping(stopped(60, wait=600, can=can), stopped(40, wait=6, can=can))
        assert any(ending in one for one in said.sentences)
        assert any("20.0 percentage points less" in one for one in said.sentences)
    alone = stopping(stopped(60, wait=600), policies=("easy-tiers",))
    assert any(one.endswith("10 min on average; it stops no job.") for one in alone.sentences)
    assert not any("Without stopping" in one for one in alone.sentences)


def test_nothing_is_said_of_stops_where_no_job_may_stop_others() -> None:
    said = stopping(a_trial(60), a_trial(40))
    assert not any("urgent" in one for one in said.sentences)
    assert "No job of this workload may stop others, so none is stopped." in said.sentences
    assert len(said.tables) == 1
    plain = stopping(a_trial(60), policies=("easy",))
    assert not any("stop" in one for one in plain.sentences)


def over_days(*days: tuple[PolicyTrial, PolicyTrial]) -> Told:
    """EASY, and EASY that stops lower tiers, on these days."""
    question = ReplayQuestion("budget-100", ("easy", "easy-tiers"), bounded=False, trials=len(days))
    found = {"easy": [plain for plain, _ in days], "easy-tiers": [tiers for _, tiers in days]}
    return told(tried(question, found), "")


def test_urgent_jobs_that_can_wait_for_ever_on_most_days_can_do_so() -> None:
    for limits, said, can in (
        ((900.0, np.inf, 1200.0), "the worth of most halves after 20 min, so many", 1200.0),
        ((900.0, np.inf, np.inf), "the worth of most of them never halves.", None),
    ):
        days = [stopped(40, wait=3600, can=limit) for limit in limits]
        answer = over_days(*((day, day) for day in days))
        assert any(said in one for one in answer.sentences)
        assert answer.data["policies"]["easy"]["urgent_wait"]["can"] == can


def test_means_are_over_the_days_that_have_a_figure() -> None:
    """On the second day no job is urgent, and under EASY no other job ends."""
    first = stopped(40, wait=600), stopped(60, wait=60, lost=10)
    stops, others = (one.stops._replace(urgent=None) for one in first)
    stops = stops._replace(other_flow=None)
    answer = over_days(first, (first[0]._replace(stops=stops), first[1]._replace(stops=others)))
    assert any("urgent jobs wait 10 min on average under" in one for one in answer.sentences)
    assert any(
        "10 stops cost 10 core-hours on average, 10 % of all work. It earns 20.0" in one
        and one.endswith("the other jobs take 10 % longer to their end.")
        for one in answer.sentences
    )
    easy, tiers = (answer.data["policies"][one] for one in ("easy", "easy-tiers"))
    assert (easy["urgent_wait"]["mean"], easy["other_flow"]) == (600, HOUR)
    assert (tiers["urgent_wait"]["mean"], tiers["other_flow"]) == (60, HOUR + 360)


def test_half_a_stop_is_no_whole_one() -> None:
    days = [(stopped(40, wait=9), stopped(60, wait=6, lost=lost)) for lost in (0.0, 1.0)]
    assert any(
        "; 0.5 stops cost 0.5 core-hours on average" in one for one in over_days(*days).sentences
    )


LONG = Job(0, {0: 60}, 1)


def rights(*urgent: int) -> StopRights:
    """Urgent jobs may stop the others."""
    marks = np.array(urgent, bool)
    return StopRights.of(len(marks), marks, ~marks, marks)


SOON = Job(5, {0: 5}, 9, 25)
NOW = SOON._replace(arrival=0)
TIERS = "EASY backfilling, stops lower tiers"
LOST = "1 stop costs 0.08333 core-hours, 7.1 % of all work. It earns"
AS_MUCH = "as much as the best that stops none"
ODD_DAYS: dict[str, tuple[Workload, list[str]]] = {
    "one urgent job, and another one": (
        day([1], [LONG, SOON], rights=rights(0, 1)),
        [
            "Without stopping, the urgent job waits 55 min under EASY backfilling; its worth "
            "halves after 20 min, so it comes too late.",
            f"{TIERS}: the urgent job starts at once; {LOST} 90.0 percentage points more than the "
            "best that stops none, and the other job takes 16.7 % longer to its end.",
        ],
    ),
    "one urgent job that can wait": (
        day([1], [LONG, SOON._replace(until=140, falls=True)], rights=rights(0, 1)),
        [
            "Without stopping, the urgent job waits 55 min under EASY backfilling; its worth "
            "halves after 1 h 5 min, so it need not stop others.",
            f"{TIERS}: the urgent job starts at once; {LOST} 36.5 percentage points more than the "
            "best that stops none, and the other job takes 16.7 % longer to its end.",
        ],
    ),
    "one urgent job that cannot wait": (
        day([1], [LONG, Job(5, {0: 50}, 30, 95, falls=True)], rights=rights(0, 1)),
        [
            "Without stopping, the urgent job waits 55 min under EASY backfilling; it cannot wait "
            "at all, so it comes too late.",
            f"{TIERS}: the urgent job starts at once; 1 stop costs 0.08333 core-hours, 4.3 % of "
            "all work. It earns 93.4 percentage points more than the best that stops none, and the "
            "other job takes 91.7 % longer to its end.",
        ],
    ),
    "one urgent job that is worth the same for ever": (
        day([1], [LONG, SOON._replace(until=np.inf)], rights=rights(0, 1)),
        [
            "Without stopping, the urgent job waits 55 min under EASY backfilling; its worth never "
            "halves.",
            f"{TIERS}: the urgent job starts at once; {LOST} {AS_MUCH}, and the other job takes "
            "16.7 % longer to its end.",
        ],
    ),
    "urgent jobs that find free units": (
        day([3], [LONG, SOON, SOON], rights=rights(0, 1, 1)),
        [
            "Without stopping, urgent jobs start at once under EASY backfilling, so they need not "
            "stop others.",
            f"{TIERS}: urgent jobs start at once; it stops no job. It earns {AS_MUCH}, and the "
            "other job takes as long to its end.",
        ],
    ),
    "wide jobs": (
        day(
            [4],
            [*[LONG._replace(units=2)] * 2, *[SOON._replace(units=4, until=62)] * 2],
            rights=rights(0, 0, 1, 1),
        ),
        [
            "Without stopping, urgent jobs wait 57 min 30 s on average under EASY backfilling, and "
            "95 % of them at most 59 min 45 s; the worth of most halves after 57 min, so many come "
            "too late.",
            f"{TIERS}: urgent jobs wait 2 min 30 s on average; 2 stops cost 0.3333 core-hours, "
            "6.7 % of all work. It earns 45.0 percentage points more than the best that stops "
            "none, and the other jobs take 25 % longer to their end.",
        ],
    ),
    "all jobs are urgent": (
        day([1], [SOON] * 3, rights=StopRights.of(3)),
        [
            "Without stopping, urgent jobs wait 5 min on average under EASY backfilling, and 95 % "
            "of them at most 9 min 30 s; the worth of most halves after 20 min, so they need not "
            "stop others.",
            f"{TIERS}: urgent jobs wait 5 min on average; it stops no job. It earns {AS_MUCH}.",
        ],
    ),
    "no job is urgent": (
        day([1], [LONG, SOON], rights=StopRights.of(2, False)),
        ["No job of this workload may stop others, so none is stopped."],
    ),
    "no other job starts within the horizon": (
        day([1], [NOW, NOW, LONG], (0, 10), rights=rights(1, 1, 0)),
        [
            "Without stopping, urgent jobs wait 2 min 30 s on average under EASY backfilling, and "
            "95 % of them at most 4 min 45 s; the worth of most halves after 20 min, so they need "
            "not stop others.",
            f"{TIERS}: urgent jobs wait 2 min 30 s on average; it stops no job. It earns "
            f"{AS_MUCH}.",
        ],
    ),
}


def answer_of(workload: Workload, joules: float = np.inf) -> Told:
    """Under EASY, that stops lower tiers or none; jobs draw 100 W, and lose all that they did."""
    options = replace(workload.options, watts=np.full(len(workload.options.pool), 100.0))
    question = ReplayQuestion(
        WorkloadFile.as_estimated(replace(workload, options=options)),
        ("easy", "easy-tiers"),
        budget=JoulesAllowed(joules),
        bounded=False,
        stopping=Stopping(NOTHING),
    )
    with interpreted():
        return told(compare_policies(question, InThisThread()), "A day")


def of_stopping(sentences: Sequence[str]) -> list[str]:
    return [one for one in sentences if one.startswith(("Without stopping", f"{TIERS}:", "No job"))]


@pytest.mark.parametrize("name", ODD_DAYS)
def test_sentences_fit_their_numbers(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.capabilities.arrivals.trials.load_kernels", lambda _: None)
    workload, said = ODD_DAYS[name]
    assert of_stopping(answer_of(workload).sentences) == said


def test_who_never_starts_does_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no energy for any job."""
    monkeypatch.setattr("core.capabilities.arrivals.trials.load_kernels", lambda _: None)
    answer = answer_of(day([1], [LONG, SOON, SOON], rights=rights(0, 1, 1)), joules=0.0)
    assert of_stopping(answer.sentences) == [
        "Without stopping, no urgent job starts under EASY backfilling.",
        f"{TIERS}: no urgent job starts; it stops no job. It earns {AS_MUCH}.",
    ]
    assert [row[4:] for row in answer.tables[1].rows] == [("–", "–", "–")] * 2
    easy = answer.data["policies"]["easy"]
    never = {"mean": None, "p95": None, "can": 1200, "never": 2}
    assert easy["urgent_wait"] == pytest.approx(never)
    assert easy["other_flow"] is None


@pytest.mark.parametrize(
    ("waits", "said"),
    [
        (
            UrgentWaits(40, 0, 9.0, 0.0, 60.0),
            "wait 9 s on average under EASY backfilling, and 95 % of them not at all; the worth of "
            "most halves after 60 s, so they need not stop others.",
        ),
        (
            UrgentWaits(40, 3, 9.0, 20.0, 60.0),
            "wait 9 s on average (3 of 40 never start) under EASY backfilling, and 95 % of them at "
            "most 20 s; the worth of most halves after 60 s, so some come too late.",
        ),
        (
            UrgentWaits(40, 1, 9.0, 20.0, 0.0),
            "wait 9 s on average (1 of 40 never starts) under "
            "EASY backfilling, and 95 % of them at most 20 s; most of them cannot wait at all, so "
            "many come too late.",
        ),
    ],
)
def test_some_may_never_start_and_some_cannot_wait(waits: UrgentWaits, said: str) -> None:
    one = stopped(40, wait=0)
    answer = stopping(one._replace(stops=one.stops._replace(urgent=waits)), policies=("easy",))
    assert any(sentence.endswith(said) for sentence in answer.sentences)
