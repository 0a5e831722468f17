"""The energy of some machines of a schedule: at work on each task type, and without work."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import plotly.graph_objects as go

from core import System
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.say.colours import leading_task_types
from core.vocabulary.say.units import energy_unit
from core.vocabulary.say.without_work import rest_word
from core.vocabulary.say.words import Sense, energy, share
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import NoPowerData
from dashboard.parts.charts.drawing import Drawing
from dashboard.parts.charts.palette import IDLE, MIXED, OURS, Paint, paint_task
from dashboard.parts.charts.text import labels, plain


@dataclass(frozen=True, eq=False, slots=True)
class TaskEnergy:
    """Energy (J) of some machines: at work on each task type, and without work."""

    at_work: FloatArray
    idle: float


def task_energy(schedule: Schedule, machines: IntArray) -> TaskEnergy:
    """The energy of so many machines of each group, from the start to the makespan. Raises
    `NoPowerData` without APC.
    """
    system, kinds = schedule.system, schedule.machine_type
    if system.apc is None:
        raise NoPowerData
    per_task = np.zeros(system.etc.shape)
    np.multiply(system.etc, system.apc, out=per_task, where=np.isfinite(system.etc))
    at_work = np.einsum("g,gi,gi->i", machines.astype(float), schedule.tasks, per_task.T[kinds])
    waits = np.maximum(schedule.makespan - schedule.load, 0.0)
    idle = float(machines @ (waits * system.idle_power[kinds]))
    if (before := schedule.waits) is not None:
        more = system.waiting_power[before.machine_type] * machines[before.group]
        idle += float(more @ (before.end - before.start))
    return TaskEnergy(at_work, idle)


MOST_BARS: Final = 24
_ROW_PIXELS: Final = 24


def energy_split(schedule: Schedule) -> go.Figure:
    """The machine types that use most, in the order of the system; the others as one bar."""
    machine_names = schedule.system.machine_names
    rest = rest_word(schedule.system)
    parts = {"at work": schedule.busy_energy, rest: schedule.idle_energy}
    total = sum(parts.values(), np.zeros(len(machine_names)))
    most = np.sort(np.argsort(-total, kind="stable")[:MOST_BARS])
    others = np.setdiff1d(np.arange(len(total)), most)
    names = [machine_names[j] for j in most.tolist()]
    whole = np.append(total[most], total[others].sum() if len(others) else [])
    unit = energy_unit(float(whole.sum()))
    ticks = labels(names)
    spoken = [plain(name) for name in names]
    if len(others):
        ticks.append(f"{len(others):,} others")
        spoken.append(ticks[-1])
    drawing = Drawing()
    for (word, joules), colour in zip(parts.items(), (OURS, IDLE), strict=True):
        part = np.append(joules[most], joules[others].sum() if len(others) else [])
        of_it = np.divide(part, whole, out=np.full(len(part), np.nan), where=whole > 0)
        spent_idle = [
            f"{share(fraction, Sense.PLAIN)} {rest}" if fraction > 0 else ""
            for fraction in of_it.tolist()
        ]
        drawing.add_bar(
            orientation="h",
            y=np.arange(len(part)),
            x=part / unit.size,
            name=word,
            text=spent_idle if word == rest else None,
            textposition="outside",
            cliponaxis=False,
            marker={"color": colour},
            customdata=[
                f"<b>{name}</b><br>{word} {energy(value, Sense.PLAIN)}, "
                f"{share(fraction, Sense.PLAIN)} of its energy"
                for name, value, fraction in zip(spoken, part.tolist(), of_it.tolist(), strict=True)
            ],
        )
    drawing.x_axis(
        f"Energy ({unit.symbol})", range=[0, 1.2 * float(whole.max()) / unit.size or 1.0]
    )
    drawing.rows(ticks)
    return drawing.figure(
        barmode="stack",
        bargap=0.3,
        height=_ROW_PIXELS * max(len(ticks), 4) + 90,
        legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom", "traceorder": "normal"},
    )


def task_split(system: System, spent: TaskEnergy) -> go.Figure:
    """The task types that use most, then all others, then idle energy; in the task colours."""
    leading = leading_task_types(system)
    order = np.argsort(-spent.at_work, kind="stable")
    some = [i for i in order[:MOST_BARS].tolist() if spent.at_work[i] > 0]
    rest = float(np.delete(spent.at_work, some).sum())
    rows: list[tuple[str, float, Paint]] = [
        (
            system.task_names[i],
            float(spent.at_work[i]),
            paint_task(int(leading.rank[i])) if leading.rank[i] < leading.tail else MIXED,
        )
        for i in some
    ]
    if rest:
        rows.append(("others", rest, MIXED))
    rows.append((rest_word(system), spent.idle, Paint(IDLE)))
    whole = sum(joules for _, joules, _ in rows)
    unit = energy_unit(whole)
    drawing = Drawing()
    for row, (name, joules, look) in enumerate(rows):
        part = f", {share(joules / whole, Sense.PLAIN)} of the energy shown" if whole else ""
        drawing.add_bar(
            orientation="h",
            y=[row],
            x=[joules / unit.size],
            marker=look.marker,
            customdata=[f"<b>{plain(name)}</b><br>{energy(joules, Sense.PLAIN)}{part}"],
            showlegend=False,
        )
    drawing.x_axis(f"Energy ({unit.symbol})", rangemode="tozero")
    drawing.rows(labels([name for name, *_ in rows]))
    return drawing.figure(_ROW_PIXELS * max(len(rows), 4) + 90, bargap=0.3, barmode="overlay")
