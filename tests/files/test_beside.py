"""Settings and columns beside a system are read as they are, with the place of what is wrong."""

import re
from collections.abc import Callable

import numpy as np
import pytest

from core.files import limits
from core.files.beside import (
    Additions,
    KeptBeside,
    NumberColumns,
    ReadParts,
    SeenBeside,
    SettingsSource,
    flat,
    machine_columns,
    settings_of_sheet,
    settings_of_toml,
    tables_named_by,
    task_columns,
)
from core.files.findings import Findings, Unreadable
from core.files.numbers import TruthCell, parse_share
from core.files.schema import Column
from core.files.sheet import Sheet, SheetRow
from core.files.strict_json import Odd
from core.vocabulary.ranges import Range

MANY = 10**300


def places(findings: Findings) -> list[tuple[str, str, str, str]]:
    return [(p.file, p.row, p.column, p.message) for p in findings.problems()]


def sheet(*rows: list[str]) -> Sheet:
    return Sheet("book [plan]", [SheetRow(k, row) for k, row in enumerate(rows, 1)], is_text=True)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('a = 1\nb = [1.5, "x", true]', {"a": 1, "b": [1.5, "x", True]}),
        ("[a.b.c]\nd = 1", {"a": {"b": {"c": {"d": 1}}}}),
        ("a = [[[1]]]", {"a": [[[1]]]}),
        ("a = nan\nb = -inf", {"a": Odd("nan"), "b": Odd("-inf")}),
        (f"a = {MANY - 1}\nb = -{MANY - 1}", {"a": MANY - 1, "b": 1 - MANY}),
        (f"a = {MANY}\nb = -{MANY}", dict.fromkeys("ab", Odd("a number of many digits"))),
        ("a = 2024-02-03", {"a": Odd("2024-02-03")}),
    ],
)
def test_settings_of_toml_are_values_of_json(text: str, found: dict[str, object]) -> None:
    assert settings_of_toml(text) == found


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[a.b.c.d]\ne = 1", "is nested too deeply; give keys and values in few groups"),
        ("a = [[[[1]]]]", "is nested too deeply; give keys and values in few groups"),
        (f"a = {'[' * 5_000}", "is nested too deeply; give keys and values in few groups"),
        (f"a = {'1' * 5_000}", "has a number of too many digits; shorten it"),
        (
            f"[{'k' * 300}]\n[{'k' * 300}]",
            f"is not valid TOML: Cannot declare ('{'k' * 183}…; correct it",
        ),
        ("a = x", "is not valid TOML: Invalid value (at line 1, column 5); correct it"),
    ],
)
def test_toml_that_cannot_be_settings_is_refused(text: str, said: str) -> None:
    with pytest.raises(Unreadable, match=f"^{re.escape(said)}$"):
        settings_of_toml(text)


def test_settings_have_so_many_characters_and_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SETTINGS_CHARACTERS", 5)
    monkeypatch.setattr(limits, "SETTINGS_ROWS", 1)
    assert settings_of_toml("a = 1") == {"a": 1}
    with pytest.raises(Unreadable, match="is longer than 5 characters; shorten it"):
        settings_of_toml("a = 12")
    rows = [["key", "value"], ["a", "1"], ["b", "2"]]
    assert settings_of_sheet(sheet(*rows[:2], ["", " "]), Findings()) == {"a": 1}
    with pytest.raises(Unreadable, match="has more than 1 rows; give fewer"):
        settings_of_sheet(sheet(*rows), Findings())


