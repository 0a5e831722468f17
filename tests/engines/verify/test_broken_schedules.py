"""Verify objects to every broken schedule, naming the place."""

import math
from collections.abc import Callable
from dataclasses import fields, replace

import numpy as np
import pytest
from claims import RECORDED, Claim, anything, claim, places, said, sample
from hypothesis import given
from hypothesis import strategies as st
from strategies import schedules, systems

from core.engines.verify.judge import verify
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.schedule import Blocks, Schedule
from core.vocabulary.system import System


def drop_a_task(c: Claim) -> None:
    c.tasks[1, 1] -= 1


def drop_tasks(c: Claim) -> None:
    c.tasks[0] -= 1


def duplicate_a_task(c: Claim) -> None:
    c.tasks[2, 0] += 1


def move_to_where_it_cannot_run(c: Claim) -> None:
    c.tasks[1, 1] -= 1
    c.tasks[3, 1] += 1


def keep(c: Claim, groups: slice) -> None:
    c.machine_type, c.machines, c.tasks = (
        c.machine_type[groups],
        c.machines[groups],
        c.tasks[groups],
    )


def add_machines(c: Claim) -> None:
    c.machines[3] = 4


def add_machines_at_work(c: Claim) -> None:
    c.machines[0] += 1


def retype_a_machine(c: Claim) -> None:
    c.machine_type[3] = 0


def timeline(**columns: tuple[int, float]) -> Callable[[Claim], None]:
    """Sets one entry of each named column of the timeline."""

    def spoil(c: Claim) -> None:
        changed = {name: getattr(c.timeline, name).copy() for name in columns}
        for name, (row, value) in columns.items():
            changed[name][row] = value
        c.timeline = replace(c.timeline, **changed)

    return spoil


def reorder_timeline(*rows: int) -> Callable[[Claim], None]:
    def spoil(c: Claim) -> None:
        columns = {f.name: getattr(c.timeline, f.name)[list(rows)] for f in fields(Blocks)}
        c.timeline = Blocks(**columns)

    return spoil


def say(**claims: float | None) -> Callable[[Claim], None]:
    def spoil(c: Claim) -> None:
        for name, value in claims.items():
            setattr(c, name, value)

    return spoil


# The timeline of the sample: 0, 1: A #1 to #2; 2: A #3; 3: B #1. `said.toml` has what is said.
BROKEN: dict[str, Callable[[Claim], None]] = {
    "a task dropped": drop_a_task,
    "a task of each type dropped": drop_tasks,
    "a task duplicated": duplicate_a_task,
    "a task where it cannot run": move_to_where_it_cannot_run,
    "a machine missing": lambda c: keep(c, slice(3)),
    "machines too many": add_machines,
    "machines too many at work": add_machines_at_work,
    "a machine of another type": retype_a_machine,
    "a block dropped": reorder_timeline(0, 1, 3),
    "a block twice": reorder_timeline(0, 1, 2, 2, 3),
    "a block longer": timeline(end=(2, 7.0)),
    "a block shorter": timeline(end=(3, 7.9)),
    "a block shifted": timeline(start=(1, 6.5), end=(1, 7.5)),
    "a first block shifted": timeline(start=(3, 1.0), end=(3, 9.0)),
    "an overlap": timeline(start=(1, 5.0), end=(1, 6.0)),
    "blocks swapped": reorder_timeline(1, 0, 2, 3),
    "a block with another count": timeline(count=(3, 3)),
    "a block of another type": timeline(task_type=(2, 0)),
    "a block of no type": timeline(task_type=(2, 2)),
    "a block elsewhere": timeline(first_machine=(2, 2)),
    "a block on an idle machine": timeline(first_machine=(3, 2)),
    "a block from another machine on": timeline(first_machine=(0, 3)),
    "a block nowhere": timeline(first_machine=(2, 4)),
    "a block on fewer machines": timeline(machines=(0, 1)),
    "a block on no machine type": timeline(machine_type=(2, 9)),
    "a start that is unknown": timeline(start=(2, math.nan)),
    "an end before time": timeline(end=(2, -1.0)),
    "counts for fewer task types": lambda c: setattr(c, "tasks", c.tasks[:, :1]),
    "makespan too short": say(makespan=7.9999),
    "makespan too long": say(makespan=8.0001),
    "makespan unknown": say(makespan=math.nan),
    "energy too low": say(energy_if_known=700.0),
    "energy unknown": say(energy_if_known=None),
    "energy no number": say(energy_if_known=math.nan),
}


