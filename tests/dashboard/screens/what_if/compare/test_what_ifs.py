"""What-ifs keep their order, their names and their numbers, and every step can be taken back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.files.samples.named import load_sample
from dashboard.screens.what_if.compare.what_ifs import ComparedWhatIfs, WhatIf

TWO = load_sample("two-by-two")


def of(*numbers):
    first = tuple(WhatIf.of(number, f"s{number}", TWO) for number in numbers)
    return ComparedWhatIfs("", first, first)


def numbers(what_ifs):
    return [one.number for one in what_ifs.inputs]


@pytest.mark.parametrize(
    ("number", "by", "order"),
    [
        (2, 1, [1, 3, 2]),
        (2, -1, [2, 1, 3]),
        (1, -1, [1, 2, 3]),
        (3, 1, [1, 2, 3]),
        (1, 2, [2, 3, 1]),
        (3, -9, [3, 1, 2]),
    ],
)
def test_moving_ends_at_the_ends(number, by, order):
    now = of(1, 2, 3)
    now.move(number, by)
    assert numbers(now) == order


def test_what_was_removed_comes_back_where_it_was():
    now = of(1, 2, 3)
    before = now.inputs
    now.remove(2)
    assert numbers(now) == [1, 3]
    now.undo()
    assert now.inputs == before


def test_a_number_is_never_used_again():
    now = of(1, 2, 7)
    now.remove(7)
    assert now.next_number == 8
    assert of().next_number == 1


def test_a_name_is_one_line_of_bounded_length():
    now = of(1)
    now.rename(1, "  a\n<b>  " + "x" * 200)
    assert now.inputs[0].name.startswith("a <b> xx")
    assert len(now.inputs[0].name) == 80
    now.rename(1, "")
    assert now.inputs[0].title == "s1"
    now.rename(9, "nobody")
    assert len(now.past) == 2


@given(steps=st.lists(st.sampled_from(["move", "rename", "remove", "add"]), max_size=50))
def test_every_step_can_be_taken_back(steps):
    now = of(1, 2, 3)
    first = now.inputs
    for k, step in enumerate(steps):
        number = now.inputs[k % len(now.inputs)].number if now.inputs else 1
        if step == "add":
            now.add(WhatIf.of(now.next_number, "new", TWO))
            assert now.find(now.edited) is now.inputs[-1]
        elif step == "rename":
            now.rename(number, f"n{k}")
        elif now.inputs:
            now.move(number, 1) if step == "move" else now.remove(number)
        assert len(set(numbers(now))) == len(now.inputs)
    for _ in range(len(now.past)):
        now.undo()
    assert now.inputs == first
    now.undo()
    assert now.inputs == first
