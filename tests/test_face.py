"""What `from core import ...` gives is cheap to begin with, and its examples are true."""

import doctest
import importlib
import inspect
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import NoneType
from typing import get_type_hints

import pytest
from checkout import CHECKOUT, text_of

import core
from core.engines.front.study import Study
from core.vocabulary.budget import DEFAULT_SECONDS, USUAL_EFFORT
from core.vocabulary.schedule import Schedule

RUNNER = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)


FACE = {name: getattr(core, name) for name in core.__all__}
FINDER = doctest.DocTestFinder(recurse=False)
METHODS = {
    "Schedule.to_frame": Schedule.to_frame,
    "Study.to_frame": Study.to_frame,
    "System.from_frames": core.System.from_frames,
    "System.to_frames": core.System.to_frames,
}
FUNCTIONS = {name: value for name, value in FACE.items() if inspect.isfunction(value)}
SECTIONS = ("Parameters", "Returns", "Raises", "Examples")
# Of what is asked together: a record of its own makes one of many.
MOST_PARAMETERS = 6
EXAMPLES = [
    example
    for name, value in {"core": core, **FACE, **METHODS}.items()
    for example in FINDER.find(value, name, globs={**FACE, "Path": Path})
]


@pytest.mark.parametrize("document", ["docs/library.md"])
def test_documents_show_what_happens(
    document: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "sample_data").symlink_to(CHECKOUT / "sample_data")
    monkeypatch.chdir(tmp_path)
    text = text_of(CHECKOUT / document)
    example = doctest.DocTestParser().get_doctest(text, {}, document, document, 0)
    assert example.examples
    assert RUNNER.run(example).failed == 0


def test_every_name_is_in_the_document() -> None:
    text = text_of(CHECKOUT / "docs/library.md")
    assert [name for name in core.__all__ if f"`{name}`" not in text] == []


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda test: test.name)
def test_examples_are_true(
    example: doctest.DocTest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert RUNNER.run(example).failed == 0


def test_every_name_is_in_an_example_and_explained() -> None:
    words = " ".join(line.source for example in EXAMPLES for line in example.examples)
    for name, value in FACE.items():
        assert name in words
        assert inspect.getdoc(value)


@pytest.mark.thorough
def test_a_star_brings_the_names_that_are_promised_and_dir_lists_them() -> None:
    said = in_a_new_process("from core import *", "print(*sorted(n for n in dir() if n[0] != '_'))")
    assert said.split() == sorted(core.__all__)
    assert set(in_a_new_process("import core", "print(*dir(core))").split()) >= set(core.__all__)


@pytest.mark.parametrize("name", core.__all__)
def test_a_name_is_what_its_module_defines(name: str) -> None:
    value = getattr(core, name)
    assert value is getattr(importlib.import_module(value.__module__), name)
    assert (
        "return" in get_type_hints(value) if inspect.isfunction(value) else inspect.isclass(value)
    )


def test_what_is_not_there_is_refused_as_by_any_module() -> None:
    with pytest.raises(AttributeError, match="module 'core' has no attribute 'solv'"):
        core.solv  # noqa: B018


def in_a_new_process(*lines: str) -> str:
    command = [sys.executable, "-c", "\n".join(lines)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.parametrize(
    "before",
    [
        "",
        "import core.engines.verify",
        "import core.engines.verify.judge",
        "from core.engines.verify.judge import verify",
        "import core.capabilities.makespan.solve",
        "from core import *",
    ],
)
def test_verify_is_the_function_whatever_came_before(before: str) -> None:
    said = in_a_new_process(before, "from core import verify", "print(verify.__module__)")
    assert said == "core.engines.verify.judge"


def test_importing_the_face_imports_nothing_heavy() -> None:
    heavy = ["numpy", "pandas", "highspy", "numba", "scipy"]
    said = in_a_new_process("import core, sys", f"print({{*{heavy}}} & {{*sys.modules}})")
    assert said == "set()"


@pytest.mark.thorough
def test_pandas_is_imported_by_who_asks_for_frames() -> None:
    bound = "core.study(core.load_sample('two-by-two'), method='bound')"
    there = "print('pandas' in sys.modules)"
    said = in_a_new_process(
        "import core, sys", f"found = {bound}", there, "found.to_frame()", there
    )
    assert said.split() == ["False", "True"]


def test_examples_take_what_they_take_by_default() -> None:
    for solver in (core.solve, core.study, core.earn):
        assert inspect.signature(solver).parameters["effort"].default is USUAL_EFFORT
    assert core.Effort(seconds=DEFAULT_SECONDS, work=None, threads=1, seed=0) == USUAL_EFFORT


def test_all_that_is_returned_has_a_name_of_the_face() -> None:
    for function in FUNCTIONS.values():
        returned = get_type_hints(function)["return"]
        assert returned is NoneType or FACE[returned.__name__] is returned


@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_parameter_result_and_error_is_documented(name: str) -> None:
    """In numpydoc form: `help` of a name says all that a call needs."""
    returns = get_type_hints(FUNCTIONS[name])["return"] is not NoneType
    text = f"{inspect.getdoc(FUNCTIONS[name])}\n"
    places = [text.find(f"\n{section}\n{'-' * len(section)}\n") for section in SECTIONS]
    there = [place for place in places if place > 0]
    assert there == sorted(there)
    assert [*map(text.__contains__, SECTIONS)] == [True, returns, name != "verify", True]
    documented = re.findall(r"^(\w[\w, ]*) : .+\n    \S", text[: there[1]], re.MULTILINE)
    said = [one for line in documented for one in line.split(", ")]
    assert said == [*inspect.signature(FUNCTIONS[name]).parameters]


def test_answers_begin_alike() -> None:
    """They have no common base: nothing takes one for the other, since one is about one schedule,
    one about many, and one about money.
    """
    system, terms = core.load_sample("two-by-two"), core.Terms(price=1.0)
    none = core.Effort(0)
    answers = (
        core.solve(system, effort=none),
        core.study(system, effort=none),
        core.earn(system, terms, effort=none),
    )
    for answer in answers:
        assert answer.system is system
        assert answer.verified is True
        assert all(seconds >= 0 for seconds in answer.seconds.values())


@pytest.mark.parametrize("solver", [core.solve, core.study, core.earn])
def test_whoever_asks_says_little(solver: Callable[..., object]) -> None:
    assert len(inspect.signature(solver).parameters) <= MOST_PARAMETERS
