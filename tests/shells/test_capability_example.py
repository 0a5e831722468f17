"""The capability that CONTRIBUTING.md walks through works, and nothing but its room is touched."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import core.capabilities
from core.shells import registry

CHECKOUT = Path(__file__).parents[2]
FILE = re.compile(r"(?ms)^`(\w+\.py)`.*?^```python\n(.*?)^```")


@pytest.fixture
def waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    """Its modules, of which the registry has the room; nothing else knows of it."""
    text = (CHECKOUT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    modules = dict(FILE.findall(text[text.index("## Add a capability") :]))
    (tmp_path / "waiting").mkdir()
    for name, source in modules.items():
        (tmp_path / "waiting" / name).write_text(source, encoding="utf-8")
    monkeypatch.setattr(core.capabilities, "__path__", [*core.capabilities.__path__, str(tmp_path)])
    rooms = (*registry.ROOMS, "core.capabilities.waiting")
    monkeypatch.setattr(registry, "ROOMS", rooms)
    registry.capabilities.cache_clear()
    yield modules
    registry.capabilities.cache_clear()


def test_a_capability_in_a_room_of_its_own_is_a_command(wattfront, waiting) -> None:
    assert [*waiting] == ["__init__.py", "waiting.py", "settings.py", "told.py", "command.py"]
    assert "how long machines wait for the last one" in wattfront("--help").out
    assert "--seconds S" in wattfront("waiting", "--help").out
    said = wattfront("waiting", "two-by-two", "--seconds", "0.1")
    assert said.status == 0
    assert said.out.splitlines()[0].startswith("two-by-two: machines of a type wait for up to ")
    shares = wattfront("waiting", "two-by-two", "--json").data
    assert shares == {"A": pytest.approx(1 / 6), "B": 0.0}
    assert "-1 is out of range" in wattfront("waiting", "two-by-two", "--seconds", "-1").err


def test_without_its_line_in_the_registry_there_is_no_such_command(wattfront) -> None:
    assert wattfront("waiting", "two-by-two").status == 2
