"""What-ifs keep their order, their names and their numbers, and every step can be taken back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.files.samples.named import load_sample
from dashboard.screens.compare.what_if import WhatIf
from dashboard.screens.compare.what_ifs import (
    WhatIfs,
    add,
    move,
    remove,
    rename,
    undo,
)

TWO = load_sample("two-by-two")


def of(*numbers: int) -> WhatIfs:
    return WhatIfs(tuple(WhatIf.of(number, f"s{number}", TWO) for number in numbers))


def numbers(what_ifs: WhatIfs) -> list[int]:
    return [one.number for one in what_ifs.now]


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
def test_moving_ends_at_the_ends(number: int, by: int, order: list[int]) -> None:
    assert numbers(move(of(1, 2, 3), number, by)) == order


def test_what_was_removed_comes_back_where_it_was() -> None:
    before = of(1, 2, 3)
    after = remove(before, 2)
    assert numbers(after) == [1, 3]
    assert undo(after).now == before.now


def test_a_number_is_never_used_again() -> None:
    assert remove(of(1, 2, 7), 7).next_number == 8
    assert WhatIfs().next_number == 1


def test_a_name_is_one_line_of_bounded_length() -> None:
    named = rename(of(1), 1, "  a\n<b>  " + "x" * 200)
    assert named.now[0].name.startswith("a <b> xx")
    assert len(named.now[0].name) == 80
    assert rename(named, 1, "").now[0].title == "s1"
    assert rename(named, 9, "nobody") is named


@given(steps=st.lists(st.sampled_from([move, rename, remove, add]), max_size=50))
def test_every_step_can_be_taken_back(steps: list) -> None:
    first = now = of(1, 2, 3)
    taken = 0
    for k, step in enumerate(steps):
        before = now
        if step is add:
            now = add(now, WhatIf.of(now.next_number, "new", TWO))
        elif now.now:
            number = now.now[k % len(now.now)].number
            now = step(
                now,
                number,
                **({"by": 1} if step is move else {}),
                **({"name": f"n{k}"} if step is rename else {}),
            )
        taken += now is not before
        assert len({one.number for one in now.now}) == len(now.now)
    for _ in range(taken):
        now = undo(now)
    assert now.now == first.now
    assert undo(now) is now


@pytest.mark.parametrize(("steps", "kept"), [(49, 49), (50, 50), (51, 50)])
def test_the_last_fifty_steps_are_kept(steps: int, kept: int) -> None:
    now = of(1)
    for step in range(steps):
        now = rename(now, 1, f"name {step}")
    assert len(now.past) == kept
    assert now.past[-1][0].name == f"name {steps - 2}"
