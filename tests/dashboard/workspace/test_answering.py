"""The bound comes first, then a first look, then all that was asked for; nothing is done twice."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from patience import PATIENCE

import dashboard.workspace.answering
from core.engines.compute.turns import Lane
from core.engines.front.methods import Lp
from core.engines.front.study import study
from core.files.samples.named import load_sample
from core.vocabulary.system import System
from dashboard.server import background
from dashboard.server.background import Job
from dashboard.server.computing import ComputationKind
from dashboard.workspace.answering import (
    Kept,
    PolishSettings,
    Stage,
    StagedStudy,
    answering,
    kept_answers,
    polish_for,
    to_show,
)

QUICKLY = PolishSettings(spacing=0.05, seconds=0.1)
UNPOLISHED = PolishSettings(spacing=0.05, seconds=0.0)


class Watched(Job[StagedStudy]):
    """A job that remembers all it showed."""

    def __init__(self, work: Callable[[Job[StagedStudy]], None]) -> None:
        self.all: list[StagedStudy] = []
        super().__init__(work)

    def show(self, value: StagedStudy) -> None:
        self.all.append(value)
        super().show(value)


def answers(
    system: System, settings: PolishSettings, kept: Kept, **known: Any
) -> list[StagedStudy]:
    job = Watched(answering(system, settings, kept, **known))
    job.wait(1_000, PATIENCE)
    assert job.failure is None
    return job.all


@pytest.mark.thorough
def test_answers_come_in_stages_from_one_trace() -> None:
    system = load_sample("testbed")
    # On a busy computer polish shows from time to time where it is.
    found = [one for one in answers(system, QUICKLY, kept_answers()) if one.underway is None]
    assert [answer.stage for answer in found] == [Stage.BOUND, Stage.QUICK, Stage.WHOLE]
    assert [len(answer.study.schedules) > 0 for answer in found] == [False, True, True]
    assert found[-1].settings == QUICKLY
    assert not found[-1].stopped
    assert all(answer.study.front is found[0].study.front for answer in found)
    assert all(answer.system is system for answer in found), "it is not there twice"


@pytest.mark.thorough
def test_without_polish_a_coarse_first_look_is_all_there_is() -> None:
    found = answers(load_sample("testbed"), UNPOLISHED, kept_answers())
    assert [answer.stage for answer in found] == [Stage.BOUND, Stage.WHOLE]


@pytest.mark.thorough
def test_a_finer_spacing_comes_after_a_coarse_first_look() -> None:
    found = answers(load_sample("testbed"), PolishSettings(0.01, 0.0), kept_answers())
    assert [answer.stage for answer in found] == [Stage.BOUND, Stage.QUICK, Stage.WHOLE]
    assert len(found[2].study.schedules) > len(found[1].study.schedules)


def test_what_is_kept_costs_nothing() -> None:
    kept, system = kept_answers(), load_sample("testbed")
    first = answers(system, UNPOLISHED, kept)
    again = answers(load_sample("testbed"), UNPOLISHED, kept)
    assert again == [first[-1]]


def test_another_effort_takes_the_front_of_the_one_before() -> None:
    kept, system = kept_answers(), load_sample("testbed")
    known = answers(system, UNPOLISHED, kept)[-1].study
    found = answers(system, PolishSettings(0.1, 0.0), kept, known=known)
    assert found[-1].study.front is known.front


@pytest.mark.thorough
def test_another_idle_power_is_another_answer() -> None:
    kept, system = kept_answers(), load_sample("testbed")
    tenth, fifth, again = (
        answers(system.with_idle_fraction(fraction), UNPOLISHED, kept)[-1]
        for fraction in (0.1, 0.2, 0.1)
    )
    assert again is tenth
    assert fifth.study.front is not tenth.study.front


def test_a_stopped_polish_shows_what_it_has_and_is_not_kept() -> None:
    kept, system = kept_answers(), load_sample("testbed")
    settings = PolishSettings(0.05, 300.0)
    job = Watched(answering(system, settings, kept))
    job.wait(2, PATIENCE)
    job.cancel()
    job.wait(1_000, PATIENCE)
    assert not job.running
    assert job.all[-1].stage is Stage.QUICK or job.all[-1].stopped
    assert kept.get((system.fingerprint, settings)) is None


@pytest.fixture(scope="module")
def stages() -> list[StagedStudy]:
    return answers(load_sample("two-by-two"), QUICKLY, kept_answers())


def test_a_whole_answer_stays_until_the_next_is_whole(stages: list[StagedStudy]) -> None:
    bound, quick, whole = stages
    system = whole.system
    assert to_show(None, None, system) is None
    assert to_show(None, bound, system) is bound
    assert to_show(bound, quick, system) is quick
    assert to_show(whole, quick, system) is whole
    assert to_show(whole, None, system) is whole


def test_what_is_underway_is_seen_beside_what_stays(stages: list[StagedStudy]) -> None:
    _, quick, whole = stages
    points = np.array([[1.0, 2.0]])
    looking = replace(quick, underway=points)
    assert to_show(quick, looking, whole.system) is looking
    beside = to_show(whole, looking, whole.system)
    assert beside is not None
    assert (beside.study, beside.stage) == (whole.study, Stage.WHOLE)
    assert beside.underway is points
    for latest in (quick, None):
        over = to_show(beside, latest, whole.system)
        assert over is not None
        assert (over.study, over.underway) == (whole.study, None)


@pytest.mark.thorough
@pytest.mark.usefixtures("computed_here")
def test_a_long_polish_shows_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dashboard.workspace.answering, "LOOK_SECONDS", 0.0)
    found = answers(load_sample("nine"), PolishSettings(0.05, 0.6), kept_answers())
    first, last = found[1], found[-1]
    looks = [answer for answer in found if answer.underway is not None]
    assert looks
    assert all(look.study is first.study and look.stage is Stage.QUICK for look in looks)
    assert last.stage is Stage.WHOLE
    assert last.underway is None
    for joules, seconds in looks[-1].underway:
        assert joules >= last.study.front.least_energy(seconds) * (1 - 1e-9)
    assert looks[-1].underway[:, 1].min() < first.study.achieved[:, 1].min()


@pytest.mark.thorough
def test_an_answer_about_another_system_makes_way_for_anything(stages: list[StagedStudy]) -> None:
    bound, _, whole = stages
    elsewhere = answers(load_sample("testbed"), UNPOLISHED, kept_answers())[-1]
    assert to_show(elsewhere, bound, bound.system) is bound
    assert to_show(elsewhere, None, bound.system) is None
    idling = bound.system.with_idle_fraction(0.3)
    assert to_show(whole, None, idling) is whole
    assert to_show(whole, None, elsewhere.system) is None


def test_each_stage_says_what_it_is(stages: list[StagedStudy]) -> None:
    bound, quick, whole = (answer.words for answer in stages)
    assert bound == "lower bound only"
    assert quick.endswith("not polished yet")
    assert whole.endswith("spacing 5 %, polished for 100 ms")


@pytest.mark.thorough
def test_what_another_session_finished_meanwhile_is_not_done_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    system, kept = load_sample("testbed"), kept_answers()
    other = answers(system, QUICKLY, kept_answers())[-1]
    one_at_a_time = Lane(slots=1, patience=PATIENCE, most=1, each=1)
    monkeypatch.setattr(background, "LONG", ComputationKind(one_at_a_time, 0, 0))
    with one_at_a_time.turn("other"):
        job = Watched(answering(system, QUICKLY, kept))
        job.wait(2, PATIENCE)
        kept.put((system.fingerprint, QUICKLY), other)
    job.wait(1_000, PATIENCE)
    assert job.all[-1] is other


@pytest.mark.thorough
def test_what_a_page_polishes_is_the_same_at_each_visit() -> None:
    """Issue 33, point 18: headline numbers had changed from visit to visit."""
    assert polish_for(0.0).allowed == 0
    effort, nine = polish_for(0.05), load_sample("nine")
    assert effort.work == 0.05
    first, second = (study(nine, Lp(0.05), effort=effort) for _ in range(2))
    assert first.points.tolist() == second.points.tolist()
