"""The section of the report on a plan: what to buy, what it is worth, and other ways beside it."""

from dataclasses import replace
from typing import Final

import numpy as np

from core.capabilities.provision.answer import decided
from core.capabilities.provision.clashes import refuse_clash
from core.capabilities.provision.comparison import Comparison
from core.capabilities.provision.files.plan_file import PlanFile
from core.capabilities.provision.goals.answer import find_goal
from core.capabilities.provision.goals.answer import told as told_of_goal
from core.capabilities.provision.settings import SOUGHT
from core.capabilities.provision.study_block import ProvisionSettings
from core.capabilities.provision.told import told
from core.capabilities.provision.week_told import best_of_week, told_of_week
from core.capabilities.provision.words import DECIDED
from core.engines.front.study import Study
from core.shells.report import markup
from core.shells.report.svg import Scale, SvgDrawing
from core.shells.studies.seen import SeenInLog
from core.shells.studies.settings import Choice, StudySettings
from core.vocabulary.prices.site import Site
from core.vocabulary.problems import InvalidInput
from core.vocabulary.tolerances import GOAL_GAP

_TITLE: Final = "What to buy"
_MOST_SCENARIOS: Final = 640
"""More would make the report wait. Sobol points come in sets of 64, a power of 2."""


def section(_study: Study | None, settings: StudySettings, _choice: Choice | None) -> str:
    """The section for the plan of the study; its scenarios are drawn again, at most 640 of them."""
    asked = settings.block(ProvisionSettings)
    if asked is None or asked.file is None:
        return ""
    count = min(asked.file.scenarios.count, _MOST_SCENARIOS)
    file = replace(asked.file, scenarios=replace(asked.file.scenarios, count=count))
    try:
        refuse_clash(file.plan, whole=asked.is_whole(usual_goal=asked.goal.is_usual))
        if asked.of_week is not None:
            found = best_of_week(file, asked.of_week, settings.seen.arrivals)
            told_week = told_of_week(found, settings.site, settings.seen.node_use)
            return markup.told_section(_TITLE, told_week)
        return _decided(file, asked, settings.seen, settings.site)
    except InvalidInput as refused:
        said = "No purchase keeps all limits."
        if asked.of_week is not None:
            said = f"{SOUGHT[asked.of_week]} is not known."
        lead = markup.paragraph(said, "lead")
        faults = markup.items(fault.message for fault in refused.problems)
        return markup.section(_TITLE, lead, faults)


def _decided(file: PlanFile, asked: ProvisionSettings, seen: SeenInLog, site: Site | None) -> str:
    """The section for a plan without clashes. Raises `InvalidInput` if nothing keeps its limits."""
    if not asked.goal.is_usual:
        goal = find_goal(file, asked.goal, gap=GOAL_GAP)
        return markup.told_section(_TITLE, told_of_goal(goal, site, seen.node_use))
    found = decided(file, asked, seen.arrivals)
    caption = "Machines that each way to choose buys (above the line) and sells (below it)."
    picture = markup.figure(shopping_picture(found.compared), caption)
    said = told(found, site=site, use=seen.node_use)
    return markup.told_section(_TITLE, said, picture)


HEIGHT: Final = 300.0
_LEFT, _TOP, _RIGHT, _BOTTOM = 74.0, 20.0, 744.0, 262.0
_BAR: Final = 0.7


def shopping_picture(found: Comparison) -> SvgDrawing:
    """Machines bought above the line, and machines sold below it, a bar each way to choose."""
    purchases = [found.outcomes[way].purchase for way in DECIDED]
    bought = [float(purchase.buy.sum()) for purchase in purchases]
    sold = [float(purchase.sell.sum()) for purchase in purchases]
    high, low = max(*bought, 1.0), -max(*sold, 0.0)
    up = Scale(low, high, _BOTTOM, _TOP)
    drawing = SvgDrawing(HEIGHT, "Machines to buy and to sell, by way to choose")
    for y, said in up.said(6):
        drawing.line(np.array([[_LEFT, y], [_RIGHT, y]]), "grid")
        drawing.text(_LEFT - 8, y + 4, said, "end")
    step, zero = (_RIGHT - _LEFT) / len(DECIDED), up(0.0)
    for k, (way, title) in enumerate(DECIDED.items()):
        x = _LEFT + step * (k + (1 - _BAR) / 2)
        style = "schedule" if way == "rp" else "others"
        drawing.bars([(x, up(bought[k]), step * _BAR, zero - up(bought[k]))], style)
        drawing.bars([(x, zero, step * _BAR, up(-sold[k]) - zero)], style)
        drawing.text(x + step * _BAR / 2, _BOTTOM + 20, title, "middle")
    drawing.line(np.array([[_LEFT, zero], [_RIGHT, zero]]), "axis")
    drawing.text(14, (_TOP + _BOTTOM) / 2, "Machines", "middle title", turned=True)
    return drawing
