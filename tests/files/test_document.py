"""JSON documents are read strictly; every problem is located by the names of the types."""

import json

import pytest

from core.files import inspect_system_bytes, limits

GOOD = {
    "format": "wattfront-system",
    "version": 1,
    "task_types": [{"name": "T1", "count": 5}, {"name": "T2", "count": 2.0}],
    "machine_types": [{"name": "A", "count": 1, "idle_power": 3}, {"name": "B", "count": 2}],
    "etc": [[1, 2.5], [None, 4]],
    "apc": [[10, 20], [None, 40]],
}


def read(document):
    text = document if isinstance(document, str) else json.dumps(document)
    return inspect_system_bytes("s.json", text.encode())


def places(reading):
    return {(p.file.removeprefix("s.json").strip(), p.row, p.column) for p in reading.problems}


def test_a_document_is_a_system():
    reading = read(GOOD)
    system = reading.require()
    assert reading.problems == ()
    assert system.task_counts.tolist() == [5, 2]
    assert system.machine_counts.tolist() == [1, 2]
    assert system.idle_power.tolist() == [3.0, 0.0]
    assert system.can_run.tolist() == [[True, True], [False, True]]


def test_tables_of_a_document_can_be_corrected():
    rows = {
        "etc": [["task_type", "A", "B"], ["T1", "1", "2.5"], ["T2", "", "x"]],
        "apc": [["task_type", "A", "B"], ["T1", "10", "20"], ["T2", "", "40"]],
        "tasks": [["task_type", "count"], ["T1", "5"], ["T2", "2.0"]],
        "machines": [["machine_type", "count", "idle_power"], ["A", "1", "3"], ["B", "2", "0.0"]],
    }
    tables = read(GOOD | {"etc": [[1, 2.5], [None, "x"]]}).tables
    assert {name: [row.cells for row in table.rows] for name, table in tables.items()} == rows
    assert [table.label for table in tables.values()] == [
        f"s.json [{name}]" for name in ("etc", "apc", "task_types", "machine_types")
    ]
    assert not any(table.is_text for table in tables.values())


@pytest.mark.parametrize("apc", [None, "absent"])
def test_power_may_be_null_or_absent(apc):
    document = GOOD | {"apc": None}
    if apc == "absent":
        del document["apc"]
    assert read(document).require().apc is None


SECOND = {"name": "T2", "count": 1}
NO_TIMES = ("2", True, [2], -2, float("nan"), float("inf"), 10**4000)
NO_TYPES = [
    ({"name": "T1", "count": 1.5}, "T1", "count"),
    ({"name": "T1", "count": -1}, "T1", "count"),
    ({"name": "T1"}, "T1", "count"),
    (SECOND, "T2", ""),
    ({"name": 1, "count": 1}, "task type 1", ""),
    ({"name": "\ud800", "count": 1}, "task type 1", ""),
    ({"name": " T1", "count": 1}, "task type 1", ""),
    ("T1", "task type 1", ""),
]
MACHINES = [{"name": "A", "count": 1, "idle_power": None}, {"name": "B", "count": 1}]


@pytest.mark.parametrize(
    ("change", "place"),
    [
        *(({"etc": [[1, time], [None, 4]]}, ("[etc]", "T1", "B")) for time in NO_TIMES),
        *(({"etc": [row, [None, 4]]}, ("[etc]", "T1", "")) for row in ([1], [1, 2, 3], {})),
        ({"etc": [[1, 2]]}, ("[etc]", "", "")),
        ({"etc": {}}, ("[etc]", "", "")),
        ({"apc": [[10, 20], [30, 40]]}, ("[apc]", "T2", "A")),
        ({"apc": 3}, ("[apc]", "", "")),
        ({"task_types": 3}, ("[task_types]", "", "")),
        *(({"task_types": [one, SECOND]}, ("[task_types]", *at)) for one, *at in NO_TYPES),
        ({"machine_types": MACHINES}, ("[machine_types]", "A", "idle_power")),
    ],
)
def test_a_problem_is_located(change, place):
    reading = read(GOOD | change)
    assert places(reading) == {place}
    assert not reading.ok


def test_a_number_too_large_for_a_float_is_located():
    text = json.dumps(GOOD).replace("2.5", "1e999")
    assert places(read(text)) == {("[etc]", "T1", "B")}


def test_unknown_keys_are_a_warning():
    types = [{"name": "T1", "count": 5, "owner": "me"}, {"name": "T2", "count": 2}]
    reading = read(GOOD | {"comment": "hello", "task_types": types})
    assert reading.ok
    assert {p.severity for p in reading.problems} == {"warning"}
    assert places(reading) == {("", "", ""), ("[task_types]", "", "")}


@pytest.mark.parametrize("name", ["", " ", None])
def test_a_type_without_a_name_is_a_type(name):
    """All cells of its row are blank, as those of a blank line."""
    types = [{"name": "T1", "arrival_rate": 1.0}, {"name": name}]
    reading = read(GOOD | {"task_types": types, "etc": [[1.0] * 2] * 2})
    assert ("[task_types]", "task type 2", "") in places(reading)
    assert not any("rows" in problem.message for problem in reading.problems)


def test_a_fault_is_placed_by_the_row_where_the_name_is_none():
    reading = read(GOOD | {"task_types": [{"name": 7, "count": "x"}]})
    assert ("[task_types]", "task type 1", "count") in places(reading)


def test_repeated_keys_are_refused():
    text = json.dumps(GOOD).replace('"count": 5', '"count": 5, "count": 6')
    reading = read(text)
    assert not reading.ok
    assert places(reading) == {("", "", "count")}


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"format": ', "line 1, column"),
        ("{}", "not a document of the format"),
        ('{"format": "wattfront-schedule", "version": 1}', "not a document of the format"),
        ('{"format": "wattfront-system"}', "no known version"),
        ('{"format": "wattfront-system", "version": 2}', "version 2"),
        ('{"format": "wattfront-system", "version": true}', "version True"),
        ('{"format": "wattfront-system", "version": [[]]}', "no known version"),
        ('{"a": ' * 200_000, "nested too deeply"),
        ('{"a": [' + "[],\n" * limits.JSON_CONTAINERS + "[]]}", "lists"),
    ],
)
def test_other_documents_are_refused(text, why):
    (problem,) = read(text).problems
    assert why in problem.message
    assert problem.file == "s.json"


@pytest.mark.parametrize(
    ("limit", "most", "values", "said"),
    [
        ("JSON_CONTAINERS", 12, ["[]"] * 10, "has more than 12 lists"),  # the two around them count
        ("JSON_VALUES", 5, ["1"] * 6, "has too many values"),  # one more than commas
        ("JSON_STRINGS", 7, ['"x"'] * 6, "has too many values"),  # the key is a text, too
    ],
)
def test_as_many_lists_and_values_are_read_as_the_limit_says(
    monkeypatch, limit, most, values, said
):
    monkeypatch.setattr(limits, limit, most)
    for more in (-1, 0, 1):
        text = ", ".join([*values, *values][: len(values) + more])
        (problem,) = read('{"a": [' + text + "]}").problems
        assert (said in problem.message) is (more > 0)


def test_absurd_shapes_are_refused_before_they_are_made():
    types = [{"name": str(i), "count": 1} for i in range(5_000)]
    reading = read(GOOD | {"task_types": types, "machine_types": types})
    assert "too large" in reading.problems[0].message
