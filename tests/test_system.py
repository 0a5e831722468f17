"""A system is refused with every fault named and placed, or it is sound, frozen and comparable."""

import math
from collections.abc import Callable
from dataclasses import FrozenInstanceError, dataclass, field, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import names, schedules, systems

from core.problems import InvalidInput, Problem, errors
from core.schedule import Schedule
from core.system import (
    ETC,
    IDLE_FRACTION,
    MACHINE_COUNT,
    NAME_LENGTH,
    POWER,
    TASK_COUNT,
    FloatArray,
    MachineType,
    NoPowerData,
    Range,
    System,
    TaskType,
    find_problems,
)

INF, NAN = math.inf, math.nan


@dataclass
class Draft:
    """A sound would-be system, to be spoilt in one place: T2 cannot run on the GPU."""

    tasks: list[TaskType] = field(default_factory=lambda: [TaskType("T1", 5), TaskType("T2", 7)])
    machines: list[MachineType] = field(
        default_factory=lambda: [MachineType("CPU", 3, 10.0), MachineType("GPU", 2, 20.0)]
    )
    etc: FloatArray = field(default_factory=lambda: np.array([[1.0, 2.0], [3.0, INF]]))
    apc: FloatArray | None = field(default_factory=lambda: np.array([[50.0, 60.0], [70.0, NAN]]))

    def problems(self) -> list[Problem]:
        return find_problems(self.tasks, self.machines, self.etc, self.apc)

    def system(self) -> System:
        return System(tuple(self.tasks), tuple(self.machines), self.etc, self.apc)


def name_task(name: str) -> Callable[[Draft], None]:
    return lambda draft: draft.tasks.__setitem__(0, TaskType(name, 5))


def name_machine(name: str) -> Callable[[Draft], None]:
    return lambda draft: draft.machines.__setitem__(1, MachineType(name, 2, 20.0))


def count_tasks(count: object) -> Callable[[Draft], None]:
    return lambda draft: draft.tasks.__setitem__(1, TaskType("T2", count))  # type: ignore[arg-type]


def count_machines(count: object) -> Callable[[Draft], None]:
    return lambda draft: draft.machines.__setitem__(1, MachineType("GPU", count, 20.0))  # type: ignore[arg-type]


def idle(watts: float) -> Callable[[Draft], None]:
    return lambda draft: draft.machines.__setitem__(1, MachineType("GPU", 2, watts))


def etc(i: int, j: int, seconds: float) -> Callable[[Draft], None]:
    return lambda draft: draft.etc.__setitem__((i, j), seconds)


def apc(i: int, j: int, watts: float) -> Callable[[Draft], None]:
    def spoil(draft: Draft) -> None:
        assert draft.apc is not None
        draft.apc[i, j] = watts

    return spoil


def no_machine_for_t2(draft: Draft) -> None:
    draft.etc[1] = INF
    draft.apc = None


def only_absent_machines_for_t2(draft: Draft) -> None:
    draft.machines[0] = MachineType("CPU", 0, 10.0)


def nothing_to_run(draft: Draft) -> None:
    draft.tasks = [TaskType("T1", 0), TaskType("T2", 0)]


def etc_misshapen(draft: Draft) -> None:
    draft.etc = np.ones((3, 2))


def apc_misshapen(draft: Draft) -> None:
    draft.apc = np.ones((2, 1))


def etc_flat(draft: Draft) -> None:
    draft.etc = np.ones(4)


