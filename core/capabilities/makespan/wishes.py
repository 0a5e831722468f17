"""The wishes of `wattfront solve`: their flags, what these ask for, and the answer."""

import argparse
import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from core.engines.front.axis import Axis, axis_for, usual_axis
from core.engines.front.data import unverified
from core.engines.front.replies import Reply, reply, wish_title
from core.engines.front.study import Pick, Possible, Study
from core.engines.front.wish import WISH_KINDS, PeakCap, PowerCap, StatedWish
from core.engines.peak.capped import keeps
from core.engines.verify.judge import verify
from core.shells.cli.answer import UNMET, Answer, told_answer
from core.shells.settings.numbers import number_within, reading
from core.shells.settings.site import add_site, given_site, was_given
from core.shells.told.told import KeyFigure, Told
from core.vocabulary.power import peak_power
from core.vocabulary.prices.site import ANY_PRICE
from core.vocabulary.prices.tariff import MONEY, Tariff
from core.vocabulary.problems import Problem
from core.vocabulary.ranges import Range
from core.vocabulary.say.columns import VERIFIED, size_in_words, took
from core.vocabulary.say.phrases import estimates_as_dict
from core.vocabulary.say.quantities import ENERGY, POWER, TIME
from core.vocabulary.say.words import Sense, amount, duration, energy, power, share

_PRICES: Final = ("price", "carbon", "carbon_price", "pue")
EXCHANGE_RATE: Final = Range(0.0, 1e15, "J/s")


def add_wishes(parser: argparse.ArgumentParser) -> None:
    """Add the flags of wishes; those not given are None."""
    wishes = parser.add_argument_group("wishes", "give at most one of the first six")
    for name, metavar, read, meaning in (
        ("deadline", "TIME", reading(TIME), f"the least energy, done within this time: {TIME}"),
        (
            "energy-budget",
            "ENERGY",
            reading(ENERGY),
            f"the shortest makespan with at most this energy: {ENERGY}",
        ),
        (
            "power-cap",
            "POWER",
            reading(POWER),
            f"the shortest makespan at no more than this average power: {POWER}",
        ),
        (
            "peak-cap",
            "POWER",
            reading(POWER),
            f"the shortest makespan at no moment above this power, where machines wait for each "
            f"other: {POWER}",
        ),
        (
            "exchange-rate",
            "J_PER_S",
            number_within(EXCHANGE_RATE),
            "the least energy and time together, where a second is worth this many joules",
        ),
        (
            "cost-budget",
            "MONEY",
            number_within(MONEY),
            "the shortest makespan for at most this much money; needs --energy-price",
        ),
    ):
        wishes.add_argument(f"--{name}", type=read, metavar=metavar, help=meaning)
    add_site(parser, *_PRICES)
    # What --energy-price was called until 0.2.0.
    read_price = number_within(ANY_PRICE)
    parser.add_argument("--price", dest="site_price", type=read_price, help=argparse.SUPPRESS)


def wish_faults(arguments: argparse.Namespace) -> Iterator[str]:
    """Contradictions among the flags of wishes."""
    kinds = _given(arguments, *(kind.flag for kind in WISH_KINDS))
    if len(kinds) > 1:
        yield f"{' and '.join(kinds)} are more than one wish; give one of them"
    prices = was_given(arguments)
    if arguments.cost_budget is None and prices:
        yield f"{', '.join(prices)}: only for --cost-budget; leave it out"
    if arguments.cost_budget is not None and not was_given(arguments, "price"):
        yield "--cost-budget needs --energy-price, the money that a kWh costs"
    elif arguments.cost_budget is not None and not arguments.site_price:
        yield "with --energy-price 0 any energy keeps --cost-budget; give more"
    if kinds and arguments.minimise:
        yield f"{kinds[0]} sets what is minimised; leave out --minimise"
    if kinds and arguments.method not in (None, "lp", "paper"):
        yield f"--method {arguments.method} takes no wish; for {kinds[0]} use lp or paper"


def asked(arguments: argparse.Namespace) -> StatedWish | None:
    """The wish that was asked for, or None."""
    for kind in WISH_KINDS:
        amount = getattr(arguments, _name(kind.flag))
        if amount is not None:
            return StatedWish(kind.parameter, amount)
    return None


