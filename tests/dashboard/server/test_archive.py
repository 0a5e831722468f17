"""What any page or method finds for a system is known on every page."""

import gc
import weakref
from dataclasses import replace

import numpy as np
import pytest

from benchmarks.samples import HCSP_CLASSES
from core.capabilities.makespan.solve import Solution, solve
from core.capabilities.profit.earn import earn
from core.capabilities.profit.terms import Terms
from core.engines.front.known import Known
from core.engines.front.methods import Lp
from core.engines.front.study import Possible, Study, pick, study
from core.engines.front.wish import Deadline
from core.engines.relaxed import MAKESPAN, lower_bound, trace_front
from core.engines.relaxed.fitting import fitted
from core.files.samples.generate import Generation, generate
from core.files.samples.named import load_sample
from core.vocabulary.budget import Effort
from core.vocabulary.problems import Problem
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System
from dashboard.screens.schedule.figures import limits
from dashboard.screens.what_if.compare.outcome import outcome
from dashboard.screens.what_if.compare.what_ifs import WhatIf
from dashboard.server.archive import KnownResults
from dashboard.server.sizes import of_schedules, of_system

WRONG = Problem("schedule", "", "", "a task is missing")


@pytest.fixture(scope="module")
def nine() -> System:
    return load_sample("nine").with_idle_fraction(0.1)


@pytest.fixture(scope="module")
def rough(nine: System) -> Study:
    return study(nine, Lp(0.5), effort=Effort(0))


@pytest.fixture(scope="module")
def polished(nine: System) -> Solution:
    return solve(nine, effort=Effort(0.3))


@pytest.fixture
def archive() -> KnownResults:
    return KnownResults()


def test_the_fastest_is_the_fastest_everywhere(
    archive: KnownResults, rough: Study, polished: Solution
) -> None:
    archive.take(rough)
    archive.take(polished)
    fastest = archive.of(rough.system).fastest
    assert fastest is polished.schedule
    joined = archive.joined(rough)
    assert joined.achieved[-1, 1] == fastest.makespan < rough.achieved[-1, 1]
    published = solve(rough.system, method="paper")
    assert published.with_known(archive.of(rough.system)).schedule is fastest
    assert polished.with_known(Known.nothing(rough.system)) is polished


def test_a_slower_schedule_does_not_take_the_place_of_the_fastest_for_other_powers(
    archive: KnownResults, rough: Study, polished: Solution
) -> None:
    archive.take(polished)
    archive.take(rough)
    fastest = archive.of(rough.system.with_idle_fraction(0.5)).fastest
    assert fastest is not None
    assert fastest.makespan == polished.schedule.makespan


def test_a_deadline_that_a_schedule_of_another_page_meets_is_met(
    archive: KnownResults, rough: Study, polished: Solution
) -> None:
    wish = Deadline(polished.schedule.makespan)
    assert pick(rough, wish).possible is Possible.UNKNOWN
    archive.take(polished)
    picked = pick(archive.joined(rough), wish)
    assert picked.possible is Possible.YES
    assert picked.schedule is polished.schedule


@pytest.fixture(scope="module")
def single() -> System:
    """Single tasks, of which more is proven the longer one looks."""
    asked = Generation(
        etc=HCSP_CLASSES["hihi"],
        consistency="inconsistent",
        task_types=64,
        machine_types=4,
        tasks=64,
        machines=4,
        spread="equal",
        seed=1,
    )
    system = generate(asked)
    return replace(system, apc=np.full(system.etc.shape, 100.0))


def test_a_bound_that_one_page_proves_is_the_bound_everywhere(
    archive: KnownResults, single: System
) -> None:
    rough = study(single, Lp(0.5), effort=Effort(0))
    solution = solve(single, effort=Effort(work=0.4))
    archive.take(rough)
    archive.take(solution)
    best = solution.bound.value
    assert best > 1.0005 * rough.proven.soonest
    known, joined = archive.of(single), archive.joined(rough)
    assert known.least_makespan == best
    assert joined.proven.soonest == best
    assert solve(single, method="paper").with_known(known).bound.value == best
    assert limits(single).with_known(known).seconds == best
    asked = WhatIf.of(1, "single", single)
    assert outcome(asked, trace_front, known=archive.of).soonest == best
    without = replace(single, apc=None)
    alone = outcome(WhatIf.of(1, "single", without), trace_front, known=archive.of)
    assert alone.soonest == best
    # Of other powers the same is proven; of another system nothing is.
    assert archive.of(single.with_idle_fraction(0.5)).least_makespan == best
    twice = single.with_counts(single.task_counts * 2, single.machine_counts)
    assert archive.of(twice).least_makespan == 0


def test_what_is_proven_of_the_least_energy_is_kept_too(
    archive: KnownResults, nine: System
) -> None:
    few = nine.with_counts(np.minimum(nine.task_counts, 1), nine.machine_counts)
    found = solve(few, minimise="energy", method="paper")
    archive.take(found)
    known = archive.of(few)
    assert (known.least_energy, known.least_makespan) == (found.bound.value, 0.0)
    dearer = replace(found, bound=replace(found.bound, value=1.001 * found.bound.value))
    archive.take(dearer)
    archive.take(found)
    joules = limits(few).with_known(archive.of(few)).joules
    assert joules == dearer.bound.value
    assert found.with_known(archive.of(few)).gap < found.gap


