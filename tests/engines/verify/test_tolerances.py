"""What rounding may do is no fault, and what is more is: each tolerance at, below and above it."""

import math
from importlib import import_module

import numpy as np
import pytest
from claims import Stated, claim, places, sample, stated

from core.engines.verify.judge import verify, verify_stated
from core.engines.verify.recount import AGREEMENT, ROUNDING
from core.engines.verify.verdict import (
    DURATIONS,
    LISTED_PER_CHECK,
    MACHINES_EXIST,
    MACHINES_ONCE,
    NO_GAP,
    NO_OVERLAP,
    NO_TASK_TWICE,
    POSSIBLE_PAIRS,
    SAME_ENERGY,
    SAME_MAKESPAN,
    TASKS_ONCE,
    Verdict,
)
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.ranges import MACHINE_COUNT
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System

BELOW_ABOVE = pytest.mark.parametrize(("times", "ok"), [(-0.9, True), (0.9, True), (1.1, False)])


def test_tolerances_are_what_they_are() -> None:
    assert (AGREEMENT, ROUNDING, LISTED_PER_CHECK) == (1e-9, 1e-12, 10)


def test_all_of_a_verdict() -> None:
    checks = (TASKS_ONCE, MACHINES_ONCE, POSSIBLE_PAIRS, DURATIONS, NO_OVERLAP, NO_GAP)
    schedule = sample()
    assert verify(schedule, schedule.system) == Verdict(
        problems=(),
        checks=(*checks, SAME_MAKESPAN, SAME_ENERGY),
        tasks=12,
        machines=4,
        makespan=8.0,
        energy=740.0,
        busy_seconds=28.0,
        idle_seconds=12.0,
        waiting_seconds=0.0,
    )
    rows = verify_stated(stated(schedule), schedule.system)
    assert rows.checks == (TASKS_ONCE, MACHINES_EXIST, POSSIBLE_PAIRS, DURATIONS, NO_OVERLAP)
    part = verify_stated(stated(schedule), schedule.system, part=True)
    assert part.checks == (NO_TASK_TWICE, *rows.checks[1:])


def test_a_part_may_lack_tasks_and_have_none_twice() -> None:
    rows, system = stated(sample()), sample().system
    most = verify_stated(rows.take([0, 1, 2, 3, 5]), system, part=True)
    assert (most.ok, most.tasks, most.machines) == (True, 10, 3)
    none = verify_stated(rows.take(slice(0)), system, part=True)
    assert (none.ok, none.tasks, none.machines) == (True, 0, 0)
    assert (none.makespan, none.energy, none.busy_seconds, none.idle_seconds) == (0, 0, 0, 0)
    twice = verify_stated(rows.take([0, 1, 2, 3, 4, 5, 5]), system, part=True)
    assert ("T1", "count") in places(twice)


@BELOW_ABOVE
@pytest.mark.parametrize("sign", [-1, 1])
def test_a_claim_may_be_off_by_a_billionth(times: float, ok: bool, sign: int) -> None:
    for name in ("makespan", "energy_if_known"):
        broken = claim(sample())
        setattr(broken, name, getattr(broken, name) * (1 + sign * times * 1e-9))
        assert verify(broken, sample().system).ok == ok


@pytest.mark.parametrize(("steps", "ok"), [(-1, True), (0, True), (1, False)])
def test_a_claim_may_be_off_by_all_of_the_tolerance(
    monkeypatch: pytest.MonkeyPatch, steps: int, ok: bool
) -> None:
    monkeypatch.setattr(import_module("core.engines.verify.judge"), "AGREEMENT", 2**-30)
    broken = claim(sample())
    broken.makespan *= 1 + 2**-30 + steps * 2**-52
    assert verify(broken, sample().system).ok == ok


@BELOW_ABOVE
@pytest.mark.parametrize("row", [0, 1])
def test_a_block_may_be_off_by_a_billionth_of_its_length(row: int, times: float, ok: bool) -> None:
    """A #1: 6 s, then 1 s; the second ends at 7 s, of which a trillionth is rounding."""
    rows = stated(sample())
    ends = [6.0 * (1 + times * 1e-9), 7.0 + times * (1e-9 + 7e-12)]
    verdict = verify_stated(rows.set(row, end=ends[row]), sample().system)
    assert (("A #1", "end") not in places(verdict)) == ok


@pytest.mark.parametrize(("steps", "ok"), [(-1, True), (0, True), (1, False)])
def test_a_block_may_be_off_by_all_of_the_tolerance(
    monkeypatch: pytest.MonkeyPatch, steps: int, ok: bool
) -> None:
    timeline = import_module("core.engines.verify.timeline")
    monkeypatch.setattr(timeline, "AGREEMENT", 2**-30)
    monkeypatch.setattr(timeline, "ROUNDING", 0.0)
    rows = stated(sample()).set(0, end=6.0 * (1 + 2**-30 + steps * 2**-50))
    assert (("A #1", "end") not in places(verify_stated(rows, sample().system))) == ok


@BELOW_ABOVE
def test_a_short_block_late_may_be_off_by_the_rounding_of_the_clock(times: float, ok: bool) -> None:
    """A second after ten thousand: a billionth of it, and a trillionth of its end."""
    system = System((TaskType("T", 10_001),), (MachineType("M", 1),), np.array([[1.0]]))
    none = np.array([0, 0])
    end = 10_001 + times * (1e-9 + 10_001e-12)
    rows = Stated(none, none + 1, none, np.array([10_000, 1]), 1e4 * np.arange(2), [1e4, end])
    rows = Stated(*(np.asarray(getattr(rows, name)) for name in rows.__dataclass_fields__))
    assert verify_stated(rows, system).ok == ok


