"""Of Plotly's kinds of traces a browser sets up those that our charts have.

Streamlit serves all of Plotly as one file, and has no setting for less. A new browser spends most
of a second on setting up its 47 kinds of traces, of which we use three; what is not registered is
not set up.
"""

import re
from typing import Final

TRACES: Final = frozenset({"scatter", "bar", "heatmap"})
NAME: Final = re.compile(r"PlotlyChart\.[\w-]+\.js")

# `a=b({"lib/bar.js"(...` defines the module that defines bars; the last module registers them all,
# `x.register([a(),...])`, but scatter, which has come before them.
_MODULE: Final = re.compile(r'\{"lib/(\w+)\.js"\(')
_NAMED: Final = re.compile(r"([\w$]+)=[\w$]+\($")
_LAST: Final = '{"lib/index.js"('
_REGISTERED: Final = re.compile(r"(?<=\.register\(\[)(?:[\w$]+\(\),?)+(?=\]\))")


def with_our_traces(script: str) -> str:
    """The script without the other kinds; unchanged if it is not built as we know it."""
    defined = {
        f"{named[1]}()": module[1]
        for module in _MODULE.finditer(script)
        if (named := _NAMED.search(script, module.start() - 20, module.start()))
    }
    last = script.rfind(_LAST)
    found = _REGISTERED.search(script, max(last, 0))
    if last < 0 or not found or not {"scatter", *defined.values()} >= TRACES:
        return script
    ours = [call for call in found[0].split(",") if defined.get(call) in TRACES]
    return script[: found.start()] + ",".join(ours) + script[found.end() :]
