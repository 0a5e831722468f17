"""What an editor holds becomes the tables, and the editor keeps its place while a person types."""

from streamlit.testing.v1 import AppTest

from dashboard.workspace.session import WORKSPACE


def editing() -> None:
    import streamlit as st

    from dashboard.workspace import edits, session

    table = st.radio("table", ["etc", "tasks"], key="table")
    st.text(edits.editor_key(table))
    base = edits.edited_from(table)
    st.data_editor(base.frame(table), key=edits.editor_key(table), hide_index=True)
    st.button("take", on_click=edits.take_edit, args=(table,))
    st.button("restart", on_click=session.renew)


def opened() -> AppTest:
    page = AppTest.from_function(editing)
    page.query_params["sample"] = "two-by-two"
    return page.run()


def typed(page: AppTest, **state: object) -> AppTest:
    whole = {"edited_rows": {}, "added_rows": [], "deleted_rows": []} | state
    page.session_state[page.text[0].value] = whole
    page.run()
    page.button[0].click().run()
    assert not page.exception
    return page


def test_cells_typed_one_after_the_other_are_all_taken() -> None:
    page = opened()
    key = page.text[0].value
    typed(page, edited_rows={0: {"m0": -5.0}})
    assert page.session_state[WORKSPACE].version.draft is not None
    typed(page, edited_rows={0: {"m0": 5.0}, 1: {"m1": 6.0}})
    assert page.session_state[WORKSPACE].system.etc.tolist() == [[5.0, 2.0], [2.0, 6.0]]
    assert page.text[0].value == key, "the editor is still the same"


def test_another_table_begins_from_what_was_typed() -> None:
    page = typed(opened(), edited_rows={0: {"m0": 5.0}})
    page.button[1].click().run()
    typed(page, edited_rows={0: {"m1": 7.0}})
    assert page.session_state[WORKSPACE].system.etc.tolist() == [[5.0, 7.0], [2.0, 3.0]]


def test_a_change_of_types_begins_the_editors_anew() -> None:
    page = opened()
    page.radio[0].set_value("tasks").run()
    key = page.text[0].value
    typed(page, edited_rows={0: {"name": "renamed"}}, deleted_rows=[1])
    assert [t.name for t in page.session_state[WORKSPACE].system.task_types] == ["renamed"]
    assert page.text[0].value != key
