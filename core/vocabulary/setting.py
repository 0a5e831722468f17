"""What a setting is: its kind, its usual value, and its words for the command line and for pages.

A capability declares a setting as a field of a frozen dataclass:

    jobs: int = setting(5_000, WholeIn(JOBS), "Jobs a day", "Of the day with an energy budget.")

The kinds say only which values there are. `forms.py` writes and reads them as flags and in study
files, `dashboard/workspace/parameters.py` in the address, and `dashboard/parts/fields/setting.py`
shows their widgets.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, fields
from numbers import Integral, Real
from pathlib import PurePath
from typing import Any, ClassVar, Final

from core.vocabulary.ranges import Range

_KEY: Final = "wattfront.setting"


@dataclass(frozen=True, slots=True)
class NumberIn:
    """A number within a range. A flag may take it `with_unit`, as in "90min", or as one of the
    `words`, each of which stands for a number.
    """

    allowed: Range
    with_unit: bool = False
    words: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class WholeIn:
    """A whole number within a range."""

    allowed: Range


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of some texts or whole numbers. `label` is what a page calls each. Those that are
    `private` mean something to a session only, so no address says them.
    """

    choices: Collection[Any]
    label: Callable[[Any], str] = str
    private: Collection[Any] = ()


@dataclass(frozen=True, slots=True)
class SomeOf:
    """Several of some texts, each at most once, as a tuple; `noun` is what one of them is."""

    choices: Collection[str]
    noun: str
    label: Callable[[Any], str] = str


@dataclass(frozen=True, slots=True)
class YesNo:
    """True or False."""

    choices: ClassVar = (True, False)


@dataclass(frozen=True, slots=True)
class AnyText:
    """A text, which may be blank."""


@dataclass(frozen=True, slots=True)
class ByHour:
    """Numbers within a range from hours of the day on, as pairs of an hour and a number; each hour
    is there once. `what` is a word for a number, which a table has as the name of its column.
    """

    allowed: Range
    what: str
    unit: str


SettingKind = NumberIn | WholeIn | OneOf | SomeOf | YesNo | AnyText | ByHour


@dataclass(frozen=True, slots=True)
class Flag:
    """A flag of the command line: what stands for its value in the help, and what it means. `kind`
    is set if it takes other values than a page does: a computer of one's own can do more than a
    server for all. Without a `name` it has that of the setting.
    """

    metavar: str
    meaning: str
    kind: SettingKind | None = None
    name: str = ""


@dataclass(frozen=True, slots=True)
class Setting:
    """A field of settings. `label` and `meaning` are for pages; `blank` is what a page calls None,
    and is itself None if the setting always has a value. Without a `parameter`, the address says it
    under its name.
    """

    usual: Any
    kind: SettingKind
    label: str = ""
    meaning: str | None = None
    blank: str | None = None
    flag: Flag | None = None
    parameter: str | None = None


def setting(
    usual: Any, kind: SettingKind, label: str = "", meaning: str | None = None, **more: Any
) -> Any:
    """A field of a dataclass that is a setting; `more` are its `blank`, `flag` and
    `parameter`. If its usual value is None, it may be None.
    """
    blank = {"blank": ""} if usual is None else {}
    made = Setting(usual, kind, label, meaning, **(blank | more))
    return field(default=usual, metadata={_KEY: made})


def settings_in(kind: type) -> Mapping[str, Setting]:
    """The settings of a dataclass by their names; its other fields are no settings."""
    return {one.name: one.metadata[_KEY] for one in fields(kind) if _KEY in one.metadata}


def strange(**given: tuple[object, Range | SettingKind | Collection[Any]]) -> Iterator[str]:
    """Why arguments of the library cannot be used, by their names: a number beyond its range or not
    whole, or what is not a choice. None is not given. Flags are read within the same.
    """
    for name, (value, kind) in given.items():
        allowed: Any = getattr(kind, "choices", getattr(kind, "allowed", kind))
        if isinstance(kind, AnyText):
            fits, choices = isinstance(value, str), "a text"
        elif not isinstance(allowed, Range):
            fits, choices = value in [*allowed], ", ".join(map(str, allowed))
        elif isinstance(kind, WholeIn):
            fits = isinstance(value, Integral) and int(value) in allowed
            choices = f"a whole number, {allowed}"
        else:
            fits = isinstance(value, Real) and float(value) in allowed
            choices = str(allowed)
        if value is not None and not fits:
            yield f"{name} is {value!r}; give {choices}"


def strange_settings(settings: object) -> Iterator[str]:
    """Why a program cannot ask for settings: each value that its flag would not take, under the
    name of the flag, or if it has none, of the setting. A function of the face makes settings of
    its arguments, and calls `refuse(strange_settings(asked))` in place of a list of its own.
    """
    for name, one in settings_in(type(settings)).items():
        value, kind, parameter = getattr(settings, name), one.kind, name
        if one.flag is not None:
            kind = one.flag.kind or kind
            parameter = one.flag.name.strip("-").replace("-", "_") or name
        each_of = tuple(number for _, number in value) if isinstance(kind, ByHour) else value
        for each in each_of if isinstance(each_of, tuple) else (each_of,):
            yield from strange(**{parameter: (each, kind)})


def lone(**given: object) -> Iterator[str]:
    """Why arguments of the library that take several values cannot be used, by their names: each is
    one text or path, whose letters would be taken for values.
    """
    for name, value in given.items():
        if isinstance(value, str | PurePath):
            yield f"{name} is {str(value)!r}; give a list, such as {name}=[{str(value)!r}]"
