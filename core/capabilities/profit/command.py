"""`wattfront profit SYSTEM`: the profit of batch after batch and its upper bound, or which tasks to
accept before a deadline and what they earn.
"""

import argparse
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace

from core import System, Terms, earn, study, write_schedule
from core.capabilities.profit import CAPABILITY
from core.capabilities.profit import arguments as profit_arguments
from core.capabilities.profit.accept import accept
from core.capabilities.profit.arguments import (
    faults,
    profit_settings_of,
    read_rewards,
    strangers,
    terms_of,
)
from core.capabilities.profit.curve import price_steps
from core.capabilities.profit.day import day_of
from core.capabilities.profit.earn import Profit
from core.capabilities.profit.part_told import NO_BATCH, told_of_day, told_of_part
from core.capabilities.profit.program import CapTooLow
from core.capabilities.profit.settings import ProfitSettings
from core.capabilities.profit.told import profit_progress, title, told
from core.engines.relaxed import trace_front
from core.shells.cli.answer import Answer, told_answer
from core.shells.cli.arguments import effort_of, read, unit_of_effort, with_idle_power, without_work
from core.shells.cli.outputs import settings_of
from core.shells.cli.progress import Watch, watching
from core.shells.studies import Choice, write_study
from core.shells.told.told import Told
from core.vocabulary.problems import Problem, refuse, refusing
from core.vocabulary.say.columns import VERIFIED, size_in_words, took
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
    system, terms, settings = question.system, question.terms, question.settings
    arguments = question.arguments
    profit = earn(
        system,
        terms,
        effort=effort_of(arguments),
        should_stop=watch.stop_was_asked,
        report=watch.showing(profit_progress(settings.money, unit_of_effort(arguments))),
    )
    said = told(profit, price_steps(system, terms), settings, trace_front(system))
    schedule = None if profit.earnings is None else profit.earnings.schedule
    why_none = "there is no schedule to write, because running nothing is best"
    written, problems = _write_schedule(schedule, why_none, arguments, verified=profit.verified)
    if arguments.study and profit.verified:
        written += _write_study(question, profit, watch)
    said = _with_start(said, schedule, terms, question)
    return _answer(question, said, profit.seconds, written, problems)


def _part_of_one(question: _Question) -> Answer:
    """The answer for part of one batch: which tasks to accept."""
    system, arguments, deadline = question.system, question.arguments, question.arguments.deadline
    rewards = question.settings.rewards_in(system)
    started = time.perf_counter()
    part = accept(system, question.terms, rewards, deadline)
    seconds = {"accept": time.perf_counter() - started}
    why_none = "there is no schedule to write, because no task is worth accepting"
    written, problems = _write_schedule(part.schedule, why_none, arguments, verified=part.verified)
    if written and part.accepted.sum() < system.tasks:
        written += "; wattfront verify takes it with --part, for tasks are left out"
    terms = replace(question.terms, price=float(rewards @ part.accepted))
    said = told_of_part(part, deadline, question.settings.money)
    said = _with_start(said, part.schedule, terms, question)
    return _answer(question, said, seconds, written, problems)


def _answer(
    question: _Question,
    said: Told,
    seconds: Mapping[str, float],
    written: str,
    problems: tuple[Problem, ...],
) -> Answer:
    """What is said, and about what system, with which check and in which time."""
    spent = {"read": question.read_seconds, **seconds}
    facts = [
        ("system", size_in_words(question.system)),
        ("verified", VERIFIED[said.data["verified"] is True]),
        ("took", took(spent)),
    ]
    also = {**estimates_as_dict(question.system), "seconds": spent}
    answer = told_answer(question.arguments.system, said, facts, problems, also)
    return replace(answer, text=answer.text + written)


def _with_start(said: Told, schedule: Schedule | None, terms: Terms, question: _Question) -> Told:
    """What is said, and when to begin one batch if prices change over the day."""
    tariff = question.settings.site.day
    if tariff is None:
        return said
    if schedule is None:
        return said.beside(NO_BATCH)
    day = day_of(schedule, terms, tariff)
    hour: float | None = question.arguments.start
    chosen = day.best if hour is None else day.at(hour * HOUR)
    return said.beside(told_of_day(day, chosen, question.settings.money))


def _write_study(question: _Question, profit: Profit, watch: Watch) -> str:
    """Write the study with the schedule found as the chosen one. Returns a line about the file."""
    arguments, choice = question.arguments, None
    if profit.earnings is not None:
        choice = Choice(profit.earnings.schedule, title(profit, question.settings.money))
    front = study(question.system, method="bound", should_stop=watch.stop_was_asked)
    study_settings = replace(
        settings_of(arguments),
        idle=without_work(arguments),
        method=front.method,
        site=None if question.settings.site.is_assumed else question.settings.site,
        blocks=CAPABILITY.block(question.settings),
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
