"""A what-if knows its system, and says in words what it changes."""

from dataclasses import replace

import numpy as np
import pytest
from marked import marked

from core.files.samples.named import load_sample
from core.vocabulary.prices.tariff import Tariff
from core.vocabulary.problems import InvalidInput
from core.vocabulary.without_work import WithoutWork
from dashboard.screens.what_if.compare.what_ifs import WhatIf, differences
from dashboard.workspace.workspace import begin, set_idle_fraction


@pytest.fixture
def nine():
    return WhatIf.of(1, "nine", load_sample("nine"))


def machines(what_if, **counts):
    now = list(what_if.machines)
    for name, count in counts.items():
        now[int(name[1:]) - 1] = count
    return replace(what_if, machines=tuple(now))


def test_it_begins_as_the_system_is(nine):
    assert nine.system == nine.base
    assert nine.title == "nine"
    assert differences(nine, nine) == []


def test_it_begins_as_every_other_page_has_it():
    now = set_idle_fraction(begin("nine"), 0.3)
    assert WhatIf.of_workspace(4, now).system == now.system


def test_its_system_has_its_counts_and_idle_power(nine):
    changed = replace(machines(nine, M6=6, M1=0), idle=WithoutWork(0.5))
    expected = nine.base.with_counts(
        nine.base.task_counts, np.array([0, 4, 4, 4, 4, 6, 4, 4, 4])
    ).with_idle_fraction(0.5)
    assert changed.system == expected


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        ({"M6": 6}, ["2 more M6"]),
        ({"M6": 3}, ["1 fewer M6"]),
        ({"M1": 0, "M6": 6}, ["all 4 M1 switched off", "2 more M6"]),
        ({"M1": 5, "M2": 5, "M3": 5}, ["1 more M1", "1 more M2", "1 more M3"]),
        (
            {"M1": 5, "M2": 5, "M3": 5, "M4": 5},
            ["1 more M1", "1 more M2", "1 more M3", "1 more machine type changed"],
        ),
        (
            {"M1": 5, "M2": 5, "M3": 5, "M4": 5, "M5": 5},
            ["1 more M1", "1 more M2", "1 more M3", "2 more machine types changed"],
        ),
    ],
)
def test_machines_are_told_one_by_one(nine, counts, said):
    changed = machines(nine, **counts)
    assert differences(changed, nine) == said
    assert changed.title == ", ".join(said)
    assert replace(changed, name="mine").title == "mine"


def test_the_only_machine_of_a_type_is_not_all_of_them():
    two = WhatIf.of(1, "two-by-two", load_sample("two-by-two"))
    assert differences(replace(two, machines=(0, 1)), two) == ["A switched off"]


def test_tasks_are_told_one_by_one_or_together(nine):
    one = replace(nine, tasks=(nine.tasks[0] + 5, *nine.tasks[1:]))
    assert differences(one, nine) == ["5 more tasks of T1"]
    three = replace(nine, tasks=(*(count + 1 for count in nine.tasks[:3]), *nine.tasks[3:]))
    assert differences(three, nine) == [f"1 more tasks of T{k}" for k in (1, 2, 3)]
    four = replace(nine, tasks=(*(count + 1 for count in nine.tasks[:4]), *nine.tasks[4:]))
    assert differences(four, nine) == ["4 more tasks"]
    every = replace(nine, tasks=tuple(count - 1 for count in nine.tasks))
    assert differences(every, nine) == ["30 fewer tasks"]


def test_idle_power_and_tariff_are_told(nine):
    changed = replace(nine, idle=WithoutWork(0.2), tariff=Tariff(0.2, 0.1, pue=1.5))
    assert differences(changed, nine) == [
        "idle power 20 % instead of as given",
        "0.2 instead of 0.3 per kWh",
        "0.1 instead of 0.35 kg CO₂ per kWh",
        "PUE 1.5 instead of 1",
    ]


def test_what_changes_against_a_changed_first_counts_from_there(nine):
    assert differences(nine, machines(nine, M6=6)) == ["2 fewer M6"]


def test_another_system_is_named_with_what_is_changed_in_it(nine):
    ten = WhatIf.of(2, "ten", load_sample("ten"))
    bought = replace(ten, machines=(ten.machines[0] + 1, *ten.machines[1:]))
    more = f"1 more {ten.base.machine_types[0].name}"
    assert differences(ten, nine) == ["ten instead of nine"]
    assert differences(bought, nine) == ["ten instead of nine", more]


def test_an_edited_system_of_the_same_types_is_another(nine):
    edited = WhatIf.of(2, "nine (edited)", nine.base.with_idle_fraction(0.5))
    assert differences(edited, nine) == ["nine (edited) instead of nine"]


def test_nothing_that_can_run_a_task_is_refused():
    two = WhatIf.of(1, "two-by-two", load_sample("two-by-two"))
    with pytest.raises(InvalidInput):
        replace(two, machines=(0, 0)).system.fingerprint  # noqa: B018  # asking is the point


def test_other_numbers_of_machines_keep_estimates(nine):
    estimated = replace(nine, base=marked(nine.base, (0, 0), (3, 4)))
    changed = replace(machines(estimated, M6=6, M1=0), idle=WithoutWork(0.5))
    assert changed.system.estimated is not None
    assert np.argwhere(changed.system.estimated).tolist() == [[0, 0], [3, 4]]
