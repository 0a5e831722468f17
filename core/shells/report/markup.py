"""Parts of the HTML page, and its style, on light and dark screens and on paper. Text from people
is escaped, so it is never read as markup.
"""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final, Literal

from core.shells.report.svg import SvgDrawing
from core.shells.told.told import Told, ToldTable
from core.vocabulary.say import colours
from core.vocabulary.say.colours import MOST_TASK_TYPES


def name(text: str) -> str:
    """A name; if it is written from right to left, the text around it is not affected."""
    return f"<bdi>{escape(text)}</bdi>"


def paragraph(text: str, style: str = "") -> str:
    """Plain text."""
    return f'<p class="{style}">{escape(text)}</p>' if style else f"<p>{escape(text)}</p>"


def table(head: Sequence[str], rows: Iterable[Sequence[str]], marked: int | None = None) -> str:
    """A table of cells of markup, the first of a row its heading; a `marked` row stands out."""
    cells = "".join(f'<th scope="col">{cell}</th>' for cell in head)
    lines = []
    for k, (first, *rest) in enumerate(rows):
        style = ' class="marked"' if k == marked else ""
        data = "".join(f"<td>{cell}</td>" for cell in rest)
        lines.append(f'<tr{style}><th scope="row">{first}</th>{data}</tr>')
    return (
        f'<div class="scroll"><table><thead><tr>{cells}</tr></thead>'
        f"<tbody>{''.join(lines)}</tbody></table></div>"
    )


def figure(drawing: SvgDrawing, caption: str) -> str:
    return (
        f'<figure><div class="scroll">{drawing}</div>'
        f"<figcaption>{escape(caption)}</figcaption></figure>"
    )


def section(title: str, *content: str) -> str:
    return f"<section><h2>{escape(title)}</h2>{''.join(content)}</section>"


def items(sentences: Iterable[str]) -> str:
    return f"<ul>{''.join(f'<li>{escape(sentence)}</li>' for sentence in sentences)}</ul>"


def told_section(title: str, told: Told, *pictures: str) -> str:
    """What an answer says: its lead, key figures, sentences, pictures (`figure`) and tables."""
    figures = key_figures((figure.label, figure.value) for figure in told.figures)
    said = items(told.sentences) if told.sentences else ""
    tables = map(told_table, told.tables)
    return section(title, paragraph(told.lead, "lead"), figures, said, *pictures, *tables)


def told_table(told: ToldTable) -> str:
    """A table below its title."""
    rows = [[name(cell) for cell in row] for row in told.rows]
    note = paragraph(told.note, "quiet") if told.note else ""
    cells = table([name(cell) for cell in told.head], rows, told.marked)
    return f"<h3>{escape(told.title)}</h3>{cells}{note}"


def key_figures(said: Iterable[tuple[str, str]]) -> str:
    """Labels and values side by side; nothing if there are none."""
    boxes = "".join(
        f"<div><dt>{escape(label)}</dt><dd>{escape(value)}</dd></div>" for label, value in said
    )
    return f'<dl class="figures">{boxes}</dl>' if boxes else ""


# One rank for each colour of task types, and one more for the others.
_RANKS: Final = range(MOST_TASK_TYPES + 1)
_PARTS: Final = {
    "paper": colours.PAPER,
    "ink": colours.INK,
    "quiet": colours.QUIET,
    "ours": colours.OURS,
    "bound": colours.BOUND,
    "chosen": colours.CHOSEN,
    "impossible": colours.FORBIDDEN,
    "possible": colours.POSSIBLE,
    "achieved": colours.ACHIEVED,
    "others": colours.MIXED,
    "stripe": colours.IDLE,
    **{f"t{rank}": colour for rank, colour in enumerate(colours.TASK_TYPES)},
}


def _variables(mode: Literal["light", "dark"]) -> str:
    return "".join(f" --{part}: {getattr(colour, mode)};" for part, colour in _PARTS.items())


