"""What is on a shelf is found again by its key, as long as there is room."""

from core.capabilities.makespan.solve import solve
from core.engines.front.wish import Deadline
from core.files.samples.named import load_sample
from core.vocabulary.schedule import Schedule
from dashboard.server.sizes import of_system
from dashboard.workspace.chosen import Chosen, schedule_shelf, system_shelf
from dashboard.workspace.workspace import Given, Version


def version(sample: str) -> Version:
    return Version(load_sample(sample), Given(f"{sample}.zip"))


def test_what_was_put_is_found_by_its_key_only() -> None:
    shelf, kept = system_shelf(), version("e1")
    assert shelf.get(shelf.put(kept)) is kept
    assert shelf.get("") is None


def test_the_oldest_makes_room_but_the_newest_always_stays() -> None:
    room = sum(of_system(load_sample(name)) for name in ("two-by-two", "e1"))
    shelf = system_shelf(most=room)
    first, second = shelf.put(version("two-by-two")), shelf.put(version("testbed"))
    shelf.put(version("two-by-two"))
    third = shelf.put(version("e1"))
    assert shelf.get(first) is not None
    assert shelf.get(third) is not None
    large = shelf.put(version("nine"))
    assert [key for key in (first, second, third, large) if shelf.get(key)] == [large]
    assert shelf.get(second) is None


def fastest(sample: str) -> Schedule:
    return solve(load_sample(sample), method="paper").schedule


def test_equal_choices_have_one_key_and_different_ones_have_their_own() -> None:
    shelf, schedule = schedule_shelf(), fastest("two-by-two")
    key = shelf.put(Chosen.of(schedule, "Fastest"))
    assert shelf.put(Chosen.of(fastest("two-by-two"), "Fastest")) == key
    other = fastest("two-by-two").system.with_idle_fraction(0.5)
    moved = Schedule(other, schedule.machine_type, schedule.machines, schedule.tasks)
    unlike = [
        Chosen.of(schedule, "By hand"),
        Chosen.of(fastest("testbed"), "Fastest"),
        Chosen.of(moved, "Fastest"),
        Chosen.of(schedule, "Fastest", Deadline(20.0)),
        Chosen.of(schedule, "Fastest", Deadline(20.000001)),
    ]
    assert len({key, *map(shelf.put, unlike)}) == 6
    found = shelf.get(key)
    assert found is not None
    assert found.schedule.tasks.tolist() == schedule.tasks.tolist()


def test_schedules_make_room_by_their_size() -> None:
    shelf = schedule_shelf(most=1)
    first = shelf.put(Chosen.of(fastest("two-by-two"), "first"))
    second = shelf.put(Chosen.of(fastest("two-by-two"), "second"))
    assert shelf.get(first) is None
    assert shelf.get(second) is not None
