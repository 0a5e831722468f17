"""A desk keeps what a person drafts with all steps, and editors keep their place."""

import pytest

from dashboard.parts.desk import MOST_DESKS, MOST_STEPS, Desk


class Words(Desk[str]):
    area = "words"


@pytest.fixture(autouse=True)
def session(monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    state: dict[str, object] = {}
    monkeypatch.setattr("streamlit.session_state", state)
    return state


def test_a_change_leaves_editors_alone_and_a_fill_begins_them_anew() -> None:
    desk = Words("one", "a", "a")
    desk.change("b")
    assert (desk.inputs, desk.turn, desk.key("table")) == ("b", 0, "words.table one 0")
    desk.fill("c")
    assert (desk.inputs, desk.turn, desk.key("table")) == ("c", 1, "words.table one 1")
    desk.undo()
    assert (desk.inputs, desk.turn) == ("b", 2)
    desk.undo()
    desk.undo()
    assert (desk.inputs, desk.past) == ("a", [])


def test_what_changes_nothing_is_no_step_and_neither_is_what_an_address_says() -> None:
    desk = Words("one", "a", "a")
    desk.change("a")
    desk.put("a")
    assert (desk.past, desk.turn) == ([], 0)
    desk.put("b")
    assert (desk.inputs, desk.past, desk.turn) == ("b", [], 1)


def test_undo_takes_back_what_else_a_step_did() -> None:
    desk, done = Words("one", "a", "a"), list[str]()
    desk.fill("a", also=lambda: done.append("system"))
    assert len(desk.past) == 1, "also if the inputs are the same"
    desk.undo()
    assert done == ["system"]


@pytest.mark.parametrize(("steps", "kept"), [(49, 49), (50, 50), (51, 50)])
def test_the_last_fifty_steps_are_kept(steps: int, kept: int) -> None:
    desk = Words("one", "0", "0")
    for step in range(1, steps + 1):
        desk.change(str(step))
    assert len(desk.past) == kept <= MOST_STEPS
    assert desk.past[-1] == (str(steps - 1), None)


def test_an_editor_keeps_what_it_was_given_while_it_is_there(session: dict[str, object]) -> None:
    desk = Words("one", "a", "a")
    assert desk.begun_with("table") == "a"
    session[desk.key("table")] = {}
    desk.change("b")
    assert desk.begun_with("table") == "a"
    desk.fill("c")
    assert desk.begun_with("table") == "c"


def test_a_session_keeps_the_desks_used_last() -> None:
    assert Words.known("first") is None
    first = Words.kept("first", lambda: Words("first", "a", "a"))
    for number in range(MOST_DESKS - 1):
        Words.kept(str(number), lambda: Words("", "b", "b"))
    assert Words.kept("first", lambda: Words("first", "new", "")) is first
    Words.kept("one more", lambda: Words("", "b", "b"))
    assert Words.known("first") is first
    assert Words.known("0") is None
