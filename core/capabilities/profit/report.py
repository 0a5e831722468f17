"""The section of the report on profit: settings, upper bound, profit found, and what changes it."""

import math
from html import escape
from typing import Final

from core.capabilities.profit.curve import curve, price_range
from core.capabilities.profit.day import Day, day_of
from core.capabilities.profit.day_tariff import Start
from core.capabilities.profit.earn import Profit, earn
from core.capabilities.profit.prices import PriceSteps
from core.capabilities.profit.program import CapTooLow
from core.capabilities.profit.report_picture import profit_picture
from core.capabilities.profit.settings import Named, ProfitSettings
from core.capabilities.profit.study_block import profit_settings_in
from core.capabilities.profit.words import remarks, sentence, told
from core.capabilities.profit.worth import machine_worths, price_worths
from core.engines.front.study import Study
from core.shells.report import markup
from core.shells.studies.settings import Choice, StudySettings
from core.vocabulary.budget import Effort
from core.vocabulary.say.money import Money
from core.vocabulary.say.words import (
    HOUR,
    JOULES_PER_KWH,
    Sense,
    amount,
    clock,
    counted,
    duration,
    energy,
    power,
    typed,
)

_MOST_MACHINES: Final = 20
_TITLE: Final = "Profit"


def section(study: Study, settings: StudySettings, choice: Choice | None) -> str:
    """The section for the best of the study's schedules, the chosen one, and one computed for
    profit.
    """
    if (profit_settings := profit_settings_in(settings)) is None:
        return ""
    front, money = study.front, profit_settings.money
    terms = profit_settings.terms(front)
    known = [*study.schedules, *(() if choice is None else (choice.schedule,))]
    try:
        profit = earn(study.system, terms, effort=Effort(0), known=known)
    except CapTooLow as refusal:
        return markup.section(
            _TITLE, markup.paragraph(f"{refusal}.", "lead"), _settings_table(profit_settings)
        )
    unit = profit_settings.unit_price(front)
    found = curve(study.system, terms, front, price_range(unit, terms.price))
    now = terms.price, profit.value
    caption = (
        "No schedule, not even one that splits tasks, earns more than the line. Where it breaks "
        "even and where the thriftiest and the fastest schedule become the best is exact"
        + ("." if math.isinf(terms.power_cap) else ", but without the power cap.")
    )
    said = remarks(profit, money)
    content = [
        markup.paragraph(sentence(profit, profit_settings, front), "lead"),
        markup.items(said) if said else "",
        _figures(profit, found.steps, unit, profit_settings),
        markup.figure(profit_picture(found, unit, terms.overhead, now, money), caption),
        "<h3>Prices and costs</h3>",
        _settings_table(profit_settings),
        "<h3>What small changes are worth</h3>",
        _worths(profit, profit_settings),
    ]
    if not profit.verified:
        fault = "NOT verified: an independent check disagrees; do not use this schedule."
        content.insert(1, markup.paragraph(fault))
    return markup.section(_TITLE, *content)


def _figures(profit: Profit, steps: PriceSteps, unit: float, settings: ProfitSettings) -> str:
    money, overhead = settings.money, profit.bound.terms.overhead
    most = told(profit.most, profit)
    rows = [
        ("At most, by any schedule (proven)", money.say_rate(most, Sense.UPPER_BOUND)),
        ("Found", money.say_rate(told(profit.value, profit), Sense.EARNED)),
        ("Gap, at most", money.say_rate(told(profit.gap, profit), Sense.UPPER_BOUND)),
        ("Running nothing, machines on", money.say_rate(profit.idle_profit, Sense.PLAIN)),
        ("All machines switched off", money.say_rate(profit.off_profit, Sense.PLAIN)),
        ("Price of a batch", _price(profit.bound.terms.price, unit, settings)),
        ("It breaks even at", _price(steps.break_even + overhead, unit, settings)),
        (
            "The thriftiest schedule is best from",
            _price(steps.thriftiest_from + overhead, unit, settings),
        ),
        (
            "The fastest schedule is best from",
            _price(steps.fastest_from + overhead, unit, settings),
        ),
    ]
    earned = profit.earnings
    if earned is not None:
        rows += [
            ("Time from batch to batch", duration(earned.period, Sense.SPENT)),
            ("Energy of a batch", energy(earned.energy, Sense.SPENT)),
            (
                "Average power of the site",
                power(earned.power, Sense.SPENT, profit.bound.terms.power_cap),
            ),
            (
                "Peak power of the site",
                power(profit.peak, Sense.SPENT, profit.bound.terms.power_cap),
            ),
        ]
        if (tariff := settings.tariff()) is not None:
            day = day_of(earned.schedule, profit.bound.terms, tariff)
            rows.append(("Cheapest start of one batch", _start_in_words(day, day.best, money)))
            rows.append(("Dearest start", _start_in_words(day, day.worst, money)))
    return _table(["Figure", "Value"], [(label, escape(value)) for label, value in rows])


