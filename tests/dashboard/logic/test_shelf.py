"""A system on the shelf is found again by its key, as long as there is room."""

from core.samples import load_sample
from dashboard.logic.shelf import Shelf
from dashboard.logic.workspace import Given, Version


def version(sample: str) -> Version:
    return Version(load_sample(sample), Given(f"{sample}.zip"))


def test_what_was_put_is_found_by_its_key_only() -> None:
    shelf, kept = Shelf(), version("e1")
    assert shelf.get(shelf.put(kept)) is kept
    assert shelf.get("") is None


def test_the_oldest_makes_room_but_the_newest_always_stays() -> None:
    shelf = Shelf(most_cells=40)
    first, second = shelf.put(version("two-by-two")), shelf.put(version("testbed"))
    shelf.put(version("two-by-two"))
    third = shelf.put(version("e1"))
    assert shelf.get(first) is not None
    assert shelf.get(third) is not None
    large = shelf.put(version("nine"))
    assert [key for key in (first, second, third, large) if shelf.get(key)] == [large]
    assert shelf.get(second) is None
