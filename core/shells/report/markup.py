"""Parts of the HTML page. Text from people is escaped, so it is never read as markup."""

from collections.abc import Iterable, Sequence
from html import escape

from core.shells.report.svg import SvgDrawing
from core.shells.told.told import Told, ToldTable


def name(text: str) -> str:
    """A name; if it is written from right to left, the text around it is not affected."""
    return f"<bdi>{escape(text)}</bdi>"


def paragraph(text: str, style: str = "") -> str:
    """Plain text."""
    return f'<p class="{style}">{escape(text)}</p>' if style else f"<p>{escape(text)}</p>"


def table(head: Sequence[str], rows: Iterable[Sequence[str]], marked: int | None = None) -> str:
    """A table of cells that are markup; the first of a row is its heading. `marked` is a row to
    highlight.
    """
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
