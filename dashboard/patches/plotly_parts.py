"""Reduces the script of Plotly to the kinds of traces that our charts use.

Streamlit serves all of Plotly as one file, and has no setting for less. A new browser spends most
of a second to read that file and to set up its 47 kinds of traces; our charts use three. A kind
that is not registered is not set up, and a module that only such kinds need can be empty.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

TRACES: Final = frozenset({"scatter", "bar", "heatmap"})
NAME: Final = re.compile(r"PlotlyChart\.[\w-]+\.js")

# Internals: no upstream issue found.
# `a=b({"lib/bar.js"(e,t){...}}),` defines a module, which `a()` gives; the last module registers
# all kinds of traces, `x.register([a(),...])`, except scatter, which is registered before.
_BODY: Final = re.compile(r'\(\{"([^"]+)"\(')
_DEFINED: Final = re.compile(r"([\w$]+)=[\w$]+$")
_KIND: Final = re.compile(r"lib/(\w+)\.js")
_CALL: Final = "()"
_CALLED: Final = re.compile(r"[\w$]+$")
_NAME_MOST: Final = 20
_LAST: Final = '{"lib/index.js"('
_REGISTERED: Final = re.compile(r"(?<=\.register\(\[)(?:[\w$]+\(\),?)+(?=\]\))")
_END: Final = "}}),"
_EMPTY: Final = "){}}),"


class _Module(NamedTuple):
    """The positions in the script of a module's name, and of its body after the first bracket."""

    name: str
    path: str
    start: int
    body: int


def with_our_traces(script: str) -> str:
    """The script without what our charts do not need; unchanged if its build is unknown."""
    defined = {
        f"{module.name}()": kind[1]
        for module in _modules(script)
        if (kind := _KIND.fullmatch(module.path))
    }
    last = script.rfind(_LAST)
    found = _REGISTERED.search(script, max(last, 0))
    if last < 0 or not found or not {"scatter", *defined.values()} >= TRACES:
        return script
    ours = [call for call in found[0].split(",") if defined.get(call) in TRACES]
    return _with_modules_needed(script[: found.start()] + ",".join(ours) + script[found.end() :])


def _modules(script: str) -> Iterator[_Module]:
    for body in _BODY.finditer(script):
        before = script[max(body.start() - _NAME_MOST, 0) : body.start()]
        if named := _DEFINED.search(before):
            start = body.start() - len(before) + named.start()
            yield _Module(named[1], body[1], start, body.end())


def _with_modules_needed(script: str) -> str:
    """The script with all modules empty that the last one does not call, directly or indirectly."""
    last = script.rfind(_LAST)
    modules = [module for module in _modules(script) if module.start < last]
    starts = [module.start for module in modules]
    spans = {
        module.name: slice(start, end)
        for module, start, end in zip(modules, starts, [*starts[1:], last], strict=True)
    }

    def called(text: str) -> set[str]:
        before = (part[-_NAME_MOST:] for part in text.split(_CALL))
        return spans.keys() & {name[0] for part in before if (name := _CALLED.search(part))}

    needed, waiting = set[str](), called(script[: starts[0]] + _CALL + script[last:])
    while waiting:
        needed |= waiting
        waiting = {other for name in waiting for other in called(script[spans[name]])} - needed
    parts, done = [], 0
    for module in modules:
        end = spans[module.name].stop
        # A module with another end is of an unknown build, or definitions follow it.
        if module.name not in needed and script.endswith(_END, 0, end):
            parts += [script[done : module.body], _EMPTY]
            done = end
    return "".join([*parts, script[done:]])
