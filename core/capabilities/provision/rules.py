"""Linear rules of an administrator about what is bought, sold, and there in the end.

A rule is written as people write it, such as "M1 + M2 >= 30 % of all" or "bought(M3) <= 4". In
a program it may also be stated in cvxpy, as a function of its variables. Both become rows of the
first stage.
"""

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from inspect import signature
from typing import Any, Final
from unicodedata import normalize

import numpy as np

from core.vocabulary.arrays import FloatArray

_MOST_CHARACTERS: Final = 2000
_HOW: Final = 'write, for example, M1 + M2 >= 30 % of all, bought(M3) <= 4 or 500 * "GPU A" <= 2000'
_NOT_LINEAR: Final = "is not linear; amounts of machines may only be added and scaled"
_NOT_FINITE: Final = "has a number that is too large; mend it"
_LARGEST: Final = 1e15
_QUOTED: Final = re.compile(r"""("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')""")


class UnreadableRule(ValueError):
    """A rule that is not linear, or cannot be understood; the message says what to do."""


@dataclass(frozen=True, slots=True, eq=False)
class PurchaseRule:
    """`of_buy @ buy + of_sell @ sell + of_counts @ counts` is at most `most`."""

    text: str
    of_buy: FloatArray
    of_sell: FloatArray
    of_counts: FloatArray
    most: float


StatedRule = Callable[[Any, Any, Any], Any]
"""A constraint of cvxpy on its variables of machines bought, sold, and there in the end."""


def given_rules(
    rules: Sequence[str | StatedRule], names: Sequence[str]
) -> tuple[PurchaseRule, ...]:
    """Rules of a program about machine types with these names. Raises `UnreadableRule`."""
    found: list[PurchaseRule] = []
    for rule in rules:
        if isinstance(rule, str):
            found += read_rule(rule, names)
            continue
        named = getattr(rule, "__name__", type(rule).__name__)
        try:
            signature(rule).bind(*(None,) * 3)
        except TypeError:
            raise UnreadableRule(
                f"have {named}, which is no function of the machines bought, sold and there"
            ) from None
        found += rows_of(f"rule stated in cvxpy: {named}", rule, len(names))
    return tuple(found)


