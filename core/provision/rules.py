"""Linear rules of an administrator about what is bought, sold, and there in the end.

A rule is written as people write it, such as "M1 + M2 >= 30 % of all" or "bought(M3) <= 4", or as a
function of cvxpy's variables. Both are stated in cvxpy, which says whether they are linear, and
become rows of the first stage.
"""

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from core.model.arrays import FloatArray

_MOST_CHARACTERS: Final = 2000
_HOW: Final = 'write, for example, M1 + M2 >= 30 % of all, bought(M3) <= 4 or 500 * "GPU A" <= 2000'


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


def read_rule(text: str, names: Sequence[str]) -> tuple[PurchaseRule, ...]:
    """A rule about machine types with these names. `all` is the sum of machines; `bought(M1)` and
    `sold(M1)` are changes. A name that is not a word stands in quotation marks.

    Raises `UnreadableRule`.
    """
    if len(text) > _MOST_CHARACTERS:
        raise UnreadableRule(f"is longer than {_MOST_CHARACTERS} characters; write several rules")
    plain = re.sub(r"([\d.]+)\s*%\s*(?:of\b|\*)?", r"(\1 / 100) * ", text)
    plain = plain.replace("≤", "<=").replace("≥", ">=")
    plain = re.sub(r"(?<![<>=!])=(?!=)", "==", plain)
    try:
        parsed = ast.parse(plain.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise UnreadableRule(f"cannot be understood; {_HOW}") from None
    if not isinstance(parsed, ast.Compare) or len(parsed.ops) != 1:
        raise UnreadableRule(f"compares nothing, or more than two sides; {_HOW}")
    side = _RuleReader({name: j for j, name in enumerate(names)})

    def stated(buy: Any, sell: Any, counts: Any) -> Any:
        left = side.read(parsed.left, buy, sell, counts)
        right = side.read(parsed.comparators[0], buy, sell, counts)
        match parsed.ops[0]:
            case ast.LtE() | ast.Lt():
                return left <= right
            case ast.GtE() | ast.Gt():
                return left >= right
            case ast.Eq():
                return left == right
        raise UnreadableRule(f"compares by something else than <=, >= and =; {_HOW}")

    try:
        return rows_of(text, stated, len(names))
    except RecursionError:
        raise UnreadableRule("is too long; write several rules") from None


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
        raise UnreadableRule("is not linear; amounts of machines may only be added and scaled")
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
        raise UnreadableRule("has a number that is not finite; mend it")
    slopes -= none[:, None, None]
    return [
        PurchaseRule(text, slope[0], slope[1], slope[2], most)
        for slope, most in zip(slopes, (-none).tolist(), strict=True)
    ]


class _RuleReader:
    """Reads one side of a comparison."""

    def __init__(self, places: Mapping[str, int]) -> None:
        self.places = places

    def read(self, node: ast.expr, buy: Any, sell: Any, counts: Any) -> Any:
        """What it says, as an expression of cvxpy or a number."""

        def part(one: ast.expr) -> Any:
            return self.read(one, buy, sell, counts)

        match node:
            case ast.Constant(value=bool()):
                pass
            case ast.Constant(value=int() | float() as number):
                return float(number)
            case ast.Name(id="all") if "all" not in self.places:
                import cvxpy  # by now it is loaded

                total: Any = cvxpy.sum  # type: ignore[attr-defined]
                return total(counts)
            case ast.Name(id=name) | ast.Constant(value=str(name)):
                return counts[self._place(name)]
            case ast.Call(func=ast.Name(id="bought"), args=[one], keywords=[]):
                return buy[self._place_of(one)]
            case ast.Call(func=ast.Name(id="sold"), args=[one], keywords=[]):
                return sell[self._place_of(one)]
            case ast.UnaryOp(op=ast.USub(), operand=one):
                return -part(one)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return part(left) + part(right)
            case ast.BinOp(left=left, op=ast.Sub(), right=right):
                return part(left) - part(right)
            case ast.BinOp(left=left, op=ast.Mult(), right=right):
                return part(left) * part(right)
            case ast.BinOp(left=left, op=ast.Div(), right=right):
                divisor = part(right)
                if not isinstance(divisor, float) or not divisor:
                    raise UnreadableRule("divides by what is no number, or 0; multiply instead")
                return part(left) / divisor
        raise UnreadableRule(f"has a part that cannot be understood; {_HOW}")

    def _place_of(self, node: ast.expr) -> int:
        match node:
            case ast.Name(id=name) | ast.Constant(value=str(name)):
                return self._place(name)
        raise UnreadableRule("names no single machine type in bought(...) or sold(...)")

    def _place(self, name: str) -> int:
        if name not in self.places:
            raise UnreadableRule(
                f"names '{name}', which is no machine type; a name that is not one word stands in "
                "quotation marks"
            )
        return self.places[name]
