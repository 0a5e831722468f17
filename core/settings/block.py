"""Settings in a study file: an object with a field for each."""

from collections.abc import Collection
from difflib import get_close_matches
from typing import Any, assert_never

from core.files.fields import Fields
from core.files.findings import shown
from core.files.strict_json import as_whole, whole_value_fault
from core.settings.setting import (
    NumberIn,
    OneOf,
    SettingKind,
    SomeOf,
    WholeIn,
    YesNo,
    settings_in,
)


def read_block(given: Fields, kind: type) -> dict[str, Any]:
    """The settings of an object that says them, valid only if nothing was reported. A setting that
    is not there, or is null though it must have a value, is left out.
    """
    found: dict[str, Any] = {}
    for name, setting in settings_in(kind).items():
        if given.has(name):
            found[name] = _read(given, name, setting.kind)
        elif name in given.content and setting.blank is not None:
            found[name] = None
    return found


def written_block(settings: Any) -> dict[str, object]:
    """The settings as JSON, which `read_block` reads back."""
    values = {name: getattr(settings, name) for name in settings_in(type(settings))}
    return {
        name: list(value) if isinstance(value, tuple) else value for name, value in values.items()
    }


def _read(given: Fields, name: str, kind: SettingKind) -> object:
    match kind:
        case NumberIn(allowed):
            return given.number(name, allowed)
        case WholeIn(allowed):
            return given.whole(name, allowed)
        case OneOf(choices) if all(isinstance(choice, str) for choice in choices):
            return given.one_of(name, choices)
        case OneOf(wholes):
            return _whole_of(given, name, wholes)
        case SomeOf(choices, noun):
            return _some_of(given, name, choices, noun)
        case YesNo():
            return _yes_no(given, name)
    assert_never(kind)


def _whole_of(given: Fields, name: str, choices: Collection[int]) -> int:
    value = as_whole(given.content[name])
    if value is not None and value in choices:
        return value
    if value is None:
        given.error(name, whole_value_fault(given.content[name]))
    else:
        given.error(name, f"is {value:,}; give one of {', '.join(map(str, choices))}")
    return next(iter(choices))


def _some_of(given: Fields, name: str, choices: Collection[str], noun: str) -> tuple[str, ...]:
    """The texts of a list, each once."""
    listed = given.content[name]
    if not isinstance(listed, list):
        given.error(name, f"is not a list; give some of {', '.join(choices)}")
        return ()
    for one in listed:
        if not isinstance(one, str) or one not in choices:
            close = get_close_matches(str(one).casefold(), choices, 1, 0.5)
            meant = f"did you mean {close[0]}?" if close else f"give some of {', '.join(choices)}"
            given.error(name, f"'{shown(str(one))}' is no {noun}; {meant}")
    return tuple(dict.fromkeys(one for one in listed if isinstance(one, str)))


def _yes_no(given: Fields, name: str) -> bool:
    value = given.content[name]
    if not isinstance(value, bool):
        given.error(name, "is neither true nor false; give one of them")
    return value is True
