"""The front in words says whether it is whole, and how far it is proven."""

from dataclasses import replace

from capabilities.fair_shares.made import made, powered
from capabilities.fair_shares.test_energy import front_of

from core.capabilities.fair_shares.energy_words import front_as_data, front_report, reached_said

FRONT = front_of(powered(made((4,), [[1], [1]]), [[100], [40]], [0, 0]))


def test_a_front_that_was_stopped_says_where_it_ends() -> None:
    part = replace(FRONT, complete=False)
    assert (
        "so far  160 J, 42.8 % less; it was stopped, so the front ends at a worst stretch of 2"
        in (front_report(part, [], 0.1))
    )
    assert "2 vertices; no schedule is below it (proven)" in front_report(part, [], 0.1)
    assert front_as_data(part, [])["exact"] is False


def test_what_is_not_proven_is_said() -> None:
    said = front_report(replace(FRONT, gap=0.0123), [], 0.1)
    assert "2 vertices; schedules are at most 1.3 % below it (proven)" in said


def test_a_front_of_one_vertex_saves_nothing() -> None:
    one = replace(FRONT, points=FRONT.points[:1], proven=FRONT.proven[:1], plans=FRONT.plans[:1])
    said = front_report(one, ["a fault"], 0.1)
    assert "  least energy  280 J, from 1 on\n" in said
    assert "1 vertex; no schedule" in said
    assert "plans         a fault" in said
    assert front_as_data(one, ["a fault"])["verified"] is False


def test_progress_in_words() -> None:
    assert reached_said(2.5) == "the front is known up to a worst stretch of 2.5"
