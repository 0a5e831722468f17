"""`wattfront profit SYSTEM`: what running bag after bag earns, and a proof of what it could; or
which tasks to accept before a deadline, and what that earns.
"""

import argparse
import time
from dataclasses import dataclass, replace

import numpy as np

from core.cli import profit_arguments
from core.cli.answer import SUCCESS, UNVERIFIED, Answer
from core.cli.arguments import read, refuse, refusing, with_idle_power
from core.cli.profit_arguments import faults, is_priced, strangers, tariff_of, terms_of
from core.cli.profit_part_words import part_as_data, part_report
from core.cli.profit_tables import read_rewards
from core.cli.profit_words import (
    MoneyRate,
    day_as_data,
    day_rows,
    profit_as_data,
    profit_progress,
    profit_report,
)
from core.cli.progress import Watch, watching
from core.files import write_schedule
from core.problems import Problem
from core.profit.accept import accept
from core.profit.conditions import Named
from core.profit.day import day_of
from core.profit.earn import earn
from core.profit.prices import price_steps
from core.profit.program import CapTooLow
from core.profit.tariff import DayTariff
from core.profit.terms import Terms
from core.schedule import Schedule
from core.system import System
from core.words import HOUR

declare = profit_arguments.declare


@dataclass(frozen=True, eq=False, slots=True)
class _Question:
    """What is asked for, once all of it is read; `tariff` is money for a joule at the machines."""

    system: System
    terms: Terms
    rewards: Named
    tariff: DayTariff | None
    arguments: argparse.Namespace
    read_seconds: float

    @property
    def money(self) -> MoneyRate:
        return MoneyRate(HOUR if is_priced(self.arguments) else 1.0)


def run(arguments: argparse.Namespace) -> Answer:
    refuse(faults(arguments))  # before anybody waits for it
    rewards = tuple(pair for text in arguments.rewards for pair in read_rewards(text))
    tariff = tariff_of(arguments)
    started = time.perf_counter()
    found = read(arguments)
    system = with_idle_power(found.require(), arguments)
    refuse(strangers(arguments, rewards, system))
    read_seconds = time.perf_counter() - started
    with refusing(CapTooLow, of=arguments.system), watching(arguments.system) as watch:
        terms = terms_of(system, arguments, tariff)
        asked = _Question(system, terms, rewards, tariff, arguments, read_seconds)
        answer = _part_of_one(asked) if rewards else _bag_after_bag(asked, watch)
    return replace(answer, problems=(*answer.problems, *found.problems))


def _bag_after_bag(asked: _Question, watch: Watch) -> Answer:
    system, terms, arguments, money = asked.system, asked.terms, asked.arguments, asked.money
    profit = earn(
        system,
        terms,
        seconds=arguments.seconds,
        threads=arguments.threads,
        seed=arguments.seed,
        should_stop=watch.stop_was_asked,
        report=watch.showing(profit_progress(money)),
    )
    steps = price_steps(system, terms)
    schedule = None if profit.earnings is None else profit.earnings.schedule
    day, rows = _begun(schedule, terms, asked)
    seconds = {"read": asked.read_seconds, **profit.seconds}
    why_none = "there is no schedule to write, because not to run is best"
    said, problems = _written(schedule, why_none, arguments, verified=profit.verified)
    return Answer(
        {**profit_as_data(profit, steps, money), **day, "seconds": seconds},
        profit_report(arguments.system, profit, steps, money, rows, seconds) + said,
        problems,
        SUCCESS if profit.verified else UNVERIFIED,
    )


def _part_of_one(asked: _Question) -> Answer:
    """Which tasks to accept."""
    system, arguments, money = asked.system, asked.arguments, asked.money
    period: float = arguments.deadline
    given = dict(asked.rewards)
    rewards = np.array([given.get(task.name, 0.0) for task in system.task_types])
    started = time.perf_counter()
    part = accept(system, asked.terms, rewards, period)
    seconds = {"read": asked.read_seconds, "accept": time.perf_counter() - started}
    brought = float(rewards @ part.accepted)
    day, rows = _begun(part.schedule, replace(asked.terms, price=brought), asked)
    why_none = "there is no schedule to write, because no task is worth accepting"
    said, problems = _written(part.schedule, why_none, arguments, verified=part.verified)
    return Answer(
        {**part_as_data(part, period, money), **day, "seconds": seconds},
        part_report(arguments.system, part, period, money, rows, seconds) + said,
        problems,
        SUCCESS if part.verified else UNVERIFIED,
    )


def _begun(
    schedule: Schedule | None, terms: Terms, asked: _Question
) -> tuple[dict[str, object], list[tuple[str, str]]]:
    """When to begin a schedule, as data and as rows; nothing where prices do not change."""
    if asked.tariff is None:
        return {}, []
    if schedule is None:
        return {"day": None}, []
    day = day_of(schedule, terms, asked.tariff)
    hour: float | None = asked.arguments.start
    chosen = day.best if hour is None else day.at(hour * HOUR)
    return {"day": day_as_data(day, chosen)}, day_rows(day, chosen)


def _written(
    schedule: Schedule | None, why_none: str, arguments: argparse.Namespace, *, verified: bool
) -> tuple[str, tuple[Problem, ...]]:
    """What is said of the file, on a line of its own, and what is wrong with it."""
    if not verified:
        fault = "an independent check disagrees with the schedule; do not use it"
        return "", (Problem(arguments.system, "", "", fault),)
    if not arguments.output:
        return "", ()
    if schedule is None:
        return "", (Problem(str(arguments.output), "", "", why_none, "warning"),)
    write_schedule(schedule, arguments.output)
    return f"\nwritten to {arguments.output}", ()
