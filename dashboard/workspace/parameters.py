"""Query parameters, each read within its range. One that cannot be read is ignored with a note."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, TypeVar, assert_never

from core.files.findings import shown, shown_list
from core.vocabulary.prices.day import HOUR_OF_DAY
from core.vocabulary.ranges import Range
from core.vocabulary.setting import (
    AnyText,
    ByHour,
    NumberIn,
    OneOf,
    Setting,
    SomeOf,
    WholeIn,
    YesNo,
    settings_in,
)

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_YES: Final = "yes"
_NO: Final = "no"
_NONE: Final = "none"
"""What stands for no value, and for no choice of several."""
Settings = TypeVar("Settings", bound="DataclassInstance")
Word = TypeVar("Word", bound=str)
Number = TypeVar("Number", int, float)


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters of an address. `notes` are a sentence for each that was ignored."""

    given: Mapping[str, str]
    notes: list[str] = field(default_factory=list)

    def number(self, name: str, allowed: Range, kind: type[Number]) -> Number | None:
        """A number of this kind and in this range; None if it is missing or ignored."""
        text = self.given.get(name)
        if text is None:
            return None
        try:
            value = kind(text)
        except ValueError:
            value = None
        if value is not None and value in allowed:
            return value
        whole = "a whole number, " if kind is int else ""
        self.ignore(name, f"{whole}{allowed}")
        return None

    def choice(self, name: str, choices: Collection[Word]) -> Word | None:
        text = self.given.get(name)
        if text is None:
            return None
        for choice in choices:
            if choice == text:
                return choice
        self.ignore(name, f"one of {', '.join(choices)}")
        return None

    def choices(self, name: str, choices: Collection[str]) -> tuple[str, ...] | None:
        """The choices that are given, in the order of `choices`."""
        text = self.given.get(name)
        if text is None:
            return None
        parts = text.split()
        if unknown := sorted({*parts} - {*choices}):
            given = shown_list(unknown)
            self.notes.append(f"{name} is “{given}”; give one of {', '.join(choices)}")
        return tuple(choice for choice in choices if choice in parts)

    def pairs(
        self, name: str, kind: type[Number], keys: Range, values: Range, example: str
    ) -> tuple[tuple[Number, float], ...]:
        """`1:0.5 3:2` as pairs of numbers; each key occurs once. Empty if a pair cannot be read."""
        text = self.given.get(name, "")
        found: dict[Number, float] = {}
        try:
            for part in text.split():
                key, value = part.split(":")
                found[kind(key)] = float(value)
        except ValueError:
            found = {}
        sound = all(key in keys and value in values for key, value in found.items())
        if not sound or len(found) < len(text.split()):
            self.ignore(name, f"pairs such as {example}")
            return ()
        return tuple(found.items())

    def ignore(self, name: str, instead: str) -> None:
        self.notes.append(f"{name} is “{shown(self.given[name])}”; give {instead}")


def written(value: str | float | tuple[str, ...]) -> str:
    """A value as `Parameters` can read it; numbers are exact."""
    if isinstance(value, tuple):
        return " ".join(value)
    return value if isinstance(value, str) else repr(value).removesuffix(".0")


def written_pairs(pairs: Mapping[float, float]) -> str:
    return " ".join(f"{written(key)}:{written(value)}" for key, value in pairs.items())


def _parameters(kind: type, prefix: str) -> Iterator[tuple[str, str, Setting]]:
    """The parameter of each setting of a dataclass, its name, and itself."""
    for name, setting in settings_in(kind).items():
        own = name if setting.parameter is None else setting.parameter
        yield prefix + own, name, setting


def parameters_of(kind: type, prefix: str = "") -> frozenset[str]:
    """The parameters of all settings of a dataclass."""
    return frozenset(parameter for parameter, _, _ in _parameters(kind, prefix))


def read_settings(parameters: Parameters, usual: Settings, prefix: str = "") -> Settings:
    """The usual settings with what the parameters say in their place."""
    found = {
        name: value
        for parameter, name, setting in _parameters(type(usual), prefix)
        if (value := _read(parameters, parameter, setting)) is not _UNSAID
    }
    changed: Settings = replace(usual, **found)
    return changed


def written_settings(settings: object, usual: object, prefix: str = "") -> dict[str, str]:
    """The parameters of the settings that differ from the usual; `read_settings` is the inverse."""
    found = {}
    for parameter, name, setting in _parameters(type(settings), prefix):
        value = getattr(settings, name)
        private = isinstance(setting.kind, OneOf) and value in setting.kind.private
        if value != getattr(usual, name) and not private:
            by_hour = isinstance(setting.kind, ByHour) and value
            found[parameter] = written_pairs(dict(value)) if by_hour else _written(value)
    return found


_UNSAID: Any = object()


def _read(parameters: Parameters, name: str, setting: Setting) -> Any:
    """The value of a setting; `_UNSAID` if it is missing or ignored."""
    kind, text = setting.kind, parameters.given.get(name)
    if text == _NONE and (setting.blank is not None or isinstance(kind, SomeOf | ByHour)):
        return () if isinstance(kind, SomeOf | ByHour) else None
    found: Any
    match kind:
        case NumberIn(allowed):
            found = parameters.number(name, allowed, float)
        case WholeIn(allowed):
            found = parameters.number(name, allowed, int)
        case OneOf(choices, _, private):
            public = {str(choice): choice for choice in choices if choice not in private}
            found = public.get(parameters.choice(name, public) or "")
        case SomeOf(choices):
            found = parameters.choices(name, choices) or None
        case YesNo():
            said = parameters.choice(name, (_YES, _NO))
            found = None if said is None else said == _YES
        case AnyText():
            found = text
        case ByHour(allowed):
            found = parameters.pairs(name, float, HOUR_OF_DAY, allowed, "0:0.2 7:0.35") or None
        case _:
            assert_never(kind)
    return _UNSAID if found is None else found


def _written(value: Any) -> str:
    if value in (None, ()):
        return _NONE
    if isinstance(value, bool):
        return _YES if value else _NO
    return written(value)
