"""The section of the report on profit: settings, upper bound, profit found, and what changes it."""

import math
from html import escape
from typing import Final

import numpy as np

from core.capabilities.profit.day import day_of
from core.capabilities.profit.earn import earn
from core.capabilities.profit.program import CapTooLow
from core.capabilities.profit.settings import Named, ProfitSettings
from core.capabilities.profit.sweep import ProfitCurve, curve, price_range
from core.capabilities.profit.told import MOST_LISTED, costs_said, told, told_of_day
from core.engines.front.study import Study
from core.shells.report import markup
from core.shells.report.svg import Scale, SvgDrawing, draw_axes
from core.shells.studies.settings import Choice, StudySettings
from core.shells.told.told import not_verified
from core.vocabulary.budget import Effort
from core.vocabulary.prices.words import steps_said
from core.vocabulary.say.money import Money
from core.vocabulary.say.words import Sense, amount, typed

_TITLE: Final = "Profit"
HEIGHT: Final = 360.0
_LEFT, _TOP, _RIGHT, _BOTTOM = 74.0, 40.0, 744.0, 306.0
_CHARACTER: Final = 6.6
_ROOM: Final = 0.06
# If all values are equal, the axis extends by this share of the value.
_LEAST_EXTENT: Final = 1e-3


def section(study: Study, settings: StudySettings, choice: Choice | None) -> str:
    """The section for the best of the study's schedules, the chosen one, and one for profit."""
    if (asked := settings.block(ProfitSettings)) is None:
        return ""
    front, terms = study.front, asked.terms(study.front)
    known = [*study.schedules, *(() if choice is None else (choice.schedule,))]
    costs = f"<h3>Prices and costs</h3>{_settings_table(asked)}"
    try:
        profit = earn(study.system, terms, effort=Effort(0), known=known)
    except CapTooLow as refusal:
        return markup.section(_TITLE, markup.paragraph(f"{refusal}.", "lead"), costs)
    unit = asked.unit_price(front)
    found = curve(study.system, terms, front, price_range(unit, terms.price))
    picture = profit_picture(found, unit, terms.overhead, (terms.price, profit.value), asked.money)
    caption = (
        "No schedule, not even one that splits tasks, earns more than the line. Where it breaks "
        "even and where the thriftiest and the fastest schedule become the best is exact"
        + ("." if math.isinf(terms.power_cap) else "; the last two are without the power cap.")
    )
    said = told(profit, found.steps, asked, front)
    if profit.earnings is not None and (tariff := asked.site.day) is not None:
        day = day_of(profit.earnings.schedule, terms, tariff)
        said = said.beside(told_of_day(day, day.best, asked.money))
    fault = "an independent check disagrees; do not use this schedule."
    warning = "" if profit.verified else markup.paragraph(not_verified(fault))
    return markup.told_section(_TITLE, said, warning, markup.figure(picture, caption), costs)


def _settings_table(settings: ProfitSettings) -> str:
    """What a batch is paid and what it costs, as a table."""
    unit, per = settings.money.currency, {"h": "hour", "s": "second"}[settings.money.per]
    paid = f"{typed(settings.price)} {unit}"
    if settings.by == "ratio":
        paid = f"{typed(settings.ratio)} times {settings.unit_said}"
    rows = [("A batch is paid", paid), *costs_said(settings)]
    if steps := settings.site.day_tariff:
        rows.append(("Over the day", f"{steps_said(steps)} ({unit} a kWh)"))
    cells = [(label, escape(value)) for label, value in rows]
    for label, named, each in (
        ("Wear", settings.wear, f"{unit} a busy {per}"),
        ("Depreciation", settings.depreciation, f"{unit} a{'n' if per == 'hour' else ''} {per}"),
    ):
        if named:
            cells.append((label, f"{_named(named)} {escape(each)}, of one machine"))
    return f'<div class="plain">{markup.table(["Setting", "Value"], cells)}</div>'


def _named(named: Named) -> str:
    shown = [f"{markup.name(name)} {typed(money)}" for name, money in named[:MOST_LISTED]]
    more = len(named) - len(shown)
    return ", ".join(shown) + (f" and {more:,} more:" if more else "")


def profit_picture(
    curve: ProfitCurve, unit_price: float, overhead: float, now: tuple[float, float], money: Money
) -> SvgDrawing:
    """The picture; its horizontal axis has ratios, or prices if the least energy costs nothing.
    `now` is the price of a batch and the profit found, in money a second.
    """
    per = unit_price or 1.0
    seen = np.isfinite(curve.at_most)
    ratios, rates = curve.prices[seen] / per, money.rate(1.0) * curve.at_most[seen]
    here = now[0] / per, money.rate(now[1])
    values = np.concatenate([rates, [0.0, here[1]]])
    low, high = float(values.min()), float(values.max())
    room = _ROOM * _extent(low, high)
    first, last = float(curve.prices[0] / per), float(curve.prices[-1] / per)
    across = Scale(first, first + _extent(first, last), _LEFT, _RIGHT)
    up = Scale(low - room, high + room, _BOTTOM, _TOP)

    drawing = SvgDrawing(HEIGHT, "Profit over the price of a batch")
    zero = up(0.0)
    drawing.line(np.array([[_LEFT, zero], [_RIGHT, zero]]), "grid")
    steps = curve.steps
    for revenue, said, height in (
        (steps.capped_break_even, "breaks even", 14.0),
        (steps.thriftiest_from, "thriftiest from", 30.0),
        (steps.fastest_from, "fastest from", 46.0),
    ):
        at = (revenue + overhead) / per
        if across.low <= at <= across.high:
            x = across(at)
            drawing.line(np.array([[x, _TOP], [x, _BOTTOM]]), "grid")
            side, shift = ("start", 4.0) if x < (_LEFT + _RIGHT) / 2 else ("end", -4.0)
            drawing.text(
                x + shift, _TOP + height, f"{said} {amount(at, Sense.PLAIN)}", f"{side} title"
            )
    drawing.line(np.column_stack([across.of(ratios), up.of(rates)]), "bound")
    drawing.dots(np.array([[across(here[0]), up(here[1])]]), 5.0, "schedule")
    price = "Profit ratio" if unit_price else "Price of a batch"
    draw_axes(drawing, across, up, (price, f"Profit ({money.rate_unit})"))
    _draw_key(drawing)
    return drawing


def _extent(low: float, high: float) -> float:
    """The distance between both values, or a small one if they are equal."""
    return max(high - low, _LEAST_EXTENT * max(abs(low), abs(high))) or 1.0


def _draw_key(drawing: SvgDrawing) -> None:
    said = "at most, by any schedule (proven)"
    drawing.line(np.array([[_LEFT, 16.0], [_LEFT + 16, 16.0]]), "bound")
    drawing.text(_LEFT + 21, 20.0, said, "start")
    x = _LEFT + 42 + _CHARACTER * len(said)
    drawing.dots(np.array([[x + 5, 16.0]]), 5.0, "schedule")
    drawing.text(x + 15, 20.0, "found", "start")
