"""What is known of places is proposed, a row for each machine or each machine type."""

import numpy as np
import pytest

from core.engines.slurm.binding import COLUMNS
from core.engines.slurm.places import (
    ROWS_OF_MACHINES,
    PlaceRow,
    first_rows,
    rows_of_machines,
    rows_of_types,
)
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System


def machines(*counts: int) -> System:
    kinds = tuple(MachineType(f"M{j}", count) for j, count in enumerate(counts))
    return System((TaskType("T", 1),), kinds, np.ones((1, len(counts))))


@pytest.mark.parametrize(
    ("count", "rows"),
    [(ROWS_OF_MACHINES - 1, 64), (ROWS_OF_MACHINES - 2, 63), (ROWS_OF_MACHINES, 2)],
)
def test_few_machines_have_a_row_each_and_many_have_one_a_type(count: int, rows: int) -> None:
    begun = first_rows(machines(count, 0, 1))
    assert len(begun) == rows
    assert not any(row.has_place for row in begun)
    assert all(row.machine == "" for row in begun) == (rows == 2)


def test_rows_of_machines_are_numbered_within_their_type() -> None:
    assert rows_of_machines(machines(2, 0, 1)) == (
        PlaceRow("M0", "1"),
        PlaceRow("M0", "2"),
        PlaceRow("M2", "1"),
    )
    assert rows_of_types(machines(2, 0, 1)) == (PlaceRow("M0"), PlaceRow("M2"))


def test_nodes_that_are_known_are_there_at_first() -> None:
    nodes = (("n8", "n9"), (), ("g1", "g1"))
    some = [row[1:3] for row in rows_of_machines(machines(3, 0, 2), nodes)]
    assert some == [("1", "n8"), ("2", "n9"), ("3", ""), ("1", "g1"), ("2", "g1")]
    assert [row.node for row in rows_of_types(machines(2, 0, 2), nodes)] == ["n[8-9]", ""]
    assert [row.node for row in rows_of_types(machines(3, 0, 2), nodes)] == ["", ""]
    begun = first_rows(machines(2), (("n8", "n9"),))
    assert begun == rows_of_machines(machines(2), nodes[:1])


def test_the_columns_are_those_of_a_map_file() -> None:
    assert PlaceRow._fields == COLUMNS
