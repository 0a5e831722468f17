"""The tables of a plan show what is known, and take over what is edited."""

import math
from dataclasses import replace

from dashboard.screens.provision.inputs import COLUMNS, DemandInput, OfferInput, changed, frame


def rows(table):
    return [
        [None if isinstance(cell, float) and math.isnan(cell) else cell for cell in row]
        for row in table.to_numpy(object).tolist()
    ]


def test_each_field_has_a_column():
    assert set(COLUMNS["machines"]) == set(OfferInput.__slots__)
    assert set(COLUMNS["tasks"]) == set(DemandInput.__slots__)


def test_cells_are_in_the_unit_of_the_page(types, inputs):
    assert rows(frame(types, inputs, "machines")) == [
        ["A", 1.0, 100.0, 40.0, None, None, None],
        ["B", 2.0, 40.0, 10.0, None, None, 3.6],
    ]
    assert rows(frame(types, inputs, "tasks")) == [["short", 1.0, 7200.0], ["long", 6.0, 1800.0]]


def test_an_edited_cell_is_taken_over_in_si_units(inputs):
    edited = changed(inputs, inputs, "machines", {1: {"failure_rate": 7.2, "most": 5}})
    assert edited.offers == (
        inputs.offers[0],
        OfferInput(40.0, 10.0, count=2.0, most=5, failure_rate=7.2 / 3600),
    )
    assert edited.demands == inputs.demands
    cleared = changed(edited, inputs, "machines", {0: {"price": None}})
    assert cleared.offers[0].price is None
    tasks = changed(inputs, inputs, "tasks", {0: {"arrival_rate": 36}})
    assert tasks.demands == (DemandInput(1.0, 0.01), inputs.demands[1])


def test_what_was_edited_is_no_longer_an_example(inputs):
    marked = replace(inputs, examples=frozenset({"price", "reward"}))
    assert changed(marked, marked, "machines", {0: {"most": 1}}).examples == {"price", "reward"}
    assert changed(marked, marked, "machines", {0: {"price": 1}}).examples == {"reward"}
    assert changed(marked, marked, "tasks", {0: {"reward": 1}}).examples == {"price"}
