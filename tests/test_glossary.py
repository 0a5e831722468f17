"""Each term of the glossary has a name in the code; no two types share a name."""

import ast
import importlib
import re
from collections import Counter

from checkout import CHECKOUT, modules, parsed, text_of

GLOSSARY = text_of(CHECKOUT / "docs" / "glossary.md")
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in GLOSSARY.splitlines()
    if line.startswith("|") and not line.startswith(("|---", "| term "))
]


def test_each_term_has_a_meaning_and_a_name_that_exists() -> None:
    """One name in the code, in backticks."""
    for term, meaning, _, code in ROWS:
        name = re.fullmatch(r"`([\w.]+)`", code)
        assert term
        assert meaning.endswith("."), term
        assert name, term
        assert exists(name[1]), f"{name[1]} does not exist"


def test_no_term_is_explained_twice() -> None:
    assert not {
        term for term, times in Counter(row[0].lower() for row in ROWS).items() if times > 1
    }


def test_a_name_that_does_not_exist_is_noticed() -> None:
    assert exists("core.vocabulary.schedule.Schedule.makespan")
    assert not exists("core.vocabulary.schedule.Schedule.makespans")
    assert not exists("core.vocabulary.timetable.Schedule")


def test_no_two_types_share_a_name() -> None:
    places: dict[str, list[str]] = {}
    for module, path in modules().items():
        for node in parsed(path).body:
            for name in types_of(node):
                places.setdefault(name, []).append(module)
    assert len(places) > 300
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


def types_of(statement: ast.stmt) -> list[str]:
    """A class, or another name for a type."""
    if isinstance(statement, ast.ClassDef):
        return [statement.name]
    if isinstance(statement, ast.Assign):
        names = [target.id for target in statement.targets if isinstance(target, ast.Name)]
        return [name for name in names if re.fullmatch(r"(?:[A-Z][a-z]+)+", name)]
    return []


def exists(dotted: str) -> bool:
    """Whether a module has it, an attribute of a class included, or a field without a default."""
    parts = dotted.split(".")
    for k in range(len(parts), 0, -1):
        try:
            found: object = importlib.import_module(".".join(parts[:k]))
        except ModuleNotFoundError:
            continue
        for part in parts[k:]:
            if part in getattr(found, "__annotations__", {}):
                return True
            if not hasattr(found, part):
                return False
            found = getattr(found, part)
        return True
    return False
