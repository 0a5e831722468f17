"""The section of the report on fair shares: by when each bag can be done."""

from collections.abc import Iterator
from html import escape
from typing import Final

import numpy as np

from core.capabilities.fair_shares.energy import EnergyFront
from core.capabilities.fair_shares.energy_words import energy_said, proof_said
from core.capabilities.fair_shares.share_words import later_by, shares_lead, shares_said
from core.capabilities.fair_shares.shares import BesidePromises, FairShares, fair_shares
from core.capabilities.fair_shares.study_block import asked_bags_in
from core.capabilities.fair_shares.tasks.policies import TASK_POLICIES
from core.capabilities.fair_shares.tasks.words import SCORE_TITLES, score_said
from core.capabilities.fair_shares.words import network_said
from core.engines.front.study import Study
from core.shells.report import markup
from core.shells.report.svg import Scale, SvgDrawing
from core.shells.studies.settings import Choice, StudySettings
from core.vocabulary.say.words import NOTHING, Sense, amount, counted, duration, energy

_TITLE: Final = "Fair shares of bags that arrive"
_WIDTH: Final = 760.0
_LEFT, _TOP, _RIGHT, _BELOW = 170.0, 14.0, 744.0, 40.0
_ROW: Final = 24.0
_BAR: Final = 0.5
_TICKS: Final = 6


def section(_study: Study | None, settings: StudySettings, _choice: Choice | None) -> str:
    """The section on what is promised; empty if nothing is asked about bags."""
    asked = asked_bags_in(settings)
    if asked is None:
        return ""
    found = fair_shares(asked)
    bags = found.now.bags
    checked = (
        "Checked: code that shares nothing with the solver finds that the plan keeps all limits."
        if not found.wrong
        else "NOT verified: " + "; ".join(found.wrong)
    )
    name = f"{asked.name}: " if asked.name else ""
    said = [
        f"{name}{counted(len(bags.present), 'bag')}; {network_said(bags)}.",
        *shares_said(found),
        checked,
    ]
    return markup.section(
        _TITLE,
        markup.paragraph(shares_lead(found, _whole(asked.beside)), "lead"),
        markup.items(said),
        markup.figure(
            _picture(found),
            "For each bag: how long it takes alone (dark), and from its release until by when it "
            "is promised to be done (light).",
        ),
        "<h3>Promises</h3>",
        _table(found),
        *_beside(found, asked.beside),
    )


def _whole(beside: BesidePromises | None) -> float | None:
    """The least worst stretch of the replays of whole tasks, if there are any and none is wrong."""
    if beside is None or beside.wrong:
        return None
    return min((scores["max_stretch"] for scores in beside.scores.values()), default=None)


def _beside(found: FairShares, beside: BesidePromises | None) -> Iterator[str]:
    """What was computed beside the promises."""
    if beside is None:
        return
    if beside.wrong:
        yield markup.paragraph("NOT verified: " + "; ".join(beside.wrong))
    if beside.scores:
        yield "<h3>Whole tasks</h3>"
        least = amount(found.now.proven, Sense.LOWER_BOUND)
        yield markup.paragraph(
            f"{len(beside.scores):,} of {len(TASK_POLICIES):,} policies were replayed, the best "
            f"first. No policy can have a worst stretch below {least}. There are no intervals: "
            "these are one set of bags."
        )
        ranked = sorted(beside.scores.items(), key=lambda one: one[1]["max_stretch"])
        rows = [
            [escape(name), *(score_said(title, scores[title]) for title in SCORE_TITLES)]
            for name, scores in ranked
        ]
        yield markup.table(["Policy", *SCORE_TITLES.values()], rows)
    if beside.front is not None:
        yield "<h3>Worst stretch and energy</h3>"
        yield markup.paragraph(f"{energy_said(beside.front)} {proof_said(beside.front)}")
        yield markup.table(["Front", "Worst stretch", "Energy"], _ends(beside.front))


def _ends(front: EnergyFront) -> list[list[str]]:
    """The end points of the front."""
    last = "Least energy" if front.complete else "Least energy that was found"
    ends = dict.fromkeys((0, len(front.points) - 1))
    return [
        [
            last if k else "Least worst stretch",
            amount(float(front.points[k, 0]), Sense.SPENT),
            energy(float(front.points[k, 1]), Sense.SPENT),
        ]
        for k in ends
    ]


def _picture(found: FairShares) -> SvgDrawing:
    now, clock = found.now, found.asked.clock
    release, due = now.bags.release[now.bags.present], now.deadlines
    height = _TOP + _ROW * len(due) + _BELOW
    bottom = height - _BELOW
    across = Scale(float(release.min()), float(due.max()), _LEFT, _RIGHT - 24)
    drawing = SvgDrawing(_WIDTH, height, "Release and promise of each bag")
    for tick in np.linspace(float(release.min()), float(due.max()), _TICKS).tolist():
        x = across(tick)
        drawing.line(np.array([[x, _TOP], [x, bottom]]), "grid")
        drawing.text(x, bottom + 17, clock.said(tick, Sense.PLAIN, found.span), "middle")
    for row, name in enumerate(now.bags.names):
        top = _TOP + _ROW * (row + (1 - _BAR) / 2)
        begin, end = across(float(release[row])), across(float(due[row]))
        alone = across(float(release[row] + min(now.baseline[row], due[row] - release[row])))
        drawing.bars([(begin, top, end - begin, _ROW * _BAR)], "others")
        drawing.bars([(begin, top, alone - begin, _ROW * _BAR)], "schedule")
        drawing.text(_LEFT - 8, top + _ROW * _BAR - 2, name, "end")
    drawing.line(np.array([[_LEFT, bottom], [_RIGHT, bottom]]), "axis")
    return drawing


def _table(found: FairShares) -> str:
    now, clock = found.now, found.asked.clock
    release = now.bags.release[now.bags.present]
    head = ["Bag", "Tasks", "Released", "Alone", "Done by", "Done in the plan"]
    before = None if found.after is None else found.before.deadlines
    if before is not None:
        head += ["Done by, before the change", "Later by"]
    rows = []
    for k, name in enumerate(now.bags.names):
        row = [
            escape(name),
            f"{round(float(now.bags.work.counts[k])):,}",
            clock.said(float(release[k]), Sense.PLAIN, found.span),
            duration(float(now.baseline[k]), Sense.LOWER_BOUND),
            clock.said(float(now.deadlines[k]), Sense.SPENT, found.span),
            clock.said(float(now.plan.ends[k]), Sense.SPENT, found.span),
        ]
        if before is not None:
            known = k < len(before)
            row.append(clock.said(float(before[k]), Sense.SPENT, found.span) if known else NOTHING)
            row.append(later_by(float(now.deadlines[k] - before[k])) if known else NOTHING)
        rows.append(row)
    return markup.table(head, rows)
