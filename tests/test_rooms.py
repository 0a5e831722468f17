"""Rooms import downwards: no circles, capabilities and pages apart, and each registered once."""

import ast
import re
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest
from checkout import CHECKOUT, imports_of, modules, parsed, statements, text_of

import core
from core.shells.registry import capabilities
from dashboard.pages import PAGES

CAPABILITIES = tuple(one.room for one in capabilities())
PAGE_ROOMS = tuple(f"dashboard.screens.{page.folder}" for page in PAGES)
PARTS = {
    "command": ("declare", "run"),
    "study_block": ("read", "written", "commands"),
    "beside": ("seen", "kept"),
    "checking": ("checked", "CHECKED"),
    "converting": ("converted", "CONVERTED"),
    "judging": ("judged", "JUDGED"),
    "report": ("section",),
}
OFFERED = {
    "centre": ("beside", "checking", "converting", "judging", "report", "study_block"),
    "trade_offs": ("report",),
    "profit": ("report", "study_block"),
    "provision": ("beside", "report", "study_block"),
    "arrivals": ("checking", "judging", "report", "study_block"),
    "fair_shares": ("beside", "judging", "report", "study_block"),
}
"""What capabilities offer beside their commands. A part that is renamed is offered no more."""

MOST_PARAMETERS = 7
"""Besides `self`. What is more belongs together: a record of its own says how."""


def test_what_belongs_together_is_one_parameter() -> None:
    """Functions of the face take the flags of a command, each as a parameter."""
    many = []
    for name, path in modules().items():
        for node in statements(parsed(path)):
            if isinstance(node, ast.FunctionDef) and not name.endswith(".face"):
                arguments = node.args
                taken = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
                if len([one for one in taken if one.arg != "self"]) > MOST_PARAMETERS:
                    many.append(f"{name}.{node.name}")
    assert many == []


@cache
def imports(module: str) -> tuple[str, ...]:
    """Dotted names, of modules and of what is in them, also where they are imported late."""
    found = imports_of(modules()[module])
    return tuple(f"{origin(home, name)}.{name}" if name else home for home, name in found)


@cache
def origin(module: str, name: str) -> str:
    """Where a name is defined that is imported from a module: the face lends those of rooms."""
    lent = module == "core" and name in core.__all__
    return str(getattr(core, name).__module__) if lent else module


@cache
def room(name: str) -> str:
    """The folder below a floor of `core` or `dashboard`, or the floor of a module in it."""
    two, three = (".".join(name.split(".")[:depth]) for depth in (2, 3))
    return three if three in packages() or two in ("core.engines", "core.shells") else two


@cache
def packages() -> frozenset[str]:
    return frozenset(name for name, path in modules().items() if path.stem == "__init__")


@cache
def arrows() -> frozenset[tuple[str, str]]:
    """From a room to one that it imports; the library's face is above all rooms."""
    return frozenset(
        (room(module), room(name))
        for module in modules()
        for name in imports(module)
        if module != "core"
        and name.partition(".")[0] in ("core", "dashboard")
        and room(module) != room(name)
    )


def left_over(pairs: Iterable[tuple[str, str]]) -> set[str]:
    """The names that import each other, or stand above those that do."""
    below: dict[str, set[str]] = {}
    for above, under in pairs:
        below.setdefault(above, set()).add(under)
    left = set(below)
    while free := {one for one in left if not below[one] & left}:
        left -= free
    return left


def test_rooms_have_no_circles() -> None:
    assert left_over(arrows()) == set()
    assert left_over([("a", "b"), ("b", "c"), ("c", "b"), ("d", "e")]) == {"a", "b", "c"}


def test_modules_have_no_circles() -> None:
    """Imports in functions, and those for types alone, count too."""
    pairs = [(one, module_of(name)) for one in modules() for name in imports(one)]
    assert len(pairs) > len(modules())
    assert left_over(pair for pair in pairs if pair[0] != pair[1]) == set()


@cache
def module_of(name: str) -> str:
    """The module that has a name, or is it."""
    while name not in modules() and "." in name:
        name = name.rpartition(".")[0]
    return name