# What is spoilt; where it must be found (file, row, column); the fault and the remedy it must name.
FAULTS: dict[str, tuple[Callable[[Draft], None], tuple[str, str, str], str, str]] = {
    "task name empty": (name_task(""), ("tasks", "task type 1", ""), "is empty", "give it a name"),
    "task name padded": (name_task(" T1"), ("tasks", "task type 1", ""), "white space", "remove"),
    "task name all blank": (name_task("\u00a0"), ("tasks", "task type 1", ""), "space", "remove"),
    "task name too long": (
        name_task("x" * (NAME_LENGTH + 1)),
        ("tasks", "task type 1", ""),
        f"longer than {NAME_LENGTH} characters",
        "shorten it",
    ),
    "task name broken": (name_task("a\nb"), ("tasks", "task type 1", ""), "line break", "remove"),
    "task name with NUL": (name_task("a\0b"), ("tasks", "task type 1", ""), "control", "remove"),
    "task name surrogate": (
        name_task("a\ud800"),
        ("tasks", "task type 1", ""),
        "control",
        "remove",
    ),
    "task name with mark": (
        name_task("\ufeffa"),
        ("tasks", "task type 1", ""),
        "control",
        "remove",
    ),
    "task name twice": (name_task("T2"), ("tasks", "T2", ""), "'T2' is there twice", "rename or"),
    "machine name empty": (name_machine(""), ("machines", "machine type 2", ""), "empty", "give"),
    "machine name twice": (name_machine("CPU"), ("machines", "CPU", ""), "there twice", "rename"),
    "tasks negative": (count_tasks(-1), ("tasks", "T2", "count"), "-1 is not a whole", "correct"),
    "tasks fractional": (count_tasks(1.5), ("tasks", "T2", "count"), "1.5 is not", "correct it"),
    "tasks as a float": (count_tasks(2.0), ("tasks", "T2", "count"), "2.0 is not", "correct it"),
    "tasks as a truth": (count_tasks(True), ("tasks", "T2", "count"), "True is not", "correct it"),
    "tasks as text": (count_tasks("7"), ("tasks", "T2", "count"), "'7' is not", "correct it"),
    "tasks beyond count": (
        count_tasks(10**12 + 1),
        ("tasks", "T2", "count"),
        "1000000000001 is not a whole number from 0 to 1,000,000,000,000",
        "correct it",
    ),
    "machines negative": (count_machines(-2), ("machines", "GPU", "count"), "-2 is not", "correct"),
    "machines beyond count": (
        count_machines(10**6 + 1),
        ("machines", "GPU", "count"),
        "not a whole number from 0 to 1,000,000",
        "correct it",
    ),
    "idle negative": (idle(-1.0), ("machines", "GPU", "idle_power"), "-1 W is outside", "give the"),
    "idle infinite": (idle(INF), ("machines", "GPU", "idle_power"), "inf W is outside", "give the"),
    "idle unknown": (idle(NAN), ("machines", "GPU", "idle_power"), "nan W is outside", "give the"),
    "idle beyond range": (idle(1.1e12), ("machines", "GPU", "idle_power"), "outside 0 to", "give"),
    "nothing to run": (nothing_to_run, ("tasks", "", "count"), "no task to run", "above 0"),
    "time zero": (etc(0, 0, 0.0), ("etc", "T1", "CPU"), "0 s is not a time", "seconds above 0"),
    "time negative": (etc(0, 1, -2.5), ("etc", "T1", "GPU"), "-2.5 s is not a time", "above 0"),
    "time minus infinity": (etc(0, 1, -INF), ("etc", "T1", "GPU"), "-inf s is not", "above 0"),
    "time unknown": (etc(1, 0, NAN), ("etc", "T2", "CPU"), "not a number", "leave it blank"),
    "time too short": (
        etc(0, 0, 9e-10),
        ("etc", "T1", "CPU"),
        "outside 1e-09 to",
        "check the unit",
    ),
    "time too long": (etc(0, 0, 1.1e15), ("etc", "T1", "CPU"), "1.1e+15 s is outside", "the unit"),
    "nowhere to run": (
        no_machine_for_t2,
        ("etc", "T2", ""),
        "no machine type can run task type 'T2'",
        "give at least one time, or remove",
    ),
    "nowhere present to run": (
        only_absent_machines_for_t2,
        ("machines", "", "count"),
        "every machine type that can run task type 'T2' has count 0",
        "add a machine, or set the tasks' count to 0",
    ),
    "power missing": (apc(0, 1, NAN), ("apc", "T1", "GPU"), "no power although", "give watts, or"),
    "power surplus": (apc(1, 1, 5.0), ("apc", "T2", "GPU"), "(5 W) although", "give the time too"),
    "power negative": (
        apc(0, 0, -3.0),
        ("apc", "T1", "CPU"),
        "-3 W is outside",
        "give the average",
    ),
    "power infinite": (
        apc(0, 0, INF),
        ("apc", "T1", "CPU"),
        "inf W is outside",
        "give the average",
    ),
    "power beyond range": (apc(0, 0, 1.1e12), ("apc", "T1", "CPU"), "1.1e+12 W is", "give the"),
    "etc misshapen": (etc_misshapen, ("etc", "", ""), "shape (3, 2), but there are 2", "one row a"),
    "etc flat": (etc_flat, ("etc", "", ""), "shape (4,), but there are 2 task types", "one row a"),
    "apc misshapen": (apc_misshapen, ("apc", "", ""), "shape (2, 1), but there are 2", "one row a"),
}


