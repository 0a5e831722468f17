"""How the report looks, on a light and a dark screen and on paper."""

from typing import Final

# Okabe and Ito's hues stay apart for colour-blind eyes.
_BARS: Final = (
    *("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#7d6bb0"),
    "#9a9aa2",
)

STYLE: Final = """
:root { color-scheme: light dark; --paper: #fff; --ink: #1c2733; --quiet: #586673;
  --rule: #d7dde3; --ours: #0b6a9e; --bound: #b04a00; --chosen: #c2185b;
  --impossible: #e9ebee; --possible: #f6dfae; --achieved: #dcebf5; --marked: #eef4f9; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #12181f; --ink: #e3e9ef; --quiet: #9fadba; --rule: #323d49; --ours: #5ab4e6;
    --bound: #ff9a4d; --chosen: #ff6fa8; --impossible: #232b34; --possible: #4d4020;
    --achieved: #17324a; --marked: #1b2a38; } }
@media print { :root { --paper: #fff; --ink: #000; --quiet: #444; --rule: #bbb; --ours: #0b6a9e;
    --bound: #b04a00; --chosen: #c2185b; --impossible: #e9ebee; --possible: #f6dfae;
    --achieved: #dcebf5; --marked: #eee; }
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
.bar { stroke: var(--paper); stroke-width: .6; }
""" + "".join(f".t{k} {{ fill: {colour}; }}\n" for k, colour in enumerate(_BARS))