class TestBrokenSchedules:
    def test_the_sample_is_sound_before(self) -> None:
        assert verify(claim(sample()), sample().system) == verify(sample(), sample().system)
        assert verify(sample(), sample().system).energy == 740.0
        assert verify(sample(), sample().system).ok

    @pytest.mark.parametrize("fault", BROKEN)
    def test_are_refused_at_the_place_in_these_words(self, fault: str) -> None:
        broken = claim(sample())
        BROKEN[fault](broken)
        assert said(verify(broken, sample().system)) == RECORDED["schedules"][fault]

    @given(anything, st.sampled_from([1 - 1e-6, 1 + 1e-6, 2.0, 0.0, math.inf]))
    def test_no_false_makespan_passes(self, schedule: Schedule, factor: float) -> None:
        broken = claim(schedule)
        broken.makespan = schedule.makespan * factor
        assert places(verify(broken, schedule.system)) == {("", "makespan")}

    @given(schedules(systems(dyadic=True, with_apc=True)), st.sampled_from([1, -1, 1000]))
    def test_no_false_energy_passes(self, schedule: Schedule, joules: int) -> None:
        broken = claim(schedule)
        broken.energy_if_known = schedule.energy + joules
        assert places(verify(broken, schedule.system)) == {("", "energy")}

    @pytest.mark.parametrize(("share", "ok"), [(1e-13, True), (1e-11, False)])
    def test_rounding_of_idle_time_is_no_false_energy(self, share: float, ok: bool) -> None:
        system = System(
            (TaskType("T", 2),), (MachineType("M", 2, 1e12),), np.array([[3.0]]), np.array([[0.0]])
        )
        no_idle = claim(Schedule(system, np.array([0]), np.array([2]), np.array([[1]])))
        assert no_idle.energy_if_known == 0.0
        no_idle.energy_if_known = share * 2 * 3.0 * 1e12
        assert verify(no_idle, system).ok == ok

    @given(anything, st.data())
    def test_no_change_of_a_count_passes(self, schedule: Schedule, data: st.DataObject) -> None:
        broken = claim(schedule)
        g = data.draw(st.integers(0, len(broken.machines) - 1))
        i = data.draw(st.integers(0, len(schedule.system.task_types) - 1))
        broken.tasks[g, i] += data.draw(st.sampled_from([1, -1, 10**15]))
        assert not verify(broken, schedule.system).ok

    @pytest.mark.parametrize(
        "spoil",
        [
            lambda c: c.tasks.__setitem__((0, 0), -1),
            lambda c: c.machines.__setitem__(0, 0),
            lambda c: c.machines.__setitem__(0, 2**62),
            lambda c: c.machine_type.__setitem__(0, 2),
            lambda c: c.machine_type.__setitem__(0, -1),
            lambda c: setattr(c, "tasks", c.tasks[:, :1]),
            lambda c: setattr(c, "machines", c.machines[:2]),
            lambda c: keep(c, slice(0)),
        ],
    )
    def test_what_is_no_schedule_of_this_system_at_all_is_refused(
        self, spoil: Callable[[Claim], None]
    ) -> None:
        broken = claim(sample())
        spoil(broken)
        verdict = verify(broken, sample().system)
        (problem,) = verdict.problems
        assert "not for this system" in problem.message
        assert verdict.tasks == 0

    def test_counts_that_are_right_only_in_64_bits_are_refused(self) -> None:
        system = System((TaskType("T", 4),), (MachineType("M", 4),), np.array([[1.0]]))
        one_each = Schedule(system, np.array([0]), np.array([4]), np.array([[1]]))
        broken = claim(one_each)
        broken.tasks[0, 0] = 2**62 + 1
        assert int((broken.machines[:, None] * broken.tasks).sum()) == 4
        assert ("T", "count") in places(verify(broken, system))

    def test_a_schedule_of_another_system_is_measured_by_this_one(self) -> None:
        schedule = sample()
        slower = replace(schedule.system, etc=schedule.system.etc * 2)
        assert ("", "makespan") in places(verify(schedule, slower))
