"""The page that browsers begin with names every script that our first page needs."""

import re
from pathlib import Path

import pytest
import streamlit

from dashboard.patches.index_page import CHARTS, SHOWN, index_page

FILES = Path(streamlit.__file__).parent / "static"
SCRIPTS = FILES / "static" / "js"
AHEAD = re.compile(r'<link rel="modulepreload" crossorigin href="\./static/js/([\w.-]+)">')


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder like Streamlit's: charts need two files, and one of these another."""
    scripts = tmp_path / "static" / "js"
    scripts.mkdir(parents=True)
    (tmp_path / "index.html").write_text(
        '<head>\n<script src="./static/js/index.1.js"></script>\n</head>\n<body></body>'
    )
    for name, text in {
        "PlotlyChart.a-1.js": 'import{a}from"./one.2.js";import"./index.1.js";import("./no.js")',
        "index.1.js": "",
        "one.2.js": 'import"./two.3.js"',
        "two.3.js": 'import"./one.2.js";',
        "Other.4.js": "",
    }.items():
        (scripts / name).write_text(text)
    return tmp_path


def test_scripts_are_named_with_all_that_they_need_each_once(files: Path) -> None:
    page = index_page(files).decode()
    assert AHEAD.findall(page) == ["PlotlyChart.a-1.js", "one.2.js", "two.3.js"]
    assert 'import("./static/js/PlotlyChart.a-1.js")' in page
    assert page.endswith("</head>\n<body></body>")


def test_without_our_scripts_the_page_is_as_it_was(files: Path) -> None:
    (files / "static" / "js" / "PlotlyChart.a-1.js").unlink()
    assert index_page(files) == (files / "index.html").read_bytes()


def test_streamlit_has_what_we_name(subtests: pytest.Subtests) -> None:
    page = index_page(FILES).decode()
    named = AHEAD.findall(page)
    assert len(named) == len(set(named))
    for script in named:
        with subtests.test(script):
            assert (SCRIPTS / script).is_file()
    assert {script.partition(".")[0] for script in named} >= set(SHOWN)
    assert page.count(f'import("./static/js/{CHARTS}.') == 1
    (icons,) = re.findall(r'as="font" .* href="\./(static/media/Material[\w.-]+)"', page)
    assert (FILES / icons).is_file()


@pytest.mark.thorough
def test_nothing_else_is_asked_for_than_what_these_need() -> None:
    """What scripts name beyond their beginning would be asked for one after the other again."""
    page = index_page(FILES).decode()
    for script in AHEAD.findall(page):
        text = (SCRIPTS / script).read_text(encoding="utf-8")
        for other in re.findall(r'(?:\bfrom|\bimport)"\./([\w.-]+\.js)"', text):
            assert f"./static/js/{other}" in page
