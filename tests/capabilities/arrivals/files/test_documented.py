"""The columns of workloads in docs/arrivals.md are those that are read, with their defaults."""

import re
from pathlib import Path

import pytest

from core.capabilities.arrivals.files.workload_file import TABLES

GUIDE = (Path(__file__).parents[4] / "docs" / "arrivals.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["pools", "jobs", "options", "curves"])
def test_columns_and_defaults_are_documented_as_they_are_read(name: str) -> None:
    section = GUIDE.partition(f"\n`{name}.csv`: ")[2].partition("\n\n`")[0]
    lines = (line.split("|")[1:4] for line in section.splitlines() if line.startswith("| `"))
    documented = {
        column: default.strip()
        for columns, _, default in lines
        for column in re.findall(r"`(\w+)`", columns)
    }
    schema = {column.name: column for column in TABLES[name]}
    assert [*documented] == [*schema]
    for column, default in documented.items():
        assert (default == "") == schema[column].is_needed
        if default.isdigit():
            assert float(default) == schema[column].blank


@pytest.mark.parametrize("name", ["truth", "types"])
def test_columns_of_other_tables_are_named(name: str) -> None:
    sentence = GUIDE.rpartition(f"`{name}.csv`")[2].partition("\n\n")[0]
    assert {column.name for column in TABLES[name]} <= {*re.findall(r"`(\w+)`", sentence)}
