"""The style of the report, on light and dark screens and on paper."""

from typing import Final, Literal

from core.vocabulary.say import colours
from core.vocabulary.say.colours import MOST_TASK_TYPES

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
