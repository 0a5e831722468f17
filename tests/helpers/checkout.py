"""The modules of a checkout, as they are written."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

CHECKOUT: Final = Path(__file__).parents[2]


@cache
def modules(*tops: str) -> dict[str, Path]:
    """The modules of these folders by dotted name, a package by its own; the product by default."""
    found = {}
    for top in tops or ("core", "dashboard"):
        for path in sorted((CHECKOUT / top).rglob("*.py")):
            parts = path.relative_to(CHECKOUT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    """All of a tree that is not inside a statement of one line."""
    ahead = [tree]
    while ahead:
        node = ahead.pop()
        yield node
        for part in ("body", "orelse", "handlers", "finalbody", "cases"):
            ahead += getattr(node, part, ())


def parsed(path: Path) -> ast.Module:
    return ast.parse(text_of(path))


@cache
def imports_of(path: Path, *, for_types: bool = True) -> tuple[tuple[str, str], ...]:
    """Each module that is imported, perhaps in a function, with the name that is taken from it."""
    found = [*statements(parsed(path))]
    left = {
        inner
        for node in found
        if not for_types and isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in statements(node)
    }
    named: list[tuple[str, str]] = []
    for node in found:
        if isinstance(node, ast.Import) and node not in left:
            named += [(alias.name, "") for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and node not in left:
            named += [(node.module, alias.name) for alias in node.names]
    return tuple(named)
