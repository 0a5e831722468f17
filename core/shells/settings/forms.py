"""Settings as flags of a command, as the words that give them again, and in a study file."""

import argparse
from collections.abc import Collection
from difflib import get_close_matches
from typing import Any, Final, assert_never

from core.files.findings import shown
from core.files.strict_json import Fields, as_float, as_whole, whole_value_fault
from core.shells.settings.by_hour import read_by_hour
from core.shells.settings.numbers import amount_within, number_within, share_within, whole_within
from core.vocabulary.calendar import HOURS_OF_DAY
from core.vocabulary.prices.day import DailySteps
from core.vocabulary.ranges import IDLE_FRACTION, SHARE, Range
from core.vocabulary.say.quantities import TIME
from core.vocabulary.setting import (
    AnyText,
    ByHour,
    Flag,
    NumberIn,
    OneOf,
    SettingKind,
    SomeOf,
    WholeIn,
    YesNo,
    settings_in,
)

_QUANTITIES: Final = {"s": TIME}
"""What people write with other units, by the unit of a range."""


def declare_flags(parser: Any, kind: type, *names: str, prefix: str = "") -> None:
    """Adds the flags of these settings in this order, or of all that have one, to a parser or a
    group of it. A flag that is not given leaves None. The arguments have the names of the settings
    with a `prefix`.
    """
    declared = settings_in(kind)
    for name in names or declared:
        if (flag := declared[name].flag) is not None:
            how = _how(flag.kind or declared[name].kind)
            how |= {"metavar": flag.metavar} if flag.metavar else {}
            how |= {"dest": prefix + name, "default": None, "help": flag.meaning}
            parser.add_argument(flag_name(name, flag), **how)


def flag_name(name: str, flag: Flag) -> str:
    """What is typed for a setting of this name."""
    return flag.name or f"--{name.replace('_', '-')}"


def _how(kind: SettingKind) -> dict[str, Any]:
    """How argparse reads a value of a kind."""
    match kind:
        case NumberIn(allowed, True, words):
            return {"type": amount_within(allowed, _QUANTITIES[allowed.unit], dict(words))}
        case NumberIn(allowed):
            how = share_within if allowed in (SHARE, IDLE_FRACTION) else number_within
            return {"type": how(allowed)}
        case WholeIn(allowed):
            return {"type": whole_within(allowed)}
        case OneOf(choices):
            return {"type": type(next(iter(choices))), "choices": tuple(choices)}
        case SomeOf(choices):
            return {"action": "append", "choices": tuple(choices)}
        case YesNo():
            return {"action": "store_true"}
        case AnyText() | ByHour():
            return {"type": str}  # hours may be the name of a file
    assert_never(kind)


def given_flags(arguments: argparse.Namespace, kind: type, *, prefix: str = "") -> dict[str, Any]:
    """The values of the flags that were given, by the names of their settings. Raises
    `InvalidInput` if one names a file that cannot be read.
    """
    found: dict[str, Any] = {}
    for name, setting in settings_in(kind).items():
        value = getattr(arguments, prefix + name, None) if setting.flag else None
        if value is not None and setting.flag is not None and isinstance(setting.kind, ByHour):
            value = read_by_hour(value, setting.kind, flag_name(name, setting.flag))
        if value is not None:
            found[name] = tuple(value) if isinstance(value, list) else value
    return found


def flag_words(settings: Any, usual: Any, *names: str) -> list[object]:
    """The words of a command line that give these settings in this order, or all that have a flag;
    those with the `usual` value of the command need no word.
    """
    words: list[object] = []
    declared = settings_in(type(settings))
    for name in names or declared:
        value, flag = getattr(settings, name), declared[name].flag
        if flag is None or value is None or value == getattr(usual, name):
            continue
        given = flag_name(name, flag)
        if isinstance(value, bool):
            words += [given] if value else []
            continue
        if isinstance(declared[name].kind, ByHour):
            steps = ",".join(f"{shell_word(hour)}:{shell_word(one)}" for hour, one in value)
            words += [given, steps]
            continue
        kind = flag.kind or declared[name].kind
        if isinstance(kind, NumberIn) and kind.with_unit:
            said = {number: word for word, number in kind.words}
            words += [given, said.get(value, f"{shell_word(value)}{kind.allowed.unit}")]
            continue
        for one in value if isinstance(value, tuple) else (value,):
            # A word such as -1e-05 would be read as a flag.
            words += [f"{given}={one}"] if str(one).startswith("-") else [given, one]
    return words


def shell_word(word: object) -> str:
    """The word for a shell: a number with all its digits, without a needless ".0"."""
    return repr(word).removesuffix(".0") if isinstance(word, float) else str(word)


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
            return _one_of(given, name, wholes)
        case SomeOf(choices, noun):
            return _some_of(given, name, choices, noun)
        case YesNo():
            if not isinstance(given.content[name], bool):
                given.error(name, "is neither true nor false; give one of them")
            return given.content[name] is True
        case AnyText():
            return given.text(name)
        case ByHour(allowed):
            return _by_hour(given, name, allowed)
    assert_never(kind)


def _one_of(given: Fields, name: str, choices: Collection[Any]) -> Any:
    """One of choices that are not all texts."""
    there = given.content[name]
    value = there if isinstance(there, str) and there in choices else as_whole(there)
    if value is not None and value in choices:
        return value
    if value is None:
        given.error(name, whole_value_fault(there))
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


def _by_hour(given: Fields, name: str, allowed: Range) -> DailySteps:
    """The hours of the day, each at most once, and their numbers."""
    items = given.content[name]
    remedy = "give [[hour, number], ...], hours from 0 to below 24, each once"
    if not isinstance(items, list):
        given.error(name, f"is not a list of steps; {remedy}")
        return ()
    steps: dict[float, float] = {}
    for k, item in enumerate(items, start=1):
        pair = item if isinstance(item, list) and len(item) == 2 else [None, None]
        hour, number = map(as_float, pair)
        if hour is None or number is None or not 0 <= hour < HOURS_OF_DAY or number not in allowed:
            given.error(name, f"step {k:,} is {shown(str(item))}; {remedy}, numbers of {allowed}")
        elif hour in steps:
            given.error(name, f"step {k:,} has the hour of another one; {remedy}")
        else:
            steps[hour] = number
    return tuple(steps.items())
