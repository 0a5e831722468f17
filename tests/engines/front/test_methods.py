"""A method has parameters of its own, and hands each step what the steps before it gave."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from stand_ins import StandIns

import core.engines.front.methods
from core.engines.front.methods import (
    GENERATION_COUNT,
    GENERATIONS,
    METHODS,
    SPACING,
    BoundOnly,
    Lp,
    Nsga2,
    Paper,
    SeededNsga2,
    StudyRun,
    method_named,
)
from core.engines.front.study import study
from core.engines.front.wish import Deadline, EnergyBudget, PowerCap
from core.engines.recover.along import NO_PROGRESSION
from core.engines.relaxed import MAKESPAN, trace_front
from core.files.samples.named import load_sample
from core.vocabulary.budget import Effort, Stopwatch


def told_to_stop():
    return False


@pytest.fixture(scope="module")
def front(two_by_two):
    return trace_front(two_by_two(20, 10))


@pytest.fixture
def run(front):
    """Two seconds on one thread, told to nobody."""
    return StudyRun(front, Stopwatch(), Effort(2.0, seed=7), told_to_stop, None)


@pytest.fixture
def steps(monkeypatch):
    """Of all methods: nothing is settled, and every step finds what is called like it."""
    steps = StandIns(monkeypatch, core.engines.front.methods)
    steps.gives(
        recover_along=(["along"], "progression"),
        recover_within=["within"],
        waiting_longer=["longer"],
        waiting_within=["waiting"],
        settle=None,
        has_single_tasks=False,
        tighten=(["tightened"], "patterns"),
        weighted_sweep=SimpleNamespace(points="points of the sweep", placements="its placements"),
        basic_seeds=["seed"],
        nsga2=["evolved"],
    )
    return steps


def reporting(run):
    """The same, and what it reports."""
    reports = []
    return replace(run, report=reports.append), reports


def assert_reports(report, phase, reports):
    """A step that says it has done 3 of 9 is reported as this phase."""
    report(3, 9)
    last = reports[-1]
    assert (last.phase, last.spent, last.allowed, last.points.shape) == (phase, 3, 9, (0, 2))


def test_their_names_are_those_of_files_and_commands():
    assert list(METHODS) == ["lp", "bound", "paper", "nsga2", "nsga2-seeded"]
    assert all(method_named(name).name == name for name in METHODS)


@pytest.mark.parametrize(
    ("name", "method"),
    [
        ("lp", Lp(0.2, Deadline(5.0))),
        ("bound", BoundOnly()),
        ("paper", Paper(0.2)),
        ("nsga2", Nsga2(7)),
        ("nsga2-seeded", SeededNsga2(7, 0.2)),
    ],
)
def test_it_takes_the_parameters_of_its_own(name, method):
    given = method_named(name, spacing=0.2, generations=7, wish=Deadline(5.0))
    assert given == method


def test_what_is_not_given_is_as_published():
    assert method_named("nsga2", generations=None) == Nsga2(1_000_000)
    assert method_named("nsga2-seeded", spacing=None) == SeededNsga2(1000, 0.01)
    assert method_named("lp") == Lp(0.01, None)


def test_an_unknown_name_is_refused():
    with pytest.raises(
        ValueError, match="there is no method 'magic'; give one of lp, bound, paper, nsga2"
    ):
        method_named("magic")
    with pytest.raises(ValueError, match="no method 'magic'"):
        study(load_sample("two-by-two"), "magic")


def test_work_is_counted_for_local_search_alone():
    assert [name for name, kind in METHODS.items() if kind.counts_work] == ["lp"]
    for name, kind in METHODS.items():
        if kind is not Lp:
            with pytest.raises(ValueError, match=f"work is not counted for '{name}'"):
                study(load_sample("two-by-two"), name, effort=Effort(work=1.0))


def test_what_may_be_asked_for_and_what_was_published():
    assert (GENERATION_COUNT.low, GENERATION_COUNT.high) == (1, 1e9)
    assert (SPACING.low, SPACING.high) == (0.001, 2.0)
    assert GENERATIONS == {"nsga2": 1_000_000, "nsga2-seeded": 1_000}


def test_what_is_allowed_are_seconds_or_else_units_of_work(run):
    budget = run.budget()
    assert (run.effort.allowed, budget.seconds, budget.threads) == (2.0, 2.0, 1)
    assert budget.should_stop is told_to_stop
    counted = replace(run, effort=Effort(work=0.5))
    assert (counted.effort.allowed, counted.budget().seconds) == (0.5, 0.5)
    counted_budget = counted.budget()
    counted_budget.spend(0.25)
    assert counted_budget.left == 0.25


def test_nobody_need_be_told_how_far_a_study_is(run):
    points = np.array([[1.0, 2.0]])
    assert run.telling("recover") is None
    run.polishing(0.1, points)
    heard, reports = reporting(replace(run, effort=Effort(work=0.5)))
    heard.polishing(0.1, points)
    (only,) = reports
    assert (only.phase, only.spent, only.allowed, only.points is points) == (
        "polish",
        0.1,
        0.5,
        True,
    )


def test_lp_recovers_and_has_the_rest_tightened(run, steps):
    heard, reports = reporting(run)
    found = Lp(0.3).run(heard)
    assert found.schedules == ["tightened"]
    assert found.progression == "progression"
    proofs = found.proofs
    assert (proofs.patterns, proofs.fitted, proofs.settled) == ("patterns", None, None)
    assert list(run.clock.seconds) == ["recover"]
    along, slower = steps.calls["recover_along"]
    front = run.front
    assert along.given == (front.system, front.points, front.placements, 0.3)
    assert along.named["should_stop"] is told_to_stop
    assert_reports(along.named["report"], "recover", reports)
    assert slower.named["should_stop"] is told_to_stop
    assert steps.one("settle").given == (front.system, told_to_stop)
    tightened = steps.one("tighten")
    proven, schedules, budget, clock = tightened.given
    assert proven.front is front
    assert schedules == ["along", "along", "longer"]
    assert (budget.seconds, budget.should_stop) == (2.0, told_to_stop)
    assert clock is run.clock
    assert tightened.named == {"wish": None, "seed": 7, "report": heard.polishing}
    assert "recover_within" not in {name for name, calls in steps.calls.items() if calls}


def test_of_the_slower_corners_a_few_are_recovered_both_ends_among_them(run, steps):
    slower = np.column_stack([np.arange(20.0), np.arange(20.0)[::-1]])
    placements = run.front.placements.chosen(np.zeros(20, np.int64))
    many = replace(run.front, slower=slower, slower_placements=placements)
    Lp(0.3).run(replace(run, front=many))
    system, points, chosen, spacing = steps.calls["recover_along"][1].given
    corners = np.concatenate([slower, many.points[:1]])
    assert points.tolist() == corners[[0, 2, 5, 8, 11, 14, 17, 20]].tolist()
    assert len(chosen) == 8
    # As far apart as may be: nothing is filled in between.
    assert (system, spacing) == (many.system, 2.0)


def test_with_an_energy_limit_lp_recovers_within_it(run, steps):
    wish = EnergyBudget(1395.0)
    Lp(0.3, wish).run(run)
    assert steps.one("recover_within").given == (run.front, 1395.0)
    _, schedules, *_ = steps.one("tighten").given
    assert schedules == ["along", "within"]
    assert steps.one("tighten").named["wish"] is wish
    assert not steps.calls["waiting_longer"]


def test_with_a_cap_that_only_slower_ones_keep_lp_recovers_these(run, steps):
    Lp(0.3, PowerCap(60.0)).run(run)
    front = run.front
    _, slower = steps.calls["recover_along"]
    system, points, placements, spacing = slower.given
    assert (system, spacing) == (front.system, 0.3)
    assert points.tolist() == [*front.slower.tolist(), front.points[0].tolist()]
    of_all = front.slower_placements.followed_by(front.placements)
    assert placements.number.tolist() == of_all.number.tolist()
    assert slower.named == {"should_stop": told_to_stop}
    assert steps.one("waiting_within").given == (front.system, 60.0)
    _, schedules, *_ = steps.one("tighten").given
    assert schedules == ["along", "along", "waiting"]
    assert not steps.calls["recover_within"]


def test_with_a_deadline_lp_recovers_no_more_than_without(run, steps):
    Lp(0.3, Deadline(12.0)).run(run)
    _, schedules, *_ = steps.one("tighten").given
    assert schedules == ["along"]


def test_where_nothing_is_allowed_lp_is_recovery_alone(run, steps):
    found = Lp(0.3).run(replace(run, effort=Effort(0.0)))
    assert found.schedules == ["along"]
    assert found.progression == "progression"
    assert not steps.calls["settle"]
    assert not steps.calls["tighten"]
    assert list(run.clock.seconds) == ["recover"]


def test_where_all_schedules_were_considered_lp_is_done(run, steps):
    settled = SimpleNamespace(schedules=("settled",))
    steps.gives(settle=settled)
    found = Lp(0.3).run(run)
    assert found.schedules == ["along", "settled"]
    assert found.progression == "progression"
    assert found.proofs.settled is settled
    assert not steps.calls["tighten"]
    assert list(run.clock.seconds) == ["recover", "settle"]


def test_what_single_tasks_prove_lp_hands_on(run, steps):
    fitted = SimpleNamespace(soonest=11.5)
    steps.gives(has_single_tasks=True, fitted_within=fitted)
    found = Lp(0.3).run(run)
    budget, bound = steps.one("fitted_within").given
    assert (budget.seconds, bound.system, bound.objective) == (2.0, run.system, MAKESPAN)
    proven, _, same_budget, _ = steps.one("tighten").given
    assert proven.soonest == 11.5
    assert same_budget is budget
    assert (found.proofs.fitted, found.proofs.patterns) == (fitted, "patterns")
    assert list(run.clock.seconds) == ["recover", "bound"]


def test_the_bound_alone_takes_no_step(run, steps):
    found = BoundOnly().run(run)
    assert (found.schedules, found.progression) == ([], NO_PROGRESSION)
    assert not any(steps.calls.values())


def test_the_published_way_sweeps_and_recovers(run, steps):
    heard, reports = reporting(run)
    found = Paper(0.3).run(heard)
    assert (found.schedules, found.progression) == (["along"], "progression")
    sweep = steps.one("weighted_sweep")
    assert sweep.given == (run.system, 1000)
    assert sweep.named["budget"].should_stop is told_to_stop
    assert_reports(sweep.named["report"], "sweep", reports)
    along = steps.one("recover_along")
    assert along.given == (run.system, "points of the sweep", "its placements", 0.3)
    assert along.named["should_stop"] is told_to_stop
    assert_reports(along.named["report"], "recover", reports)
    assert list(run.clock.seconds) == ["sweep", "recover"]


def test_evolution_begins_with_the_published_seeds(run, steps):
    heard, reports = reporting(run)
    found = Nsga2(5).run(heard)
    assert (found.schedules, found.progression) == (["evolved"], NO_PROGRESSION)
    evolution = steps.one("nsga2")
    assert evolution.given == (run.system, ["seed"])
    budget = evolution.named["budget"]
    assert (budget.seconds, budget.should_stop) == (2.0, told_to_stop)
    assert (evolution.named["generations"], evolution.named["seed"]) == (5, 7)
    assert_reports(evolution.named["report"], "evolve", reports)
    assert steps.one("basic_seeds").given == (run.system, budget)
    assert list(run.clock.seconds) == ["evolve"]


def test_or_with_what_the_published_way_gives(run, steps):
    found = SeededNsga2(5, 0.3).run(run)
    assert (found.schedules, found.progression) == (["along", "evolved"], "progression")
    assert steps.one("nsga2").given == (run.system, ["along"])
    assert steps.one("nsga2").named["generations"] == 5
    assert steps.one("recover_along").given[-1] == 0.3
    assert not steps.calls["basic_seeds"]
    assert list(run.clock.seconds) == ["sweep", "recover", "evolve"]


def test_where_nothing_is_allowed_nothing_evolves(run, steps):
    none = replace(run, effort=Effort(0.0))
    assert Nsga2(5).run(none).schedules == []
    assert SeededNsga2(5).run(none).schedules == ["along"]
    assert not steps.calls["nsga2"]
