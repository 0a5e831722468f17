"""Jobs without names are called by their numbers, from 1 on."""

import pytest

from core.capabilities.arrivals.files.job_tables import NumberNames


def test_numbers_are_names_in_any_part_of_the_list() -> None:
    names = NumberNames(4)
    assert list(names) == ["1", "2", "3", "4"]
    assert (names[0], names[-1]) == ("1", "4")
    assert (list(names[1:3]), list(names[::-2]), list(names[4:])) == (["2", "3"], ["4", "2"], [])
    for beyond in (4, -5):
        with pytest.raises(IndexError):
            names[beyond]
