"""Browsers set up the kinds of traces that our charts have, and no others."""

import ast
import re
from pathlib import Path

import pytest
import streamlit

import dashboard
from dashboard.plotly_parts import NAME, TRACES, with_our_traces

SCRIPTS = Path(streamlit.__file__).parent / "static" / "static" / "js"
MODULES = 'a=_({"lib/bar.js"(e){}}),$b=_({"lib/pie.js"(e){}}),c2=_({"lib/heatmap.js"(e){}});'
LAST = 'z=_({"lib/index.js"(e,t){var n=k();n.register([a(),$b(),c2()]),t.exports=n}})'


@pytest.fixture(scope="module")
def script() -> str:
    (file,) = [file for file in SCRIPTS.iterdir() if NAME.fullmatch(file.name)]
    return file.read_text(encoding="utf-8")


def registered(script: str) -> set[str]:
    last = script[script.rfind('{"lib/index.js"(') :]
    return set(last[last.index("[") + 1 : last.index("]")].split(","))


def defined_by(call: str, script: str) -> str:
    """The kind of traces whose module is called so."""
    return re.findall(rf'\b{re.escape(call[:-2])}=_\(\{{"lib/(\w+)\.js', script)[0]


def test_the_script_of_streamlit_is_built_as_we_know_it(script: str) -> None:
    assert len(registered(script)) == 47
    ours = with_our_traces(script)
    assert {defined_by(call, ours) for call in registered(ours)} == TRACES - {"scatter"}
    assert len(script) - len(ours) == len(",".join(registered(script) - registered(ours))) + 1


def test_the_other_kinds_are_not_registered() -> None:
    ours = LAST.replace("a(),$b(),c2()", "a(),c2()")
    assert with_our_traces(MODULES + LAST) == MODULES + ours


@pytest.mark.parametrize(
    "unknown",
    ["", MODULES, LAST, MODULES.replace("bar", "rod") + LAST, MODULES + LAST.replace("[", "(")],
)
def test_what_is_not_known_stays_as_it_is(unknown: str) -> None:
    assert with_our_traces(unknown) == unknown


def test_charts_have_no_other_kinds() -> None:
    drawing = Path(dashboard.__file__).with_name("charts") / "drawing.py"
    tree = ast.parse(drawing.read_text(encoding="utf-8"))
    added = {
        value.value
        for call in ast.walk(tree)
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "self._traces.append"
        for node in ast.walk(call)
        if isinstance(node, ast.Dict)
        for key, value in zip(node.keys, node.values, strict=True)
        if isinstance(key, ast.Constant) and key.value == "type" and isinstance(value, ast.Constant)
    }
    assert added == TRACES
