"""The section of the report on fair shares: by when each bag can be done."""

from typing import Final

import numpy as np

from core.capabilities.fair_shares.shares import AskedBags, BesidePromises, FairShares, promises_of
from core.capabilities.fair_shares.told import told_beside
from core.engines.front.study import Study
from core.shells.report import markup
from core.shells.report.svg import Scale, SvgDrawing
from core.shells.studies.settings import Choice, StudySettings
from core.vocabulary.say.words import Sense

_TITLE: Final = "Fair shares of bags that arrive"
_LEFT, _TOP, _RIGHT, _BELOW = 170.0, 14.0, 744.0, 40.0
_ROW: Final = 24.0
_BAR: Final = 0.5
_TICKS: Final = 6


def section(_study: Study | None, settings: StudySettings, _choice: Choice | None) -> str:
    """The section on what is promised; empty if nothing is asked about bags."""
    asked = settings.block(AskedBags)
    if asked is None:
        return ""
    found = promises_of(asked)
    said = told_beside(found, asked.beside or BesidePromises(), found.now.proven, settings.site)
    caption = (
        "For each bag: how long it takes alone (dark), and from its release until by when it is "
        "promised to be done (light)."
    )
    return markup.told_section(_TITLE, said, markup.figure(_picture(found), caption))


def _picture(found: FairShares) -> SvgDrawing:
    now, clock = found.now, found.asked.clock
    release, due = now.bags.release[now.bags.present], now.deadlines
    height = _TOP + _ROW * len(due) + _BELOW
    bottom = height - _BELOW
    across = Scale(float(release.min()), float(due.max()), _LEFT, _RIGHT - 24)
    drawing = SvgDrawing(height, "Release and promise of each bag")
    ticks = np.linspace(across.low, across.high, _TICKS).tolist()
    said = [(across(tick), clock.said(tick, Sense.PLAIN, found.span)) for tick in ticks]
    drawing.grid(said, _TOP, bottom)
    for row, name in enumerate(now.bags.names):
        top = _TOP + _ROW * (row + (1 - _BAR) / 2)
        begin, end = across(float(release[row])), across(float(due[row]))
        alone = across(float(release[row] + min(now.baseline[row], due[row] - release[row])))
        drawing.bars([(begin, top, end - begin, _ROW * _BAR)], "others")
        drawing.bars([(begin, top, alone - begin, _ROW * _BAR)], "schedule")
        drawing.text(_LEFT - 8, top + _ROW * _BAR - 2, name, "end")
    drawing.line(np.array([[_LEFT, bottom], [_RIGHT, bottom]]), "axis")
    return drawing
