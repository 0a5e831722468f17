"""The first column of a table has room for what stands in it."""

import json

import pytest
from streamlit.testing.v1 import AppTest


def _table(first: str) -> None:
    from core.shells.told.told import ToldTable
    from dashboard.parts.told import show_table

    show_table(ToldTable("Policies", ("Policy", "Worth"), ((first, "1"),)))


@pytest.mark.parametrize(("first", "width"), [("FIFO", None), ("Most value", 88), ("x" * 60, 184)])
def test_the_first_column_is_as_wide_as_its_longest_cell_up_to_a_limit(
    first: str, width: int | None
) -> None:
    page = AppTest.from_function(_table, kwargs={"first": first}).run()
    assert not page.exception
    column = json.loads(page.dataframe[0].proto.columns)["Policy"]
    assert column.get("width") == width
