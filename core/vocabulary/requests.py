"""What the jobs of a log asked for on a node, and what nodes have."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final, Self

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

    @property
    def is_of_log(self) -> bool:
        """Whether a log says any of it; else all of it was typed."""
        return bool(self.nodes or self.partitions)

    def with_typed(self, typed: Mapping[str, Mapping[str, float]]) -> Self:
        """With amounts that a person typed, by the name of a task type: each of its runs asks for
        just so much.
        """
        least, most = dict(self.least), dict(self.most)
        for name, amounts in typed.items():
            said: dict[str, Any] = {
                amount: type(getattr(Request(), amount))(value) for amount, value in amounts.items()
            }
            for each in (least, most):
                each[name] = replace(each.get(name, Request()), **said)
        return replace(self, least=least, most=most)


NOTHING_REQUESTED: Final = LogRequests({}, {}, {}, {})
"""What is known of requests where no log says anything."""
