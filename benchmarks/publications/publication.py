"""The reproduction of a publication: its report, and its pictures."""

import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

from benchmarks.publications.claim import counted
from benchmarks.publications.figure import Figure
from benchmarks.publications.pictures import can_draw, draw
from benchmarks.publications.report import report


class Reproduction(Protocol):
    """A module that computes the figures of a publication again."""

    PUBLICATION: "Publication"

    def reproduce(
        self, folder: Path, trials: int, say: Callable[[str], None], **options: Any
    ) -> Mapping[str, object]:
        """Measure everything; the result is that of `Publication.reproduce`."""


def silent(_: str) -> None:
    """Report no progress."""


@dataclass(frozen=True, slots=True)
class Publication:
    """`name` is its name in the command and at the start of file names; `preamble` is the start of
    the report. `trials` is the default number of trials; `options` are its own flags, by name, as
    for `argparse`.
    """

    name: str
    preamble: str
    pictures: Literal["svg", "png"]
    trials: int
    options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def reproduce(
        self,
        measure: Callable[[], Sequence[Figure]],
        folder: Path,
        trials: int,
        drawn: str,
        say: Callable[[str], None],
        cores: int = 1,
    ) -> dict[str, object]:
        """Measure, write the report and pictures to `folder`, and return a summary for JSON, in
        which "claims" is a list with the fields of each `Claim`, the same for all publications.

        `drawn` explains the `trials` and other choices in the report; `say` gets the progress.
        """
        if trials < 1:
            raise ValueError(f"there must be at least one trial, not {trials}")
        started = time.perf_counter()
        figures = measure()
        seconds = time.perf_counter() - started
        say("report and pictures")
        took = (
            f"It took {seconds:.0f} s on {'one' if cores == 1 else cores} of {os.cpu_count()} "
            "cores, shared with other work."
        )
        summary = self._write(figures, folder, [drawn, took])
        return summary | {"trials": trials, "seconds": seconds}

    def _write(
        self, figures: Sequence[Figure], folder: Path, about_this_run: Sequence[str]
    ) -> dict[str, object]:
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
        path.write_text(report(self.preamble, figures, pictures, about_this_run), encoding="utf-8")
        claims = [claim for figure in figures for claim in figure.claims]
        _, holding, published = counted(claims)
        return {
            "report": str(path),
            "figures": [figure.number for figure in figures],
            "pictures": list(pictures.values()),
            "holding": holding,
            "published": published,
            "claims": [
                {"figure": figure.label, **asdict(claim)}
                for figure in figures
                for claim in figure.claims
            ],
        }


def together(reports: Sequence[Mapping[str, Any]]) -> dict[str, object]:
    """What several reports of one publication say, added up; their paths with "and" between. The
    number of trials is that of the first.
    """
    added = {
        name: sum(one[name] for one in reports) for name in ("holding", "published", "seconds")
    }
    joined = {
        name: [each for one in reports for each in one[name]]
        for name in ("figures", "pictures", "claims")
    }
    paths = " and ".join(one["report"] for one in reports)
    return {"report": paths, **joined, **added, "trials": reports[0]["trials"]}
