"""The words by which people call tables and columns are understood, each where it belongs."""

import math

import pytest

from core.files.headings import COLUMNS_BESIDE, LISTS, TABLES, beside, names_machines, table_called
from core.files.schema import columns_called

TASKS, MACHINES = LISTS["tasks"], LISTS["machines"]


@pytest.mark.parametrize(
    ("title", "table"),
    [
        ("Jobs", "tasks"),
        (" Runtime (s) ", "etc"),
        ("run_times [seconds]", "etc"),
        ("Power (W)", "apc"),
        ("NODES", "machines"),
        ("Machine types", "machines"),
        ("Runtime (min)", "etc"),
        ("etc_min", "etc"),
        ("Times in hours", "etc"),
        ("power_kw", "apc"),
        ("Power (min)", None),
        ("Runtime (furlongs)", None),
        ("Jobs (min)", None),
        ("Notes", None),
        ("", None),
    ],
)
def test_a_sheet_is_the_table_that_people_call_so(title, table):
    assert table_called(title) == table


def test_every_table_is_called_by_its_own_name():
    assert [table_called(table) for table in TABLES] == list(TABLES)


@pytest.mark.parametrize(
    ("titles", "known", "found"),
    [
        (["Job", "Number"], TASKS, {"task_type": 0, "count": 1}),
        (["Tasks", "Count"], TASKS, {"task_type": 0, "count": 1}),
        (["Task type", "Tasks"], TASKS, {"task_type": 0, "count": 1}),
        (["#", "Application"], TASKS, {"task_type": 1, "count": 0}),
        (
            ["Machine type", "Idle (W)", "Nodes"],
            MACHINES,
            {"machine_type": 0, "count": 2, "idle_power": 1},
        ),
        (
            ["Node", "count", "idle power"],
            MACHINES,
            {"machine_type": 0, "count": 1, "idle_power": 2},
        ),
        (["", "count"], TASKS, {"task_type": 0, "count": 1}),
        (["Server", "Idle (kW)"], MACHINES, {"machine_type": 0, "idle_power": 1}),
        (["Server", "idle_power_kW"], MACHINES, {"machine_type": 0, "idle_power": 1}),
        (["Server", "Idle (kWh)"], MACHINES, {"machine_type": 0}),
        (["Server", "Idle (min)"], MACHINES, {"machine_type": 0}),
        (["count", "task_type"], TASKS, {"task_type": 1, "count": 0}),
        (["colour"], TASKS, {}),
        ([], TASKS, {}),
    ],
)
def test_columns_are_found_by_the_words_of_people(titles, known, found):
    assert columns_called(titles, known) == found


@pytest.mark.parametrize(
    ("corner", "says"),
    [("Machine type", True), ("node", True), ("task_type", False), ("", False), ("name", False)],
)
def test_a_corner_may_say_that_machines_stand_below_it(corner, says):
    assert names_machines(corner) == says


def test_columns_beside_those_of_a_system():
    """Their names, and what people call them first; units in brackets as far as they may be."""
    said = {
        (settings, table): " ".join(column.name for column in columns)
        for settings, lists in COLUMNS_BESIDE.items()
        for table, columns in lists.items()
    }
    assert said == {
        ("plan", "tasks"): "reward arrival_rate arrival_cov",
        ("plan", "machines"): (
            "price resale failure_rate failures_a_year min max time_cov power_cov"
        ),
        ("network", "tasks"): "release data",
        ("network", "machines"): "link memory",
    }
    titles = ["Release date (s)", "Input data [MB]", "Links (MB/s)", "Cost (kEUR)", "At most"]
    assert columns_called(titles, (*beside("tasks"), *beside("machines"))) == {
        **{"release": 0, "data": 1, "link": 2, "price": 3, "max": 4}
    }
    assert columns_called(["Release (kW)", "Links (MB)"], beside("machines")) == {}
    blanks = [column.blank for column in (*beside("tasks"), *beside("machines"))]
    assert blanks == [
        *(None, None, None, 0.0, 0.0),
        *(None, 0.0, 0.0, 0.0, 0.0, math.inf, None, None, math.inf, math.inf),
    ]
