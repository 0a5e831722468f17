"""How to read a chart, in words."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reading:
    """The name of a chart, and how to read it, in Markdown."""

    name: str
    how: str
