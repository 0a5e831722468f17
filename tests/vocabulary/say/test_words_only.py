"""Numbers become text in `core.vocabulary.say.words` only, and its callers say what they are."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
OF_FLOATS = re.compile(r"[eEfFgGn%]$|\.")
# The one place; what is written for programs: coordinates of a drawing, an address, and cells of
# tables; and where input is refused, which is echoed as it came, be it -inf, with the range that is
# allowed.
ELSEWHERE = {
    "core/vocabulary/say/words.py",
    "core/shells/report/svg.py",
    "dashboard/workspace/address.py",
} | {
    "core/vocabulary/budget.py",
    "core/capabilities/profit/command.py",
    "core/vocabulary/plane/polygons.py",
    "core/files/samples/generate.py",
    "core/capabilities/profit/terms.py",
    "core/capabilities/provision/plan.py",
    "core/capabilities/centre/centre.py",
    "core/capabilities/centre/judge.py",
    "core/capabilities/centre/files/centre_file.py",
    "core/capabilities/centre/files/centre_reader.py",
    "core/capabilities/centre/files/centre_settings.py",
    "core/capabilities/centre/files/day_plan_file.py",
    "core/capabilities/centre/files/signal_files.py",
    "core/vocabulary/ranges.py",
    "core/capabilities/profit/study_block.py",
    "core/capabilities/fair_shares/bags.py",
    "core/files/strict_json.py",
    "core/files/numbers.py",
    "core/shells/studies/reader.py",
    "core/vocabulary/system.py",
    "core/vocabulary/system_problems.py",
    "core/engines/replay/judge.py",
    "core/engines/replay/workload.py",
    "core/engines/replay/worth.py",
    "core/engines/verify/judge.py",
    "core/engines/verify/timeline.py",
}


def sources() -> list[Path]:
    return [
        path
        for room in ("core", "dashboard")
        for path in sorted((ROOT / room).rglob("*.py"))
        if path.relative_to(ROOT).as_posix() not in ELSEWHERE
    ]


def formats(source: str) -> Iterator[tuple[int, str]]:
    """Each line that formats as a float does, and how: in f-strings, templates and by %."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FormattedValue) and node.format_spec is not None:
            parts = ast.walk(node.format_spec)
            spec = "".join(str(part.value) for part in parts if isinstance(part, ast.Constant))
            if OF_FLOATS.search(spec):
                yield node.lineno, spec
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            for spec in re.findall(r"\{\w*:([^{}]*)\}", node.value):
                if OF_FLOATS.search(spec) and "~" not in spec:
                    yield node.lineno, spec


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('f"{x:.3g} s"', [".3g"]),
        ('f"{x:g}" + f"{n:,}" + f"{n:>9}"', ["g"]),
        ('"{value:g} W".format(value=x)', ["g"]),
        ('f"{100 * x:,.1f} %"', [",.1f"]),
        ('f"{words:<{width}}"', []),
    ],
)
def test_a_format_of_floats_is_seen(source: str, found: list[str]) -> None:
    assert [spec for _, spec in formats(source)] == found


def test_numbers_are_said_in_one_place() -> None:
    found = {
        path.relative_to(ROOT).as_posix(): list(formats(path.read_text())) for path in sources()
    }
    assert {name: where for name, where in found.items() if where} == {}
    assert len(found) > 200
