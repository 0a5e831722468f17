"""The ordinary widgets of settings, as they are declared. A page calls `show_field` for each."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar, assert_never

import streamlit as st

from core.vocabulary.setting import (
    AnyText,
    ByHour,
    NumberIn,
    OneOf,
    SomeOf,
    WholeIn,
    YesNo,
    settings_in,
)
from dashboard.patches.hearing import believing_only
from dashboard.workspace import session
from dashboard.workspace.parameters import written_pairs

Take = Callable[[str, str], None]
"""Takes over a setting, by its name, from the widget with a key."""


def show_field(area: str, take: Take, settings: Any, name: str, **how: Any) -> Any:
    """Shows the widget of a setting, with a key of the `area`; returns what `take` takes over."""
    value = getattr(settings, name)
    shown = list(value) if isinstance(value, tuple) else value
    key = session.fresh_key(f"{area}.{name}", shown)
    return show_widget(settings, name, key=key, on_change=take, args=(name, key), **how)


def show_widget(settings: Any, name: str, **how: Any) -> Any:
    """The same under a key of the page's own. `how` has arguments of the widget; choices are all in
    sight if it is to be a `segmented` control or `pills`.
    """
    setting, value = settings_in(type(settings))[name], getattr(settings, name)
    kind = setting.kind
    how = {"label": setting.label, "help": setting.meaning, **how}
    match kind:
        case NumberIn(allowed):
            ends = {"min_value": float(allowed.low), "max_value": float(allowed.high)}
            usual = {"value": value, "format": "%.6g", "placeholder": setting.blank}
            return st.number_input(**{**ends, **usual, **how})
        case WholeIn(allowed):
            ends = {"min_value": int(allowed.low), "max_value": int(allowed.high)}
            return st.number_input(**{**ends, "value": value, "placeholder": setting.blank, **how})
        case OneOf():
            return _show_one_of(setting.blank, kind, value, how)
        case SomeOf(choices, _, words):
            how = {"options": list(choices), "default": list(value), "format_func": words, **how}
            if how.pop("pills", False):
                return st.pills(selection_mode="multi", **how)
            return st.multiselect(**how)
        case YesNo():
            return st.toggle(**{"value": value, **how})
        case AnyText():
            return st.text_input(**{"value": value, **how})
        case ByHour():
            return st.text_input(**{"value": written_pairs(dict(value)), **how})
    assert_never(kind)


def show_steps(
    settings: Any,
    name: str,
    steps: Sequence[float | None],
    said: Callable[[float], str],
    **how: Any,
) -> None:
    """A slider that snaps to these steps, and to the value of the setting if it is none of them;
    the steps rise or fall, and None is at one end. `how` has arguments of the widget, and perhaps
    another label, or another word for None.
    """
    setting, value = settings_in(type(settings))[name], getattr(settings, name)
    if value not in steps:
        numbers = [step for step in steps if step is not None]
        numbers = sorted((*numbers, value), reverse=numbers[0] > numbers[-1])
        begin, end = ([None] if steps[k] is None else [] for k in (0, -1))
        steps = [*begin, *numbers, *end]
    blank = how.pop("blank", setting.blank) or ""
    st.select_slider(
        how.pop("label", setting.label),
        steps,
        value,
        format_func=lambda step: blank if step is None else said(step),
        help=setting.meaning,
        **how,
    )


def _show_one_of(blank: str | None, kind: OneOf, value: Any, how: dict[str, Any]) -> Any:
    options = how.pop("options", [*([] if blank is None else [None]), *kind.choices])

    def words(one: Any) -> str:
        return blank or "" if one is None else kind.label(one)

    how = {"format_func": words, **how}
    if how.pop("segmented", False):
        return show_choice(options=options, default=value, **how)
    return st.selectbox(options=options, index=options.index(value), **how)


T = TypeVar("T")


def show_choice(label: str, options: Iterable[T], **settings: Any) -> T:
    """The option chosen. `settings` are arguments of Streamlit's segmented control."""
    with believing_only(_is_chosen):
        chosen: T = st.segmented_control(label, list(options), required=True, **settings)
    return chosen


def show_look(
    label: str,
    options: Iterable[T],
    key: str,
    words: Callable[[T], str] = str,
    **settings: Any,
) -> T:
    """The choice of what a person looks at, which the session keeps; at first the first option.
    The label is only read aloud.
    """
    shown = list(options)
    kept = {"persist_state": "session", "label_visibility": "collapsed", "default": shown[0]}
    return show_choice(label, shown, key=key, format_func=words, **{**kept, **settings})


def _is_chosen(value: object) -> bool:
    return value is not None
