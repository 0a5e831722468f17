"""With a wish there are schedules made for it, unless the method is the published one."""

from dataclasses import replace

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from strategies import systems
from studied import stopped

from core.engines.front.known import Proofs
from core.engines.front.methods import Lp
from core.engines.front.patterns import PatternProof, Patterns
from core.engines.front.study import Possible, pick, study
from core.engines.front.wish import Deadline, EnergyBudget, ExchangeRate, PowerCap
from core.engines.relaxed import trace_front
from core.files.samples.named import load_sample
from core.vocabulary.budget import Effort
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.plane.points import Steps
from core.vocabulary.system import System


def test_with_an_energy_budget_there_are_schedules_made_for_it(two_by_two):
    wish = EnergyBudget(1320.0)

    def best(method):
        found = study(two_by_two(), method, effort=Effort(0))
        return float(found.points[found.points[:, 0] <= wish.joules, 1].min())

    assert best(Lp(2.0)) == 18
    # With five tasks of the one type and two of the other on the fast machine: 1,320 J.
    assert best(Lp(2.0, wish)) == 14


@pytest.mark.thorough
def test_with_a_deadline_polish_works_there():
    system = load_sample("nine")
    front = trace_front(system)
    deadline = float(front.makespan.mean())
    asked = {"front": front, "method": Lp(0.05, Deadline(deadline))}
    found = stopped(system, "polish", 12, effort=Effort(seconds=600, threads=2), **asked)
    before = study(system, Lp(0.05), front=front, effort=Effort(0))

    def gap(found):
        met = found.points[found.points[:, 1] <= deadline, 0].min()
        return float(met / front.least_energy(deadline) - 1)

    assert gap(found) < gap(before) / 2


def beyond_settling(seed):
    """A few machine types and tasks, too many for all schedules to be considered."""
    rng = np.random.default_rng(seed)
    machines, tasks, number = (int(rng.integers(*ends)) for ends in ((3, 5), (3, 7), (10, 31)))
    counts = np.maximum(np.bincount(rng.integers(tasks, size=number), minlength=tasks), 1)
    each = rng.integers(1, 4, machines)
    etc = np.ceil(rng.uniform(1, 9, (tasks, machines)))
    apc = rng.uniform(50, 200, (tasks, machines))
    idle = rng.uniform(0, [40, 90, 180][seed % 3], machines)
    return System(
        tuple(TaskType(f"T{i}", int(count)) for i, count in enumerate(counts)),
        tuple(
            MachineType(f"M{j}", int(count), float(watts))
            for j, (count, watts) in enumerate(zip(each, idle, strict=True))
        ),
        etc,
        apc,
    )


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("seed", "wish"), [(7, EnergyBudget(8338.1551419556)), (15, Deadline(11.0))]
)
def test_a_wish_that_hardly_any_schedule_meets_is_met(seed, wish):
    """The least energy and the least makespan there are, by an integer program."""
    system = beyond_settling(seed)
    found = study(system, Lp(wish=wish), effort=Effort(work=0.3))
    assert found.proofs.settled is None
    assert pick(found, wish).possible is Possible.YES


def some_wishes(found, share):
    """Of each kind, from what nothing can meet to what everything does."""
    energy, makespan = found.nadir
    return [
        Deadline(share * makespan),
        EnergyBudget(share * energy),
        PowerCap(share * energy / makespan),
        ExchangeRate(share * energy / makespan),
    ]


@given(systems(with_apc=True, dyadic=True), st.sampled_from([0.0, 0.3, 0.6, 0.9, 1.0, 2.0]))
@examples(8)
def test_it_meets_the_wish_or_is_nearest(system, share):
    found = study(system, effort=Effort(0))
    for wish in some_wishes(found, share):
        picked = pick(found, wish)
        excess, value = wish.excess(found.points), wish.value(found.points)
        meeting = np.flatnonzero(excess == 0)
        assert picked.wish is wish
        assert picked.schedule is found.schedules[picked.index]
        assert picked.value == value[picked.index]
        if len(meeting):
            assert picked.possible is Possible.YES
            assert picked.index in meeting
            assert picked.value == value[meeting].min()
            assert picked.bound <= picked.value + 1e-9 * (1 + np.abs(found.nadir).max())
            assert picked.gap >= -1e-6
        else:
            assert excess[picked.index] == excess.min()
            impossible = np.isinf(picked.bound)
            assert picked.possible is (Possible.NO if impossible else Possible.UNKNOWN)
            assert picked.gap == np.inf
        energy, makespan = found.points[picked.index]
        assert picked.dearer_than_thriftiest == energy - found.points[:, 0].min() >= 0
        assert picked.slower_than_fastest == makespan - found.points[:, 1].min() >= 0


