"""Studies as tests need them: one of a single schedule, as a file, and what holds of any."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from core.engines.front.methods import StudyProgress
from core.engines.front.study import Study, study
from core.engines.recover.along import NO_PROGRESSION, points_of
from core.engines.relaxed import trace_front
from core.engines.verify.judge import verify
from core.engines.verify.verdict import Verdict
from core.shells.studies import Choice, StudySettings, study_lines
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.plane.points import non_dominated
from core.vocabulary.problems import Problem
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System


def study_of(schedule: Schedule) -> Study:
    """A study with one schedule, whatever it is."""
    points = points_of([schedule])
    return Study(
        "lp",
        trace_front(schedule.system),
        [schedule],
        points,
        non_dominated(points),
        NO_PROGRESSION,
        True,
        {"bound": 0.1},
    )


def assert_sound(found: Study, system: System) -> None:
    """What holds for any study: sorted, distinct, verified, above the bound, marked rightly."""
    assert found.system == system
    assert found.verified
    assert all(verify(schedule, system).ok for schedule in found.schedules)
    np.testing.assert_array_equal(found.points, points_of(list(found.schedules)))
    assert len(np.unique(found.points, axis=0)) == len(found.points)
    assert (np.diff(found.points[:, 0]) >= 0).all()
    for point, best in zip(found.points, found.on_front, strict=True):
        others = (found.points <= point).all(axis=1) & (found.points != point).any(axis=1)
        assert best == (not others.any())
    weighed = found.points @ found.front.lines.weights.T
    size = 1e-9 * (1 + weighed)
    assert (weighed >= found.front.lines.value - size).all()
    assert (np.diff(found.achieved[:, 1]) < 0).all()


def told(reports: list[StudyProgress], phase: str) -> list[StudyProgress]:
    """What was reported of one phase."""
    return [progress for progress in reports if progress.phase == phase]


def stopped(system: System, phase: str, reports: int, **options: Any) -> Study:
    """A study that is told to stop once it has reported so often of a phase."""
    heard: list[StudyProgress] = []
    return study(
        system,
        should_stop=lambda: len(told(heard, phase)) >= reports,
        report=heard.append,
        **options,
    )


def doubting(doubtful: Schedule) -> Callable[[Schedule, System], Verdict]:
    """As `verify`, but that it objects to what takes as much energy as this schedule."""

    def verdict(schedule: Schedule, system: System) -> Verdict:
        true = verify(schedule, system)
        no = Problem("schedule", "", "", "no")
        return replace(true, problems=(no,)) if schedule.energy == doubtful.energy else true

    return verdict


def as_file(found: Study, asked: StudySettings, choice: Choice | None = None) -> bytes:
    """The study file, as it would be uploaded."""
    return "".join(study_lines(found, asked, choice)).encode()


def uneven() -> System:
    """One task, which is fast, slow, or wasteful. No figure of its schedules has only four digits,
    or six, so the text of each shows how it was rounded.
    """
    return System(
        (TaskType("task"),),
        (MachineType("fast"), MachineType("slow"), MachineType("wasteful")),
        np.array([[100.04001, 200.04001, 100.08001]]),
        np.array([[7200.3004, 1800.0003, 14400.3]]),
    )


def settled_above() -> System:
    """A task takes at least 1 s, but 2/3 s in parts on both machines: the only vertex of the front
    is below all that is possible.
    """
    return System(
        (TaskType("T"),),
        (MachineType("A", 1, 45.0), MachineType("B", 1, 15.0)),
        np.array([[1.0, 2.0]]),
        np.array([[90.0, 30.0]]),
    )


def on_the_wasteful() -> Schedule:
    """It runs `uneven` in 100.08001 s with 400.3284 Wh."""
    return Schedule(uneven(), np.arange(3), np.ones(3, np.int64), np.array([[0], [0], [1]]))
