"""A sound system has what it was given, frozen and comparable, and its power is known or asked."""

import math
from collections.abc import Callable
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest
from drafts import (
    INF,
    NAN,
    Draft,
    Spoil,
    apc,
    count_machines,
    count_tasks,
    etc,
    idle,
    mark,
    name_machine,
    name_task,
    only_absent_machines_for_t2,
)
from hypothesis import given
from hypothesis import strategies as st
from strategies import names, systems

from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.problems import errors
from core.vocabulary.system import NoPowerData, System
from core.vocabulary.system_problems import find_problems


class TestWhatIsAllowed:
    def test_the_extremes_make_a_system(self) -> None:
        system = System(
            (TaskType("x" * 200, 10**12), TaskType("none", 0)),
            (MachineType("m", 10**6, 1e12), MachineType("none", 0)),
            np.array([[1e-9, INF], [1e15, 1e15]]),
            np.array([[0.0, NAN], [1e12, 1e12]]),
        )
        assert system.tasks == 10**12
        assert system.machines == 10**6
        assert system.total_idle_power == 1e18

    @given(systems())
    def test_whatever_is_allowed_is_made(self, system: System) -> None:
        assert (
            find_problems(
                system.task_types, system.machine_types, system.etc, None, system.estimated
            )
            == []
        )
        assert (
            errors(find_problems(system.task_types, system.machine_types, system.etc, system.apc))
            == []
        )
        assert [*zip(system.task_names, system.task_counts.tolist(), strict=True)] == [
            (task.name, task.count) for task in system.task_types
        ]
        assert [*zip(system.machine_names, system.machine_counts.tolist(), strict=True)] == [
            (machine.name, machine.count) for machine in system.machine_types
        ]
        assert system.tasks == sum(system.task_counts.tolist()) > 0
        assert system.machines == sum(system.machine_counts.tolist()) > 0
        assert ((system.machine_counts > 0) >= system.can_run).all()
        assert system.can_run[system.task_counts > 0].any(axis=1).all()

    @given(names().filter(lambda name: name != "CPU"))
    def test_any_name_may_be_given(self, name: str) -> None:
        draft = Draft()
        name_machine(name)(draft)
        assert draft.problems() == []
        assert draft.system().machine_types[1].name == name


class TestCanRun:
    def test_only_where_there_is_a_time_and_a_machine(self) -> None:
        draft = Draft()
        draft.tasks[1] = TaskType("T2", 0)
        assert draft.system().can_run.tolist() == [[True, True], [True, False]]
        only_absent_machines_for_t2(draft)
        assert draft.system().can_run.tolist() == [[False, True], [False, False]]


class TestFrozen:
    def test_nothing_can_be_changed(self) -> None:
        system = Draft().system()
        assert system.apc is not None
        arrays = [system.etc, system.apc, system.task_counts, system.machine_counts]
        arrays += [system.idle_power, system.can_run, system.dynamic_energy]
        for array in arrays:
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 1
        for name in ("task_types", "machine_types", "etc", "apc"):
            with pytest.raises(FrozenInstanceError):
                setattr(system, name, getattr(system, name))

    def test_the_callers_arrays_stay_his_own(self) -> None:
        draft = Draft()
        system = draft.system()
        draft.etc[0, 0] = 99.0
        draft.tasks[0] = TaskType("other")
        assert system.etc[0, 0] == 1.0
        assert system.task_types[0].name == "T1"


CHANGES: dict[str, Spoil] = {
    "a task's name": name_task("T3"),
    "a task count": count_tasks(8),
    "a machine's name": name_machine("TPU"),
    "a machine count": count_machines(1),
    "an idle power": idle(20.000000000000004),
    "watts asleep": idle(20.0, 20.0),
    "a time": etc(0, 0, math.nextafter(1.0, 2.0)),
    "a power": apc(0, 0, math.nextafter(50.0, 51.0)),
    "an estimate": mark((0, 0)),
    "another estimate": mark((0, 1)),
    "no powers": lambda draft: setattr(draft, "apc", None),
}


class TestIdentity:
    @given(systems())
    def test_equal_content_is_equal(self, system: System) -> None:
        twin = System(
            tuple(TaskType(t.name, t.count) for t in system.task_types),
            tuple(replace(machine) for machine in system.machine_types),
            np.asfortranarray(system.etc),
            None if system.apc is None else np.asfortranarray(system.apc),
            None if system.estimated is None else np.asfortranarray(system.estimated),
        )
        assert twin == system
        assert hash(twin) == hash(system)
        assert twin.fingerprint == system.fingerprint

    @pytest.mark.parametrize("change", CHANGES)
    def test_any_change_shows(self, change: str) -> None:
        draft = Draft()
        CHANGES[change](draft)
        assert draft.system() != Draft().system()
        assert draft.system().fingerprint != Draft().system().fingerprint

    @pytest.mark.parametrize("watts", [20, np.float64(20.0), np.float32(20.0), True * 20])
    def test_the_type_of_a_number_does_not_show(self, watts: float) -> None:
        draft = Draft()
        idle(watts)(draft)
        assert draft.system() == Draft().system()

    def test_neither_does_a_minus_zero_nor_the_kind_of_nan(self) -> None:
        plus, minus = Draft(), Draft()
        for draft, zero in ((plus, 0.0), (minus, -0.0)):
            idle(zero)(draft)
            apc(0, 0, zero)(draft)
        assert minus.apc is not None
        minus.apc[1, 1] = np.frombuffer(b"\1\0\0\0\0\0\xf8\xff")[0]
        assert plus.system() == minus.system()

    def test_is_no_other_thing(self) -> None:
        assert Draft().system() != "a system"

    def test_the_fingerprint_does_not_change_between_runs(self) -> None:
        # Saved studies are found again by it.
        assert Draft().system().fingerprint.startswith("0fd1f8d42649c85c")

    def test_estimates_on_different_pairs_make_different_systems(self) -> None:
        one, other, both = Draft(), Draft(), Draft()
        mark((0, 0))(one)
        mark((0, 1))(other)
        mark((0, 0), (0, 1))(both)
        assert len({draft.system() for draft in (Draft(), one, other, both)}) == 4

    def test_estimates_do_not_change_what_schedules_there_are(self) -> None:
        marked = Draft()
        mark((0, 0))(marked)
        assert marked.system().fingerprint_of_work == Draft().system().fingerprint_of_work


