"""Browsers set up the kinds of traces that our charts have, and no others."""

import ast
import re
from pathlib import Path

import pytest
import streamlit

from dashboard.parts.charts import drawing as drawing_module
from dashboard.patches.plotly_parts import NAME, TRACES, with_our_traces

SCRIPTS = Path(streamlit.__file__).parent / "static" / "static" / "js"
MODULES = 'a=_({"lib/bar.js"(e){d()}}),$b=_({"lib/pie.js"(e){p()}}),c2=_({"lib/heatmap.js"(e){}}),'
LAST = 'z=_({"lib/index.js"(e,t){var n=k();n.register([a(),$b(),c2()]),t.exports=n}})'
OURS = LAST.replace("a(),$b(),c2()", "a(),c2()")


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
    assert len(ours) < len(script) / 2


def test_the_other_kinds_are_not_registered_and_empty() -> None:
    assert with_our_traces(MODULES + LAST) == MODULES.replace("(e){p()}", "(){}") + OURS


@pytest.mark.parametrize(
    ("module", "left"),
    [
        ('d=_({"src/drawing.js"(e){x}}),', 'd=_({"src/drawing.js"(e){x}}),'),  # which bars need
        ('k=_({"src/core.js"(e){x}}),', 'k=_({"src/core.js"(e){x}}),'),  # which the last one does
        ('p=_({"src/slices.js"(e){x}}),', 'p=_({"src/slices.js"(){}}),'),  # which pies needed
        ('p=_({"src/slices.js"(e){x}}),shared=1,', 'p=_({"src/slices.js"(e){x}}),shared=1,'),
        ('ap=_({"src/none.js"(e){x}}),', 'ap=_({"src/none.js"(){}}),'),
        ('o=_({"src/one.js"(e){d()}}),', 'o=_({"src/one.js"(){}}),'),
    ],
)
def test_a_module_stays_if_one_that_stays_calls_it(module: str, left: str) -> None:
    ours = MODULES.replace("(e){p()}", "(){}")
    assert with_our_traces(MODULES + module + LAST) == ours + left + OURS
    assert with_our_traces(module + MODULES + LAST) == left + ours + OURS


@pytest.mark.parametrize(
    "unknown",
    ["", MODULES, LAST, MODULES.replace("bar", "rod") + LAST, MODULES + LAST.replace("[", "(")],
)
def test_what_is_not_known_stays_as_it_is(unknown: str) -> None:
    assert with_our_traces(unknown) == unknown


def test_charts_have_no_other_kinds() -> None:
    source = Path(drawing_module.__file__).read_text(encoding="utf-8")
    added = {
        ast.literal_eval(call.args[0])
        for call in ast.walk(ast.parse(source))
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "self._add"
    }
    assert added == TRACES
    assert source.count("self._traces.append(") == 1, "only what is added so is drawn"
