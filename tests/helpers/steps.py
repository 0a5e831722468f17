"""The steps that a regular expression takes on a text, counted: by a matcher that tries one way
after the other, as Python's does, but says how often it tried.
"""

import re
from collections.abc import Callable, Iterator
from re import _constants as op
from re import _parser
from typing import Any, Final

Accepts = Callable[[str], bool]
Program = list[tuple[Any, ...]]

_CATEGORIES: Final[dict[Any, Accepts]] = {
    op.CATEGORY_SPACE: str.isspace,
    op.CATEGORY_DIGIT: str.isdecimal,
    op.CATEGORY_WORD: lambda c: c.isalnum() or c == "_",
    op.CATEGORY_NOT_SPACE: lambda c: not c.isspace(),
    op.CATEGORY_NOT_DIGIT: lambda c: not c.isdecimal(),
    op.CATEGORY_NOT_WORD: lambda c: not (c.isalnum() or c == "_"),
}
_PLACES: Final = {op.AT_BEGINNING: "begin", op.AT_END: "end", op.AT_BOUNDARY: "boundary"}
_ONE_CHARACTER: Final = (op.LITERAL, op.NOT_LITERAL, op.ANY, op.IN)


class CountingPattern:
    """A compiled regular expression that also adds to `count` the steps that it takes."""

    def __init__(self, pattern: re.Pattern[Any], count: Callable[[int], None]) -> None:
        self.pattern = pattern.pattern
        self._real, self._count = pattern, count
        text = pattern.pattern
        text = text.decode("latin-1") if isinstance(text, bytes) else text
        self._folds = bool(pattern.flags & re.IGNORECASE)
        self._program: Program = []
        self._compile(_parser.parse(text, pattern.flags & re.IGNORECASE), self._program)
        self._program.append(("match",))

    def match(self, text: Any) -> Any:
        self._run(self._plain(text), 0, whole=False)
        return self._real.match(text)

    def fullmatch(self, text: Any) -> Any:
        self._run(self._plain(text), 0, whole=True)
        return self._real.fullmatch(text)

    def search(self, text: Any) -> Any:
        next(self._spans(text), None)
        return self._real.search(text)

    def sub(self, by: Any, text: Any) -> Any:
        self._all(text)
        return self._real.sub(by, text)

    def findall(self, text: Any) -> Any:
        self._all(text)
        return self._real.findall(text)

    def finditer(self, text: Any) -> Any:
        self._all(text)
        return self._real.finditer(text)

    def split(self, text: Any) -> Any:
        self._all(text)
        return self._real.split(text)

    def _all(self, text: Any) -> None:
        found = list(self._spans(text))
        assert found == [m.span() for m in self._real.finditer(text)], (
            "the count is of this matcher"
        )

    def _spans(self, given: Any) -> Iterator[tuple[int, int]]:
        text, start = self._plain(given), 0
        first, *accepts = self._program[0]
        while start <= len(text):
            end = None
            if first == "one" and not (start < len(text) and accepts[0](text[start])):
                self._count(1)  # as soon as that: most places are no beginning
            else:
                end = self._run(text, start, whole=False)
            if end is not None:
                yield start, end
            start = start + 1 if end is None or end == start else end

    def _plain(self, text: Any) -> str:
        plain: str = text.decode("latin-1") if isinstance(text, bytes) else text
        return plain.lower() if self._folds else plain

    def _run(self, text: str, start: int, *, whole: bool) -> int | None:
        return self._matched(self._program, text, start, whole)

    def _matched(self, program: Program, text: str, start: int, whole: bool) -> int | None:
        ways, steps = [(0, start)], 0
        while ways:
            at, i = ways.pop()
            while True:
                steps += 1
                kind, *more = program[at]
                if kind == "match":
                    if whole and i < len(text):
                        break
                    self._count(steps)
                    return i
                if kind == "one":
                    if i == len(text) or not more[0](text[i]):
                        break
                    at, i = at + 1, i + 1
                elif kind == "either":
                    ways.append((more[1], i))
                    at = more[0]
                elif kind == "go":
                    at = more[0]
                elif self._stands(kind, more, text, i):
                    at += 1
                else:
                    break
        self._count(steps)
        return None

    def _stands(self, kind: str, more: list[Any], text: str, i: int) -> bool:
        """Whether a condition holds at a place."""
        if kind == "begin":
            return i == 0
        if kind == "end":
            return i in (len(text), len(text) - text.endswith("\n"))
        if kind == "boundary":
            is_word = _CATEGORIES[op.CATEGORY_WORD]
            return (i > 0 and is_word(text[i - 1])) != (i < len(text) and is_word(text[i]))
        ahead, wanted = more
        return (self._matched(ahead, text, i, False) is not None) == wanted

    def _compile(self, nodes: Any, program: Program) -> None:
        for kind, what in nodes:
            if kind in _ONE_CHARACTER:
                program.append(("one", self._accepts(kind, what)))
            elif kind is op.SUBPATTERN:
                self._compile(what[3], program)
            elif kind is op.BRANCH:
                self._compile_branches(what[1], program)
            elif kind is op.MAX_REPEAT:
                self._compile_repeat(*what, program)
            elif kind is op.MIN_REPEAT:
                self._compile_repeat(*what, program, lazily=True)
            elif kind is op.AT:
                place = _PLACES[what]
                program.append((place,))
            elif kind in (op.ASSERT, op.ASSERT_NOT) and what[0] == 1:
                ahead: Program = []
                self._compile(what[1], ahead)
                program.append(("ahead", [*ahead, ("match",)], kind is op.ASSERT))
            else:
                raise NotImplementedError(f"{kind} in {self.pattern!r}")

    def _compile_branches(self, branches: list[Any], program: Program) -> None:
        leave: list[int] = []
        for branch in branches[:-1]:
            fork = len(program)
            program.append(())
            self._compile(branch, program)
            leave.append(len(program))
            program.append(())
            program[fork] = "either", fork + 1, len(program)
        self._compile(branches[-1], program)
        for place in leave:
            program[place] = "go", len(program)

    def _compile_repeat(
        self, least: int, most: Any, body: Any, program: Program, *, lazily: bool = False
    ) -> None:
        def either(fork: int) -> tuple[Any, ...]:
            once_more, on = fork + 1, len(program)
            return ("either", on, once_more) if lazily else ("either", once_more, on)

        for _ in range(least):
            self._compile(body, program)
        if most is op.MAXREPEAT:
            assert body.getwidth()[0] > 0, f"a loop over nothing in {self.pattern!r}"
            fork = len(program)
            program.append(())
            self._compile(body, program)
            program.append(("go", fork))
            program[fork] = either(fork)
            return
        forks: list[int] = []
        for _ in range(most - least):
            forks.append(len(program))
            program.append(())
            self._compile(body, program)
        for fork in forks:
            program[fork] = either(fork)

    def _accepts(self, kind: Any, what: Any) -> Accepts:
        if kind is op.ANY:
            return lambda c: c != "\n"
        if kind is op.LITERAL:
            return chr(what).__eq__
        if kind is op.NOT_LITERAL:
            return chr(what).__ne__
        parts: list[Accepts] = []
        for part, value in what:
            if part is op.LITERAL:
                parts.append(chr(value).__eq__)
            elif part is op.RANGE:
                low, high = map(chr, value)
                parts.append(lambda c, low=low, high=high: low <= c <= high)
            elif part is op.CATEGORY:
                parts.append(_CATEGORIES[value])
        negated = what[0][0] is op.NEGATE
        return lambda c: any(accepts(c) for accepts in parts) != negated
