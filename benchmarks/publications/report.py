"""The report in Markdown: all claims with verdicts, then each figure with its table and claims."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from benchmarks.publications.claim import Claim, counted
from benchmarks.publications.figure import Figure, Panel, Series

ROWS_SHOWN: Final = 11


def report(
    preamble: str,
    figures: Sequence[Figure],
    pictures: Mapping[str, str],
    about_this_run: Sequence[str],
) -> str:
    """The whole file. `pictures` maps names of figures to files.

    `preamble` ends in a list, to which `about_this_run` adds items.
    """
    parts = [preamble + "".join(f"- {fact}\n" for fact in about_this_run)]
    if len(pictures) < sum(bool(figure.panels) for figure in figures):
        parts.append(
            "> Pictures are missing: they need matplotlib. `pip install matplotlib`, then run the "
            "command again.\n"
        )
    claims = [claim for figure in figures for claim in figure.claims]
    labels = [figure.label for figure in figures for _ in figure.claims]
    parts.append(
        f"## Claims of the publication: {counted(claims)[0]}\n\n" + _claim_table(claims, labels)
    )
    parts += [_section(figure, pictures.get(figure.name)) for figure in figures]
    return "\n".join(parts)


def _section(figure: Figure, picture: str | None) -> str:
    parts = [f"## {figure.name}: {figure.title}\n", figure.setting + "\n"]
    if picture is not None:
        parts.append(f"![{figure.name}: {figure.title}]({picture})\n")
    parts.append(_claim_table(figure.claims))
    parts += [note + "\n" for note in figure.notes]
    if figure.table is None:
        parts.append(_data_table([panel for panel in figure.panels if isinstance(panel, Panel)]))
    else:
        parts.append(_table(figure.table.head, figure.table.rows))
    return "\n".join(parts)


def _claim_table(claims: Sequence[Claim], figures: Sequence[str] = ()) -> str:
    head = ["claim", "published", "here", "verdict", "difference", "cause: what was tried"]
    rows = [
        [
            claim.claim,
            claim.published,
            claim.here,
            f"**{claim.verdict}**",
            claim.difference,
            "" if claim.holds else claim.cause or "not found",
        ]
        for claim in claims
    ]
    if all(claim.holds for claim in claims):
        head, rows = head[:-1], [row[:-1] for row in rows]
    if figures:
        head = ["figure", *head]
        rows = [[figure, *row] for figure, row in zip(figures, rows, strict=True)]
    return _table(head, rows)


def _data_table(panels: Sequence[Panel]) -> str:
    """One row for each value of x (at most `ROWS_SHOWN`), one column for each series: mean ±
    deviation, or the median.
    """
    columns = [(panel, series) for panel in panels for series in panel.series]
    head = [panels[0].x_label]
    for panel, series in columns:
        several = len(panels) > 1
        name = f"{panel.title}: {series.name}" if several and panel.unit == "" else series.name
        head.append(f"{name} ({panel.unit})" if panel.unit else name)
    places = sorted({x for _, series in columns for x in _thinned(series)})
    rows = [
        [
            panels[0].categories[k] if panels[0].categories else f"{x:,.0f}",
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
        median = float(np.median(values))
        return f"{median:,.0f}" if median >= 100 else f"{median:.3g}"
    return f"{_three_digits(values.mean())} ± {_three_digits(values.std())}"


def _three_digits(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:#.3g}"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)
