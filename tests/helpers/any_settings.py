"""Any settings of a class that declares them, for tests that hold for all of them."""

from typing import Any, assert_never

from hypothesis import strategies as st

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


def any_settings(kind: type) -> st.SearchStrategy[Any]:
    """Settings with any value of each kind; what is private to a session has its usual value."""
    return st.builds(kind, **{name: _any(one) for name, one in settings_in(kind).items()})


def _any(setting: Setting) -> st.SearchStrategy[Any]:
    found = _any_value(setting)
    return found if setting.blank is None else st.none() | found


def _any_value(setting: Setting) -> st.SearchStrategy[Any]:
    match setting.kind:
        case NumberIn(allowed):
            return st.floats(allowed.low, allowed.high)
        case WholeIn(allowed):
            return st.integers(int(allowed.low), int(allowed.high))
        case OneOf(choices, _, private):
            return st.sampled_from([one for one in choices if one not in private])
        case SomeOf(choices):
            some = st.lists(st.sampled_from([*choices]), unique=True)
            return some.map(lambda found: tuple(one for one in choices if one in found))
        case YesNo():
            return st.booleans()
        case AnyText():
            return st.text(max_size=20)
        case ByHour(allowed):
            hours, numbers = st.floats(0, 23.9), st.floats(allowed.low, allowed.high)
            return st.dictionaries(hours, numbers, max_size=4).map(lambda day: tuple(day.items()))
    assert_never(setting.kind)
