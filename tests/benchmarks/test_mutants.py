"""A fault that the tests notice is killed, and one that they do not survives."""

import pytest

from benchmarks import mutants
from benchmarks.faults import compiled_with, faults
from benchmarks.mutants import EQUIVALENT, ROOMS, ROOT, SAMPLE, equivalents, modules
from benchmarks.trial import Outcome, Trial

SHELF = """
def room(size, books):
    while books > size:
        books = books - size
    return books

def unheard(books):
    return books + 1
"""
TESTS = """
from library.shelf import room

def test_it_has_room():
    assert room(3, 3) == 3
    assert room(3, 4) == 1

def test_that_fails_by_itself():
    assert room(3, 3) == 4
"""


@pytest.fixture
def library(tmp_path):
    """A house of one module, whose tests notice most of what may be wrong with it."""
    for folder in ("library", "tests"):
        (tmp_path / folder).mkdir()
    (tmp_path / "library" / "shelf.py").write_text(SHELF, encoding="utf-8")
    (tmp_path / "tests" / "test_shelf.py").write_text(TESTS, encoding="utf-8")
    return tmp_path


def outcomes_of(library, module="shelf.py"):
    shelf = library / "library" / module
    chosen = [(shelf, fault) for fault in faults(shelf.read_text(encoding="utf-8"))]
    return {place.partition(" ")[2]: outcome for outcome, place in mutants.tried(chosen, library)}


def test_a_fault_of_a_package_itself_is_tried(library):
    (library / "library" / "__init__.py").write_text("ROOMS = 3\n", encoding="utf-8")
    test = "from library import ROOMS\n\ndef test_rooms():\n    assert ROOMS == 3\n"
    (library / "tests" / "test_library.py").write_text(test, encoding="utf-8")
    assert set(outcomes_of(library, "__init__.py").values()) == {Outcome.KILLED}


def test_what_is_noticed_is_killed(library, monkeypatch):
    monkeypatch.setattr("benchmarks.trial._LIMIT", (0.0, 1.0))
    unheard = "unheard: return books + 1"
    monkeypatch.setattr(
        mutants, "equivalents", lambda: {("shelf", f"{unheard} -> return None"): ""}
    )
    assert outcomes_of(library) == {
        "room: while books > size: -> while books >= size:": Outcome.KILLED,
        "room: while books > size: -> while books < size:": Outcome.KILLED,
        "room: books = books - size -> books = books + size": Outcome.TIMED_OUT,
        "room: return books -> return None": Outcome.KILLED,
        f"{unheard} -> return None": EQUIVALENT,
        f"{unheard} -> return books - 1": Outcome.SURVIVED,
        f"{unheard} -> return books + 2": Outcome.SURVIVED,
    }


KERNEL = """
class Kernel:
    def __init__(self, function):
        self.function = function

    def __call__(self, *arguments):
        return self.function(*arguments)

@Kernel
def room(size, books):
    return size - books

def shelves():
    return 1
"""
WITH_KERNEL = """
import os
import library.shelf
import numba

def test_it_has_room():
    compiled = not numba.config.DISABLE_JIT
    assert compiled == ("NUMBA_DISABLE_JIT" not in os.environ)
    assert library.shelf.room(3, 1) == (2 if compiled else 4)
    assert library.shelf.shelves() == 1
"""


@pytest.mark.parametrize("kind", ["Kernel", "InPlaceKernel"])
@pytest.mark.parametrize("changed", ["room", "shelves"])
def test_kernels_are_interpreted_where_they_are_changed(library, monkeypatch, changed, kind):
    """The tests fail if compiled code is run beside a changed kernel, or the other way round."""
    source = KERNEL.replace("Kernel", kind)
    (library / "library" / "shelf.py").write_text(source, encoding="utf-8")
    (library / "tests" / "test_shelf.py").write_text(WITH_KERNEL, encoding="utf-8")
    prepared = []

    def prepare(root, tests, *, interpreted):
        prepared.append(interpreted)
        return Trial(root, tests, interpreted, 1.0)

    monkeypatch.setattr(Trial, "prepare", prepare)
    chosen = [(library / "library" / "shelf.py", f) for f in faults(source) if f.where == changed]
    outcomes = [outcome for outcome, _ in mutants.tried(chosen, library)]
    assert prepared == [changed == "room"]
    assert outcomes == (
        [Outcome.KILLED, Outcome.SURVIVED] if changed == "room" else [Outcome.KILLED] * 2
    )


