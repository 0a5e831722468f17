"""The trade-off in the report: its picture, and the schedules on the Pareto front."""

from html import escape

import numpy as np

from core.capabilities.trade_offs.report_picture import front_picture
from core.engines.front.study import Study
from core.shells.report import markup
from core.shells.report.tables import MOST_ROWS, evenly
from core.shells.studies.settings import Choice, StudySettings
from core.vocabulary.say.units import energy_unit
from core.vocabulary.say.words import Sense, amount, duration, share
from core.vocabulary.schedule import Schedule


def section(study: Study, settings: StudySettings, choice: Choice | None) -> str:
    """The picture of the front, and the schedules along it; the chosen one is marked."""
    chosen = None if choice is None else choice.schedule
    caption = (
        "Down and left is better. No schedule, not even one that splits tasks, is in the grey "
        "region; schedules that exist dominate the blue one; better ones may be in between."
    )
    content = [markup.figure(front_picture(study, chosen), caption)]
    if len(study.achieved):
        content += ["<h3>Schedules on the Pareto front</h3>"]
        content += [schedules_table(study, settings, chosen)]
    return markup.section("The trade-off", *content)


def schedules_table(study: Study, settings: StudySettings, chosen: Schedule | None) -> str:
    """The schedules on the Pareto front, the fastest first; if they are many, an even selection."""
    points = study.achieved[::-1]
    here = None
    shown = evenly(len(points), MOST_ROWS)
    if chosen is not None:
        same = (points == [chosen.energy, chosen.makespan]).all(axis=1)
        if same.any():
            shown = np.union1d(shown, np.flatnonzero(same)[:1])
            here = int(np.searchsorted(shown, int(same.argmax())))
    energy = energy_unit(points[:, 0].max())
    tariff = settings.tariff
    head = ["Makespan", f"Energy ({energy.symbol})"]
    if tariff is not None:
        head.append(f"Cost ({escape(settings.currency)})")
        if tariff.carbon_per_kwh:
            head.append("Carbon (kg CO₂)")
    head += ["Average power (kW)", "Saved against the fastest", "Above the bound, at most"]
    rows = []
    gaps = study.proven.energy_gaps(points[shown]).tolist()
    for (joules, seconds), gap in zip(points[shown].tolist(), gaps, strict=True):
        row = [duration(seconds, Sense.SPENT), amount(joules / energy.size, Sense.SPENT)]
        if tariff is not None:
            row.append(amount(tariff.cost(joules), Sense.SPENT))
            if tariff.carbon_per_kwh:
                row.append(amount(tariff.carbon(joules), Sense.SPENT))
        most = points[0, 0]
        row += [
            amount(joules / seconds / 1e3 if seconds > 0 else None, Sense.SPENT),
            share(1 - joules / most if most > 0 else None, Sense.EARNED),
            share(gap, Sense.UPPER_BOUND),
        ]
        rows.append(row)
    more = len(points) - len(shown)
    note = f"{more:,} more lie in between; the study file has them." if more else ""
    return markup.table(head, rows, here) + (markup.paragraph(note, "quiet") if more else "")