class TestEstimates:
    def test_no_pair_is_marked_at_first(self) -> None:
        assert Draft().system().estimated is None
        assert Draft().system().estimated_pairs == 0

    @pytest.mark.parametrize("cells", [[], [(1, 1)]])
    def test_marks_of_no_pair_that_can_run_are_no_marks(self, cells: list[tuple[int, int]]) -> None:
        draft = Draft()
        mark(*cells)(draft)
        assert draft.system().estimated is None
        assert draft.system() == Draft().system()

    def test_pairs_that_can_run_keep_their_marks(self) -> None:
        draft = Draft()
        mark((0, 1), (1, 0), (1, 1))(draft)
        system = draft.system()
        assert system.estimated is not None
        assert system.estimated.tolist() == [[False, True], [True, False]]
        assert system.estimated_pairs == 2

    def test_a_pair_without_machines_is_a_pair(self) -> None:
        draft = Draft()
        mark((0, 0))(draft)
        draft.machines[0] = MachineType("CPU", 0)
        draft.tasks[1] = TaskType("T2", 0)
        assert draft.system().estimated_pairs == 1

    def test_they_are_frozen_and_share_nothing_with_what_was_given(self) -> None:
        draft = Draft()
        mark((0, 0))(draft)
        system = draft.system()
        assert draft.estimated is not None
        draft.estimated[:] = False
        assert system.estimated is not None
        assert system.estimated_pairs == 1
        with pytest.raises(ValueError, match="read-only"):
            system.estimated[0, 0] = False

    @given(systems(with_apc=True, with_estimates=True))
    def test_other_counts_and_idle_powers_keep_them(self, system: System) -> None:
        counts = np.ones_like(system.task_counts), np.ones_like(system.machine_counts)
        for changed in (system.with_counts(*counts), system.with_idle_fraction(0.5)):
            assert changed.estimated is not None
            np.testing.assert_array_equal(changed.estimated, system.estimated)


class TestPower:
    @pytest.mark.parametrize("ask", [lambda s: s.dynamic_energy, lambda s: s.with_idle_fraction(0)])
    def test_without_apc_a_question_about_it_says_what_to_do(
        self, ask: Callable[[System], object]
    ) -> None:
        with pytest.raises(NoPowerData, match=r"add apc.csv, or ask for the makespan"):
            ask(Draft(apc=None).system())

    def test_idle_power_is_a_fraction_of_the_unweighted_mean_over_possible_pairs(self) -> None:
        system = Draft().system().with_idle_fraction(0.25)
        assert system.idle_power.tolist() == [0.25 * 60.0, 0.25 * 60.0]
        assert replace(system, machine_types=Draft().system().machine_types) == Draft().system()

    def test_idle_power_of_a_machine_type_that_runs_nothing_is_zero(self) -> None:
        draft = Draft(
            etc=np.array([[1.0, INF], [3.0, INF]]), apc=np.array([[5.0, NAN], [7.0, NAN]])
        )
        assert draft.system().with_idle_fraction(1.0).idle_power.tolist() == [6.0, 0.0]

    @pytest.mark.parametrize("fraction", [-0.1, 1.0000001, INF, NAN])
    def test_no_other_fraction_is_accepted(self, fraction: float) -> None:
        with pytest.raises(ValueError, match=r"a fraction, 0 to 1 of the mean power; .* is not"):
            Draft().system().with_idle_fraction(fraction)

    @given(systems(with_apc=True), st.floats(0, 1))
    def test_any_fraction_gives_a_sound_system(self, system: System, fraction: float) -> None:
        idle_power = system.with_idle_fraction(fraction).idle_power
        assert system.apc is not None
        highest = np.where(np.isnan(system.apc), 0.0, system.apc).max(axis=0)
        assert (idle_power <= highest * (1 + 1e-12)).all()

    def test_dynamic_energy_is_what_a_task_adds_to_an_idle_machine(self) -> None:
        assert Draft().system().dynamic_energy.tolist() == [[40.0, 80.0], [180.0, INF]]

    def test_dynamic_energy_may_be_negative(self) -> None:
        draft = Draft()
        idle(100.0)(draft)
        assert draft.system().dynamic_energy[0, 1] == -80.0

    def test_total_idle_power_counts_every_machine(self) -> None:
        assert Draft().system().total_idle_power == 3 * 10.0 + 2 * 20.0
