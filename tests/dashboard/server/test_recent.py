"""What was looked at last stays, within a total weight."""

import pytest

from dashboard.server.recent import Recent


@pytest.mark.parametrize(
    ("put", "then", "kept"),
    [
        ([("a", 4), ("b", 4)], [("c", 4)], [4, None, 4, None]),  # "a" is looked at in between
        ([("a", 4)], [("b", 400)], [None, 400, None, None]),  # the newest stays, however heavy
        ([("a", 4)], [("b", 6)] * 3, [4, 6, None, None]),  # the same key counts once
        ([(key, 10) for key in "abcabc"], [("c", 1), ("d", 9)], [None, None, 1, 9]),
    ],
)
def test_what_was_not_looked_at_for_longest_makes_room(
    put: list[tuple[str, int]], then: list[tuple[str, int]], kept: list[int | None]
) -> None:
    recent = Recent[str, int](10, lambda weight: weight)
    for one in put:
        recent.put(*one)
    recent.get("a")
    for one in then:
        recent.put(*one)
    assert [recent.get(key) for key in "abcd"] == kept
