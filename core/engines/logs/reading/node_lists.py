"""Slurm's lists of nodes: `r[1-2]n[01-10],login` is short for 21 names."""

import re
from collections.abc import Iterator
from itertools import product
from typing import Final

from core.files.findings import shown

MOST_NODES: Final = 100_000
"""The most nodes of one list, so that ten characters cannot fill the memory."""

NAME_CHARACTERS: Final = 255
_DIGITS: Final = 18

_BALANCED: Final = re.compile(r"(?:[^\[\]]++|\[[^\[\]]*+\])*+")
_ITEM: Final = re.compile(r"((?:[^\[\],]++|\[[^\[\]]*+\])*+),")
_PIECE: Final = re.compile(r"\[([^\[\]]*)\]|([^\[\]]+)")
_RANGE: Final = re.compile(r"([0-9]+)(?:-([0-9]+))?")


def expand_nodes(text: str) -> tuple[str, ...]:
    """The names in a list of nodes, in its order; none for a blank text.

    Of several brackets in one name, the last counts fastest. Zeros in front are kept: `n[08-10]`
    is n08, n09, n10. A name that is there twice comes twice.

    Raises `ValueError`, whose message says what to correct, for a list that Slurm would not write
    and for more than `MOST_NODES` names. The memory depends on the text and this limit only.

    >>> expand_nodes("r[1-2]n[08-09],login")
    ('r1n08', 'r1n09', 'r2n08', 'r2n09', 'login')
    """
    names: list[str] = []
    for item in _items(text):
        names += _names(item, MOST_NODES - len(names))
    return tuple(names)


def _items(text: str) -> Iterator[str]:
    """The parts of a list between its commas; commas in brackets do not count."""
    text = text.strip()
    rest = _BALANCED.sub("", text, count=1)
    if rest:
        raise ValueError(f"'{shown(rest)}' has a bracket without its partner; add it")
    for match in _ITEM.finditer(f"{text}," if text else ""):
        item = match[1].strip()
        if not item:
            raise ValueError("a name between two commas is blank; remove one of the commas")
        if len(item.split(maxsplit=1)) > 1:
            raise ValueError(f"'{shown(item)}' has a space; put commas between the names")
        yield item


def _names(item: str, most: int) -> Iterator[str]:
    """The names that one item of a list stands for: at most `most`."""
    parts: list[list[str]] = []
    count, characters = 1, 0
    for inside, word in _PIECE.findall(item):
        parts.append([word] if word else _numbers(inside, most))
        count *= len(parts[-1])
        characters += len(parts[-1][-1])
        if count > most:
            raise _too_many()
        if characters > NAME_CHARACTERS:
            raise ValueError(
                f"a name is longer than {NAME_CHARACTERS} characters: '{shown(item)}'; correct it"
            )
    return map("".join, product(*parts))


def _numbers(inside: str, most: int) -> list[str]:
    """The numbers of a bracket, `1-4,7`, with their zeros in front."""
    numbers: list[str] = []
    for one in inside.split(","):
        match = _RANGE.fullmatch(one)
        if not match or max(map(len, match.groups(""))) > _DIGITS:
            raise ValueError(
                f"'{shown(one)}' in brackets is not a number or a range; write it as in n[1-4,7]"
            )
        low, high = match[1], match[2] or match[1]
        first, last = int(low), int(high)
        if last < first:
            raise ValueError(f"the range {one} ends before it begins; write it as in n[1-4,7]")
        if len(numbers) + last - first >= most:
            raise _too_many()
        numbers += [f"{number:0{len(low)}}" for number in range(first, last + 1)]
    return numbers


def _too_many() -> ValueError:
    return ValueError(f"the list has more than {MOST_NODES:,} nodes; give it in parts")