class TestFaults:
    def test_the_draft_is_sound(self) -> None:
        assert Draft().problems() == []
        assert Draft().system().etc.tolist() == [[1.0, 2.0], [3.0, INF]]

    @pytest.mark.parametrize("fault", FAULTS)
    def test_each_is_found_alone_with_its_place_and_remedy(self, fault: str) -> None:
        spoil, place, says, remedy = FAULTS[fault]
        draft = Draft()
        spoil(draft)
        (problem,) = errors(draft.problems())
        assert (problem.file, problem.row, problem.column) == place
        assert says in problem.message
        assert remedy in problem.message.split("; ", 1)[1]

    @pytest.mark.parametrize("fault", FAULTS)
    def test_each_forbids_the_system(self, fault: str) -> None:
        draft = Draft()
        FAULTS[fault][0](draft)
        with pytest.raises(InvalidInput) as refused:
            draft.system()
        assert list(refused.value.problems) == errors(draft.problems())

    def test_all_are_found_in_one_pass(self) -> None:
        spoilt = [
            "task name empty",
            "tasks negative",
            "machines beyond count",
            "time zero",
            "time unknown",
            "power missing",
            "power surplus",
            "power negative",
        ]
        draft = Draft()
        for fault in spoilt:
            FAULTS[fault][0](draft)
        found = {(p.file, p.row, p.column) for p in errors(draft.problems())}
        # The first task type has lost its name, so its cells are located by the empty name.
        wanted = {
            (place[0], "" if place[1] == "T1" else place[1], place[2])
            for _, place, _, _ in (FAULTS[fault] for fault in spoilt)
        }
        assert found == wanted

    def test_every_cell_of_a_bad_table_is_reported(self) -> None:
        draft = Draft(etc=np.full((2, 2), -1.0), apc=None)
        assert [(p.row, p.column) for p in draft.problems()] == [
            ("T1", "CPU"),
            ("T1", "GPU"),
            ("T2", "CPU"),
            ("T2", "GPU"),
        ]

    @pytest.mark.parametrize(
        ("draft", "file", "says"),
        [
            (Draft(tasks=[], etc=np.ones((0, 2)), apc=None), "tasks", "there is no task type"),
            (Draft(machines=[], etc=np.ones((2, 0)), apc=None), "machines", "no machine type"),
        ],
    )
    def test_an_empty_system_is_refused(self, draft: Draft, file: str, says: str) -> None:
        (problem,) = errors(draft.problems())
        assert problem.file == file
        assert says in problem.message
        assert "give at least one" in problem.message

    def test_names_may_repeat_between_tasks_and_machines(self) -> None:
        draft = Draft()
        draft.tasks[0] = TaskType("CPU", 5)
        assert draft.problems() == []

    def test_a_task_type_without_tasks_needs_no_machine_that_is_there(self) -> None:
        draft = Draft()
        only_absent_machines_for_t2(draft)
        draft.tasks[1] = TaskType("T2", 0)
        assert draft.problems() == []

    def test_without_apc_only_times_are_judged(self) -> None:
        assert Draft(apc=None).problems() == []

    def test_cells_that_could_not_be_read_are_not_reported_again(self) -> None:
        draft = Draft(etc=np.full((2, 2), NAN), apc=np.full((2, 2), NAN))
        unread = np.ones((2, 2), bool)
        told = find_problems(
            draft.tasks, draft.machines, draft.etc, draft.apc, unread_etc=unread, unread_apc=unread
        )
        assert told == []

    def test_an_unread_cell_hides_only_its_own_faults(self) -> None:
        draft = Draft()
        draft.etc[:] = -1.0
        unread = np.array([[True, False], [False, False]])
        told = find_problems(draft.tasks, draft.machines, draft.etc, None, unread_etc=unread)
        assert [(p.row, p.column) for p in told] == [("T1", "GPU"), ("T2", "CPU"), ("T2", "GPU")]


