"""The page that browsers begin with: Streamlit's, which names the scripts of our pages as well.

By itself a browser asks for a script when something is to be shown that needs it, and then for
what that script needs: three waits, one after the other. Named here, all are there in time, and
what draws charts is set up while the browser waits for the server.
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
"""What the first page is made of, as Streamlit calls the scripts that show it."""
# Internals: streamlit/streamlit#5798.
_SCRIPT: Final = re.compile(r"(\w+)\.[\w-]+\.js")
_NEEDED: Final = re.compile(r'(?:from|import)"\./([\w.-]+\.js)"')
_BEGINNING: Final = 10_000
"""Characters of a script, among which it names all that it needs."""
_ICONS: Final = "MaterialSymbols-*.woff2"
_HEAD_ENDS: Final = "</head>"
_AHEAD: Final = '<link rel="modulepreload" crossorigin href="./static/js/{}">'
_FONT: Final = '<link rel="preload" as="font" type="font/woff2" crossorigin href="./{}">'
_SET_UP: Final = (
    '<script type="module">(window.requestIdleCallback ?? setTimeout)'
    '(() => import("./static/js/{}"))</script>'
)


def index_page(files: Path) -> bytes:
    """Streamlit's page, of its folder of files, with ours named; those it has not are left out."""
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
