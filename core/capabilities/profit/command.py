"""`wattfront profit SYSTEM`: the profit of batch after batch and its upper bound, or which tasks to
accept before a deadline and what they earn.
"""

import argparse
import time
from dataclasses import dataclass, replace

from core import System, Terms, earn, study, write_schedule
from core.capabilities.profit import arguments as profit_arguments
from core.capabilities.profit.accept import accept
from core.capabilities.profit.answer_words import (
    MoneyRate,
    day_as_data,
    day_rows,
    profit_as_data,
    profit_progress,
    profit_report,
)
from core.capabilities.profit.arguments import faults, profit_settings_of, strangers, terms_of
from core.capabilities.profit.day import day_of
from core.capabilities.profit.earn import Profit
from core.capabilities.profit.part_words import part_as_data, part_report
from core.capabilities.profit.prices import price_steps
from core.capabilities.profit.program import CapTooLow
from core.capabilities.profit.settings import ProfitSettings
from core.capabilities.profit.study_block import as_block
from core.capabilities.profit.tables import read_rewards
from core.capabilities.profit.words import title
from core.shells.cli.answer import SUCCESS, UNVERIFIED, Answer
from core.shells.cli.arguments import effort_of, read, unit_of_effort, with_idle_power
from core.shells.cli.outputs import settings_of
from core.shells.cli.progress import Watch, watching
from core.shells.studies import Choice, write_study
from core.vocabulary.problems import Problem, refuse, refusing
from core.vocabulary.say.phrases import estimates_as_dict
from core.vocabulary.say.words import HOUR
from core.vocabulary.schedule import Schedule

declare = profit_arguments.declare


@dataclass(frozen=True, eq=False, slots=True)
class _Question:
    """What the command was asked, after all input is read."""

    system: System
    settings: ProfitSettings
    terms: Terms
    arguments: argparse.Namespace
    read_seconds: float

    @property
    def money(self) -> MoneyRate:
        return MoneyRate(self.settings.money.seconds)


def run(arguments: argparse.Namespace) -> Answer:
    refuse(faults(arguments))  # before the long computation
    rewards = tuple(pair for text in arguments.rewards for pair in read_rewards(text))
    settings = profit_settings_of(arguments, rewards)
    started = time.perf_counter()
    found = read(arguments)
    system = with_idle_power(found.require(), arguments)
    refuse(strangers(arguments, rewards, system))
    read_seconds = time.perf_counter() - started
    with refusing(CapTooLow, of=arguments.system), watching(arguments.system) as watch:
        terms = terms_of(system, settings, arguments)
        question = _Question(system, settings, terms, arguments, read_seconds)
        answer = _part_of_one(question) if rewards else _bag_after_bag(question, watch)
    return replace(answer, problems=(*answer.problems, *found.problems))


def _bag_after_bag(question: _Question, watch: Watch) -> Answer:
    system, terms = question.system, question.terms
    arguments, money = question.arguments, question.money
    profit = earn(
        system,
        terms,
        effort=effort_of(arguments),
        should_stop=watch.stop_was_asked,
        report=watch.showing(profit_progress(money, unit_of_effort(arguments))),
    )
    steps = price_steps(system, terms)
    schedule = None if profit.earnings is None else profit.earnings.schedule
    day, rows = _best_start(schedule, terms, question)
    seconds = {"read": question.read_seconds, **profit.seconds}
    why_none = "there is no schedule to write, because running nothing is best"
    said, problems = _write_schedule(schedule, why_none, arguments, verified=profit.verified)
    if arguments.study and profit.verified:
        said += _write_study(question, profit, watch)
    return Answer(
        {
            **profit_as_data(profit, steps, money),
            **estimates_as_dict(system),
            **day,
            "seconds": seconds,
        },
        profit_report(arguments.system, profit, steps, money, rows, seconds) + said,
        problems,
        SUCCESS if profit.verified else UNVERIFIED,
    )


def _part_of_one(question: _Question) -> Answer:
    """The answer for part of one batch: which tasks to accept."""
    system, arguments, money = question.system, question.arguments, question.money
    period: float = arguments.deadline
    rewards = question.settings.rewards_in(system)
    started = time.perf_counter()
    part = accept(system, question.terms, rewards, period)
    seconds = {"read": question.read_seconds, "accept": time.perf_counter() - started}
    brought = float(rewards @ part.accepted)
    day, rows = _best_start(part.schedule, replace(question.terms, price=brought), question)
    why_none = "there is no schedule to write, because no task is worth accepting"
    said, problems = _write_schedule(part.schedule, why_none, arguments, verified=part.verified)
    if said and part.accepted.sum() < system.tasks:
        said += "; wattfront verify takes it with --part, for tasks are left out"
    return Answer(
        {
            **part_as_data(part, period, money),
            **estimates_as_dict(system),
            **day,
            "seconds": seconds,
        },
        part_report(arguments.system, part, period, money, rows, seconds) + said,
        problems,
        SUCCESS if part.verified else UNVERIFIED,
    )


def _best_start(
    schedule: Schedule | None, terms: Terms, question: _Question
) -> tuple[dict[str, object], list[tuple[str, str]]]:
    """When to begin a schedule, as data and as rows; both are empty if prices do not change."""
    tariff = question.settings.tariff()
    if tariff is None:
        return {}, []
    if schedule is None:
        return {"day": None}, []
    day = day_of(schedule, terms, tariff)
    hour: float | None = question.arguments.start
    chosen = day.best if hour is None else day.at(hour * HOUR)
    return {"day": day_as_data(day, chosen)}, day_rows(day, chosen)


def _write_study(question: _Question, profit: Profit, watch: Watch) -> str:
    """Write the study with the schedule found as the chosen one. Returns a line about the file."""
    arguments, choice = question.arguments, None
    if profit.earnings is not None:
        choice = Choice(profit.earnings.schedule, title(profit, question.settings.money))
    front = study(question.system, method="bound", should_stop=watch.stop_was_asked)
    study_settings = replace(
        settings_of(arguments),
        idle_power=arguments.idle_power,
        method=front.method,
        blocks=as_block(question.settings),
    )
    write_study(front, study_settings, arguments.study, choice)
    return f"\nwritten to {arguments.study}: the study"


def _write_schedule(
    schedule: Schedule | None, why_none: str, arguments: argparse.Namespace, *, verified: bool
) -> tuple[str, tuple[Problem, ...]]:
    """Write the schedule. Returns a line about the file, and its problems."""
    if not verified:
        fault = "an independent check disagrees with the schedule; do not use it"
        return "", (Problem(arguments.system, "", "", fault),)
    if not arguments.output:
        return "", ()
    if schedule is None:
        return "", (Problem(str(arguments.output), "", "", why_none, "warning"),)
    write_schedule(schedule, arguments.output)
    return f"\nwritten to {arguments.output}", ()
