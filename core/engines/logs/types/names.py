"""Names of types: those of jobs and nodes without the numbers that count them, told apart."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from core.vocabulary.system_problems import writable

NUMBER: Final = "(number)"
"""The stem of names that are numbers, dates or hashes."""

_WORDS: Final = re.compile(r"[^\W_]+")
_GAPS: Final = re.compile(r"[\s_.,:;#=/\[\](){}+-]{2,}")
_ENDS: Final = " _.,:;#=/[](){}+-"
_UUID: Final = re.compile(r"(?<![0-9a-fA-F])[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_HASH: Final = re.compile(r"(?=[0-9a-fA-F]*[a-fA-F])(?=[0-9a-fA-F]*[0-9])[0-9a-fA-F]{7,}")
_COUNTER: Final = re.compile(r"(?<=[^\W\d_])\d{2,}$")
_LAST_DIGIT: Final = re.compile(r"(?<=[^\W\d_])\d$")

_DIGITS: Final = re.compile(r"(\d+)")
_MOST_VALUES: Final = 1_000
_MOST_SHAPES: Final = 10_000
"""Names without their numbers; of names with others, only the last number counts."""
_MOST_DIGITS: Final = 18


def stem(name: str) -> str:
    """A job's name without its numbers: words that begin with a digit (numbers, dates, sizes),
    hashes, numbers of two digits or more at the end of a word, and a digit at the end of the name.
    Of a name that has nothing else, `NUMBER`.

    >>> stem("gpt2-train-0005")
    'gpt2-train'
    >>> stem("sample0012_align_9f3c2ab")
    'sample_align'
    """
    words = _WORDS.findall(name)
    kept = _WORDS.sub(lambda word: _without_number(word[0]), _UUID.sub("", name))
    kept = _GAPS.sub(_one_of_gap, kept).strip(_ENDS)
    if words and _without_number(words[-1]):
        kept = _LAST_DIGIT.sub("", kept)
    return kept or (NUMBER if words else name)


def _without_number(word: str) -> str:
    if word[0].isdigit() or _HASH.fullmatch(word):
        return ""
    return _COUNTER.sub("", word)


def _one_of_gap(gap: re.Match[str]) -> str:
    return gap[0][-1]


def node_stems(names: Sequence[str]) -> Iterator[str | None]:
    """For each name of a node, its name without the numbers that count nodes; None if nothing is
    left. The last number of a name counts; another does if the names have most numbers between its
    least and its greatest, as racks have and models of GPUs have not. Domains are left out.

    >>> [*node_stems(["gpu-a100-01", "gpu-a40-01"])]
    ['gpu-a100', 'gpu-a40']
    >>> [*node_stems(["c1r1n3", "c2r1n4", "c2r2n4"])]
    ['crn', 'crn', 'crn']
    """
    values: dict[str, list[set[int]]] = {}
    for name in names:
        shape, numbers = _shape(name)
        if shape not in values and len(values) == _MOST_SHAPES:
            continue
        fields = values.setdefault(shape, [set() for _ in numbers])
        for field, number in zip(fields, numbers, strict=True):
            if len(field) < _MOST_VALUES:
                field.add(int(number[-_MOST_DIGITS:]))
    counts = {
        shape: [*map(_counts, fields[:-1]), True][: len(fields)] for shape, fields in values.items()
    }

    def counters(name: str) -> Sequence[bool]:
        shape, numbers = _shape(name)
        return counts.get(shape, [False] * (len(numbers) - 1) + [True] * bool(numbers))

    return (_without_counters(name, counters(name)) for name in names)


def _shape(name: str) -> tuple[str, list[str]]:
    """A name with a zero for each number, and its numbers."""
    pieces = _DIGITS.split(name.partition(".")[0])
    return "0".join(pieces[::2]), pieces[1::2]


def _counts(values: set[int]) -> bool:
    """Whether these are numbers that count something."""
    return len(values) > 1 and max(values) - min(values) < 2 * len(values)


def _without_counters(name: str, counts: Sequence[bool]) -> str | None:
    pieces = _DIGITS.split(name.partition(".")[0])
    for k, counter in enumerate(counts):
        if counter:
            pieces[2 * k + 1] = ""
    return _GAPS.sub(_one_of_gap, "".join(pieces)).strip(_ENDS) or None


NO_TEXT: Final = "(none)"
"""The type of runs where the column is blank."""
_MOST_NAME: Final = 100


def unique_names(names: Iterable[str]) -> list[str]:
    """The names, shortened and told apart by a number where they would be equal."""
    found: list[str] = []
    taken: set[str] = set()
    for name in names:
        plain = " ".join(writable(name[:_MOST_NAME]).split()) or NO_TEXT
        unique, k = plain, 2
        while unique in taken:
            unique, k = f"{plain} ({k})", k + 1
        taken.add(unique)
        found.append(unique)
    return found
