"""The verdicts of the tables follow from the schedules: change these, and they flip."""

from dataclasses import replace

import numpy as np

from benchmarks.publications.front import tables as front_tables
from benchmarks.publications.front.environments import (
    EVOLVED,
    FILLED,
    METHODS,
    NAMES,
    OURS,
    SEEDED,
    SWEPT,
    Attempt,
)

# By what share schedules are above the front, so that areas are as ordered as published.
AS_PUBLISHED = {EVOLVED: 0.3, SWEPT: 0.1, SEEDED: 0.08, FILLED: 0.05, OURS: 0.0}


def made_up(environments, above):
    """The four environments with schedules along the front, each method's so far above it."""
    each = {}
    for name, environment in environments.each.items():
        left, right = environment.front.points[[0, -1]]
        energy = np.linspace(left[0], right[0], 300)
        makespan = [environment.front.least_makespan(joules) for joules in energy]
        chain = np.column_stack([energy, makespan])
        each[name] = replace(
            environment,
            attempts={
                method: Attempt.of(chain * (1.0, 1 + above[method]), 1.0) for method in METHODS
            },
        )
    return replace(environments, each=each)


def verdicts(environments, **above):
    table = front_tables.table_1(made_up(environments, AS_PUBLISHED | above))
    return [claim.holds for claim in table.claims]


def test_all_holds_on_schedules_as_published(small_environments):
    assert verdicts(small_environments) == [True] * (4 + len(NAMES))


def test_a_method_that_leaves_more_flips_its_orders(small_environments):
    assert verdicts(small_environments, **{SEEDED: 0.04})[:4] == [True, True, True, False]
    assert verdicts(small_environments, **{SWEPT: 0.4})[:4] == [False, True, True, True]
    assert verdicts(small_environments, **{SWEPT: 0.06})[:4] == [True, False, True, True]


def test_our_aim_is_missed_where_too_much_is_left(small_environments):
    assert verdicts(small_environments, **{OURS: 0.04})[4:] == [False] * len(NAMES)


def test_who_is_out_of_order_is_said(small_environments):
    table = front_tables.table_1(made_up(small_environments, AS_PUBLISHED | {SEEDED: 0.04}))
    assert table.claims[3].difference == "the other way round in nine, six, two, ten"


def test_areas_are_told_in_megajoule_seconds_beside_the_published(small_environments):
    table = front_tables.table_1(small_environments).table
    assert [row[0] for row in table.rows] == list(METHODS)
    assert table.rows[0][1] == "2,149"
    assert table.rows[-1][1] == ""
    left = small_environments.nine.left_exact(OURS) / 1e6
    assert float(table.rows[-1][3].replace(",", "")) == float(f"{left:.4g}")


def test_tighter_bounds_leave_less_in_table_2(small_environments):
    table = front_tables.table_2(small_environments)
    assert [claim.holds for claim in table.claims] == [True, True, True]
    nine = [float(row[2].replace(",", "")) for row in table.table.rows]
    assert nine == sorted(nine, reverse=True)


def test_bounds_that_are_the_same_flip_table_2(small_environments):
    known = {
        name: replace(environment, optima=environment.front.points[[0, -1]])
        for name, environment in small_environments.each.items()
    }
    convex, *_ = front_tables.table_2(replace(small_environments, each=known)).claims
    assert not convex.holds  # between two points nothing is known but that it is convex
