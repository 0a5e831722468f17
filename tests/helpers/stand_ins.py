"""Stand-ins for the steps that a module takes, which say what each was handed."""

from collections.abc import Mapping
from types import ModuleType
from typing import Any, NamedTuple

import pytest


class Call(NamedTuple):
    """What a step was handed, in order and by name."""

    given: tuple[Any, ...]
    named: Mapping[str, Any]


class StandIns:
    """Steps of a module that do nothing but give what a test says, and keep what they are handed:
    `calls["polish"]` are the calls of `polish`, one after the other.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch, module: ModuleType) -> None:
        self._monkeypatch, self._module = monkeypatch, module
        self.calls: dict[str, list[Call]] = {}

    def gives(self, **steps: Any) -> None:
        """Each step of these names gives this from now on."""
        for name, result in steps.items():
            self._monkeypatch.setattr(self._module, name, self._step(name, result))

    def one(self, name: str) -> Call:
        """The only call of a step."""
        (call,) = self.calls[name]
        return call

    def _step(self, name: str, result: Any) -> Any:
        heard = self.calls.setdefault(name, [])

        def step(*given: Any, **named: Any) -> Any:
            heard.append(Call(tuple(map(_as_now, given)), named))
            return _as_now(result)

        return step


def _as_now(value: Any) -> Any:
    """Lists may grow later."""
    return list(value) if isinstance(value, list) else value