def test_what_settles_a_system_settles_every_study_of_it(archive: KnownResults) -> None:
    small = load_sample("two-by-two").with_idle_fraction(0.1)
    rough, solution = study(small, effort=Effort(0)), solve(small, effort=Effort(0.05))
    archive.take(solution)
    joined = archive.joined(rough)
    assert joined.proofs.settled is solution.proofs.settled is not None
    assert joined.proven.soonest > 1.01 * rough.proven.soonest
    assert joined.proven.soonest == pytest.approx(solution.bound.value, rel=1e-12)


def test_single_tasks_that_were_fitted_alone_are_known(
    archive: KnownResults, single: System
) -> None:
    found = fitted(lower_bound(single, MAKESPAN), 0.05)
    assert found is not None
    archive.take(found)
    archive.take(fitted(lower_bound(single, MAKESPAN), 0.0))
    assert archive.of(single).proofs.fitted is found
    assert archive.of(single).least_makespan == found.soonest


def test_a_joined_study_is_made_once_and_stays_sound(
    archive: KnownResults, rough: Study, polished: Solution
) -> None:
    assert archive.joined(rough) is rough
    archive.take(polished)
    joined = archive.joined(rough)
    assert joined is not rough
    assert archive.joined(rough) is joined
    assert archive.joined(joined) is joined
    assert len(joined.points) == len(rough.points) + 1
    for point, schedule in zip(joined.points, joined.schedules, strict=True):
        assert point.tolist() == [schedule.energy, schedule.makespan]
    assert all(one in joined.schedules for one in rough.schedules)
    assert joined.verified


def test_other_powers_leave_the_fastest_known(archive: KnownResults, polished: Solution) -> None:
    archive.take(polished)
    dearer = polished.schedule.system.with_idle_fraction(0.7)
    known = archive.of(dearer)
    assert [one.makespan for one in known.schedules] == [polished.schedule.makespan]
    assert known.schedules[0].system == dearer
    assert known.points[0, 0] == known.schedules[0].energy > polished.schedule.energy
    without = replace(
        dearer,
        apc=None,
        machine_types=tuple(replace(one, idle_power=0.0) for one in dearer.machine_types),
    )
    assert archive.of(without).fastest is not None
    other = dearer.with_counts(dearer.task_counts + 1, dearer.machine_counts)
    assert archive.of(other).schedules == ()


def test_what_failed_the_check_is_not_kept(
    archive: KnownResults, rough: Study, polished: Solution
) -> None:
    archive.take(replace(rough, verified=False))
    archive.take(replace(polished, verdict=replace(polished.verdict, problems=(WRONG,))))
    archive.take((polished.schedule, False))
    archive.take(None)
    assert archive.of(rough.system).schedules == ()


def test_rivals_and_profit_are_known_too(
    archive: KnownResults, nine: System, polished: Solution
) -> None:
    archive.take((polished.schedule, True))
    assert archive.of(nine).schedules == (polished.schedule,)
    profit = earn(nine, Terms(price=1000.0, energy_price=1e-7), effort=Effort(0))
    assert profit.earnings is not None
    other = KnownResults()
    other.take(profit)
    assert other.of(nine).schedules == (profit.earnings.schedule,)
    third = KnownResults()
    third.take(polished.schedule)
    assert third.of(nine).fastest is polished.schedule


def test_what_nobody_asks_for_makes_room(nine: System, rough: Study) -> None:
    archive = KnownResults(most=1)
    archive.take(rough)
    others = [nine.with_idle_fraction(share) for share in (0.2, 0.3, 0.4)]
    for other in others:
        archive.take(study(other, Lp(0.5), effort=Effort(0)))
    assert len(archive.of(others[-1]).schedules) > 1
    assert len(archive.of(nine).schedules) == 1


def test_a_study_is_not_held_by_being_joined(archive: KnownResults, nine: System) -> None:
    found = study(nine, Lp(0.5), effort=Effort(0))
    archive.take(found.schedules[0])
    assert archive.joined(found) is found
    gone = weakref.ref(found)
    del found
    gc.collect()
    assert gone() is None
    assert isinstance(archive.of(nine).schedules[0], Schedule)
    assert np.isfinite(archive.of(nine).points).all()


def test_of_a_study_no_energy_is_computed_again(
    archive: KnownResults, rough: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Schedule, "energy", property(lambda _: pytest.fail("computed again")))
    archive.take(rough)
    known = archive.of(rough.system)
    assert set(map(tuple, known.points)) <= set(map(tuple, rough.points))
    assert archive.joined(rough) is rough


def test_small_systems_of_many_people_make_room_by_what_they_take() -> None:
    small = load_sample("two-by-two")
    schedules = study(small, effort=Effort(0)).schedules
    each = of_system(small) + of_schedules(schedules)
    archive = KnownResults(most=3 * each)
    others = [small.with_idle_fraction(percent / 100) for percent in range(1, 8)]
    for other in others:
        found = study(other, effort=Effort(0))
        archive.take(found)
    held = [other for other in others if len(archive.of(other).schedules) > 1]
    assert 1 <= len(held) <= 4
    assert others[-1] in held
