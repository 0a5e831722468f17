"""The report in Markdown: every claim and its verdict, then each figure, its table, its claims."""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from core.reproduce.claim import Claim, kept
from core.reproduce.figure import Figure, Series

ROWS_SHOWN: Final = 11

PREAMBLE: Final = """\
# The makespan publication, done again

Kyle M. Tarplee, Ryan Friese, Anthony A. Maciejewski, H. J. Siegel: *Scalable linear programming
based resource allocation for makespan minimization in heterogeneous computing systems*, Journal of
Parallel and Distributed Computing 2015. Its figures 2 to 11 and A.12 to A.15, measured with this
code. "Published method" means the three published phases, as implemented here: lower bound by
linear program, rounding, local assignment, without our polish.

This file is written by `wattfront reproduce makespan`; nothing in it is edited by hand.

## How to read it

- The publication's matrices (times, counts of tasks, random systems) are not available to us, nor
  are the numbers behind its figures; only what its text says. The `nine` sample stands in for its
  main environment: same numbers of types, tasks and machines, ten of 30 rows of times published,
  the rest drawn from a seed. Averages that depend on the environment cannot agree exactly.
- A verdict judges one sentence of the publication. Where words need a number ("much", "linear"),
  the number used is in the claim or in the last column. Growth is judged by the power of the size
  that the run time goes with, fitted by least squares to logarithms of medians.
- Random draws come from fixed seeds and repeat exactly; run times are measured in a single thread,
  in Python, NumPy, Numba and HiGHS, on a later machine than the published ones. Where a run time
  grows more slowly here than published, the claim does not hold, though nobody will mind.
- The ranges of the horizontal axes are ours: those of the publication are lost.
"""


def report(figures: Sequence[Figure], pictures: dict[str, str], conditions: Sequence[str]) -> str:
    """The whole file. `pictures` maps figure numbers to file names; those without one have none.

    `conditions` says how this run was made, a sentence an entry.
    """
    claims = [claim for figure in figures for claim in figure.claims]
    parts = [PREAMBLE + "".join(f"- {condition}\n" for condition in conditions)]
    if len(pictures) < len(figures):
        parts.append(
            "> Pictures are missing: they need matplotlib. `pip install matplotlib`, then run the "
            "command again.\n"
        )
    parts.append(
        f"## All claims: {kept(claims)} of {len(claims)} hold\n\n" + _claim_table(claims, True)
    )
    parts += [_section(figure, pictures.get(figure.number)) for figure in figures]
    return "\n".join(parts)


def _section(figure: Figure, picture: str | None) -> str:
    parts = [f"## Figure {figure.number}: {figure.title}\n", figure.setting + "\n"]
    if picture is not None:
        parts.append(f"![Figure {figure.number}: {figure.title}]({picture})\n")
    parts.append(_claim_table(figure.claims, False))
    parts += [note + "\n" for note in figure.notes]
    parts.append(_data_table(figure))
    return "\n".join(parts)


def _claim_table(claims: Sequence[Claim], with_figure: bool) -> str:
    head = ["claim", "published", "here", "verdict", "difference"]
    rows = [
        [claim.claim, claim.published, claim.here, f"**{claim.verdict}**", claim.difference]
        for claim in claims
    ]
    if with_figure:
        head = ["figure", *head]
        rows = [[claim.figure, *row] for claim, row in zip(claims, rows, strict=True)]
    return _table(head, rows)


def _data_table(figure: Figure) -> str:
    """A row a value of x (thinned out), a column a series: mean ± deviation, or the median."""
    columns = [(panel, series) for panel in figure.panels for series in panel.series]
    head = [figure.panels[0].x_label]
    for panel, series in columns:
        several = len(figure.panels) > 1
        name = f"{panel.title}: {series.name}" if several and panel.unit == "" else series.name
        head.append(f"{name} ({panel.unit})" if panel.unit else name)
    places = sorted({x for _, series in columns for x in _thinned(series)})
    rows = [
        [
            figure.panels[0].categories[k] if figure.panels[0].categories else f"{x:,.0f}",
            *(_cell(series, x, panel.robust) for panel, series in columns),
        ]
        for k, x in enumerate(places)
    ]
    spoken = {panel.robust for panel, _ in columns}
    said = {
        frozenset({True}): "Medians.",
        frozenset({False}): "Means ± standard deviations.",
    }.get(frozenset(spoken), "Means ± standard deviations; run times are medians.")
    return said + "\n\n" + _table(head, rows)


def _thinned(series: Series) -> Iterator[float]:
    chosen = np.unique(np.linspace(0, len(series.x) - 1, ROWS_SHOWN).round().astype(int))
    yield from series.x[chosen].tolist()


def _cell(series: Series, x: float, robust: bool) -> str:
    at = np.flatnonzero(series.x == x)
    if not len(at):
        return ""
    values = series.values[at[0]]
    if robust:
        return f"{np.median(values):,.3g}"
    return f"{_three_digits(values.mean())} ± {_three_digits(values.std())}"


def _three_digits(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:#.3g}"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)
