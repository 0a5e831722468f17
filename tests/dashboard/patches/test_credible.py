"""A tick is true, false or blank, and no other cell can hold one."""

import pandas as pd
import pytest
import streamlit as st

from dashboard.patches.credible import CredibleGrid

FRAME = pd.DataFrame(
    {
        "name": ["T1"],
        "tick": pd.array([None], "boolean"),
        "plain": [True],
        "closed": [True],
        "number": [1.5],
    }
)
GRID = CredibleGrid.of(
    FRAME, {"closed": st.column_config.CheckboxColumn(disabled=True)}, grows=False
)


@pytest.mark.parametrize(
    ("column", "value", "credible"),
    [
        ("tick", True, True),
        ("tick", False, True),
        ("tick", None, True),
        ("plain", False, True),
        ("tick", 1, False),
        ("tick", 0.0, False),
        ("tick", "yes", False),
        ("tick", [True], False),
        ("closed", True, False),
        ("number", True, False),
        ("number", 2, True),
        ("name", True, False),
    ],
)
def test_only_what_a_person_can_enter_is_believed(
    column: str, value: object, *, credible: bool
) -> None:
    said = {"edited_rows": {0: {column: value}}, "added_rows": [], "deleted_rows": []}
    assert GRID.may_become(said) is credible
