"""A study says how far it is, ends when it is told to, and keeps what it has by then."""

from collections.abc import Callable

import numpy as np
import pytest
from studied import assert_sound, doubting, stopped, told

import core.engines.front.study
from core.engines.front.methods import METHODS, Lp, Nsga2, StudyProgress, method_named
from core.engines.front.study import study
from core.files.samples.named import load_sample
from core.vocabulary.budget import Effort, NoScheduleFound
from core.vocabulary.system import System


def test_evolution_is_the_same_for_the_same_seed() -> None:
    system = load_sample("two-by-two")
    runs = [study(system, method=Nsga2(5), effort=Effort(seed=seed, seconds=60)) for seed in (3, 3)]
    np.testing.assert_array_equal(runs[0].points, runs[1].points)


@pytest.mark.parametrize("method", METHODS)
def test_stopped_at_once_there_is_a_front_and_what_was_found(method: str) -> None:
    system = load_sample("nine")
    if method in ("lp", "bound", "nsga2"):
        found = study(
            system,
            method_named(method, spacing=0.2),
            effort=Effort(600),
            should_stop=lambda: True,
        )
        assert_sound(found, system)
        assert bool(len(found.points)) == (method != "bound")
    else:
        with pytest.raises(NoScheduleFound):
            study(system, method=method, effort=Effort(600), should_stop=lambda: True)


def test_it_reports_and_ends_when_told_to() -> None:
    system = load_sample("nine")
    reports: list[StudyProgress] = []
    found = study(
        system,
        Lp(0.2),
        effort=Effort(seconds=10, threads=2),
        should_stop=lambda: len(told(reports, "polish")) >= 4,
        report=reports.append,
    )
    assert_sound(found, system)
    assert len(told(reports, "polish")) >= 4
    for progress in told(reports, "polish"):
        assert 0 < progress.spent < progress.allowed == 10
        assert len(progress.points) > 0
        assert progress.points.shape[1] == 2


@pytest.mark.parametrize(
    ("method", "phases"),
    [
        ("lp", ["recover", "verify"]),
        ("paper", ["sweep", "recover", "verify"]),
        ("nsga2", ["evolve", "verify"]),
        ("nsga2-seeded", ["sweep", "recover", "evolve", "verify"]),
    ],
)
def test_every_phase_that_counts_reports_to_its_end(
    two_by_two: Callable[..., System], method: str, phases: list[str]
) -> None:
    reports: list[StudyProgress] = []
    seconds = 60.0 if "evolve" in phases else 0.0
    study(
        two_by_two(),
        method_named(method, generations=20),
        effort=Effort(seconds),
        report=reports.append,
    )
    assert list(dict.fromkeys(progress.phase for progress in reports)) == phases
    for phase in phases:
        spent = [progress.spent for progress in told(reports, phase)]
        assert spent == sorted(set(spent))
        last = told(reports, phase)[-1]
        assert last.spent == last.allowed - (phase == "sweep")
        if phase == "evolve":
            assert last.allowed == 20


def test_who_stops_recovery_has_both_ends_at_least() -> None:
    system = load_sample("nine")
    whole = study(system, Lp(0.05), effort=Effort(0))
    found = stopped(system, "recover", 5, method=Lp(0.05), effort=Effort(0))
    assert_sound(found, system)
    assert 2 <= len(found.progression.assigned) <= 5 < len(whole.progression.assigned)
    np.testing.assert_array_equal(
        found.progression.assigned[[0, -1]], whole.progression.assigned[[0, -1]]
    )


def test_who_stops_verification_has_the_schedules_that_were_verified(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    system = load_sample("nine")
    whole = study(system, Lp(0.05), effort=Effort(0))
    monkeypatch.setattr(core.engines.front.study, "LAST_CHECKS_SECONDS", 0.0)
    found = stopped(system, "verify", 9, method=Lp(0.05), effort=Effort(0))
    assert_sound(found, system)
    assert len(found.schedules) == 9 < len(whole.schedules)
    np.testing.assert_array_equal(found.achieved[[0, -1]], whole.achieved[[0, -1]])
    assert set(map(tuple, found.achieved)) <= set(map(tuple, whole.achieved))


def test_one_schedule_that_fails_the_check_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    system = load_sample("two-by-two")
    first = study(system, effort=Effort(0)).schedules[0]
    monkeypatch.setattr(core.engines.front.study, "verify", doubting(first))
    assert not study(system, effort=Effort(0)).verified
