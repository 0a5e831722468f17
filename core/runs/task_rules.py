"""Rules that say which task type a run is of.

A rule is one or more of these words, joined by `+`:

- `name`: the name of the job; `stem`: the name without its numbers;
- `pattern:REGEX`: what the groups of a regular expression find in the name, or all that it finds;
- `column:NAME`: any column of texts that the log has; `account`, `application` and so on for short;
- `size`: the cores, GPUs and memory that were asked for, rounded up to powers of two;
- `clusters`, `clusters:N`: groups of jobs that asked for similar resources.
"""

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from core.files.findings import shown, shown_list
from core.logs.store import RunStore
from core.model.arrays import IntArray
from core.runs.clusters import Clusters
from core.runs.rule_parts import PART_BITS, UNKNOWN, RulePart, RuleRefused, RunBlock

NO_TEXT: Final = "(none)"
"""The type of runs where the column is blank."""

_MOST_PARTS: Final = 3
_MOST_PATTERN: Final = 500
_WORDS: Final = re.compile(r"[^\W_]+")
_GIB: Final = 1024.0


@dataclass(frozen=True)
class TaskRule:
    """A rule for one store of runs."""

    text: str
    parts: tuple[RulePart, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it looks at."""
        return tuple({column for part in self.parts for column in part.columns})

    def keys(self, block: RunBlock) -> IntArray:
        """A number for each run, the same for runs of one type; `UNKNOWN` for no type."""
        found = self.parts[0].keys(block)
        for part in self.parts[1:]:
            more = part.keys(block)
            known = (found >= 0) & (more >= 0)
            found = np.where(known, (found << PART_BITS) | more, UNKNOWN)
        return found

    def name(self, key: int) -> str:
        """The name of the type with this number."""
        labels: list[str] = []
        for part in reversed(self.parts):
            labels.append(part.label(key & ((1 << PART_BITS) - 1)))
            key >>= PART_BITS
        return ", ".join(reversed(labels))


class _Text:
    """A type for each different text of a column, or for each that a function makes of it."""

    def __init__(
        self, store: RunStore, column: str, made: Callable[[str], str | None] = str
    ) -> None:
        self.columns: tuple[str, ...] = (column,)
        self._column = column
        self._labels: dict[str, int] = {}
        lookup = [self._number(made(value)) for value in store.values(column)]
        # The last one is for texts that are not kept, whose number is -1.
        self._lookup = np.array([*lookup, UNKNOWN], np.int64)
        self._names = list(self._labels)

    def _number(self, label: str | None) -> int:
        if label is None:
            return UNKNOWN
        number = self._labels.setdefault(label or NO_TEXT, len(self._labels))
        if number >> PART_BITS:
            raise RuleRefused("makes more than two million types; choose a coarser rule")
        return number

    def keys(self, block: RunBlock) -> IntArray:
        return self._lookup[block[self._column]]

    def label(self, key: int) -> str:
        return self._names[key]


class _Size:
    """Cores, GPUs and memory, each rounded up to a power of two."""

    columns: tuple[str, ...] = ("cores", "gpus", "memory")

    def keys(self, block: RunBlock) -> IntArray:
        cores, gpus = _power(block["cores"]), _power(block["gpus"])
        memory = _power(np.nan_to_num(block["memory"]) / _GIB)
        return (cores << 12) | (gpus << 6) | memory

    def label(self, key: int) -> str:
        cores, gpus, memory = key >> 12, (key >> 6) & 63, key & 63
        said = []
        if cores:
            said.append(_counted(cores, "core"))
        if gpus:
            said.append(_counted(gpus, "GPU"))
        if memory:
            said.append(f"{2 ** (memory - 1)} GiB")
        return " ".join(said) or NO_TEXT


def _power(values: np.ndarray[Any, Any]) -> IntArray:
    """0 for none, 1 for up to 1, 2 for up to 2, 3 for up to 4, ...; at most 63."""
    positive = values > 0
    powers = np.ceil(np.log2(np.where(positive, np.maximum(values, 1), 1.0))) + 1
    return np.where(positive, np.minimum(powers, 63), 0).astype(np.int64)


def _counted(power: int, of: str) -> str:
    count = 2 ** (power - 1)
    return f"{count} {of}" if count == 1 else f"{count} {of}s"


def stem(name: str) -> str:
    """A job's name without its numbers: `align_0017.sh` is align.sh, `run12` is run.

    >>> stem("gpt2-train-0005")
    'gpt2-train'
    """
    kept = _WORDS.sub(lambda word: "" if word[0].isdigit() else word[0], name)
    kept = re.sub(r"[\s_.,:;#=/\[\](){}+-]{2,}", lambda gap: gap[0][0], kept)
    kept = kept.strip(" _.,:;#=/[](){}+-")
    return re.sub(r"(?<=[^\W\d_])\d+$", "", kept) or name


def task_rule(text: str, store: RunStore) -> TaskRule:
    """The rule that a text names, for these runs. Raises `RuleRefused`."""
    words = words_of_rule(text)
    if len(words) > _MOST_PARTS:
        raise RuleRefused(f"'{shown(text)}' has more than {_MOST_PARTS} parts; leave some out")
    return TaskRule(text, tuple(_part(word, store) for word in words))


def words_of_rule(text: str) -> list[str]:
    """The words of a rule; a pattern goes on to the end."""
    pattern = text.find("pattern:")
    if pattern < 0:
        return text.split("+")
    before = [word for word in text[:pattern].split("+") if word]
    return [*before, text[pattern:]]


def _part(word: str, store: RunStore) -> RulePart:
    kind, _, argument = word.strip().partition(":")
    if kind == "size":
        return _Size()
    if kind == "clusters":
        return Clusters(store, argument)
    if kind == "stem":
        return _Text(store, _column("name", word, store), stem)
    if kind == "pattern":
        return _Text(store, _column("name", word, store), matching(argument))
    return _Text(store, _column(argument if kind == "column" else kind, word, store))


def _column(name: str, word: str, store: RunStore) -> str:
    if name not in store.texts:
        offered = shown_list(store.texts, 12) or "none"
        raise RuleRefused(
            f"'{shown(word)}' is no column of this log; its columns are {offered}; other rules are "
            "size, stem, clusters and pattern:..."
        )
    return name


def matching(pattern: str) -> Callable[[str], str | None]:
    """What a pattern finds in a text: its groups with a dash between, or all of it; None if it
    finds nothing. Raises `RuleRefused`.
    """
    if not pattern or len(pattern) > _MOST_PATTERN:
        raise RuleRefused(
            f"a pattern has 1 to {_MOST_PATTERN} characters; write one such as pattern:([a-z]+)"
        )
    try:
        compiled = re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise RuleRefused(
            f"'{shown(pattern)}' is no regular expression ({error}); correct it"
        ) from error

    def found(text: str) -> str | None:
        match = compiled.search(text)
        if match is None:
            return None
        groups = [group for group in match.groups() if group]
        return "-".join(groups) if match.groups() else match[0]

    return found


def usual_task_rules(store: RunStore) -> Sequence[str]:
    """Rules to choose from when nobody has chosen, the best first."""
    candidates: Iterable[str] = ("name", "stem", "application", "account", "queue", "size")
    return [rule for rule in candidates if rule in store.texts or rule in ("stem", "size")]


def is_usable(types: int, share: float) -> bool:
    """Whether a rule that gives so many types that are not rare, with this share of the runs, is a
    sensible first choice.
    """
    return 2 <= types <= 60 and share >= 0.8 and math.isfinite(share)
