"""The machine types of nodes that Slurm lists."""

from collections.abc import Mapping, Sequence
from itertools import compress
from typing import Final, NamedTuple

from core.engines.logs.types.names import node_stems, unique_names
from core.engines.logs.types.node_listing import ListedNode
from core.vocabulary.say.words import Sense, amount, counted

_ALIKE: Final = 1.25
"""Nodes are of one type if the largest memory is at most so many times the least: what Slurm is
told of equal nodes differs by some per cent.
"""
_MOST_STEMS: Final = 50
"""If names make more types, they are names of single nodes."""


class _Hardware(NamedTuple):
    """What a node has."""

    stem: str
    cores: int | None
    gpus: int | None
    models: frozenset[str]
    memory_gib: float | None

    @property
    def in_words(self) -> tuple[str, str, str]:
        """Its cores, GPUs and memory; blank where they are not known."""
        kind = " or ".join(sorted(self.models)) or ("GPU" if self.gpus == 1 else "GPUs")
        return (
            "" if self.cores is None else counted(self.cores, "core"),
            "" if self.gpus is None else f"{self.gpus or 'no'} {kind}",
            ""
            if self.memory_gib is None
            else amount(self.memory_gib, Sense.PLAIN, "GiB", digits=2),
        )

    def is_like(self, other: "_Hardware") -> bool:
        """Whether nodes are of one type, if this one has the least memory of it."""
        return self[:-1] == other[:-1] and (other.memory_gib or 0) <= _ALIKE * (
            self.memory_gib or 0
        )


def types_of_listed(listed: Mapping[str, ListedNode]) -> list[tuple[str, list[str]]]:
    """Names of machine types, and the nodes of each. Nodes are of one type if their names differ by
    the numbers that count nodes alone, and if they have the same cores and GPUs and about the same
    memory; where names give more than 50 types, what they have makes types alone. A type is called
    as its nodes are, and if necessary by what tells it from others.
    """
    stems = [stem or "" for stem in node_stems([*listed])]
    if len(set(stems)) > _MOST_STEMS:
        stems = [""] * len(stems)
    nodes: dict[_Hardware, list[str]] = {}
    for stem, (name, node) in zip(stems, listed.items(), strict=True):
        has = _Hardware(stem, node.cores, node.gpus, node.models, node.memory_gib)
        nodes.setdefault(has, []).append(name)
    of_stems: dict[str, list[list[_Hardware]]] = {stem: [] for stem in stems}
    for has in sorted(nodes, key=lambda one: one.memory_gib or 0):
        types = of_stems[has.stem]
        alike = next((one for one in types if one[0].is_like(has)), None)
        if alike is None:
            types.append([has])
        else:
            alike.append(has)
    names = [name for stem, types in of_stems.items() for name in _names(stem, types)]
    every = [one for types in of_stems.values() for one in types]
    return [
        (name, [node for has in one for node in nodes[has]])
        for name, one in zip(unique_names(names), every, strict=True)
    ]


def _names(stem: str, types: Sequence[Sequence[_Hardware]]) -> list[str]:
    """The stem, and what tells each type from the others of the stem."""
    said = [one[-1].in_words for one in types]
    tells = [len(set(words)) > 1 or not stem for words in zip(*said, strict=True)]
    return [" ".join(filter(None, [stem, *compress(words, tells)])) for words in said]