def tariff_of(arguments: argparse.Namespace) -> Tariff | None:
    """The tariff of a wish in money; None for all others."""
    if arguments.cost_budget is None or (site := given_site(arguments)) is None:
        return None
    if not was_given(arguments, "carbon", "carbon_price"):
        site = replace(site, carbon=0.0)  # a command says nothing of carbon that it only assumes
    return site.tariff


def _given(arguments: argparse.Namespace, *names: str) -> list[str]:
    """The flags of these names that were given."""
    given = (name for name in names if getattr(arguments, _name(name)) is not None)
    return [f"--{name.replace('_', '-')}" for name in given]


def _name(flag: str) -> str:
    return flag.replace("-", "_")


_POSSIBLE: Final = {Possible.YES: "met", Possible.UNKNOWN: "unknown", Possible.NO: "no"}


def wish_answer(
    name: str, stated: StatedWish, tariff: Tariff | None, study: Study, seconds: Mapping[str, float]
) -> tuple[Answer, Pick]:
    """The answer, and the schedule that it picks; if that does not meet the wish, the status is
    `UNMET`.
    """
    joules = float(study.nadir[0])
    axis = axis_for("money", tariff, "", joules) if tariff else usual_axis(joules)
    answered = reply(study, stated, axis)
    told = _told(stated, tariff, axis, answered)
    picked, wish = answered.pick, told.data
    verified = study.verified
    if answered.met and math.isfinite(cap := picked.wish.peak_limit):
        verified = verified and verify(picked.schedule, study.system, cap).ok
    facts = [
        ("system", size_in_words(study.system)),
        ("verified", VERIFIED[verified]),
        ("took", took(seconds)),
    ]
    problems = () if answered.met else (Problem(name, "", "", told.lead),)
    if not verified:
        problems = (unverified(name), *problems)
    data = {
        "method": study.method,
        "lower_bound": wish["bound"],
        "makespan": picked.schedule.makespan,
        "energy": picked.schedule.energy,
        "gap": wish["gap"],
        "tasks": study.system.tasks,
        "machines": study.system.machines,
        **estimates_as_dict(study.system),
        "seconds": dict(seconds),
        "verified": verified,
        "wish": wish,
    }
    answer = told_answer(name, replace(told, data=data), facts, problems)
    if verified and not answered.met:
        answer = replace(answer, status=UNMET)
    return answer, picked


def _told(stated: StatedWish, tariff: Tariff | None, axis: Axis, answered: Reply) -> Told:
    """What is said of the schedule picked; the data are those of the wish."""
    picked, schedule = answered.pick, answered.pick.schedule
    wish, joules, makespan = picked.wish, schedule.energy, schedule.makespan
    figures = [
        ("Makespan", duration(makespan, Sense.SPENT, wish.time_limit)),
        ("Energy", energy(joules, Sense.SPENT, wish.energy_limit)),
    ]
    data: dict[str, object] = {
        "kind": stated.flag,
        "asked": stated.amount,
        "possible": _POSSIBLE[picked.possible],
        "value": picked.value,
        "bound": _finite(picked.bound),
        "gap": _finite(picked.gap),
        "slower_than_fastest": picked.slower_than_fastest,
        "dearer_than_thriftiest": picked.dearer_than_thriftiest,
    }
    if isinstance(wish, PowerCap | PeakCap):
        average, peak = joules / makespan if makespan else 0.0, peak_power(schedule)
        data["peak_power"] = peak
        figures += [
            ("Average power", power(average, Sense.SPENT, wish.power_limit)),
            ("Peak power", power(peak, Sense.SPENT, wish.power_limit)),
        ]
    if tariff:
        data["cost"], data["carbon"] = tariff.cost(joules), tariff.carbon(joules)
        figures.append(("Cost", axis.say(joules, Sense.SPENT, wish.energy_limit)))
        if carbon := tariff.carbon(joules):
            figures.append(("Carbon", amount(carbon, Sense.SPENT, "kg CO₂")))
    if answered.met:
        figures.append(("From the best, at most", share(picked.gap, Sense.UPPER_BOUND)))
    other = ""
    if answered.met and isinstance(wish, PowerCap) and not keeps(schedule, wish.watts):
        other = " --peak-cap limits every moment."
    return Told(
        f"{wish_title(stated, axis)}. {answered.sentence}{other}",
        figures=tuple(KeyFigure(label, value, "") for label, value in figures),
        data=data,
    )


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
