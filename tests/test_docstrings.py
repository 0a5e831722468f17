"""Docstrings are understood where they stand: none begins as if its caller were known."""

import ast
from collections.abc import Iterator
from pathlib import Path

CHECKOUT = Path(__file__).parents[1]
FRAGMENTS = ("Of", "That", "Those", "These")


def texts(tree: ast.AST) -> Iterator[ast.Constant]:
    """Strings that stand alone: the docstrings of modules, classes, functions and names."""
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant(value=str()) as text):
                yield text


def fragments(source: str) -> list[int]:
    """The lines where a docstring begins with a word that points at what stands elsewhere."""
    return [
        text.lineno
        for text in texts(ast.parse(source))
        if str(text.value).split(maxsplit=1)[0].rstrip(",") in FRAGMENTS
    ]


def test_no_docstring_needs_its_caller() -> None:
    found = [
        f"{path.relative_to(CHECKOUT)}:{line}"
        for folder in ("core", "dashboard", "benchmarks", "docs")
        for path in sorted((CHECKOUT / folder).rglob("*.py"))
        for line in fragments(path.read_text(encoding="utf-8"))
    ]
    assert found == []


def test_a_fragment_is_found_wherever_it_stands() -> None:
    whole = '"""A room."""\nx = 1\n"""The most rows."""\ndef f():\n    """The sum."""\n'
    assert fragments(whole) == []
    assert fragments(whole.replace("The most", "Of the")) == [3]
    assert fragments(whole.replace("The sum", "Those of it")) == [5]
    assert fragments(whole.replace("A room", "That of it")) == [1]