@pytest.mark.parametrize(
    ("wish", "point", "possible", "bound"),
    [
        (Deadline(12.0), (1400, 12), Possible.YES, 1400),
        (Deadline(17.9), (1390, 15), Possible.YES, 1381),
        (Deadline(12.0 - 1e-6), (1400, 12), Possible.UNKNOWN, 1400 + 1e-5 / 3),
        (Deadline(10.9), (1400, 12), Possible.UNKNOWN, 1403 + 2 / 3),
        (Deadline(10.7), (1400, 12), Possible.NO, np.inf),
        (EnergyBudget(1395.0), (1390, 15), Possible.YES, 13.5),
        (EnergyBudget(1380.0), (1380, 18), Possible.YES, 18),
        (EnergyBudget(1379.0), (1380, 18), Possible.NO, np.inf),
        (PowerCap(1400 / 12), (1400, 12), Possible.YES, 12),
        (PowerCap(76.0), (1380, 18), Possible.UNKNOWN, 200 / 11),
        (PowerCap(20.0), (1380, 18), Possible.NO, np.inf),
        (ExchangeRate(1.0), (1380, 18), Possible.YES, 1398),
        (ExchangeRate(1000.0), (1400, 12), Possible.YES, 1404 + 10800),
    ],
)
def test_on_the_system_worked_out_by_hand(two_by_two, wish, point, possible, bound):
    found = study(two_by_two(20, 10), effort=Effort(0))
    assert found.points.tolist() == [[1380, 18], [1390, 15], [1400, 12]]
    picked = pick(found, wish)
    assert tuple(found.points[picked.index]) == point
    assert picked.possible is possible
    assert picked.bound == pytest.approx(bound, rel=1e-9)
    joules, seconds = point
    assert picked.slower_than_fastest == seconds - 12
    assert picked.dearer_than_thriftiest == joules - 1380
    gap = picked.value / bound - 1 if possible is Possible.YES else np.inf
    assert picked.gap == pytest.approx(gap, abs=1e-9)


def test_a_gap_is_a_share_of_the_bound_whatever_its_size(two_by_two):
    picked = pick(study(two_by_two(20, 10), effort=Effort(0)), Deadline(12.0))
    assert replace(picked, value=0.6, bound=0.4).gap == pytest.approx(0.5)
    assert replace(picked, value=0.6, bound=0.0).gap == 0.0
    assert replace(picked, value=0.6, bound=-1.0).gap == 0.0


@pytest.mark.parametrize(
    ("wish", "bound"),
    [
        (Deadline(17.9), 1390),
        (Deadline(15.0 * (1 - 5e-13)), 1390),
        (Deadline(10.9), 1403 + 2 / 3),
        (EnergyBudget(1395.0), 15),
        (EnergyBudget(1390.0 * (1 - 5e-13)), 15),
        (EnergyBudget(1389.0), 18),
        (EnergyBudget(1500.0), 10.8),
        (EnergyBudget(1379.0), np.inf),
        (PowerCap(76.0), 200 / 11),
        (ExchangeRate(1.0), 1398),
    ],
)
def test_what_patterns_prove_counts_where_they_prove_more(two_by_two, wish, bound):
    found = study(two_by_two(20, 10), effort=Effort(0))
    # Idle machines draw 30 W: from 10.8 s on it is 1,400 J at least, from 15 s on 1,390 J.
    begins = np.array([10.8, 15.0, 18.0])
    above_idle = np.array([1400.0, 1390.0, -np.inf]) - 30 * begins
    proof = PatternProof(1.0, 1.0, 0.0, np.empty((0, 2)), np.empty(0, np.int64))
    known = replace(found, proofs=Proofs(patterns=Patterns(Steps(begins, above_idle), proof)))
    assert pick(known, wish).bound == pytest.approx(bound, rel=1e-9)


def test_of_equally_good_schedules_the_one_that_is_better_otherwise(two_by_two):
    found = study(two_by_two(20, 10), effort=Effort(0))
    # The same energy, but for one slower: sorted as a study is.
    points = np.array([[1380.0, 18.0], [1380.0, 19.0], [1400.0, 12.0]])
    tied = replace(found, points=points[[1, 0, 2]])
    assert pick(tied, Deadline(20.0)).index == 1


def test_without_schedules_there_is_nothing_to_pick(two_by_two):
    with pytest.raises(ValueError, match="'bound' gives no schedules"):
        pick(study(two_by_two(), method="bound"), Deadline(20.0))
