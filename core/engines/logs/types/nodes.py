"""The nodes that runs ran on, as the log names them."""

import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import product
from typing import Any, Final, NamedTuple

import numpy as np

from core.engines.logs.reading.cutting import BoundsArray
from core.engines.logs.reading.store import RunStore
from core.engines.logs.types.rule_parts import AT_ONCE, Labels
from core.files.findings import shown
from core.vocabulary.arrays import IntArray

_COLUMNS: Final = ("nodelist", "machine")
_NO_NODES: Final = frozenset({"", "None assigned", "(null)"})
_MOST_NAMES: Final = 4_000_000
"""Names of nodes in all lists together; of lists beyond, only the first node is looked at."""
_OF_LISTS: Final = re.compile(r"[\[\],\s]")
_RANGES: Final = re.compile(r"\[([0-9]+)[^\[\]]*\]")


class _Expanded(NamedTuple):
    """The names of nodes; where the nodes of each list begin; and the nodes of all lists."""

    names: Sequence[str]
    begins: IntArray
    members: BoundsArray

    @classmethod
    def of(cls, names: Labels, begins: IntArray, members: BoundsArray) -> "_Expanded":
        """Without nodes that have no number, because there are too many."""
        numbered = members >= 0
        if not numbered.all():
            begins = np.concatenate([[0], np.cumsum(numbered)])[begins]
            members = members[numbered]
        return cls(tuple(names) if len(names) <= AT_ONCE else names, begins, members)


class Nodes:
    """The nodes of a log, each with a number; and those of each different list of nodes.

    A table of runs that names its machines has them as its nodes.
    """

    def __init__(self, store: RunStore) -> None:
        self.column: str | None = next((name for name in _COLUMNS if name in store.texts), None)
        """The column that says which nodes; None if there is none."""
        self._lists = store.values(self.column) if self.column else ()

    @cached_property
    def known(self) -> bool:
        """Whether the log says which nodes runs ran on."""
        return any(text not in _NO_NODES for text in self._lists)

    @property
    def are_counted(self) -> bool:
        """Whether the lists say how many nodes a run had."""
        return self.column == "nodelist" and self.known

    @cached_property
    def _expanded(self) -> _Expanded:
        labels = Labels()
        begins, members = array("q", [0]), array("i")  # lists of numbers would take much memory
        ahead: list[str] = []
        for text in self._lists:
            ahead += self._names(text, len(members) + len(ahead))
            begins.append(len(members) + len(ahead))
            if len(ahead) >= AT_ONCE:
                members.frombytes(labels.numbers(ahead).tobytes())
                ahead = []
        members.frombytes(labels.numbers(ahead).tobytes())
        labels.close()
        return _Expanded.of(labels, np.array(begins), np.frombuffer(members, np.int32))

    def _names(self, text: str, total: int) -> Sequence[str]:
        if text in _NO_NODES:
            return ()
        if not _OF_LISTS.search(text):
            return (text,)
        try:
            if total < _MOST_NAMES:
                return expand_nodes(text)
            return expand_nodes(_RANGES.sub(r"\1", text).split(",", 1)[0])
        except ValueError:
            return ()

    @property
    def names(self) -> Sequence[str]:
        """The names of all nodes."""
        return self._expanded[0]

    @cached_property
    def of_lists(self) -> IntArray:
        """How many nodes each list has, 0 if that is unknown; the last is for lists not kept."""
        return np.append(np.diff(self._expanded[1]), 0)

    def least_and_greatest(self, values: IntArray, blank: int) -> tuple[IntArray, IntArray]:
        """For each list, the least and the greatest value of its nodes; `blank` without nodes."""
        _, begins, members = self._expanded
        least, greatest = (np.full(len(begins) - 1, blank, np.int64) for _ in range(2))
        there = np.flatnonzero(np.diff(begins))
        if len(there):
            of_nodes = values[members]
            least[there] = np.minimum.reduceat(of_nodes, begins[there])
            greatest[there] = np.maximum.reduceat(of_nodes, begins[there])
        return least, greatest

    def on(self, lists: IntArray) -> tuple[IntArray, IntArray]:
        """The nodes of some lists, one list after the other; and the place in `lists` that each
        comes from.
        """
        _, begins, members = self._expanded
        counts = begins[lists + 1] - begins[lists]
        place = np.repeat(np.arange(len(lists)), counts)
        within = np.arange(len(place)) - np.repeat(np.cumsum(counts) - counts, counts)
        return members[begins[lists][place] + within].astype(np.int64), place


def parts_with_nodes(
    store: RunStore, nodes: Nodes, names: Iterable[str]
) -> Iterator[tuple[slice, dict[str, np.ndarray[Any, Any]]]]:
    """As `RunStore.parts`, these columns and `nodes`, the number of nodes: where the log does not
    give it, that of the list of nodes; at least 1.
    """
    lists = [nodes.column] if nodes.are_counted and nodes.column else []
    for rows, block in store.parts([*names, "nodes", *lists]):
        count = block["nodes"].astype(np.int64)
        if lists and not count.all():
            count = np.where(count > 0, count, nodes.of_lists[block[lists[0]]])
        block["nodes"] = np.maximum(count, 1)
        yield rows, block


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
