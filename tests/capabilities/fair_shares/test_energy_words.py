"""The front in words says whether it is whole, and how far it is proven."""

from dataclasses import replace

from capabilities.fair_shares.made import made, powered
from capabilities.fair_shares.test_energy import front_of

from core.capabilities.fair_shares.energy_words import front_as_data, reached_said, told_of_front

FRONT = front_of(powered(made((4,), [[1], [1]]), [[100], [40]], [0, 0]))


def test_what_is_saved_and_where_a_front_ends_that_was_stopped() -> None:
    whole = told_of_front(FRONT, [])
    assert whole.lead == "A worst stretch of 2 in place of 1.001 saves 42.8 % of 280 J."
    assert whole.sentences[0] == "No schedule is below the front (proven)."
    (table,) = whole.tables
    assert table.rows[0] == ("1.001", "280 J")
    assert table.rows[-1] == ("2", "160 J")
    part = told_of_front(replace(FRONT, complete=False, gap=0.0123), [])
    assert part.lead.endswith("of 280 J so far.")
    assert part.sentences[0] == (
        "The front was not traced to its end. No schedule is 1.3 % below it (proven)."
    )
    assert front_as_data(replace(FRONT, complete=False), [])["exact"] is False


def test_what_is_not_proven_is_said() -> None:
    said = told_of_front(replace(FRONT, gap=0.0123), []).sentences[0]
    assert said == "No schedule is more than 1.3 % below the front (proven)."


def test_a_front_of_one_vertex_saves_nothing() -> None:
    one = replace(FRONT, points=FRONT.points[:1], proven=FRONT.proven[:1], plans=FRONT.plans[:1])
    said = told_of_front(one, ["a fault"])
    assert said.lead == "No larger stretch saves energy: 280 J in any case."
    assert "NOT verified, plans of the front: a fault" in said.sentences
    assert front_as_data(one, ["a fault"])["verified"] is False


def test_progress_in_words() -> None:
    assert reached_said(2.5) == "the front is known up to a worst stretch of 2.5"
