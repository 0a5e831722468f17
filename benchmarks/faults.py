"""Makes typical programming mistakes in a module, one at a time.

A comparison that is off by its limit or reversed, a number off by one or by ten times, a wrong
operator, the wrong one of two opposites (least and greatest, floor and ceiling, lower and upper
bound), a negated condition, a statement or a named argument left out, two arguments swapped,
a constant returned.
"""

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from types import CodeType
from typing import Any, Final

KERNELS: Final = ("Kernel", "InPlaceKernel")
"""Decorators of functions that numba compiles."""
_COMPARISONS: Final[dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_OPERATORS: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
_OPPOSITES: Final = (
    ("min", "max"),
    ("minimum", "maximum"),
    ("argmin", "argmax"),
    ("floor", "ceil"),
    ("any", "all"),
    ("left", "right"),
    ("LOWER_BOUND", "UPPER_BOUND"),
    ("SPENT", "EARNED"),
)
_OPPOSITE: Final = {a: b for pair in _OPPOSITES for a, b in (pair, pair[::-1])}
_CONSTANTS: Final = {"float": "0.0", "int": "0", "str": "''", "list": "[]", "tuple": "()"}
_FUNCTION: Final = ast.FunctionDef | ast.AsyncFunctionDef
_SYMMETRIC: Final = (
    "max",
    "min",
    "np.clip",
    "np.maximum",
    "np.minimum",
    "np.multiply",
    "np.union1d",
)
"""Functions that return the same if their first two arguments change places."""
# Changes here do not change what runs, or nothing runs at all.
_UNTOUCHED: Final = ("annotation", "returns", "decorator_list", "bases")
_SHORTEST: Final = 24
"""The fewest characters shown of the expression around a fault."""


@dataclass(frozen=True)
class Fault:
    """One fault of a module: its function and line, the old text and the new one."""

    number: int
    where: str
    line: int
    was: str
    now: str
    compiled: bool
    """Whether numba may have compiled the changed code: a kernel, or a constant of the module."""

    def __str__(self) -> str:
        return f"{self.where}: {self.was} -> {self.now}"


def faults(source: str) -> list[Fault]:
    """All faults of a module, in the order of its text."""
    return [
        _described(number, place, node)
        for number, (place, node) in enumerate(_changes(ast.parse(source)))
    ]


def compiled_with(source: str, number: int, path: str) -> CodeType:
    """The code of a module with the fault of this number."""
    tree = ast.parse(source)
    place, node = next(islice(_changes(tree), number, None))
    with place.holding(node):
        return compile(tree, path, "exec")


@dataclass(frozen=True)
class _Place:
    """The place of a node: its parents from the module down, and a field of the last one."""

    parents: tuple[ast.AST, ...]
    field: str
    index: int | None
    node: ast.AST

    @contextmanager
    def holding(self, node: ast.AST) -> Iterator[None]:
        """Puts another node at this place, within the context."""
        self._put(ast.fix_missing_locations(ast.copy_location(node, self.node)))
        yield
        self._put(self.node)

    def _put(self, node: ast.AST) -> None:
        holder = self.parents[-1]
        if self.index is None:
            setattr(holder, self.field, node)
        else:
            getattr(holder, self.field)[self.index] = node


def _changes(tree: ast.Module) -> Iterator[tuple[_Place, ast.AST]]:
    return (
        (place, node)
        for place in _places(tree, ())
        for node in _instead(place)
        if ast.dump(node) != ast.dump(place.node)
    )


def _places(node: ast.AST, parents: tuple[ast.AST, ...]) -> Iterator[_Place]:
    for field, value in ast.iter_fields(node):
        if field in _UNTOUCHED:
            continue
        children = value if isinstance(value, list) else [value]
        for index, child in enumerate(children):
            if isinstance(child, ast.AST) and not (_is_docstring(child) or _is_guard(child)):
                inside = (*parents, node)
                yield _Place(inside, field, index if isinstance(value, list) else None, child)
                yield from _places(child, inside)


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_guard(node: ast.AST) -> bool:
    """Whether a node only checks lengths, as `strict` of `zip`."""
    return isinstance(node, ast.keyword) and node.arg == "strict"


def _described(number: int, place: _Place, node: ast.AST) -> Fault:
    around = [n for n in place.parents if isinstance(n, _FUNCTION | ast.ClassDef)]
    shown = _shown(place)
    was = _text(shown)
    with place.holding(node):
        now = _text(node if shown is place.node else shown)
    return Fault(
        number=number,
        where=".".join(n.name for n in around) or "module",
        line=getattr(place.node, "lineno", 0),
        was=was,
        now=now,
        compiled=any(
            ast.unparse(one) in KERNELS for function in around for one in function.decorator_list
        )
        or not any(isinstance(n, _FUNCTION) for n in around),
    )


def _shown(place: _Place) -> ast.AST:
    """The smallest part of the module around a fault in which a reader recognises it."""
    for node in (place.node, *place.parents[::-1]):
        if isinstance(node, ast.stmt) or (
            isinstance(node, ast.expr) and len(_text(node)) >= _SHORTEST
        ):
            return node
    return place.node


def _text(node: ast.AST) -> str:
    """The first line of a node; for a statement with a body, its condition."""
    return ast.unparse(node).partition("\n")[0]


def _instead(place: _Place) -> Iterator[ast.AST]:
    """The nodes that replace a node, one for each fault."""
    node, parent = place.node, place.parents[-1]
    match node:
        case ast.Compare():
            yield from _compared(node)
        case ast.BinOp(left, operator, right) if type(operator) in _OPERATORS:
            yield ast.BinOp(left, _OPERATORS[type(operator)](), right)
        case ast.AugAssign(target, operator, value):
            if type(operator) in _OPERATORS:
                yield ast.AugAssign(target, _OPERATORS[type(operator)](), value)
            yield ast.Pass()
        case ast.BoolOp(operator, values):
            yield ast.BoolOp(ast.Or() if isinstance(operator, ast.And) else ast.And(), values)
        case ast.UnaryOp(ast.Not() | ast.USub() | ast.Invert(), operand):
            yield operand
        case ast.IfExp(test, body, orelse):
            yield ast.IfExp(test, orelse, body)
        case ast.Constant(value):
            yield from _other_constants(value)
        case ast.Name(name, context) if name in _OPPOSITE:
            yield ast.Name(_OPPOSITE[name], context)
        case ast.Attribute(value, name, context) if name in _OPPOSITE:
            yield ast.Attribute(value, _OPPOSITE[name], context)
        case ast.Call(function, positional, keywords):
            for index, keyword in enumerate(keywords):
                if not _is_guard(keyword):
                    others = keywords[:index] + keywords[index + 1 :]
                    yield ast.Call(function, positional, others)
            if len(positional) > 1 and ast.unparse(function) not in _SYMMETRIC:
                yield ast.Call(function, [*positional[1::-1], *positional[2:]], keywords)
        case ast.Return(value) if value is not None:
            yield from _other_results(value, place)
        case ast.Expr() | ast.Raise() | ast.Break() | ast.Continue() | ast.Return():
            yield ast.Pass()
        case ast.Assign([ast.Attribute() | ast.Subscript(), *_]):
            yield ast.Pass()
    is_condition = (place.field == "test" and isinstance(parent, ast.If | ast.IfExp)) or (
        place.field == "ifs"
    )
    if is_condition and isinstance(node, ast.Name | ast.Attribute | ast.Call):
        yield ast.UnaryOp(ast.Not(), node)


def _compared(node: ast.Compare) -> Iterator[ast.AST]:
    for index, operator in enumerate(node.ops):
        for other in _COMPARISONS[type(operator)]:
            ops = [*node.ops[:index], other(), *node.ops[index + 1 :]]
            yield ast.Compare(node.left, ops, node.comparators)


def _other_constants(value: Any) -> Iterator[ast.AST]:
    if isinstance(value, bool):
        yield ast.Constant(not value)
    elif isinstance(value, int):
        yield ast.Constant(value + 1)
    elif isinstance(value, float):
        yield ast.Constant(value * 10 if value else 1.0)
    elif isinstance(value, str) and value in _OPPOSITE:
        yield ast.Constant(_OPPOSITE[value])


def _other_results(value: ast.expr, place: _Place) -> Iterator[ast.AST]:
    """The opposite of a truth value; for other types, an empty or zero value."""
    function = next(n for n in place.parents[::-1] if isinstance(n, _FUNCTION))
    kind = "" if function.returns is None else ast.unparse(function.returns).partition("[")[0]
    if kind == "bool":
        yield ast.Return(ast.UnaryOp(ast.Not(), value))
    else:
        yield ast.Return(ast.parse(_CONSTANTS.get(kind, "None"), mode="eval").body)