def _fill_of_rank(rank: int) -> str:
    own = rank < len(colours.TASK_TYPES)
    return f".t{rank} {{ fill: {f'var(--t{rank})' if own else f'url(#t{rank})'}; }}\n"


STYLE: Final = (
    f"""
:root {{ color-scheme: light dark; --rule: #d7dde3; --marked: #eef4f9;{_variables("light")} }}
@media (prefers-color-scheme: dark) {{
  :root {{ --rule: #323d49; --marked: #1b2a38;{_variables("dark")} }} }}
@media print {{
  :root {{ --rule: #bbb; --marked: #eee;{_variables("light")} --ink: #000; --quiet: #444; }} }}
"""
    """
@media print {
  section, figure, tr { break-inside: avoid; } .long { break-inside: auto; }
  .scroll { overflow: visible !important; } * { print-color-adjust: exact; } }
body { margin: 0 auto; max-width: 60rem; padding: 1.5rem clamp(1rem, 4vw, 2.5rem) 3rem;
  background: var(--paper); color: var(--ink); overflow-wrap: anywhere;
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .3rem; }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; padding-top: .6rem;
  border-top: 1px solid var(--rule); }
h3 { font-size: 1rem; margin: 1.2rem 0 .3rem; }
p { margin: .4rem 0; } ul { margin: .4rem 0; padding-left: 1.2rem; }
.lead { font-size: 1.1rem; } .quiet, figcaption { color: var(--quiet); font-size: .9rem; }
.figures { display: flex; flex-wrap: wrap; gap: .6rem; margin: 1rem 0; padding: 0; }
.figures div { border: 1px solid var(--rule); border-radius: .3rem; padding: .4rem .8rem; }
.figures dt { color: var(--quiet); font-size: .85rem; }
.figures dd { margin: 0; font-size: 1.2rem; font-weight: 600; }
.scroll { overflow-x: auto; } figure { margin: .6rem 0; }
svg { display: block; width: 100%; min-width: 640px; height: auto; }
table { border-collapse: collapse; font-size: .88rem; font-variant-numeric: tabular-nums; }
th, td { padding: .22rem .8rem .22rem 0; border-bottom: 1px solid var(--rule); text-align: right;
  overflow-wrap: normal; }
th:first-child { text-align: left; font-weight: 400; min-width: 6rem; max-width: 22rem;
  overflow-wrap: anywhere; }
thead th, thead th:first-child { font-weight: 600; color: var(--quiet); vertical-align: bottom; }
tr.marked > * { background: var(--marked); font-weight: 600; }
.plain td, .plain th { text-align: left; }
pre { overflow-x: auto; padding: .6rem .8rem; border: 1px solid var(--rule); border-radius: .3rem;
  white-space: pre-wrap; font-size: .85rem; }
text { font-size: 12px; fill: var(--ink); } .title { fill: var(--quiet); }
.start { text-anchor: start; } .middle { text-anchor: middle; } .end { text-anchor: end; }
path { fill: none; } .axis { stroke: var(--quiet); } .grid { stroke: var(--quiet); opacity: .25; }
.impossible { fill: var(--impossible); } .possible { fill: var(--possible); }
.achieved { fill: var(--achieved); } .key { stroke: var(--rule); }
.bound { stroke: var(--bound); stroke-width: 1.8; } .stairs { stroke: var(--ours); }
.vertex { fill: var(--bound); } .schedule { fill: var(--ours); }
.chosen { fill: none; stroke: var(--chosen); stroke-width: 3; }
.bar { stroke: var(--paper); stroke-width: .6; } .others { fill: var(--others); }
.stripe { stroke: var(--stripe); stroke-width: 2; }
.halo { stroke: var(--paper); stroke-width: 4; stroke-linecap: square; }
.interval { stroke: var(--ink); stroke-width: 1.4; }
""" + "".join(map(_fill_of_rank, _RANKS))
)
