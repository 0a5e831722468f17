"""A publication that is done again: its report, and the pictures beside it."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from core.reproduce.claim import kept
from core.reproduce.figure import Figure
from core.reproduce.pictures import can_draw, draw
from core.reproduce.report import report


def silent(_: str) -> None:
    """Say nothing."""


@dataclass(frozen=True, slots=True)
class Publication:
    """`name` is what the command calls it and files begin with; `preamble` opens the report."""

    name: str
    preamble: str
    pictures: Literal["svg", "png"]

    def write(
        self, figures: Sequence[Figure], folder: Path, conditions: Sequence[str]
    ) -> dict[str, object]:
        """Write report and pictures to `folder`; sum up which claims hold, ready for JSON."""
        folder.mkdir(parents=True, exist_ok=True)
        pictures = {
            figure.name: f"{self.name}-{figure.file_stem}.{self.pictures}"
            for figure in figures
            if figure.panels and can_draw()
        }
        for figure in figures:
            if figure.name in pictures:
                draw(figure, folder / pictures[figure.name])
        path = folder / f"{self.name}.md"
        path.write_text(report(self.preamble, figures, pictures, conditions), encoding="utf-8")
        claims = [claim for figure in figures for claim in figure.claims]
        return {
            "report": str(path),
            "figures": [figure.number for figure in figures],
            "pictures": list(pictures.values()),
            "holding": kept(claims),
            "claims": [claim.as_dict() for claim in claims],
        }