def test_settings_of_a_sheet_are_keys_and_their_values() -> None:
    """Only the first row may be a header; keys are read as people write them."""
    findings = Findings()
    found = settings_of_sheet(
        sheet(
            ["Setting", "Value"],
            [],
            ["", " "],
            [" Budget Left ", " 12 "],
            ["limits.Power", "1.5", "", "x"],
            ["name", "y" * 20],
            ["digits", "1" * 19, "1" * 20],
            ["a.b.c.d", "²"],
            ["blank", ""],
            ["", "7"],
        ),
        findings,
    )
    assert found == {
        "budget_left": 12,
        "limits": {"power": [1.5, "x"]},
        "name": "y" * 20,
        "digits": [int("1" * 19), float("1" * 20)],
        "a": {"b": {"c": {"d": "²"}}},
        "": 7,
    }
    assert isinstance(found["budget_left"], int)
    assert findings.problems() == ()


def test_a_key_of_a_sheet_is_there_once_and_not_too_deep() -> None:
    findings = Findings()
    rows = (["a", "1"], ["A", "2"], ["a.b", "3"], ["b.c.d.e.f", "4"], ["c", TruthCell(True)])
    found = settings_of_sheet(sheet(*rows), findings)
    assert (found["a"], "f" in str(found)) == (1, False)
    assert places(findings) == [
        *(
            ("book [plan]", f"line {line}", key, "is there twice; keep one")
            for line, key in ((2, "A"), (3, "a.b"), (4, "b.c.d.e.f"))
        ),
        ("book [plan]", "line 5", "", "holds true or false; give a number or a name"),
    ]


def refused(read: Callable[[], object]) -> str:
    with pytest.raises(Unreadable) as why:
        read()
    return str(why.value)


def test_settings_are_in_a_file_a_sheet_an_object_or_nowhere() -> None:
    other = sheet(["x"])
    absent = SettingsSource.absent("nowhere")
    document: dict[str, object] = {"plan": {"a": 1}, "odd": [1]}
    sources = {
        "plan.toml": SettingsSource.of_file("plan.toml", lambda: b"a = 1", lambda _: other),
        "book [plan]": SettingsSource.of_sheet(
            "book [plan]", lambda: sheet(["a", "1"]), lambda _: other
        ),
        "s.json [plan]": SettingsSource.of_object(document, "plan", "s.json"),
    }
    for label, source in sources.items():
        assert (source.label, source.content(Findings())) == (label, {"a": 1})
    for none in (
        absent,
        SettingsSource.of_file("plan.toml", None),
        SettingsSource.of_sheet("book [plan]", None),
        SettingsSource.of_object(document, "more", "s.json"),
    ):
        assert none.content(Findings()) is None
        assert refused(lambda none=none: none.sheet("days")) == "has no table 'days' beside it"
    assert absent.label == "nowhere"
    assert sources["plan.toml"].sheet("days") is sources["book [plan]"].sheet("days") is other
    odd = SettingsSource.of_object(document, "odd", "s.json")
    assert refused(lambda: odd.content(Findings())) == 'is not an object; give "odd": {...}'


def test_all_texts_of_settings_may_name_tables() -> None:
    """Settings that cannot be read name none; others do."""
    contents = (b"a = [", b'a = " Days "\nb = 3\n[c]\nd = "Other"')
    sources = [SettingsSource.of_file("t", lambda content=content: content) for content in contents]
    assert tables_named_by(sources) == {"days", "other"}


def test_additions_of_two_capabilities_are_beside_one_system(two_by_two) -> None:
    system = two_by_two()
    mine = Additions({"plan": {"a": 1}}, {"late": [1.0, 2.0]}, {"price": [3.0, 4.0]}, [0, 5])
    theirs = Additions({"bags": {"b": 2}}, {"rate": [5.0, 6.0]}, {"band": [7.0, 8.0]}, [0, 5])
    both = mine.and_also(theirs)
    assert both.settings == {"plan": {"a": 1}, "bags": {"b": 2}}
    counts = [task.count for task in system.task_types]
    assert task_columns(system, None) == {"count": counts}
    assert task_columns(system, both) == {"count": counts, **mine.tasks, **theirs.tasks}
    watts = [machine.idle_power for machine in system.machine_types]
    there = [machine.count for machine in system.machine_types]
    assert machine_columns(system, None) == {"count": there, "idle_power": watts}
    assert machine_columns(system, both) == {
        **{"count": [0, 5], "idle_power": watts},
        **{"price": [3.0, 4.0], "band": [7.0, 8.0]},
    }
    nested = {"limits": {"power": 5, "by": {"day": [1, 2]}}, "a": "x"}
    assert [*flat(nested)] == [("limits.power", [5]), ("limits.by.day", [1, 2]), ("a", ["x"])]


