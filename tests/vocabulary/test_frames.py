"""Any system comes back from its frames; what is wrong with frames is said all at once."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from strategies import systems

from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.problems import InvalidInput, Problem
from core.vocabulary.system import System

ETC = pd.DataFrame({"A": [1.0, 2.0], "B": [3.0, 4.0]}, ["T", "U"])
APC = ETC * 100
TASKS = pd.DataFrame({"count": [5, 6]}, ["T", "U"])
MACHINES = pd.DataFrame({"count": [7, 8], "idle_power": [9.0, 10.0]}, ["A", "B"])


def problems(*frames: object, **named: object) -> list[Problem]:
    with pytest.raises(InvalidInput) as refused:
        System.from_frames(*frames, **named)  # type: ignore[arg-type]
    return list(refused.value.problems)


def said(*frames: object, **named: object) -> str:
    """The one problem there is."""
    (problem,) = problems(*frames, **named)
    return str(problem)


def etc_with(value: object) -> pd.DataFrame:
    """With this in row U, column A."""
    etc = ETC.astype(object)
    etc.loc["U", "A"] = value
    return etc


@given(systems(max_task_types=6, max_machine_types=6))
def test_any_system_comes_back(system: System) -> None:
    assert System.from_frames(**system.to_frames()) == system


@given(systems(with_apc=True))
def test_rows_and_columns_are_matched_by_name(system: System) -> None:
    frames = system.to_frames()
    turned = {table: frame.iloc[::-1] for table, frame in frames.items() if table != "etc"}
    for table in {"apc", "estimated"} & turned.keys():
        turned[table] = turned[table].iloc[:, ::-1]
    assert System.from_frames(frames["etc"], **turned) == system


@given(systems())
def test_frames_share_nothing_with_the_system(system: System) -> None:
    fingerprint = system.fingerprint
    for table, frame in system.to_frames().items():
        frame.iloc[:, :] = ~frame if table == "estimated" else 7
    assert System.from_frames(**system.to_frames()).fingerprint == fingerprint


def test_frames_hold_what_is_written_to_tables() -> None:
    system = System.from_frames(ETC, APC, machines=MACHINES, tasks=TASKS)
    frames = system.to_frames()
    assert list(frames) == ["etc", "tasks", "machines", "apc"]
    assert frames["etc"].to_csv() == "task_type,A,B\nT,1.0,3.0\nU,2.0,4.0\n"
    assert frames["tasks"].to_csv() == "task_type,count\nT,5\nU,6\n"
    assert frames["machines"].to_csv() == "machine_type,count,idle_power\nA,7,9.0\nB,8,10.0\n"


MARKS = pd.DataFrame({"A": [True, False], "B": [False, True]}, ["T", "U"])


def test_estimates_are_a_frame_of_truths_if_there_are_any() -> None:
    frame = System.from_frames(ETC, estimated=MARKS).to_frames()["estimated"]
    assert frame.to_csv() == "task_type,A,B\nT,True,False\nU,False,True\n"
    assert "estimated" not in System.from_frames(ETC, estimated=~MARKS & MARKS).to_frames()


@pytest.mark.parametrize(
    ("frame", "marks"),
    [
        (
            pd.DataFrame({"A": [None, False], "B": [None, True]}, ["T", "U"], dtype="boolean"),
            [[False, False], [False, True]],
        ),
        (MARKS.astype(object).mask(MARKS, None), None),
        (MARKS.astype(object), [[True, False], [False, True]]),
        (MARKS.astype(int), [[True, False], [False, True]]),
        (MARKS.astype(float).replace(0.0, np.nan), [[True, False], [False, True]]),
        (MARKS[["B"]], [[False, False], [False, True]]),
        (MARKS.loc[["T"]], [[True, False], [False, False]]),
        (MARKS.iloc[:0, :0], None),
    ],
)
def test_what_is_blank_or_missing_is_not_marked(
    frame: pd.DataFrame, marks: list[list[bool]] | None
) -> None:
    found = System.from_frames(ETC, estimated=frame).estimated
    assert (None if found is None else found.tolist()) == marks


@pytest.mark.parametrize("value", ["yes", 2, 0.5, -1, "True", [True]])
def test_a_mark_is_true_or_false(value: object) -> None:
    frame = MARKS.astype(object)
    frame.at["U", "A"] = value
    assert said(ETC, estimated=frame).startswith("error: estimated, row U, column A: ")
    assert said(ETC, estimated=frame).endswith(
        "is neither True nor False; give True where the pair is an estimate"
    )


def test_marks_of_unknown_types_are_located() -> None:
    strange = MARKS.rename(index={"T": "t"}, columns={"A": "a"})
    found = {(p.file, p.row, p.column): p.message for p in problems(ETC, estimated=strange)}
    assert found == {
        ("estimated", "t", ""): "task type 't' is not in etc; correct the name, or remove it",
        ("estimated", "", "a"): "machine type 'a' is not in etc; correct the name, or remove it",
    }
    twice = pd.concat([MARKS, MARKS.loc[["T"]]])
    assert "is there twice" in said(ETC, estimated=twice)
    assert "has no names of machine types as its columns" in said(
        ETC, estimated=MARKS.set_axis([0, 1], axis=1)
    )
    assert "give a pandas DataFrame" in said(ETC, estimated=[[True]])


def test_without_lists_there_is_one_of_each() -> None:
    system = System.from_frames(ETC)
    assert system.task_types == (TaskType("T", 1), TaskType("U", 1))
    assert system.machine_types == (MachineType("A", 1, 0.0), MachineType("B", 1, 0.0))
    assert system.apc is None
    assert list(system.to_frames()) == ["etc", "tasks", "machines"]


def test_machines_without_idle_power_idle_at_0_watts() -> None:
    system = System.from_frames(ETC, machines=MACHINES[["count"]])
    assert system.machine_types == (MachineType("A", 7, 0.0), MachineType("B", 8, 0.0))


@pytest.mark.parametrize("blank", [None, np.nan, pd.NA, np.inf])
def test_a_blank_is_a_pair_that_cannot_run(blank: object) -> None:
    system = System.from_frames(etc_with(blank))
    assert system.etc.tolist() == [[1, 3], [np.inf, 4]]
    assert system.to_frames()["etc"].to_csv() == "task_type,A,B\nT,1.0,3.0\nU,,4.0\n"


@pytest.mark.parametrize("kind", ["Float64", "float32", "int64", "Int8", "object", "category"])
def test_numbers_of_any_kind_are_numbers(kind: str) -> None:
    assert System.from_frames(ETC.astype(kind)).etc.tolist() == [[1, 3], [2, 4]]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("fast", "'fast' is text; give a number, as pandas.to_numeric makes them"),
        ("12.5", "'12.5' is text; give a number, as pandas.to_numeric makes them"),
        ("x" * 41, f"'{'x' * 40}...' is text; give a number, as pandas.to_numeric makes them"),
        (True, "True is not a number that can be used; give one such as 12"),
        (1j, "1j is not a number that can be used; give one such as 12"),
        ([1], "[1] is not a number that can be used; give one such as 12"),
        (
            pd.Timedelta(3, "s"),
            "0 days 00:00:03 is a duration; give seconds, as .dt.total_seconds() does",
        ),
    ],
)
def test_what_is_no_number_is_said_with_its_place(value: object, message: str) -> None:
    etc = ETC.astype(object)
    etc.at["U", "A"] = value
    where = "error: etc, row U, column A: "
    assert said(etc) == f"{where}{message}; if the pair cannot run, give NaN"


def test_numbers_beyond_any_float_are_refused() -> None:
    assert "is not a number that can be used" in said(etc_with(10**400))


@pytest.mark.parametrize("frame", [None, "etc.csv", ETC["A"], ETC.to_numpy()])
def test_what_is_no_frame_is_refused(frame: object) -> None:
    assert said(frame) == f"error: etc: is a {type(frame).__name__}; give a pandas DataFrame"
    if frame is not None:
        assert said(ETC, tasks=frame).startswith("error: tasks: is a ")


def test_names_are_looked_for_in_the_index_and_the_columns() -> None:
    assert said(ETC.reset_index(drop=True)) == (
        "error: etc: has no names of task types as its index, but 0, 1; "
        "take them as set_index or read_csv(..., index_col=0) does"
    )
    assert said(ETC.set_axis([1, 2], axis=1)) == (
        "error: etc: has no names of machine types as its columns, but 1, 2; write them as text"
    )
    assert "names of task types as its index" in said(ETC, tasks=TASKS.reset_index())
    assert "names of machine types as its index" in said(ETC, machines=MACHINES.reset_index())
    four = pd.DataFrame({"A": [1.0] * 4})
    assert "but 0, 1, 2, ...; take" in said(four)


def test_names_that_are_there_twice_are_said_where_they_stand() -> None:
    etc = ETC.set_axis(["T", "T"]).set_axis(["A", "A"], axis=1)
    assert [str(problem) for problem in problems(etc)] == [
        "error: etc, row T: task type 'T' is there twice; rename or remove one of them",
        "error: etc, column A: machine type 'A' is there twice; rename or remove one of them",
    ]
    more = pd.concat([TASKS, TASKS.iloc[:1]])
    assert said(ETC, tasks=more) == (
        "error: tasks, row T: task type 'T' is there twice; rename or remove one of them"
    )


def test_other_frames_have_the_names_of_etc() -> None:
    strange = APC.rename(index={"T": "t"}, columns={"B": "b"})
    assert [str(problem) for problem in problems(ETC, strange)] == [
        "error: apc, row t: task type 't' is not in etc; correct the name, or remove it",
        "error: apc, row T: task type 'T' of etc has no row here; add it",
        "error: apc, column b: machine type 'b' is not in etc; correct the name, or remove it",
        "error: apc, column B: machine type 'B' of etc has no column here; add it",
    ]
    assert said(ETC, machines=MACHINES.iloc[:1]) == (
        "error: machines, row B: machine type 'B' of etc has no row here; add it"
    )


def test_lists_have_their_columns_and_no_others() -> None:
    assert [str(problem) for problem in problems(ETC, tasks=TASKS.set_axis(["Count"], axis=1))] == [
        "error: tasks, column Count: is not used; remove it, or name it count",
        "error: tasks, column count: is missing; say how many of each task type",
    ]
    assert said(ETC, machines=MACHINES.assign(watts=1)) == (
        "error: machines, column watts: is not used; remove it, or name it count or idle_power or "
        "asleep_watts or price or resale or failures_a_year"
    )
    assert said(ETC, tasks=pd.concat([TASKS, TASKS], axis=1)) == (
        "error: tasks, column count: is there twice; remove one"
    )


@pytest.mark.parametrize(
    ("count", "message"),
    [
        (2.5, "2.5 is not a whole number that can be used; give one such as 12"),
        (np.nan, "is blank; give a whole number"),
        ("5", "'5' is text; give a whole number, as pandas.to_numeric makes them"),
        (-1, "count -1 is not a whole number from 0 to 1,000,000,000,000; correct it"),
        (
            10**12 + 1,
            "count 1000000000001 is not a whole number from 0 to 1,000,000,000,000; correct it",
        ),
        (2e18, "2e+18 is not a whole number that can be used; give one such as 12"),
        (np.inf, "inf is not a whole number that can be used; give one such as 12"),
    ],
)
def test_counts_are_whole(count: object, message: str) -> None:
    tasks = TASKS.astype(object)
    tasks.loc["U", "count"] = count
    assert said(ETC, tasks=tasks) == f"error: tasks, row U, column count: {message}"


@pytest.mark.parametrize("count", [6.0, np.int8(6), 10**12, 0])
def test_whole_counts_of_any_kind_are_taken_exactly(count: float) -> None:
    tasks = TASKS.astype(object)
    tasks.loc["U", "count"] = count
    assert System.from_frames(ETC, tasks=tasks).task_counts.tolist() == [5, int(count)]


def test_idle_power_is_a_number_for_each() -> None:
    assert said(ETC, machines=MACHINES.assign(idle_power=[np.nan, 1])) == (
        "error: machines, row A, column idle_power: is blank; give a number; "
        "where it is unknown, give 0"
    )


def test_all_frames_are_checked_in_one_pass() -> None:
    places = {
        (problem.file, problem.row, problem.column)
        for problem in problems(
            etc_with("x"), APC * -1, machines=MACHINES * -1, tasks=TASKS.iloc[:1]
        )
    }
    assert {("etc", "U", "A"), ("apc", "T", "B"), ("machines", "A", "count")} <= places
    assert {("machines", "B", "idle_power"), ("tasks", "U", "")} <= places


def test_what_could_not_be_read_is_not_complained_of_again() -> None:
    apc = APC.astype(object)
    apc.loc["U", "A"] = "much"
    assert [problem.row for problem in problems(etc_with("x"), apc)] == ["U", "U"]


def test_an_empty_frame_has_no_types() -> None:
    assert [problem.message for problem in problems(pd.DataFrame())] == [
        "there is no task type; give at least one",
        "there is no machine type; give at least one",
    ]


@pytest.mark.parametrize("more", [0, 1])
def test_of_many_problems_the_first_are_listed(more: int) -> None:
    rows = [f"T{i}" for i in range(1_000 + more)]
    found = problems(pd.DataFrame({"A": "x", "B": 1.0}, rows))
    assert len(found) == 1_000 + more
    assert ("1 more are like those listed" in found[-1].message) == bool(more)


@pytest.mark.parametrize(("letters", "end"), [(39, ""), (40, ""), (41, "...")])
def test_forty_characters_of_a_name_are_said(letters: int, end: str) -> None:
    problem, _ = problems(ETC, tasks=TASKS.set_axis(["T", "x" * letters]))
    assert f"'{'x' * min(letters, 40)}{end}'" in problem.message