class TestWarnings:
    def test_idle_power_above_every_task_is_doubted(self) -> None:
        draft = Draft()
        idle(60.5)(draft)
        (problem,) = draft.problems()
        assert problem.severity == "warning"
        assert (problem.file, problem.row, problem.column) == ("machines", "GPU", "idle_power")
        assert "60.5 W is above the power of every task" in problem.message
        assert "at most 60 W" in problem.message
        assert draft.system().machine_types[1].idle_power == 60.5

    def test_idle_power_equal_to_the_highest_is_not(self) -> None:
        draft = Draft()
        idle(60.0)(draft)
        assert draft.problems() == []

    def test_idle_power_is_not_doubted_where_a_power_could_not_be_read(self) -> None:
        draft = Draft()
        idle(1000.0)(draft)
        unread = np.array([[False, True], [False, False]])
        told = find_problems(draft.tasks, draft.machines, draft.etc, draft.apc, unread_apc=unread)
        assert told == []

    def test_work_without_power_is_doubted(self) -> None:
        draft = Draft()
        apc(0, 0, 0.0)(draft)
        (problem,) = draft.problems()
        assert problem.severity == "warning"
        assert (problem.file, problem.row, problem.column) == ("apc", "T1", "CPU")
        draft.system()


class TestRanges:
    @pytest.mark.parametrize("allowed", [TASK_COUNT, MACHINE_COUNT, ETC, POWER, IDLE_FRACTION])
    def test_ends_are_included_and_nothing_beyond(self, allowed: Range) -> None:
        assert allowed.low in allowed
        assert allowed.high in allowed
        assert math.nextafter(allowed.low, -INF) not in allowed
        assert math.nextafter(allowed.high, INF) not in allowed
        assert NAN not in allowed

    def test_is_said_with_its_unit(self) -> None:
        assert str(Range(0.0, 1e12, "W")) == "0 to 1e+12 W"
        assert str(Range(0, 1, "")) == "0 to 1"

    def test_the_extremes_make_a_system(self) -> None:
        system = System(
            (TaskType("x" * NAME_LENGTH, 10**12), TaskType("none", 0)),
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
            errors(find_problems(system.task_types, system.machine_types, system.etc, system.apc))
            == []
        )
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
        with pytest.raises(FrozenInstanceError):
            system.etc = system.apc  # type: ignore[misc]

    def test_the_callers_arrays_stay_his_own(self) -> None:
        draft = Draft()
        system = draft.system()
        draft.etc[0, 0] = 99.0
        draft.tasks[0] = TaskType("other")
        assert system.etc[0, 0] == 1.0
        assert system.task_types[0].name == "T1"


CHANGES: dict[str, Callable[[Draft], None]] = {
    "a task's name": name_task("T3"),
    "a task count": count_tasks(8),
    "a machine's name": name_machine("TPU"),
    "a machine count": count_machines(1),
    "an idle power": idle(20.000000000000004),
    "a time": etc(0, 0, math.nextafter(1.0, 2.0)),
    "a power": apc(0, 0, math.nextafter(50.0, 51.0)),
    "no powers": lambda draft: setattr(draft, "apc", None),
}


class TestIdentity:
    @given(systems())
    def test_equal_content_is_equal(self, system: System) -> None:
        twin = System(
            tuple(TaskType(t.name, t.count) for t in system.task_types),
            tuple(MachineType(m.name, m.count, m.idle_power) for m in system.machine_types),
            np.asfortranarray(system.etc),
            None if system.apc is None else np.asfortranarray(system.apc),
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

    @given(schedules(systems(with_apc=True, dyadic=True)))
    def test_dynamic_energy_and_idle_power_make_up_the_energy(self, schedule: Schedule) -> None:
        system = schedule.system
        above_idle = sum(
            int(schedule.placed[cell]) * float(system.dynamic_energy[cell])
            for cell in zip(*np.nonzero(schedule.placed), strict=True)
        )
        assert schedule.energy == above_idle + system.total_idle_power * schedule.makespan
