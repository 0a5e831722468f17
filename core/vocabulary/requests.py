"""What the jobs of a log asked for on a node, and what nodes have."""

from dataclasses import dataclass, fields
from typing import Final

TIMES_PLANNED: Final = 2
"""Times vary: a task may take so many times as long as one is known to take."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked for on one node: cores, GPUs, memory (MiB); for how long at most (s), and on
    how many nodes at once. Of what is not known, 0.
    """

    cores: int = 0
    gpus: int = 0
    memory: float = 0.0
    seconds: float = 0.0
    nodes: int = 0


AMOUNTS: Final = tuple(field.name for field in fields(Request))
ON_A_NODE: Final = AMOUNTS[:3]
"""What a node has a limited amount of."""


@dataclass(frozen=True, slots=True)
class LogRequests:
    """By the name of a task type: the `least` and the `most` that any of its runs asked for. By the
    name of a machine type: what one of its `nodes` has, and the partition of most of its runs, if
    a log names partitions.
    """

    least: dict[str, Request]
    most: dict[str, Request]
    nodes: dict[str, Request]
    partitions: dict[str, str]
