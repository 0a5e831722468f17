"""Verify accepts every true schedule, by itself or as stated, and shares no code with solvers."""

import ast
import inspect
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
from claims import anything, exact, sample, stated
from hypothesis import assume, given
from hypothesis import strategies as st

from core.engines.verify import judge
from core.engines.verify.judge import verify, verify_stated
from core.engines.verify.verdict import SAME_ENERGY
from core.vocabulary.schedule import Schedule


class TestTrueSchedules:
    @given(anything)
    def test_are_accepted_with_the_same_figures(self, schedule: Schedule) -> None:
        verdict = verify(schedule, schedule.system)
        assert verdict.problems == ()
        assert verdict.ok
        assert verdict.makespan == pytest.approx(schedule.makespan, rel=1e-12)
        assert verdict.tasks == schedule.system.tasks
        assert (verdict.energy is None) == (schedule.system.apc is None)
        assert (SAME_ENERGY in verdict.checks) == (schedule.system.apc is not None)

    @given(exact)
    def test_add_up_to_the_same_to_the_last_bit(self, schedule: Schedule) -> None:
        verdict = verify(schedule, schedule.system)
        assert verdict.makespan == schedule.makespan
        assert verdict.energy == schedule.energy_if_known
        assert verdict.busy_seconds == schedule.busy_seconds.sum()
        assert (
            verdict.busy_seconds + verdict.idle_seconds
            == schedule.system.machines * schedule.makespan
        )
        assert verdict.machines == schedule.machines[schedule.tasks.any(axis=1)].sum()
        assert verdict.waiting_seconds == 0.0

    @given(exact)
    def test_are_accepted_as_stated_in_a_file(self, schedule: Schedule) -> None:
        whole, rows = (
            verify(schedule, schedule.system),
            verify_stated(stated(schedule), schedule.system),
        )
        assert rows.problems == ()
        assert replace(rows, checks=whole.checks) == whole

    @given(exact, st.randoms(use_true_random=False))
    def test_may_list_their_machines_in_any_order(self, schedule: Schedule, random: Random) -> None:
        rows = stated(schedule)
        machines = list(zip(rows.machine_type.tolist(), rows.machine.tolist(), strict=True))
        ranks = {machine: random.random() for machine in set(machines)}
        order = np.argsort([ranks[machine] for machine in machines], kind="stable")
        assert verify_stated(rows.take(order), schedule.system) == verify_stated(
            rows, schedule.system
        )

    @given(exact)
    def test_may_split_a_block_in_two(self, schedule: Schedule) -> None:
        rows = stated(schedule)
        large = np.flatnonzero(rows.count > 1)
        assume(len(large))
        row = int(large[0])
        half = rows.start[row] + (rows.end[row] - rows.start[row]) / rows.count[row]
        twice = rows.take(np.sort(np.append(np.arange(len(rows)), row)))
        split = twice.set(row, count=1, end=half).set(
            row + 1, count=rows.count[row] - 1, start=half
        )
        assert verify_stated(split, schedule.system) == verify_stated(rows, schedule.system)

    def test_may_wait_if_they_say_so(self) -> None:
        schedule = sample()
        rows = stated(schedule)
        (last,) = np.flatnonzero((rows.machine_type == 0) & (rows.machine == 1) & (rows.start == 6))
        late = verify_stated(rows.set(int(last), start=9.0, end=10.0), schedule.system)
        assert late.ok
        assert late.makespan == 10.0
        assert late.waiting_seconds == 3.0
        assert late.busy_seconds == 28.0
        assert late.idle_seconds == 5 * 10.0 - 28.0
        # At work 6 x 3 s x 30 W, 2 x 1 s x 10 W, 4 x 2 s x 20 W; idle 10 s at 1 W and 12 s at 2 W.
        assert late.energy == 540 + 20 + 160 + 10 + 24

    def test_may_be_as_large_as_a_system_may_be(self, largest: Schedule) -> None:
        verdict = verify(largest, largest.system)
        assert verdict.ok
        assert (verdict.tasks, verdict.machines, verdict.energy) == (10**12, 10**6, 6e12)

    def test_without_powers_have_no_energy(self) -> None:
        schedule = sample()
        system = replace(schedule.system, apc=None)
        bare = Schedule(system, schedule.machine_type, schedule.machines, schedule.tasks)
        for verdict in (verify(bare, system), verify_stated(stated(bare), system)):
            assert verdict.ok
            assert verdict.energy is None


MODULES = sorted(Path(inspect.getfile(judge)).parent.glob("*.py"))


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.stem)
def test_imports_nothing_that_schedules(module: Path) -> None:
    tree = ast.parse(module.read_text())
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    ours = {name for name in imported if name and name.split(".")[0] in {"core", "."}}
    others = {name for name in ours if not name.startswith("core.engines.verify.")}
    allowed = {"arrays", "problems", "ranges", "schedule", "system"}
    assert others <= {f"core.vocabulary.{name}" for name in allowed}