def read_rule(text: str, names: Sequence[str]) -> tuple[PurchaseRule, ...]:
    """A rule about machine types with these names. `all` is the sum of machines; `bought(M1)` and
    `sold(M1)` are changes. A name that is not a word stands in quotation marks.

    Raises `UnreadableRule`.
    """
    if len(text) > _MOST_CHARACTERS:
        raise UnreadableRule(f"is longer than {_MOST_CHARACTERS} characters; write several rules")
    try:
        parsed = ast.parse(_in_python(text, names), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise UnreadableRule(f"cannot be understood; {_HOW}") from None
    if not isinstance(parsed, ast.Compare) or len(parsed.ops) != 1:
        raise UnreadableRule(f"compares nothing, or more than two sides; {_HOW}")
    reader = _RuleReader({name: j for j, name in enumerate(names)})
    try:
        with np.errstate(all="ignore"):  # what is too large is refused below
            sides = reader.read(parsed.left) - reader.read(parsed.comparators[0])
    except RecursionError:
        raise UnreadableRule("is too long; write several rules") from None
    match parsed.ops[0]:
        case ast.LtE() | ast.Lt():
            rows = [sides]
        case ast.GtE() | ast.Gt():
            rows = [-sides]
        case ast.Eq():
            rows = [sides, -sides]
        case _:
            raise UnreadableRule(f"compares by something else than <=, >= and =; {_HOW}")
    if not (np.abs(sides) <= _LARGEST).all():
        raise UnreadableRule(_NOT_FINITE)
    if not sides[:-1].any():
        raise UnreadableRule("says nothing about machines; name a machine type, or all")
    found = []
    for row in rows:
        of_buy, of_sell, of_counts = np.split(row[:-1], 3)
        found.append(PurchaseRule(text, of_buy, of_sell, of_counts, -float(row[-1])))
    return tuple(found)


def _in_python(text: str, names: Sequence[str]) -> str:
    """The rule as Python reads it. What stands in quotation marks is a name, whatever it has."""
    parts = _QUOTED.split(text)
    for k, part in enumerate(parts):
        if k % 2:
            name = part[1:-1]
            known = name in names or "\\" not in name
            parts[k] = repr(name) if known else part
            continue
        part = re.sub(r"([\d.]+)\s*%\s*(?:of\b|\*)?", r"(\1 / 100) * ", part)
        part = part.replace("≤", "<=").replace("≥", ">=")
        parts[k] = re.sub(r"(?<![<>=!])=(?!=)", "==", part)
    return "".join(parts).strip()


def rows_of(text: str, stated: StatedRule, types: int) -> tuple[PurchaseRule, ...]:
    """The rows of a rule that is stated in cvxpy. Raises `UnreadableRule`."""
    import cvxpy  # here, since it takes a second

    kinds: Any = cvxpy.constraints  # its types do not name what it offers
    variables = [cvxpy.Variable(types) for _ in range(3)]
    constraint = stated(*variables)
    if not isinstance(constraint, kinds.constraint.Constraint):
        raise UnreadableRule("says nothing about machines; name a machine type, or all")
    if isinstance(constraint, kinds.Inequality):
        sides = [constraint.expr]
    elif isinstance(constraint, kinds.Equality):
        sides = [constraint.expr, -constraint.expr]
    else:
        raise UnreadableRule("is no comparison by <=, >= or =")
    if not constraint.expr.is_affine():
        raise UnreadableRule(_NOT_LINEAR)
    return tuple(row for side in sides for row in _rows(text, side, variables))


def _rows(text: str, side: Any, variables: Sequence[Any]) -> list[PurchaseRule]:
    """The rows of `side <= 0`, which is linear: its values where one machine differs from none."""
    types = variables[0].size
    for variable in variables:
        variable.value = np.zeros(types)
    none = np.atleast_1d(np.asarray(side.value, float)).ravel()
    slopes = np.empty((len(none), len(variables), types))
    for k, variable in enumerate(variables):
        for j in range(types):
            variable.value = np.eye(types)[j]
            slopes[:, k, j] = np.asarray(side.value, float).ravel()
            variable.value = np.zeros(types)
    if not (np.isfinite(slopes).all() and np.isfinite(none).all()):
        raise UnreadableRule(_NOT_FINITE)
    slopes -= none[:, None, None]
    return [
        PurchaseRule(text, slope[0], slope[1], slope[2], most)
        for slope, most in zip(slopes, (-none).tolist(), strict=True)
    ]


class _RuleReader:
    """Reads a side of a comparison: what each machine bought, sold and there adds; the constant."""

    def __init__(self, places: Mapping[str, int]) -> None:
        self.places = places

    def read(self, node: ast.expr) -> FloatArray:
        """What it says. Raises `UnreadableRule`."""
        match node:
            case ast.Constant(value=bool()):
                pass
            case ast.Constant(value=int() | float() as number):
                if not abs(number) <= _LARGEST:
                    raise UnreadableRule(_NOT_FINITE)
                return self._unit(-1) * float(number)
            case ast.Name(id="all") if "all" not in self.places:
                return np.asarray(sum(self._of(name, 2) for name in self.places))
            case ast.Name(id=name) | ast.Constant(value=str(name)):
                return self._of(name, 2)
            case ast.Call(func=ast.Name(id="bought"), args=[one], keywords=[]):
                return self._of(_name(one), 0)
            case ast.Call(func=ast.Name(id="sold"), args=[one], keywords=[]):
                return self._of(_name(one), 1)
            case ast.UnaryOp(op=ast.USub(), operand=one):
                return -self.read(one)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return self.read(left) + self.read(right)
            case ast.BinOp(left=left, op=ast.Sub(), right=right):
                return self.read(left) - self.read(right)
            case ast.BinOp(left=left, op=ast.Mult(), right=right):
                return _product(self.read(left), self.read(right))
            case ast.BinOp(left=left, op=ast.Div(), right=right):
                divisor = self.read(right)
                if divisor[:-1].any() or not divisor[-1]:
                    raise UnreadableRule("divides by what is no number, or 0; multiply instead")
                return np.asarray(self.read(left) / divisor[-1])
        raise UnreadableRule(f"has a part that cannot be understood; {_HOW}")

    def _unit(self, place: int) -> FloatArray:
        unit = np.zeros(3 * len(self.places) + 1)
        unit[place] = 1.0
        return unit

    def _of(self, name: str, part: int) -> FloatArray:
        # Python normalises what does not stand in quotation marks.
        alike = (one for one in self.places if normalize("NFKC", one) == name)
        place = self.places.get(name if name in self.places else next(alike, ""))
        if place is None:
            raise UnreadableRule(
                f"names '{name}', which is no machine type; a name that is not one word stands in "
                "quotation marks"
            )
        return self._unit(part * len(self.places) + place)


def _product(one: FloatArray, other: FloatArray) -> FloatArray:
    if one[:-1].any() and other[:-1].any():
        raise UnreadableRule(_NOT_LINEAR)
    return np.asarray(one[-1] * other if not one[:-1].any() else other[-1] * one)


def _name(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name) | ast.Constant(value=str(name)):
            return name
    raise UnreadableRule("names no single machine type in bought(...) or sold(...)")
