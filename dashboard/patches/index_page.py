"""The start page: Streamlit's, with the names of the scripts that our first page needs.

Otherwise a browser asks for a script only when it has something to show with it, and then for the
scripts that this one imports: three waits, one after the other. With the names here the browser
loads all of them at once, and prepares the charts while it waits for the server.
"""

import re
from pathlib import Path
from typing import Final

CHARTS: Final = "PlotlyChart"
SHOWN: Final = (
    CHARTS,
    *("BidiComponent", "Html", "Button", "ButtonGroup", "Selectbox", "Slider", "Metric"),
    "DataFrame",
)
"""Streamlit's names for the scripts that show the first page."""
# Internals: streamlit/streamlit#5798.
_SCRIPT: Final = re.compile(r"(\w+)\.[\w-]+\.js")
_NEEDED: Final = re.compile(r'(?:from|import)"\./([\w.-]+\.js)"')
_BEGINNING: Final = 10_000
"""A script names its imports within so many characters."""
_ICONS: Final = "MaterialSymbols-*.woff2"
_HEAD_ENDS: Final = "</head>"
_AHEAD: Final = '<link rel="modulepreload" crossorigin href="./static/js/{}">'
_FONT: Final = '<link rel="preload" as="font" type="font/woff2" crossorigin href="./{}">'
_SET_UP: Final = (
    '<script type="module">(window.requestIdleCallback ?? setTimeout)'
    '(() => import("./static/js/{}"))</script>'
)


def index_page(files: Path) -> bytes:
    """Streamlit's start page with our scripts added, as far as `files` has them."""
    page = (files / "index.html").read_text(encoding="utf-8")
    scripts = files / "static" / "js"
    shown = {
        named[1]: file.name
        for file in sorted(scripts.glob("*.js"))
        if (named := _SCRIPT.fullmatch(file.name)) and named[1] in SHOWN
    }
    needed, waiting = list[str](), [shown[name] for name in SHOWN if name in shown]
    for script in waiting:
        if script not in needed:
            needed.append(script)
            with (scripts / script).open(encoding="utf-8") as text:
                waiting += _NEEDED.findall(text.read(_BEGINNING))
    lines = [_AHEAD.format(script) for script in needed if script not in page]
    icons = (files / "static" / "media").glob(_ICONS)
    lines += [_FONT.format(font.relative_to(files).as_posix()) for font in icons]
    if CHARTS in shown:
        lines.append(_SET_UP.format(shown[CHARTS]))
    return page.replace(_HEAD_ENDS, "\n".join([*lines, _HEAD_ENDS]), 1).encode()
