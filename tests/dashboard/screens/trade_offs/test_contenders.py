"""Rivals run in jobs, once for all powers where they only look at times."""

import time

import pytest
from patience import PATIENCE

from core.engines.rivals import MissingExtra, NoScheduleFound
from core.engines.verify.judge import verify
from core.files.samples.named import load_sample
from dashboard.screens.trade_offs import contenders
from dashboard.screens.trade_offs.contenders import (
    NSGA2,
    RIVAL_NAMES,
    Contender,
    contending,
    kept_contenders,
    system_for,
)
from dashboard.server.background import Job


def run(name, system, kept=None):
    job = Job(contending(name, system, kept or kept_contenders()))
    job.wait(1, PATIENCE)
    assert job.failure is None
    assert job.latest is not None
    return job.latest


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["min-min", "max-min", "sufferage"])
def test_a_rival_has_a_sound_schedule_and_the_seconds_it_took(name):
    system = load_sample("testbed").with_idle_fraction(0.2)
    found = run(name, system_for(name, system)).on(system)
    assert len(found.schedules) == 1
    assert verify(found.schedules[0], system).ok
    assert found.schedules[0].energy > 0
    assert found.seconds > 0


@pytest.mark.thorough
def test_nsga2_returns_a_front(monkeypatch):
    monkeypatch.setattr(contenders, "SECONDS_EACH", 0.2)
    system = load_sample("two-by-two")
    found = run(NSGA2, system_for(NSGA2, system))
    assert len(found.schedules) > 1
    energies = [schedule.energy for schedule in found.schedules]
    assert energies == sorted(energies)


@pytest.mark.thorough
@pytest.mark.usefixtures("computed_here")
def test_nsga2_says_how_far_it_is(monkeypatch):
    said = []
    told_at = []

    class Listening(Job[Contender]):
        def begin(self, doing, allowed=0.0, spent=0.0):
            super().begin(doing, allowed, spent)
            said.append(self.progress.words)
            told_at.append(time.monotonic())

    monkeypatch.setattr(contenders, "SECONDS_EACH", 60.0)
    system = load_sample("two-by-two")
    job = Listening(contending(NSGA2, system, kept_contenders()))
    job.wait(1, PATIENCE)
    assert {"NSGA-II: finding seeds …", "NSGA-II: making seeds …"} <= set(said)
    generations = [words for words in said if "generation" in words]
    assert all(words.endswith("s left") for words in generations)
    assert generations[-1].startswith("NSGA-II: generation 1,000 of 1,000, ")
    assert said[-1] == "NSGA-II: checking …"
    # The seconds are those of all phases, but for what telling of them takes.
    assert job.latest.seconds >= 0.9 * (told_at[-1] - told_at[0])


def test_another_idle_power_is_the_same_question_to_those_who_look_at_times():
    system = load_sample("testbed")
    warm = system.with_idle_fraction(0.5)
    for name in RIVAL_NAMES:
        assert (system_for(name, system) == system_for(name, warm)) == (name != NSGA2)


def test_an_answer_that_is_kept_is_not_computed_again(monkeypatch):
    kept, system = kept_contenders(), system_for("min-min", load_sample("testbed"))
    first = run("min-min", system, kept)
    monkeypatch.setattr(contenders, "RIVALS", {})
    assert run("min-min", system, kept) is first


@pytest.mark.usefixtures("computed_here")
def test_what_was_stopped_is_neither_shown_nor_kept():
    class Stopped(Job[Contender]):
        def should_stop(self):
            return True

    kept, system = kept_contenders(), system_for("min-min", load_sample("testbed"))
    job = Stopped(contending("min-min", system, kept))
    job.wait(1, PATIENCE)
    assert not job.running
    assert (job.failure, job.latest) == (None, None)
    assert kept.get(("min-min", system.fingerprint)) is None


@pytest.mark.usefixtures("computed_here")
@pytest.mark.parametrize(
    ("failure", "remark"),
    [
        (NoScheduleFound("in vain"), "no schedule within 5 s"),
        (MissingExtra("install wattfront[cp-sat]"), "install wattfront[cp-sat]"),
    ],
)
def test_a_rival_without_schedule_says_why(monkeypatch, failure, remark):
    def fail(*_, **__):
        raise failure

    class Failing:
        solve = staticmethod(fail)

    monkeypatch.setattr(contenders, "RIVALS", {"cp-sat": Failing})
    found = run("cp-sat", load_sample("testbed"))
    assert (found.schedules, found.remark) == ((), remark)


def test_even_what_has_nothing_to_show_is_kept_for_so_many_only():
    kept = kept_contenders()
    for number in range(30_000):
        kept.put((NSGA2, str(number)), Contender(NSGA2, (), 0.0, "no extra"))
    assert kept.get((NSGA2, "29999")) is not None
    assert kept.get((NSGA2, "0")) is None
