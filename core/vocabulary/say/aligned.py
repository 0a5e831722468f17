"""Tables as a terminal shows them. It needs no numpy: what starts a command line imports it."""

from collections.abc import Sequence


def table(rows: Sequence[Sequence[str]]) -> str:
    """A line for each row, its columns aligned."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True))
        for row in rows
    )
    return "\n".join(f"  {line}".rstrip() for line in lines)