def test_floors_stand_on_those_below() -> None:
    floors = ("vocabulary", "files", "engines", "shells", "capabilities")
    heights = {f"core.{floor}": height for height, floor in enumerate(floors)}

    def height(name: str) -> int:
        return heights[".".join(name.split(".")[:2])]

    below_core = [pair for pair in arrows() if all(one.startswith("core.") for one in pair)]
    assert len(below_core) > len(floors)
    assert [(above, under) for above, under in below_core if height(above) < height(under)] == []
    assert {path.name for path in (CHECKOUT / "core").iterdir() if path.is_dir()} - {
        "__pycache__"
    } == set(floors)


def test_the_story_of_logs_goes_one_way() -> None:
    """From bytes to runs, to their types, to what pairs take, to a system: no step back."""
    order = ("reading", "types", "pairs", "metered", "derived")
    steps = [f"core.engines.logs.{step}" for step in order]
    there = {name for name in modules() if name.startswith("core.engines.logs.")}
    assert there == {name for name in there if ".".join(name.split(".")[:4]) in steps}
    for module in there:
        later = steps[steps.index(".".join(module.split(".")[:4])) + 1 :]
        assert not [name for name in imports(module) if name.startswith(tuple(later))], module


def test_the_library_does_not_go_through_the_command_line() -> None:
    faces = [name for name in modules() if name.endswith(".face")]
    assert faces
    assert not [name for face in faces for name in imports(face) if ".shells.cli" in name]


@pytest.mark.parametrize("apart", [CAPABILITIES, PAGE_ROOMS], ids=["capabilities", "pages"])
def test_they_do_not_import_each_other(apart: tuple[str, ...]) -> None:
    assert not [pair for pair in arrows() if set(pair) <= set(apart)]


def test_nothing_below_knows_a_capability_or_a_page() -> None:
    above = {above for above, under in arrows() if under in CAPABILITIES}
    assert {one for one in above if one.startswith("core")} <= set(CAPABILITIES)
    assert not {above for above, under in arrows() if under in PAGE_ROOMS}


def test_the_core_knows_neither_the_dashboard_nor_what_draws_it() -> None:
    known = {
        (module, name.partition(".")[0])
        for module in modules()
        if module.partition(".")[0] == "core"
        for name in imports(module)
    }
    assert not [pair for pair in known if pair[1] in ("dashboard", "streamlit", "plotly")]


@pytest.mark.parametrize("capability", capabilities(), ids=lambda one: one.name)
def test_the_parts_that_a_capability_offers_are_whole(capability) -> None:
    assert {part for part in PARTS if capability.offers(part)} == {
        "command",
        *OFFERED.get(capability.room.rpartition(".")[2], ()),
    }
    assert (capability.command is not None) == capability.offers("command")
    for part, names in PARTS.items():
        if capability.offers(part):
            assert all(hasattr(capability.part(part), name) for name in names), part
    assert not capability.from_study or capability.offers("study_block")


def test_further_commands_of_a_room_are_modules_of_it() -> None:
    further = [(one.room, command) for one in capabilities() for command in one.further]
    assert len({command.word for _, command in further}) == len(further) > 0
    for room_name, command in further:
        module = import_module(f"{room_name}.{command.module}")
        assert hasattr(module, "declare")
        assert hasattr(module, "run")


def test_each_page_has_its_folder_and_each_folder_its_page() -> None:
    folders = [page.folder for page in PAGES]
    assert len(set(folders)) == len(folders)
    found = {path.parent.name for path in (CHECKOUT / "dashboard" / "screens").glob("*/page.py")}
    assert found == set(folders)


DOCUMENTS = [*sorted(CHECKOUT.glob("*.md")), *sorted((CHECKOUT / "docs").glob("*.md"))]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_a_document_names_modules_that_are_there(document: Path) -> None:
    """By their path in the checkout, or in a room that the sentence is about. The room `waiting` is
    the example of how to add one, which has a test of its own.
    """
    there = modules("core", "dashboard", "benchmarks", "tests", "docs").values()
    paths = [path.as_posix() for path in there]
    named = set(re.findall(r"`([a-z_/]+\.py)`", text_of(document)))
    left = {name for name in named if not any(path.endswith(f"/{name}") for path in paths)}
    assert {name for name in left if "/waiting/" not in name} == set()