def test_what_is_left_out_is_said_with_its_first_error() -> None:
    first, second = Findings(), Findings()
    first.warning("f", "", "", "is odd")
    second.error("g", "r", "c", "is wrong")
    second.error("g", "", "", "is worse")
    kept = KeptBeside.left_out("the plan", first, second)
    (problem,) = kept.problems
    assert (problem.file, problem.row, problem.column, problem.severity) == (
        "g",
        "r",
        "c",
        "warning",
    )
    assert problem.message == (
        "the plan is not written, only its system, since it has errors: is wrong"
    )
    assert (kept.types, kept.additions) == (None, None)
    assert not SeenBeside(None, 0, ()).without_machines


PARTS = ReadParts(
    ("T", "U"),
    ("M", "N"),
    (1, 1),
    {"watts": ("3", None)},
    {"watts": ("", "x")},
    {"tasks": "tasks.csv", "machines": "machines.csv"},
    None,
    None,
    SettingsSource.absent("plan"),
    frozenset({"machines"}),
)
WATTS = Column("watts", "number", unit="W", allowed=Range(0, 10, "W"))


def test_columns_of_tasks_and_of_machines_are_told_apart() -> None:
    findings = Findings()
    np.testing.assert_array_equal(
        NumberColumns.of_tasks(PARTS, findings).numbers(WATTS), [3, np.nan]
    )
    assert findings.problems() == ()
    lists = NumberColumns.of_tasks(PARTS, findings), NumberColumns.of_machines(PARTS, findings)
    assert np.isnan(lists[1].numbers(WATTS)).all()
    for each in lists:
        each.numbers(Column("speed", "number", unit="W"))
    assert places(findings) == [
        ("machines.csv", "M", "watts", "is blank; give a number"),
        ("machines.csv", "N", "watts", "'x' is not a number; give one"),
        ("tasks.csv", "", "speed", "column speed is missing; add it, in W"),
        ("machines.csv", "", "", "is missing; add it, with a column speed in W"),
    ]


@pytest.mark.parametrize(
    ("column", "cells", "numbers", "faults"),
    [
        (WATTS, ("0", "10"), [0, 10], []),
        (WATTS, ("-1", "10.5"), [np.nan] * 2, ["-1 is out of range; give 0 to 10 W", "10.5 is ou"]),
        (WATTS, ("3 m", "1e999"), [np.nan] * 2, ["'3 m' has a unit; give only the number, in W"]),
        (Column("watts", "number", 20.0, allowed=WATTS.allowed), ("", "20"), [20, 20], []),
        (Column("watts", "number", 20.0), None, [20, 20], []),
        (Column("watts", "number", 20.0, always=True), None, [20, 20], ["column watts is missing"]),
        (Column("watts", "number", 0.0, parse=parse_share), ("25 %", "1"), [0.25, 1], []),
    ],
)
def test_numbers_of_a_column(
    column: Column, cells: tuple[str, ...] | None, numbers: list[float], faults: list[str]
) -> None:
    findings = Findings()
    there = {} if cells is None else {"watts": cells}
    columns = NumberColumns("f.csv", ("A", "B"), there, findings)
    np.testing.assert_array_equal(columns.numbers(column), numbers)
    problems = findings.problems()
    assert len(problems) == np.isnan(numbers).sum() or cells is None
    for problem, fault in zip(problems, faults, strict=False):
        assert problem.message.startswith(fault)
    assert len(problems) >= len(faults)
