"""HTML that shows names from files as they are written. No such name reaches Markdown."""

from collections.abc import Collection, Iterable, Sequence

import streamlit as st

from core.vocabulary.problems import Problem
from core.vocabulary.say.words import counted
from dashboard.parts.charts.text import plain

PROBLEMS_SHOWN = 200


def items(sentences: Iterable[str]) -> str:
    """Sentences as a list."""
    listed = "".join(f"<li>{plain(sentence)}</li>" for sentence in sentences)
    return f'<ul class="wf-items">{listed}</ul>'


def more(sentences: Collection[str]) -> str:
    """Further sentences as a list that is closed until a person opens it."""
    return (
        f'<details class="wf-more"><summary>{counted(len(sentences), "further sentence")}</summary>'
        f"{items(sentences)}</details>"
    )


def note(sentence: str) -> str:
    """A sentence to stand beside a button."""
    return f'<p class="wf-note">{plain(sentence)}</p>'


def opened(names: Sequence[str], said: str, *, opens: bool) -> str:
    """Names of files with what they are; struck through if they cannot be opened."""
    tag = "strong" if opens else "s"
    listed = ", ".join(f"<{tag}>{plain(name)}</{tag}>" for name in names)
    return f'<p class="wf-note">{listed} – {plain(said)}.</p>'


def context(title: str, facts: Sequence[str], *, is_sample: bool = False) -> str:
    """The line with the name and the facts of a system. A sample is marked as one."""
    kind = '<em class="wf-sample">Sample</em>' if is_sample else ""
    parts = "".join(f"<span>{plain(fact)}</span>" for fact in facts)
    return f'<div class="wf-context">{kind}<strong>{plain(title)}</strong>{parts}</div>'


def chips(facts: Sequence[str]) -> str:
    """Facts side by side, each in its own frame."""
    listed = "".join(f'<span role="listitem">{plain(fact)}</span>' for fact in facts)
    return f'<div class="wf-chips" role="list">{listed}</div>'


def problems(found: Sequence[Problem]) -> str:
    """A table of problems: where each is (table, row, column), and what to do. Those that are at no
    place are a list.
    """
    if not any(one.file or one.row or one.column for one in found):
        return items(one.message for one in found)
    rows = "".join(_row(problem) for problem in found[:PROBLEMS_SHOWN])
    more = len(found) - PROBLEMS_SHOWN
    rest = f"<p>… and {counted(more, 'more problem')}. Correct these first.</p>" if more > 0 else ""
    return (
        '<div class="wf-problems"><table><thead><tr><th scope="col">Where</th>'
        '<th scope="col">Row</th><th scope="col">Column</th><th scope="col">What to do</th></tr>'
        f"</thead><tbody>{rows}</tbody></table>{rest}</div>"
    )


def show_problems(found: Sequence[Problem], most: int = 8, pixels: int = 320) -> None:
    """The table of problems; of more than `most`, so many pixels of it that scroll."""
    with st.container(height=pixels if len(found) > most else "content", border=False):
        st.html(problems(found))


def _row(problem: Problem) -> str:
    mark = '<em class="wf-warning">Warning:</em> ' if problem.severity == "warning" else ""
    places = "".join(
        f'<td data-label="{title}">{plain(place) or "–"}</td>'
        for title, place in (
            ("Where", problem.file),
            ("Row", problem.row),
            ("Column", problem.column),
        )
    )
    return f"<tr>{places}<td>{mark}{plain(problem.message)}</td></tr>"
