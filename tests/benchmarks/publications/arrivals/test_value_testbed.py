"""The testbed's stand-in has its hosts, hours and sizes, and signs are judged by each figure."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from benchmarks.publications.arrivals import value_testbed
from benchmarks.publications.arrivals.value import SIMPLE_DP, VPTR
from benchmarks.publications.arrivals.value_testbed import (
    KINDS,
    BedKind,
    BedRuns,
    BedScore,
    BedTask,
    draw_stand_in,
    figure_12_to_17,
    scored_bed,
)
from benchmarks.publications.pictures import draw
from core.capabilities.arrivals.made.value_testbed import TYPES
from core.capabilities.arrivals.policies import VALUE
from core.engines.compute.executors import InThisThread
from core.engines.replay.clock import ReplaySettings, replay
from core.engines.replay.judge import judge_outcome


@pytest.mark.parametrize("kind", KINDS)
def test_each_workload_has_its_hosts_hours_and_sizes(kind: BedKind) -> None:
    workload, most = draw_stand_in(kind, 5)
    pools, options, jobs = workload.pools, workload.options, workload.jobs
    hours = {1: 6, 2: 3}[kind.workload]
    assert pools.units.tolist() == ([20 * kind.hosts] if kind.pooled else [20] * kind.hosts)
    assert pools.further is not None
    assert options.further is not None
    assert pools.further.sum() == 24 * kind.hosts
    assert set(options.units) == {1, 4, 8, 16}
    assert set(options.further[:, 0]) <= {1, 2, 4, 8, 16}
    assert jobs.types == TYPES
    assert len(jobs) == 80 * kind.hosts * {1: 4.2, 2: 3}[kind.workload]
    assert (hours - 0.5) * 3600 < jobs.arrival.max() < hours * 3600
    most_added = np.maximum.reduceat(options.added, options.first[:-1])
    assert (jobs.priority + most_added).sum() <= most
    assert most < 1.2 * (jobs.priority + most_added).sum()


def test_arrivals_and_weights_follow_the_hours() -> None:
    workload, _ = draw_stand_in(BedKind(1, 4), 0)
    by_hour = np.histogram(workload.jobs.arrival, 6, (0, 6 * 3600))[0]
    assert by_hour / by_hour.max() == pytest.approx([0.4, 0.7, 1, 1, 0.7, 0.4], abs=0.12)
    at_noon, _ = draw_stand_in(BedKind(2, 4), 0)
    plain = at_noon.jobs.priority == 1
    extra = np.maximum.reduceat(at_noon.options.added, at_noon.options.first[:-1])[plain]
    assert 3.5 < np.median(extra) <= 10


def test_values_of_time_and_energy_add_up_to_what_is_earned() -> None:
    kind = BedKind(2, 2)
    workload, most = draw_stand_in(kind, 1)
    ours, simple = scored_bed(BedTask(kind, 1))
    outcome = replay(workload, VALUE[VPTR].policy, settings=ReplaySettings(seed=1))
    assert judge_outcome(outcome).problems == ()
    assert ours.time + ours.energy == pytest.approx(100 * outcome.worth / most)
    assert ours.joules == pytest.approx(outcome.joules)
    assert ours.time > 0 < ours.energy
    assert ours.time + ours.energy > simple.time + simple.energy


@cache
def small_runs() -> BedRuns:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(value_testbed, "JOBS_A_CORE", 0.5)
        return value_testbed.measure(2, InThisThread(), lambda _: None)


def test_the_figure_is_judged_and_drawn(tmp_path: Path) -> None:
    found = small_runs()
    assert set(found.scores) == set(KINDS)
    assert len(KINDS) == 10
    figure = figure_12_to_17(found)
    assert figure.table is not None
    assert len(figure.table.rows) == 2 * len(KINDS)
    draw(figure, tmp_path / f"{figure.file_stem}.svg")


def runs(change: dict[str, dict[str, float]] | None = None, at: BedKind | None = None) -> BedRuns:
    """Two trials each in which all claims hold, but for figures of a policy that are changed."""
    scores = {}
    for kind in KINDS:
        ours = {"time": 30.0 + kind.hosts, "energy": 30.0, "seconds": 50.0, "joules": 5.0}
        simple = {"time": 20.0 - kind.hosts, "energy": 20.0, "seconds": 60.0, "joules": 6.0}
        each = {VPTR: ours, SIMPLE_DP: simple}
        for one in each.values():
            one["seconds"] *= kind.hosts * 3600
        for policy, figures in (change or {}).items() if at in (None, kind) else ():
            each[policy] |= figures
        scores[kind] = {
            policy: np.array([BedScore(**one), BedScore(**one)]) for policy, one in each.items()
        }
    return BedRuns(scores)


@pytest.mark.parametrize(
    ("words", "change", "at"),
    [
        ("Max VPTR earns more", {VPTR: {"time": 1.0}}, BedKind(2, 4, True)),
        ("value of performance", {VPTR: {"time": 1.0}}, BedKind(1, 1)),
        ("value of energy", {VPTR: {"energy": 19.0}}, BedKind(1, 2)),
        ("The gap grows", {VPTR: {"time": 10.0}}, BedKind(1, 4)),
        ("Simple d&p earns falls", {SIMPLE_DP: {"time": 20.0}}, BedKind(2, 4, True)),
        ("The time of all jobs that are done is less", {VPTR: {"seconds": 1e9}}, BedKind(1, 2)),
        ("The energy of all jobs", {VPTR: {"joules": 7.0}}, BedKind(1, 2)),
        ("done grows with the cores", {SIMPLE_DP: {"seconds": 1e9}}, BedKind(1, 1)),
    ],
)
def test_signs_hold_as_published_and_not_otherwise(words: str, change, at) -> None:
    def verdict(found: BedRuns) -> bool:
        (claim,) = (one for one in figure_12_to_17(found).claims if words in one.claim)
        return claim.holds

    assert verdict(runs())
    assert not verdict(runs(change, at))