def _start_in_words(day: Day, start: Start, money: Money) -> str:
    return (
        f"at {clock(start.second)}: electricity for {money.say(start.cost, Sense.SPENT)}, the "
        f"batch earns {money.say(day.profit(start), Sense.EARNED)}"
    )


def _price(price: float, unit: float, settings: ProfitSettings) -> str:
    said = f"{settings.money.say(price, Sense.PLAIN)} a batch"
    return f"{said} (ratio {amount(price / unit, Sense.PLAIN)})" if unit else said


def _settings_table(settings: ProfitSettings) -> str:
    """The settings as a table."""
    unit, per = settings.money.currency, {"h": "hour", "s": "second"}[settings.money.per]
    rows = []
    if settings.by == "ratio":
        rows.append(
            ("A batch is paid", f"{typed(settings.ratio)} times the cost of the least energy")
        )
    else:
        rows.append(("A batch is paid", f"{typed(settings.price)} {unit}"))
    if settings.electricity == "joule":
        rows.append(("Electricity", "1 a joule, as published"))
    else:
        rows.append(("Electricity", f"{typed(settings.energy_price)} {unit} a kWh"))
        if settings.carbon and settings.carbon_price:
            in_all = amount(settings.money_a_joule * JOULES_PER_KWH, Sense.PLAIN, unit)
            carbon = (
                f"{typed(settings.carbon)} kg CO₂ a kWh, {typed(settings.carbon_price)} "
                f"{unit} a kg, which makes {in_all} a kWh in all"
            )
            rows.append(("Carbon", carbon))
    if settings.day_tariff:
        steps = ", ".join(
            f"{typed(price)} from {clock(hour * HOUR)}"
            for hour, price in sorted(settings.day_tariff)
        )
        rows.append(("Over the day", f"{steps} ({unit} a kWh)"))
    rows.append(("PUE", typed(settings.pue)))
    if settings.overhead:
        rows.append(("Overhead", f"{typed(settings.overhead)} {unit} a batch"))
    cap = "none"
    if settings.cap_kw is not None:
        cap = f"{typed(settings.cap_kw)} kW for the site, on average"
    rows.append(("Power cap", cap))
    cells = [(label, escape(value)) for label, value in rows]
    for label, named, each in (
        ("Wear", settings.wear, f"{unit} a busy {per}"),
        ("Depreciation", settings.depreciation, f"{unit} a{'n' if per == 'hour' else ''} {per}"),
    ):
        if named:
            cells.append((label, f"{_named(named)} {escape(each)}, of one machine"))
    return _table(["Setting", "Value"], cells)


def _named(named: Named) -> str:
    shown = [f"{markup.name(name)} {typed(money)}" for name, money in named[:_MOST_MACHINES]]
    more = len(named) - len(shown)
    return ", ".join(shown) + (f" and {more:,} more:" if more else "")


def _worths(profit: Profit, settings: ProfitSettings) -> str:
    money = settings.money
    rows = [
        (escape(worth.what), amount(money.rate(told(worth.change, profit)), Sense.PLAIN))
        for worth in price_worths(profit, settings)
    ]
    machines = machine_worths(profit)
    rows += [
        (
            f"One more {markup.name(machine.name)}, of now {machine.count:,}",
            amount(money.rate(told(value, profit)), Sense.PLAIN),
        )
        for machine, value in machines[:_MOST_MACHINES]
    ]
    more = len(machines) - _MOST_MACHINES
    note = f" Left out: {counted(more, 'more machine type')}." if more > 0 else ""
    said = f"For small changes, of what can be earned at most.{note}"
    head = ["One more", f"Changes the most, {escape(money.rate_unit)}"]
    return markup.table(head, rows) + markup.paragraph(said, "quiet")


def _table(head: list[str], rows: list[tuple[str, str]]) -> str:
    return f'<div class="plain">{markup.table(head, rows)}</div>'
