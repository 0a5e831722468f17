"""Settings on the command line: their flags, what was given, and the words that give it again."""

import argparse
from collections.abc import Callable
from typing import Any, Protocol, assert_never

from core.cli.numbers import number_within, whole_within
from core.settings.setting import (
    NumberIn,
    OneOf,
    Setting,
    SettingKind,
    SomeOf,
    WholeIn,
    YesNo,
    settings_in,
)


class TakesFlags(Protocol):
    """A parser, or a group of it."""

    @property
    def add_argument(self) -> Callable[..., argparse.Action]: ...


def declare_flags(parser: TakesFlags, kind: type, *names: str) -> None:
    """Adds the flags of these settings in this order, or of all that have one. A flag that is not
    given leaves None.
    """
    declared = settings_in(kind)
    for name in names or declared:
        if (flag := declared[name].flag) is not None:
            how = _how(flag.kind or declared[name].kind)
            if "action" not in how or how["action"] == "append":
                how["metavar"] = flag.metavar
            parser.add_argument(flag.name, dest=name, default=None, help=flag.meaning, **how)


def _how(kind: SettingKind) -> dict[str, Any]:
    """How argparse reads a value of a kind."""
    match kind:
        case NumberIn(allowed):
            return {"type": number_within(allowed)}
        case WholeIn(allowed):
            return {"type": whole_within(allowed)}
        case OneOf(choices):
            return {"type": type(next(iter(choices))), "choices": tuple(choices)}
        case SomeOf(choices):
            return {"action": "append", "choices": tuple(choices)}
        case YesNo():
            return {"action": "store_true"}
    assert_never(kind)


def given_flags(arguments: argparse.Namespace, kind: type) -> dict[str, Any]:
    """The values of the flags that were given, by the names of their settings."""
    flagged = [name for name, setting in settings_in(kind).items() if setting.flag is not None]
    found = {name: getattr(arguments, name, None) for name in flagged}
    return {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in found.items()
        if value is not None
    }


def flag_words(settings: Any, usual: Any, *names: str) -> list[object]:
    """The words of a command line that give these settings in this order, or all that have a flag;
    those with the `usual` value of the command need no word.
    """
    words: list[object] = []
    declared = settings_in(type(settings))
    for name in names or declared:
        if (value := getattr(settings, name)) != getattr(usual, name):
            words += _words(declared[name], value)
    return words


def _words(setting: Setting, value: Any) -> list[object]:
    if setting.flag is None or value is None:
        return []
    flag = setting.flag.name
    if isinstance(setting.kind, YesNo):
        return [flag] if value else []
    if isinstance(setting.kind, SomeOf):
        return [word for one in value for word in (flag, one)]
    # A word such as -1e-05 would be read as a flag.
    return [f"{flag}={value}"] if str(value).startswith("-") else [flag, value]
