"""Axis, layers, rivals and polish of the page Trade-offs above its chart; its exports."""

from functools import partial
from typing import Any, Final

import streamlit as st

from core import System
from core.engines.front.data import front_csv
from core.files.disk import FRONT_SUFFIX
from core.vocabulary.say.words import Sense, duration, share
from dashboard.parts.fields.setting import show_steps, show_widget
from dashboard.parts.frame.trade_off_state import key
from dashboard.parts.taking.batch_dialog import offer_batch_scripts
from dashboard.parts.taking.take_away import BUSY, download, show_files, study_settings
from dashboard.screens.trade_offs.contenders import SECONDS_EACH
from dashboard.workspace import session
from dashboard.workspace.answering import StagedStudy
from dashboard.workspace.export import file_name
from dashboard.workspace.trade_off_settings import TradeOffSettings

SPACINGS: Final = (0.1, 0.05, 0.02, 0.01, 0.005)
SECONDS: Final = (0.0, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 300.0)


def show_toolbar(settings: TradeOffSettings) -> None:
    """The widgets above the chart."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="toolbar"):
        _show(settings, "axis", label_visibility="collapsed", width=150)
        with st.popover("Show", icon=":material/layers:"):
            _show(settings, "show", pills=True)
            each = duration(SECONDS_EACH, Sense.TYPED)
            meaning = (
                f"Each method runs in the background for at most {each}. All except NSGA-II "
                "minimise the makespan alone."
            )
            _show(settings, "rivals", pills=True, help=meaning)
        with st.popover("Effort", icon=":material/tune:"):
            _show_effort(settings)


def _show(settings: TradeOffSettings, name: str, **how: Any) -> None:
    show_widget(settings, name, key=key(name), **how)


def _show_effort(settings: TradeOffSettings) -> None:
    for name, steps, said in (("spacing", SPACINGS, share), ("polish", SECONDS, duration)):
        show_steps(settings, name, steps, partial(said, sense=Sense.TYPED), key=key(name))


def show_answer_downloads(
    answer: StagedStudy | None, system: System, settings: TradeOffSettings
) -> None:
    """Buttons for the front, the report and the study file, once the study is whole."""
    name = file_name(session.workspace().version.title, FRONT_SUFFIX, "front")
    if answer is not None and answer.answers(system, settings.polish_settings):
        download("Front (CSV)", lambda: front_csv(answer.study), name)
        show_files(lambda: answer.study, session.chosen(), study_settings(answer.made))
    else:
        download("Front (CSV)", bytes, name, BUSY)
        show_files(None, session.chosen(), study_settings(settings.polish_settings))
    chosen = session.chosen()
    if chosen is not None and chosen.fingerprint_of_system == system.fingerprint:
        offer_batch_scripts(chosen.schedule, session.workspace().title, "trade_offs")
