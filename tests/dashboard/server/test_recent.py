"""What was looked at last stays, within a total weight."""

from dashboard.server.recent import Recent


def test_what_was_not_looked_at_for_longest_makes_room() -> None:
    recent = Recent[str, int](10, lambda weight: weight)
    recent.put("a", 4)
    recent.put("b", 4)
    assert recent.get("a") == 4
    recent.put("c", 4)
    assert [recent.get(key) for key in "abc"] == [4, None, 4]


def test_the_newest_stays_however_heavy() -> None:
    recent = Recent[str, int](10, lambda weight: weight)
    recent.put("a", 4)
    recent.put("b", 400)
    assert [recent.get(key) for key in "ab"] == [None, 400]


def test_the_same_key_is_kept_once() -> None:
    recent = Recent[str, int](10, lambda weight: weight)
    recent.put("other", 4)
    for _ in range(3):
        recent.put("same", 6)
    assert recent.get("other") == 4


def test_weights_of_what_went_or_was_replaced_no_longer_count() -> None:
    recent = Recent[str, int](10, lambda weight: weight)
    for key in "abcabc":
        recent.put(key, 10)
    recent.put("c", 1)
    recent.put("d", 9)
    assert [recent.get(key) for key in "abcd"] == [None, None, 1, 9]
