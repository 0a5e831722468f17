"""What is said of profit: of batch after batch, of part of one batch, and of when to start one."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.capabilities.profit.accept import Acceptance
from core.capabilities.profit.day import Day, Start
from core.capabilities.profit.earn import Profit, ProfitProgress
from core.capabilities.profit.program import Regime
from core.capabilities.profit.settings import ProfitSettings
from core.capabilities.profit.sweep import PriceSteps
from core.engines.relaxed import Front
from core.shells.told.told import KeyFigure, Told, ToldTable
from core.vocabulary.kinds import MachineType
from core.vocabulary.prices.site import WATTS_PER_KW
from core.vocabulary.say.columns import spent_of
from core.vocabulary.say.money import Money
from core.vocabulary.say.phrases import peak_in_words
from core.vocabulary.say.words import (
    HOUR,
    JOULES_PER_KWH,
    Sense,
    amount,
    as_sentence,
    clock,
    counted,
    duration,
    energy,
    power,
    share,
    within,
)
from core.vocabulary.tolerances import SAME

MOST_LISTED: Final = 20
"""Types that a table lists at most."""


def told(profit: Profit, steps: PriceSteps, settings: ProfitSettings, front: Front) -> Told:
    """All that is said of the profit of batch after batch."""
    money = settings.money
    return Told(
        with_peak(_lead(profit, settings, front), _peak(profit)),
        tuple(_remarks(profit, steps, money)),
        tuple(_figures(profit, steps, money)),
        (_prices(profit, steps, settings.unit_price(front), money), _worths(profit, settings)),
        _as_data(profit, steps, money),
    )


def title(profit: Profit, money: Money) -> str:
    """The title of the schedule found."""
    return f"Earns {money.say_rate(profit.settled(profit.value), Sense.EARNED)}"


def with_peak(lead: str, peak: str) -> str:
    return f"{lead} {as_sentence(peak)}" if peak else lead


def _peak(profit: Profit) -> str:
    """A clause on the peak of the schedule found; empty without one or without a power cap."""
    cap = profit.bound.terms.power_cap
    return "" if profit.earnings is None or math.isinf(cap) else peak_in_words(profit.peak, cap)


def _lead(profit: Profit, settings: ProfitSettings, front: Front) -> str:
    """The profit of the schedule found at this price, in digits that stay when a later search finds
    a slightly better one, and how far from the best possible it is.
    """
    said, money = settings.words(profit.bound.terms, front), settings.money
    if not profit.bound.runs:
        lost = _lost(profit.idle_profit, money)
        return (
            f"{said} every batch costs more than it brings: running nothing is best, and loses "
            f"{lost}."
        )
    if profit.earnings is None:
        most = money.say_rate(profit.most, Sense.UPPER_BOUND)
        return (
            f"{said} no schedule found earns more than running nothing; at most {most} could be "
            "earned."
        )
    if profit.settled(profit.value) < 0:
        return _loss(profit, money, said)
    found = money.say_rate(profit.settled(profit.value), Sense.HEADLINE)
    if not profit.settled(profit.gap):
        return f"{said} you can earn {found}; no schedule can earn more."
    less = within(profit.gap / profit.most)
    return f"{said} you can earn {found}, at most {less} below the best possible."


def _loss(profit: Profit, money: Money, said: str) -> str:
    loss, best = money.say_rate(-profit.value, Sense.HEADLINE), profit.settled(profit.most)
    if best >= 0:
        most = money.say_rate(best, Sense.UPPER_BOUND) if best else "nothing"
        return f"{said} the best you can earn is {most}; the schedule found loses {loss}."
    return f"{said} every batch loses money: {loss} with the schedule found."


def _lost(value: float, money: Money) -> str:
    return money.say_rate(-value, Sense.PLAIN) if value else "nothing"


def _remarks(profit: Profit, steps: PriceSteps, money: Money) -> Iterator[str]:
    """An optimum that is not on the front, the cost of the cap, and what to do about a loss."""
    capped = profit.bound.cap_price > 0
    if profit.regime is Regime.RUNS_OFF_FRONT:
        why = "the power cap holds it back" if capped else "it loses less the less power it draws"
        yield (
            "The best is not on the front of energy and makespan: it is slower than it could be, "
            f"because {why}."
        )
    if profit.regime is Regime.THROTTLED:
        yield (
            "The power cap makes all machines wait between batches: in the optimum a batch begins "
            f"every {duration(profit.bound_period, Sense.PLAIN)}."
        )
    yield from cap_said(profit.bound.cap_value, money)
    even, free = _break_even_said(profit, steps, money)
    if even != free:
        yield f"The power cap raises the break-even price of a batch from {free} to {even}."
    if profit.better_switched_off:
        yield (
            f"Running nothing loses {_lost(profit.idle_profit, money)} with the machines on, and "
            f"{_lost(profit.off_profit, money)} with all switched off: the best, unless an "
            "agreement asks for batches or for machines that wait."
        )


def _break_even_said(profit: Profit, steps: PriceSteps, money: Money) -> tuple[str, str]:
    """The price of a batch above which the best schedule earns money, and that without the cap."""
    overhead = profit.bound.terms.overhead
    capped, free = steps.capped_break_even + overhead, steps.break_even + overhead
    return money.say(capped, Sense.PLAIN), money.say(free, Sense.PLAIN)


def cap_said(a_watt: float, money: Money) -> Iterator[str]:
    """What a power cap costs, if it costs anything."""
    if a_watt > 0:
        more = money.say_rate(WATTS_PER_KW * a_watt, Sense.PLAIN)
        yield f"The power cap binds: one kilowatt more would earn {more} at first."


def _figures(profit: Profit, steps: PriceSteps, money: Money) -> Iterator[KeyFigure]:
    terms, earned = profit.bound.terms, profit.earnings
    even, free = _break_even_said(profit, steps, money)
    if profit.bound.runs:
        more = money.say_rate(profit.settled(profit.gap), Sense.UPPER_BOUND)
        yield KeyFigure(
            "Upper bound",
            money.say_rate(profit.settled(profit.most), Sense.UPPER_BOUND),
            "It is proven that no schedule earns more.",
        )
        yield KeyFigure(
            "Found",
            money.say_rate(profit.settled(profit.value), Sense.EARNED),
            f"The profit of the schedule found. Any other schedule earns at most {more} more.",
        )
    else:
        yield KeyFigure(
            "Machines on",
            money.say_rate(profit.idle_profit, Sense.PLAIN),
            "The profit of machines that are on and run nothing.",
        )
        yield KeyFigure(
            "Switched off",
            money.say_rate(profit.off_profit, Sense.PLAIN),
            "The profit if all machines are switched off: depreciation is still due.",
        )
    yield KeyFigure(
        "Price per batch",
        money.say(terms.price, Sense.PLAIN),
        f"The break-even price is {even}"
        + ("." if even == free else f"; without the power cap it is {free}."),
    )
    if earned is None:
        return
    waits = earned.period > earned.schedule.makespan
    yield KeyFigure(
        "Period",
        duration(earned.period, Sense.SPENT),
        "The time from the start of a batch to the start of the next: the makespan"
        + (", and a pause that the power cap requires." if waits else "."),
    )
    yield KeyFigure(
        "Energy per batch",
        energy(earned.energy, Sense.SPENT),
        "The energy of the machines in one period, idle power included.",
    )
    # Of the site, or of the machines alone if the cap is about them.
    yield from powers(earned.power, profit.peak, terms.power_cap, "whole site")


def powers(average: float, peak: float, cap: float, who: str) -> Iterator[KeyFigure]:
    yield KeyFigure(
        "Average power",
        power(average, Sense.SPENT, cap),
        f"The average power of the {who}, which the power cap limits.",
    )
    yield KeyFigure(
        "Peak power",
        power(peak, Sense.SPENT, cap),
        f"The most that the {who} draws at any moment. No setting limits it yet.",
    )


def _prices(profit: Profit, steps: PriceSteps, unit_price: float, money: Money) -> ToldTable:
    """The price of a batch, and those at which another schedule becomes the best."""
    terms = profit.bound.terms
    prices = {"now": terms.price} | {
        what: revenue + terms.overhead
        for what, revenue in (
            ("breaks even at", steps.capped_break_even),
            ("the thriftiest schedule is best from", steps.thriftiest_from),
            ("the fastest schedule is best from", steps.fastest_from),
        )
    }
    columns = {
        "Price of a batch": list(prices),
        "Money": [money.say(price, Sense.PLAIN) for price in prices.values()],
    }
    if unit_price:
        ratios = [amount(price / unit_price, Sense.PLAIN) for price in prices.values()]
        columns["Profit ratio"] = ratios
    note = "" if math.isinf(terms.power_cap) else "The last two are without the power cap."
    return ToldTable.of_columns("Prices that change what is best", columns, note=note)


@dataclass(frozen=True, slots=True)
class Worth:
    """How much the upper bound changes with one unit of `what`, in money a second."""

    what: str
    change: float


def price_worths(profit: Profit, settings: ProfitSettings) -> list[Worth]:
    """The worth of changes of each price, and of the power cap."""
    bound, system, currency = profit.bound, profit.system, settings.money.currency
    terms = bound.terms
    watts = bound.rate * profit.bound_energy if bound.runs else system.total_idle_power
    tighter = bound.cap_value * terms.power_cap / terms.pue if bound.cap_price else 0.0
    if settings.electricity == "kWh":
        a_kwh = 0.01 / JOULES_PER_KWH
        electricity = Worth(f"0.01 {currency} more a kWh", -terms.pue * watts * a_kwh)
    else:
        one_percent = -0.01 * terms.pue * watts * terms.energy_price
        electricity = Worth("1 % more a joule", one_percent)
    return [
        Worth(f"1 {currency} more a batch", bound.rate),
        Worth(f"1 {currency} more overhead a batch", -bound.rate),
        electricity,
        Worth("0.1 more PUE", -0.1 * (terms.energy_price * watts + tighter)),
        Worth("1 kW more power cap", WATTS_PER_KW * bound.cap_value),
    ]


def machine_worths(profit: Profit) -> list[tuple[MachineType, float]]:
    """What one more machine of each type would earn at most, in money a second, the most first."""
    order = np.argsort(-profit.machine_values, kind="stable").tolist()
    values = profit.machine_values.tolist()
    return [(profit.system.machine_types[kind], values[kind]) for kind in order]


def _worths(profit: Profit, settings: ProfitSettings) -> ToldTable:
    """What small changes are worth; of machines the types that would earn most."""
    machines = machine_worths(profit)
    changes = [(worth.what, worth.change) for worth in price_worths(profit, settings)] + [
        (f"one more {machine.name}, of now {machine.count:,}", value)
        for machine, value in machines[:MOST_LISTED]
    ]
    rate = settings.money.rate
    more = len(machines) - MOST_LISTED
    return ToldTable(
        "What small changes are worth",
        ("Change", f"The upper bound rises by ({settings.money.rate_unit})"),
        tuple((what, amount(rate(profit.settled(by)), Sense.PLAIN)) for what, by in changes),
        note=f"Left out: {counted(more, 'more machine type')}." if more > 0 else "",
    )


def costs_said(settings: ProfitSettings) -> Iterator[tuple[str, str]]:
    """The price of electricity, and every other cost or cap that is set: what it is, and how much.
    Wear and depreciation are left out.
    """
    site = settings.site
    if settings.electricity == "joule":
        yield "Electricity", "1 ¤/J, as published"
    else:
        yield "Electricity", amount(site.price, Sense.TYPED, f"{site.currency}/kWh")
        if site.carbon and site.carbon_price:
            carbon = amount(site.carbon, Sense.TYPED, "kg/kWh")
            at = amount(site.carbon_price, Sense.TYPED, f"{site.currency}/kg")
            yield "Carbon", f"{carbon} at {at}"
    if site.pue != 1:
        yield "PUE", amount(site.pue, Sense.TYPED)
    if settings.overhead:
        yield "Overhead", f"{settings.money.say(settings.overhead, Sense.TYPED)} per batch"
    if site.cap_kw is not None:
        yield "Power cap", f"{power(site.cap_kw * WATTS_PER_KW, Sense.TYPED)} on average"


def rate_unit_said(money: Money) -> str:
    """The unit of rates, as data say it."""
    return "money per hour" if money.seconds == HOUR else "money per second"


def _as_data(profit: Profit, steps: PriceSteps, money: Money) -> dict[str, object]:
    """The answer in seconds, joules and watts; null where nothing runs."""
    system, bound, earned = profit.system, profit.bound, profit.earnings
    terms = bound.terms
    idle_power = terms.metered(system.total_idle_power)
    return {
        "upper_bound": money.rate(profit.most),
        "profit": money.rate(profit.value),
        "gap": money.rate(profit.gap),
        "bound_energy": profit.bound_energy if bound.runs else None,
        "bound_makespan": profit.bound_period if bound.runs else None,
        "energy": earned.energy if earned else None,
        "makespan": earned.schedule.makespan if earned else None,
        "average_power": earned.power if earned else idle_power,
        "peak_power": profit.peak,
        "on_front": profit.on_front,
        "verified": profit.verified,
        "period": earned.period if earned else None,
        "runs": earned is not None,
        "regime": profit.regime.value,
        "loses": profit.loses,
        "better_switched_off": profit.better_switched_off,
        "idle_profit": money.rate(profit.idle_profit),
        "off_profit": money.rate(profit.off_profit),
        "price": terms.price,
        "break_even_price": steps.capped_break_even + terms.overhead,
        "thriftiest_from_price": steps.thriftiest_from + terms.overhead,
        "fastest_from_price": steps.fastest_from + terms.overhead,
        "cap_price": money.rate(bound.cap_value),
        "machine_values": {
            name: money.rate(value)
            for name, value in zip(
                system.machine_names, profit.machine_values.tolist(), strict=True
            )
        },
        "unit": rate_unit_said(money),
        "tasks": system.tasks,
        "machines": system.machines,
    }


def profit_progress(money: Money, unit: str = "s") -> Callable[[ProfitProgress], str]:
    """`polish, 1.2 of 2 s: 21.3 EUR/h so far`; `unit` is that of the budget of polish."""

    def said(progress: ProfitProgress) -> str:
        spent = ""
        if progress.allowed:
            spent = f", {spent_of(progress.spent, progress.allowed, unit)}"
        profit = (
            ""
            if progress.profit is None
            else f": {money.say_rate(progress.profit, Sense.EARNED)} so far"
        )
        return f"{progress.phase}{spent}{profit}"

    return said


NO_BATCH: Final = Told("There is no batch to start: running nothing is best.", data={"day": None})


def told_of_part(part: Acceptance, deadline: float, money: Money) -> Told:
    """All that is said of the tasks to accept until a deadline (s)."""
    terms, schedule = part.bound.terms, part.schedule
    peak, system = terms.metered(part.peak), part.system
    capped = schedule is not None and math.isfinite(terms.power_cap)
    return Told(
        with_peak(
            _accepted(part, deadline, money), peak_in_words(peak, terms.power_cap) if capped else ""
        ),
        tuple(cap_said(part.bound.cap_value, money)),
        tuple(_part_figures(part, money)),
        (_accepted_table(part),) if part.accepted.any() else (),
        {
            "upper_bound": money.rate(part.bound.value),
            "profit": money.rate(part.profit),
            "gap": money.rate(part.gap),
            "deadline": deadline,
            "accepted": dict(zip(system.task_names, part.accepted.tolist(), strict=True)),
            "earns": part.profit * deadline,
            "energy": None if schedule is None else schedule.energy,
            "makespan": None if schedule is None else schedule.makespan,
            "average_power": part.power,
            "peak_power": part.peak,
            "cap_price": money.rate(part.bound.cap_value),
            "verified": part.verified,
            "unit": rate_unit_said(money),
            "tasks": system.tasks,
            "machines": system.machines,
        },
    )


def _accepted(part: Acceptance, deadline: float, money: Money) -> str:
    """How many tasks to accept, and the money earned until the deadline."""
    accepted, offered = int(part.accepted.sum()), part.system.tasks
    until = f"within {duration(deadline, Sense.TYPED)}"
    sense = Sense.EARNED if part.profit >= 0 else Sense.SPENT
    earns = money.say(abs(part.profit) * deadline, sense)
    most = money.say(part.bound.value * deadline, Sense.UPPER_BOUND)
    if not accepted:
        idle = f"idle machines cost {earns}" if part.profit < 0 else "idle machines cost nothing"
        return f"Accept no tasks: no task earns money {until}, and {idle}."
    verb = "earns" if part.profit >= 0 else "loses"
    which = "all" if accepted == offered else f"{accepted:,} of"
    said = f"Accept {which} {offered:,} tasks. This {verb} {earns} {until}"
    if part.gap <= SAME * max(abs(part.bound.value), abs(part.profit)):
        return f"{said}, and no choice can earn more."
    if part.bound.value > 0 and part.profit > 0:
        below = share(part.gap / part.bound.value, Sense.UPPER_BOUND)
        return f"{said}, at most {below} below the best."
    return f"{said}; no choice can earn more than {most}."


def _part_figures(part: Acceptance, money: Money) -> Iterator[KeyFigure]:
    yield KeyFigure(
        "Upper bound",
        money.say_rate(part.bound.value, Sense.UPPER_BOUND),
        "It is proven that no choice of tasks earns more.",
    )
    yield KeyFigure(
        "Found",
        money.say_rate(part.profit, Sense.EARNED),
        f"Any other choice earns at most {money.say_rate(part.gap, Sense.UPPER_BOUND)} more.",
    )
    if part.schedule is not None:
        yield KeyFigure(
            "Makespan",
            duration(part.schedule.makespan, Sense.SPENT, 1 / part.bound.rate),
            "When the last accepted task is done.",
        )
        yield KeyFigure(
            "Energy",
            energy(part.schedule.energy, Sense.SPENT),
            "The energy of the machines until then, idle power included.",
        )
    yield from powers(part.power, part.peak, part.bound.terms.cap, "machines")


def _accepted_table(part: Acceptance) -> ToldTable:
    """The accepted task types, those with most accepted tasks first."""
    types = part.system.task_types
    taken = int(np.count_nonzero(part.accepted))
    listed = np.argsort(-part.accepted, kind="stable")[: min(taken, MOST_LISTED)].tolist()
    notes = []
    if more := taken - len(listed):
        notes.append(f"Some of {counted(more, 'more task type')} (see --json).")
    if taken < len(types):
        notes.append(f"None of {counted(len(types) - taken, 'other task type')}.")
    return ToldTable.of_columns(
        "Tasks to accept",
        {
            "Task type": [types[i].name for i in listed],
            "Accept": [f"{int(part.accepted[i]):,}" for i in listed],
            "Of": [f"{types[i].count:,}" for i in listed],
        },
        note=" ".join(notes),
    )


def told_of_day(day: Day, chosen: Start, money: Money) -> Told:
    """What is said of one batch that begins at this time of the day."""
    starts = (("start", chosen), ("best", day.best), ("worst", day.worst))
    data = {
        name: {"second": start.second, "electricity": start.cost, "profit": day.profit(start)}
        for name, start in starts
    }
    return Told(_start_said(day, chosen, money), data={"day": data})


def _start_said(day: Day, chosen: Start, money: Money) -> str:
    """When to start, and how much dearer or cheaper other times are."""
    best, worst, cost = day.best, day.worst, money.say(chosen.cost, Sense.SPENT)
    if worst.cost - best.cost <= SAME * abs(worst.cost):
        return f"Start at any time: electricity costs {cost} at every hour."
    earned = day.profit(chosen)
    outcome = (
        f"earns {money.say(earned, Sense.EARNED)}"
        if earned >= 0
        else f"loses {money.say(-earned, Sense.SPENT)}"
    )
    said = f"Start at {clock(chosen.second)}: electricity then costs {cost}, and the batch "
    said += f"{outcome}."
    if chosen.cost > best.cost * (1 + SAME):
        less = money.say(chosen.cost - best.cost, Sense.PLAIN)
        said += f" A start at {clock(best.second)} would cost {less} less."
    if chosen.cost < worst.cost * (1 - SAME):
        more = money.say(worst.cost - chosen.cost, Sense.PLAIN)
        said += f" A start at {clock(worst.second)} would cost {more} more."
    return said