@pytest.mark.parametrize("times", [-0.9, 0.9, 1.1, -1.1])
def test_a_block_may_begin_a_trillionth_off_where_the_one_before_it_ended(times: float) -> None:
    """A #1 ends its first block at 6 s. Later is waiting, which only the rows of a file may do."""
    off = times * 6e-12
    rows = stated(sample()).set(1, start=6 + off, end=7 + off)
    verdict = verify_stated(rows, sample().system)
    assert verdict.ok == (times > -1)
    assert verdict.waiting_seconds == (pytest.approx(off, rel=1e-2) if times > 1 else 0)
    broken = claim(sample())
    broken.timeline.start[1] += off
    broken.timeline.end[1] += off
    assert verify(broken, sample().system).ok == (abs(times) < 1)


def test_blocks_of_all_machines_of_a_group_wait() -> None:
    """A #1 waits 2 s and A #2 waits 3 s; B #1 waits 1 s before its first block."""
    rows = stated(sample())
    late = rows.set(1, start=8.0, end=9.0).set(3, start=9.0, end=10.0).set(5, start=1.0, end=9.0)
    verdict = verify_stated(late, sample().system)
    assert (verdict.ok, verdict.waiting_seconds, verdict.makespan) == (True, 6.0, 10.0)
    assert (verdict.busy_seconds, verdict.idle_seconds) == (28.0, 22.0)


@pytest.mark.parametrize(("machines", "fits"), [(10**6, True), (10**6 + 1, False)])
def test_machines_are_as_many_as_there_may_be(largest: Schedule, machines: int, fits: bool) -> None:
    assert MACHINE_COUNT.high == 10**6
    broken = claim(largest)
    broken.machines[0] = machines
    verdict = verify(broken, largest.system)
    assert verdict.ok == fits
    assert any("groups are not for" in problem.message for problem in verdict.problems) != fits


@pytest.mark.parametrize(("with_powers", "energy"), [(True, 0.0), (False, None)])
def test_what_is_no_schedule_at_all_has_no_figures(with_powers: bool, energy: float | None) -> None:
    schedule = sample()
    system = schedule.system
    other = System(
        system.task_types[:1],
        system.machine_types,
        system.etc[:1],
        system.apc[:1] if with_powers and system.apc is not None else None,
    )
    verdict = verify(schedule, other)
    assert not verdict.ok
    assert (verdict.tasks, verdict.machines, verdict.makespan, verdict.energy) == (0, 0, 0, energy)
    assert (verdict.busy_seconds, verdict.idle_seconds, verdict.waiting_seconds) == (0, 0, 0)
    assert (SAME_ENERGY in verdict.checks) == with_powers


@pytest.mark.parametrize("number", [1, 10**6])
def test_machines_of_neighbouring_types_are_told_apart(number: int) -> None:
    """The last that a type may have, and the first of the next."""
    system = System(
        (TaskType("T", 2),),
        (MachineType("A", 10**6), MachineType("B", 10**6)),
        np.array([[1.0, 1.0]]),
    )
    rows = Stated(
        np.array([0, 1]),
        np.array([10**6, number]),
        np.array([0, 0]),
        np.array([1, 1]),
        np.zeros(2),
        np.ones(2),
    )
    verdict = verify_stated(rows, system)
    assert (verdict.ok, verdict.machines, verdict.makespan) == (True, 2, 1.0)
    assert verdict.idle_seconds == 2 * 10**6 - 2
    again = verify_stated(rows.set(1, machine_type=0), system)
    assert again.ok == (number == 1)


def test_figures_are_added_without_loss() -> None:
    """A long task beside many short ones, which a running sum would lose."""
    system = System(
        (TaskType("long", 1), TaskType("short", 3)),
        (MachineType("M", 1, 1.0), MachineType("idle", 3, 0.1)),
        np.array([[1e9, math.inf], [1e-7, math.inf]]),
        np.array([[1.0, math.nan], [1.0, math.nan]]),
    )
    schedule = Schedule(system, np.array([0, 1]), np.array([1, 3]), np.array([[1, 3], [0, 0]]))
    verdict = verify(schedule, system)
    assert verdict.makespan == 1e9 + 3e-7
    assert verdict.energy == pytest.approx(1.3 * (1e9 + 3e-7), rel=1e-15)
    assert verdict.idle_seconds == 3 * (1e9 + 3e-7)


def test_a_row_of_no_machine_type_is_refused_where_there_is_only_one() -> None:
    system = System((TaskType("T", 1),), (MachineType("M", 1),), np.array([[1.0]]))
    zero, one = np.array([0]), np.array([1])
    for kind in (-1, 1):
        rows = Stated(zero + kind, one, zero, one, np.array([0.0]), np.array([1.0]))
        assert ("", "machine_type") in places(verify_stated(rows, system))


def test_groups_may_come_in_any_order_of_machine_types() -> None:
    schedule = claim(sample())
    order = [3, 0, 2, 1]
    schedule.machine_type = schedule.machine_type[order]
    schedule.machines, schedule.tasks = schedule.machines[order], schedule.tasks[order]
    # B #1 is the idle one now.
    schedule.timeline.first_machine[3] = 2
    verdict = verify(schedule, sample().system)
    assert verdict == verify(sample(), sample().system)
