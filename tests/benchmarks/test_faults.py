"""Faults are of the kinds that people make, one at a time, and the module runs with them."""

from types import CodeType

import pytest

from benchmarks.faults import compiled_with, faults


def inside(body):
    """What becomes of the body of a function, fault by fault."""
    return [fault.now for fault in faults(f"def f(a, b, c):\n    {body}\n") if fault.where == "f"]


@pytest.mark.parametrize(
    ("body", "now"),
    [
        ("x = a < b", {"x = a <= b", "x = a > b"}),
        ("x = a <= b", {"x = a < b", "x = a >= b"}),
        ("x = a > b", {"x = a >= b", "x = a < b"}),
        ("x = a >= b", {"x = a > b", "x = a <= b"}),
        ("x = a == b", {"x = a != b"}),
        ("x = a < b == c", {"x = a <= b == c", "x = a > b == c", "x = a < b != c"}),
        ("x = a is not b", {"x = a is b"}),
        ("x = a not in b", {"x = a in b"}),
        ("x = a + b", {"x = a - b"}),
        ("x = a - b", {"x = a + b"}),
        ("x = a * b", {"x = a / b"}),
        ("x = a / b", {"x = a * b"}),
        ("x = a // b", {"x = a * b"}),
        ("x = a % b", {"x = a // b"}),
        ("x = a ** b", {"x = a * b"}),
        ("x = a & b", {"x = a | b"}),
        ("x = a and b", {"x = a or b"}),
        ("x = a or b", {"x = a and b"}),
        ("x = not a", {"x = a"}),
        ("x = -a", {"x = a"}),
        ("x = a if b else c", {"x = c if b else a", "x = a if not b else c"}),
        ("x = 7", {"x = 8"}),
        ("x = 0.5", {"x = 5.0"}),
        ("x = 0.0", {"x = 1.0"}),
        ("x = True", {"x = False"}),
        ("x = min(a, b)", {"x = max(a, b)"}),
        ("x = np.ceil(a)", {"x = np.floor(a)"}),
        ("x = Sense.LOWER_BOUND", {"x = Sense.UPPER_BOUND"}),
        ("x = find(a, side='left')", {"x = find(a)", "x = find(a, side='right')"}),
        ("x = find(a, b, c)", {"x = find(b, a, c)"}),
        ("x = find(a, a)", set()),
        ("x = np.clip(a, b, c)", set()),
        ("x = np.union1d(a, b)", set()),
        ("x = np.multiply(a, b)", set()),
        ("x = [i for i in a if b]", {"x = [i for i in a if not b]"}),
        ("x = zip(a, strict=True)", set()),
        ("a += b", {"a -= b", "pass"}),
        ("a[b] = c", {"pass"}),
        ("a.b = c", {"pass"}),
        ("a.append(b)", {"pass"}),
        ("raise a", {"pass"}),
        ("return a", {"return None"}),
        ("return", {"pass"}),
        ("if a: b.c()", {"if not a:", "pass"}),
        ("while a: break", {"pass"}),
        ("x: 'list[1 + 1]' = a", set()),
        ("'''A docstring of 1 line.'''", set()),
        ("x = 'words'", set()),
    ],
)
def test_faults_of_a_statement(body, now):
    assert set(inside(body)) == now


@pytest.mark.parametrize(
    ("kind", "now"),
    [
        ("bool", "return not a"),
        ("float", "return 0.0"),
        ("int", "return 0"),
        ("str", "return ''"),
        ("list[int]", "return []"),
        ("tuple[int, ...]", "return ()"),
        ("System", "return None"),
    ],
)
def test_nothing_is_returned_as_far_as_there_is_nothing(kind, now):
    assert [fault.now for fault in faults(f"def f(a) -> {kind}:\n    return a\n")] == [now]


SOURCE = """
LIMIT = 2

class Shelf:
    def room(self, books):
        return LIMIT - len(books)

@Kernel
def count(books):
    for book in books:
        if book < 0:
            continue

@InPlaceKernel
def last(books):
    return books[-1]
"""


def test_a_fault_says_where_it_is_and_what_it_is():
    told = [(fault.line, str(fault)) for fault in faults(SOURCE)]
    assert (2, "module: LIMIT = 2 -> LIMIT = 3") in told
    assert (6, "Shelf.room: return LIMIT - len(books) -> return LIMIT + len(books)") in told
    assert (11, "count: if book < 0: -> if book <= 0:") in told
    assert (12, "count: continue -> pass") in told


def test_kernels_and_constants_may_be_compiled_in():
    assert {fault.where: fault.compiled for fault in faults(SOURCE)} == {
        "module": True,
        "Shelf.room": False,
        "count": True,
        "last": True,
    }


def test_a_module_has_the_fault_that_was_asked_for_and_no_other():
    source = "LIMIT = 2\nLEAST = 5\n"
    constants = [
        [c for c in compiled_with(source, fault.number, "shelf.py").co_consts if c is not None]
        for fault in faults(source)
    ]
    assert constants == [[3, 5], [2, 6]]


def test_lines_stay_where_they_were():
    """So that what numba has compiled of other functions is found."""
    for fault in faults(SOURCE):
        code = compiled_with(SOURCE, fault.number, "shelf.py")
        lines = {c.co_name: c.co_firstlineno for c in code.co_consts if isinstance(c, CodeType)}
        assert (code.co_filename, lines) == ("shelf.py", {"Shelf": 4, "count": 8, "last": 14})


def test_functions_that_wait_have_faults_too() -> None:
    (fault,) = faults("async def f() -> int:\n    return a\n")
    assert (fault.where, fault.now) == ("f", "return 0")
