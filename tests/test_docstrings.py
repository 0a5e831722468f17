"""Docstrings are understood where they stand: none begins as if its caller were known."""

import ast

from checkout import modules, parsed, statements

FRAGMENTS = ("Of", "That", "Those", "These")


def fragments(module: ast.Module) -> list[int]:
    """The lines where a string that stands alone, of a module, class, function or name, begins with
    a word that points at what stands elsewhere.
    """
    return [
        text.lineno
        for node in statements(module)
        if isinstance(node, ast.Expr) and isinstance(text := node.value, ast.Constant)
        if str(text.value).split(maxsplit=1)[0].rstrip(",") in FRAGMENTS
    ]


def test_no_docstring_needs_its_caller() -> None:
    paths = modules("core", "dashboard", "benchmarks", "docs").values()
    assert {path: lines for path in paths if (lines := fragments(parsed(path)))} == {}


def test_a_fragment_is_found_wherever_it_stands() -> None:
    whole = '"""A room."""\nx = 1\n"""The most rows."""\ndef f():\n    """The sum."""\n'
    for spoilt, lines in (
        (whole, []),
        (whole.replace("The most", "Of the"), [3]),
        (whole.replace("The sum", "Those of it"), [5]),
        (whole.replace("A room", "That of it"), [1]),
    ):
        assert fragments(ast.parse(spoilt)) == lines