def test_the_shortest_tests_come_first(library):
    """The long one would hold the trial up until its limit."""
    (library / "tests" / "test_shelf.py").write_text(
        "from library.shelf import room\n"
        "def test_at_length():\n    while room(1, 1) != 1: pass\n"
        "def test_at_once():\n    assert room(1, 1) == 1\n",
        encoding="utf-8",
    )
    each = {"tests/test_shelf.py::test_at_length": 9.0, "tests/test_shelf.py::test_at_once": 0.1}
    trial = Trial(library, ["tests"], interpreted=False, seconds=1.0, each=each)
    off = compiled_with(SHELF, 0, "shelf.py")
    assert trial.of(library / "library" / "shelf.py", off) == Outcome.KILLED


def test_tests_that_cannot_pass_are_no_tests(library):
    with pytest.raises(ValueError, match="test_other"):
        Trial.prepare(library, [str(library / "tests" / "test_other.py")], interpreted=False)


def test_files_stay_as_they_are(library):
    before = {path: path.read_text() for path in library.rglob("*.py")}
    trial = Trial(library, ["tests"], interpreted=False, seconds=1.0)
    trial.of(library / "library" / "shelf.py", compiled_with(SHELF, 0, "shelf.py"))
    assert {path: path.read_text() for path in library.rglob("*.py")} == before


def test_tests_mirror_their_module(tmp_path):
    folder = tmp_path / "tests" / "shelf"
    folder.mkdir(parents=True)
    for name in ("test_books", "test_books_lent", "test_bookshop"):
        (folder / f"{name}.py").touch()
    shelf = tmp_path / "library" / "shelf"
    shelf.mkdir(parents=True)
    (shelf / "books.py").write_text("from library.shelf.paper import sheets\n")
    named = [str(folder / "test_books.py"), str(folder / "test_books_lent.py")]
    assert mutants.tests_of(shelf / "books.py", tmp_path) == tuple(named)
    assert mutants.tests_of(shelf / "paper.py", tmp_path) == tuple(named)
    assert mutants.tests_of(shelf / "lamps.py", tmp_path) == (str(folder),)
    (folder / "test_all.py").write_text("from library.shelf.paper import sheets\n")
    user = str(folder / "test_all.py")
    assert mutants.tests_of(shelf / "paper.py", tmp_path) == (user, *named)
    assert mutants.tests_of(shelf / "books.py", tmp_path) == tuple(named)
    (folder / "test_shelf.py").touch()
    assert mutants.tests_of(shelf / "__init__.py", tmp_path) == (str(folder / "test_shelf.py"),)


def test_the_share_is_of_what_can_be_noticed():
    outcomes = {"killed": 6, "timed out": 1, "survived": 3, EQUIVALENT: 90}
    assert mutants.score(outcomes) == 0.7
    assert mutants.score({}) == 0
    section = mutants.tell(
        {"words": {"date": "2030-01-02", "seed": 7, "faults": 400, "outcomes": outcomes}}
    )
    (target,) = section.targets
    assert (target.what, target.value, target.met) == ("noticed in words", 0.7, False)
    assert (
        "| `core/vocabulary/say/words.py` | 2030-01-02 | 7 | 400 | 6 | 1 | 3 | 90 | 70.000 % |"
        in section.body
    )


def test_a_room_is_sampled(monkeypatch):
    seen = []

    def tried(chosen, _root):
        seen[:] = chosen
        return ((Outcome.SURVIVED, f"{fault.number}") for _, fault in seen)

    monkeypatch.setattr(mutants, "tried", tried)
    measured = mutants.measure("words", quick=False)
    assert measured["faults"] > SAMPLE == len(seen) == len(set(measured["survived"]))
    assert measured["outcomes"] == {"survived": SAMPLE}
    assert len(mutants.measure("words", quick=True)["survived"]) == 3


def test_each_measurement_draws_others_and_says_by_which_seed(monkeypatch):
    monkeypatch.setattr(
        mutants, "tried", lambda chosen, _root: ((Outcome.KILLED, str(f)) for f in chosen)
    )
    assert (
        mutants.measure("words", quick=True)["seed"] != mutants.measure("words", quick=True)["seed"]
    )


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_is_there_with_its_tests(room):
    there = modules(*ROOMS[room])
    assert there
    assert all(
        (ROOT / test).exists() for module in there for test in mutants.tests_of(module, ROOT)
    )


def test_what_is_called_equivalent_is_there_and_has_a_reason():
    """Faults of code that has changed since are no longer listed."""
    listed = equivalents()
    there = {
        (module.stem, str(fault))
        for room in ROOMS.values()
        for module in modules(*room)
        if module.stem in {stem for stem, _ in listed}
        for fault in faults(module.read_text(encoding="utf-8"))
    }
    assert listed.keys() <= there
    assert all(len(why.split()) >= 3 for why in listed.values())
