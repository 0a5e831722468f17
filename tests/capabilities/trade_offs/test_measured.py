"""What rests on estimates is what the front without estimated pairs does not have."""

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from marked import marked
from tiny import all_schedules, tiny_systems

from core.capabilities.trade_offs.measured import measured_alone, savings_in_two_parts
from core.files.samples.named import load_sample
from core.vocabulary.kinds import MachineType


@given(tiny_systems(), st.data())
def test_only_schedules_of_measured_pairs_are_left(system, data):
    cells = [*zip(*(one.tolist() for one in np.nonzero(system.can_run)), strict=True)]
    given_up = data.draw(st.lists(st.sampled_from(cells), min_size=1, unique=True))
    marks = marked(system, *given_up)
    alone = measured_alone(marks)
    if alone is None:
        assert (~system.can_run | marks.estimated).all(axis=1).any()
        return
    without = [one for one in all_schedules(system) if not one.placed[marks.estimated].any()]
    assert {(one.makespan, one.energy) for one in without} == {
        (one.makespan, one.energy) for one in all_schedules(alone)
    }


def test_both_parts_are_said_only_where_they_differ():
    system = load_sample("two-by-two")
    assert savings_in_two_parts(system) is None
    for cell, said in (
        ((0, 1), "at most 18.9 % of the energy can be saved and nothing is done before 10.8 s"),
        ((1, 0), "at most 21.1 % of the energy can be saved and nothing is done before 18 s"),
    ):
        told = savings_in_two_parts(marked(system, cell))
        assert told == (
            f"With measured pairs alone, {said}; with estimated pairs it is 35.9 % and 10.8 s."
        )
    dear = np.hstack([system.etc, np.full((2, 1), 1e6)]), np.hstack([system.apc, np.ones((2, 1))])
    spare = MachineType("C", 1)
    unused = replace(system, machine_types=(*system.machine_types, spare), etc=dear[0], apc=dear[1])
    told = savings_in_two_parts(marked(unused, (1, 2)))
    assert told == "Neither the savings nor the fastest time rest on estimates."
    told = savings_in_two_parts(marked(system, (0, 0), (0, 1)))
    assert told == "All of this rests on estimates: some task types have no measured pair."
