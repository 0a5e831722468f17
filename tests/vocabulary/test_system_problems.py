"""A would-be system is refused with every fault named and placed, and doubts are only told."""

import sys
import unicodedata

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

from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.problems import InvalidInput, errors
from core.vocabulary.system_problems import find_problems, name_fault


def put(**given: object) -> Spoil:
    """Spoils a draft by these parts in place of its own."""
    return lambda draft: vars(draft).update(given)


NAME, COUNT = ("tasks", "task type 1", ""), ("tasks", "T2", "count")
MACHINES, IDLE = ("machines", "GPU", "count"), ("machines", "GPU", "idle_power")
TIME, POWER = ("etc", "T1", "CPU"), ("apc", "T1", "CPU")
# What is spoilt; where it must be found (file, row, column); the fault and the remedy it must name.
FAULTS: dict[str, tuple[Spoil, tuple[str, str, str], str, str]] = {
    "task name empty": (name_task(""), NAME, "is empty", "give it a name"),
    "task name padded": (name_task(" T1"), NAME, "white space", "remove"),
    "task name all blank": (name_task("\u00a0"), NAME, "space", "remove"),
    "task name too long": (name_task("x" * 201), NAME, "longer than 200 characters", "shorten it"),
    "task name broken": (name_task("a\nb"), NAME, "line break", "remove"),
    "task name with NUL": (name_task("a\0b"), NAME, "control", "remove"),
    "task name surrogate": (name_task("a\ud800"), NAME, "control", "remove"),
    "task name with mark": (name_task("\ufeffa"), NAME, "control", "remove"),
    "task name twice": (name_task("T2"), ("tasks", "T2", ""), "'T2' is there twice", "rename or"),
    "machine name empty": (name_machine(""), ("machines", "machine type 2", ""), "empty", "give"),
    "machine name twice": (name_machine("CPU"), ("machines", "CPU", ""), "there twice", "rename"),
    "tasks negative": (count_tasks(-1), COUNT, "-1 is not a whole", "correct"),
    "tasks fractional": (count_tasks(1.5), COUNT, "1.5 is not", "correct it"),
    "tasks as a float": (count_tasks(2.0), COUNT, "2.0 is not", "correct it"),
    "tasks as a truth": (count_tasks(True), COUNT, "True is not", "correct it"),
    "tasks as text": (count_tasks("7"), COUNT, "'7' is not", "correct it"),
    "tasks beyond count": (
        count_tasks(10**12 + 1),
        COUNT,
        "1000000000001 is not a whole number from 0 to 1,000,000,000,000",
        "correct it",
    ),
    "machines negative": (count_machines(-2), MACHINES, "-2 is not", "correct"),
    "machines beyond count": (
        count_machines(10**6 + 1),
        MACHINES,
        "not a whole number from 0 to 1,000,000",
        "correct it",
    ),
    "idle negative": (idle(-1.0), IDLE, "-1 W is outside", "give the"),
    "asleep negative": (
        idle(20.0, -1.0),
        ("machines", "GPU", "asleep_watts"),
        "-1 W asleep is outside",
        "give the",
    ),
    "idle infinite": (idle(INF), IDLE, "inf W is outside", "give the"),
    "idle unknown": (idle(NAN), IDLE, "nan W is outside", "give the"),
    "idle beyond range": (idle(1.1e12), IDLE, "outside 0 to", "give"),
    "nothing to run": (
        put(tasks=[TaskType("T1", 0), TaskType("T2", 0)]),
        ("tasks", "", "count"),
        "no task to run",
        "above 0",
    ),
    "time zero": (etc(0, 0, 0.0), TIME, "0 s is not a time", "seconds above 0"),
    "time negative": (etc(0, 1, -2.5), ("etc", "T1", "GPU"), "-2.5 s is not a time", "above 0"),
    "time minus infinity": (etc(0, 1, -INF), ("etc", "T1", "GPU"), "-inf s is not", "above 0"),
    "time unknown": (etc(1, 0, NAN), ("etc", "T2", "CPU"), "not a number", "leave it blank"),
    "time too short": (etc(0, 0, 9e-10), TIME, "outside 1e-09 to", "check the unit"),
    "time too long": (etc(0, 0, 1.1e15), TIME, "1.1e+15 s is outside", "the unit"),
    "nowhere to run": (
        put(etc=np.array([[1.0, 2.0], [INF, INF]]), apc=None),
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
    "power negative": (apc(0, 0, -3.0), POWER, "-3 W is outside", "give the average"),
    "power infinite": (apc(0, 0, INF), POWER, "inf W is outside", "give the average"),
    "power beyond range": (apc(0, 0, 1.1e12), POWER, "1.1e+12 W is", "give the"),
    "etc misshapen": (
        put(etc=np.ones((3, 2))),
        ("etc", "", ""),
        "(3, 2), but there are 2",
        "one row a",
    ),
    "etc flat": (put(etc=np.ones(4)), ("etc", "", ""), "(4,), but there are 2", "one row a"),
    "apc misshapen": (
        put(apc=np.ones((2, 1))),
        ("apc", "", ""),
        "(2, 1), but there are 2",
        "one row a",
    ),
    "marks misshapen": (
        put(estimated=np.ones((1, 2), bool)),
        ("estimated", "", ""),
        "(1, 2), but there are 2",
        "one row a",
    ),
    "marks no booleans": (
        put(estimated=np.array([[1, 0], [0, 2]])),
        ("estimated", "", ""),
        "values of the type int64",
        "True or False",
    ),
}


class TestFaults:
    def test_the_draft_is_sound(self) -> None:
        assert Draft().problems() == []
        assert Draft().system().etc.tolist() == [[1.0, 2.0], [3.0, INF]]

    @pytest.mark.parametrize("fault", FAULTS)
    def test_each_is_found_with_place_and_remedy_and_forbids_the_system(self, fault: str) -> None:
        spoil, place, says, remedy = FAULTS[fault]
        draft = Draft()
        spoil(draft)
        (problem,) = errors(draft.problems())
        assert (problem.file, problem.row, problem.column) == place
        assert says in problem.message
        assert remedy in problem.message.split("; ", 1)[1]
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

    def test_a_mark_on_a_pair_that_cannot_run_is_doubted_and_dropped(self) -> None:
        draft = Draft()
        mark((0, 0), (1, 1))(draft)
        (problem,) = draft.problems()
        assert problem.severity == "warning"
        assert (problem.file, problem.row, problem.column) == ("estimated", "T2", "GPU")
        assert "the mark is not used; blank it, or give the time too" in problem.message
        assert draft.system().estimated_pairs == 1

    def test_a_mark_on_a_time_that_is_no_number_is_not_doubted_as_well(self) -> None:
        draft = Draft(apc=None)
        mark((0, 0))(draft)
        draft.etc[0, 0] = NAN
        (problem,) = draft.problems()
        assert (problem.severity, problem.file) == ("error", "etc")

    def test_a_mark_is_not_doubted_where_the_time_could_not_be_read(self) -> None:
        draft = Draft()
        mark((1, 1))(draft)
        unread = np.array([[False, False], [False, True]])
        told = find_problems(
            draft.tasks, draft.machines, draft.etc, None, draft.estimated, unread_etc=unread
        )
        assert told == []


@pytest.mark.parametrize(("letters", "fault"), [(199, False), (200, False), (201, True)])
def test_a_name_of_two_hundred_characters_is_not_too_long(letters: int, *, fault: bool) -> None:
    draft = Draft()
    draft.tasks[0] = TaskType("x" * letters)
    assert bool(errors(draft.problems())) is fault


def test_no_name_has_a_character_that_cannot_be_written() -> None:
    """All characters of Unicode: those that are refused by themselves are refused in a name."""
    refused = [
        character
        for character in map(chr, range(sys.maxunicode + 1))
        if unicodedata.category(character) in {"Cc", "Cs", "Zl", "Zp"}
        or character in "\ufeff\ufffe\uffff"
    ]
    assert all(name_fault(f"a{character}b") for character in refused)
    printable = "".join(filter(str.isprintable, map(chr, range(0x3000))))
    others = "\u200b\u202e\xad\ue000"
    for text in (printable, others):
        assert not any(name_fault(f"a{character}b") for character in text)


@pytest.mark.parametrize(
    ("cells", "listed", "more"), [(999, 999, 0), (1000, 1000, 0), (1001, 1000, 1)]
)
def test_a_thousand_cells_are_listed_and_more_are_counted(
    cells: int, listed: int, more: int
) -> None:
    tasks = [TaskType(f"T{i}") for i in range(cells)]
    found = find_problems(tasks, [MachineType("M")], np.full((cells, 1), -1.0), None)
    of_cells = [problem for problem in found if problem.file == "etc" and problem.row]
    assert len(of_cells) == listed
    said = [problem.message for problem in found if "are like those listed" in problem.message]
    assert said == ["1 more cells are like those listed; mend them too"] * more
