"""Case 10: wishes, compared with all schedules of systems small enough to list them."""

import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from benchmarks.case import Case, Part, Section, Target
from benchmarks.every import every_schedule, number_of_ways
from benchmarks.report import duration, percent, table, whole
from core import Deadline, Effort, EnergyBudget, PowerCap, System, load_sample, pick, solve, study
from core.capabilities.makespan.methods import AIMS
from core.engines.front.study import Possible
from core.engines.front.wish import ExchangeRate, StatedWish, Wish
from core.vocabulary.arrays import FloatArray
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.prices.tariff import Tariff

SYSTEMS: Final = 1000
SECONDS: Final = 1.0
MOST_WAYS: Final = 200_000
SEED: Final = 7
TARIFF: Final = Tariff(price_per_kwh=0.3, carbon_per_kwh=0.4, price_of_carbon=0.1, pue=1.3)
# Equal means equal within the tolerance of wishes.
SAME: Final = 1e-12
ENUMERATED: Final = "1,000 systems"


@dataclass(frozen=True, slots=True)
class _Asked:
    """A wish, and the rows of (joules, seconds) of all schedules that meet it."""

    kind: str
    wish: Wish
    meeting: FloatArray


def draw(rng: np.random.Generator) -> System:
    """A system of whole times and watts with not too many schedules. In every third system, idle
    machines draw more than most machines at work.
    """
    while True:
        tasks, kinds = rng.integers(1, 5), rng.integers(1, 4)
        etc = rng.integers(1, 20, (tasks, kinds)).astype(float)
        etc[rng.random(etc.shape) < 0.15] = np.inf
        apc = np.where(np.isinf(etc), np.nan, rng.integers(0, 200, etc.shape))
        idle = rng.integers(0, rng.choice([1, 100, 400]), kinds)
        counts, machines = rng.integers(0, 5, tasks), rng.integers(0, 4, kinds)
        if not counts.any() or not (np.isfinite(etc) & (machines > 0)).any(axis=1).all():
            continue
        system = System(
            tuple(TaskType(f"T{i}", count) for i, count in enumerate(counts.tolist())),
            tuple(
                MachineType(f"M{j}", number, float(watts))
                for j, (number, watts) in enumerate(zip(machines.tolist(), idle, strict=True))
            ),
            etc,
            apc,
        )
        if number_of_ways(system) <= MOST_WAYS:
            return system


def asked(every: FloatArray, rng: np.random.Generator) -> Iterator[_Asked]:
    """Amounts for each kind of wish: exactly those of a schedule, between, and below all."""
    joules, seconds = every.T
    for kind, amounts in (
        ("deadline", seconds),
        ("energy budget", joules),
        ("cost budget", joules),
        ("power cap", joules / seconds),
    ):
        exact, other = rng.choice(amounts, 2)
        for amount in (exact, other, (exact + other) / 2, amounts.min() * 0.999):
            wish: Wish = EnergyBudget(amount)
            if kind == "deadline":
                wish = Deadline(amount)
            elif kind == "power cap":
                wish = PowerCap(amount)
            elif kind == "cost budget":
                wish = StatedWish("money", TARIFF.cost(amount)).wish(TARIFF.per_joule)
            yield _Asked(kind, wish, every[amounts <= amount * (1 + SAME)])
    yield _Asked("exchange rate", ExchangeRate(float(rng.integers(0, 500))), every)


def granted(found: Any, one: _Asked) -> str:
    """The result of a wish: "best" if no schedule answers it better, "met", "missed"; if none meets
    it, "refused" if that is proven, else "doubted".
    """
    picked = pick(found, one.wish)
    if not len(one.meeting):
        return "refused" if picked.possible is Possible.NO else "doubted"
    if picked.possible is not Possible.YES:
        return "missed"
    best = float(one.wish.value(one.meeting).min())
    return "best" if picked.value <= best * (1 + SAME) and picked.bound <= best else "met"


def measure(quick: bool) -> dict[str, Any]:
    """How often each kind of wish had each result, and the time of each system (s)."""
    rng = np.random.default_rng(SEED)
    fared: dict[str, Counter[str]] = {}
    took: list[float] = []
    solve(load_sample("two-by-two"), effort=Effort(SECONDS))  # loads the kernels
    for _ in range(30 if quick else SYSTEMS):
        system = draw(rng)
        every = every_schedule(system).astype(float)
        wishes = list(asked(every, rng))
        started = time.perf_counter()
        found = study(system, effort=Effort(SECONDS))
        for one in wishes:
            fared.setdefault(one.kind, Counter())[granted(found, one)] += 1
        took.append(time.perf_counter() - started)
        for aim, values in zip(AIMS, every.T[::-1], strict=True):
            value = solve(system, minimise=aim, effort=Effort(SECONDS)).value
            best = value <= values.min() * (1 + SAME)
            fared.setdefault(f"least {aim}", Counter())["best" if best else "met"] += 1
    return {"fared": fared, "longest": max(took), "median": float(np.median(took))}


def tell(measured: Mapping[str, Any]) -> Section:
    result = measured[ENUMERATED]
    fared: Mapping[str, Mapping[str, int]] = result["fared"]
    ways = ("best", "met", "missed", "refused", "doubted")
    rows = [
        [kind, *(whole(counted.get(way, 0)) for way in ways)] for kind, counted in fared.items()
    ]
    all_ = {way: sum(counted.get(way, 0) for counted in fared.values()) for way in ways}
    possible = all_["best"] + all_["met"] + all_["missed"]
    impossible = all_["refused"] + all_["doubted"]
    return Section(
        [
            Target(
                "wishes met that some schedule meets",
                (all_["best"] + all_["met"]) / possible,
                1.0,
                percent,
                at_least=True,
            ),
            Target("met by no worse a schedule", all_["best"] / possible, 1.0, percent, True),
            Target("refused with proof", all_["refused"] / impossible, 1.0, percent, True),
            Target("the longest of all systems", result["longest"], SECONDS, duration),
        ],
        "\n\n".join(
            [
                "Systems of 1 to 4 task types and 1 to 3 machine types, up to 4 tasks and 3 "
                f"machines each, of which every schedule is listed (up to {MOST_WAYS:,}); idle "
                "power up to 0, 99 or 399 W beside 0 to 199 W at work. Asked is what some schedule "
                "has exactly, what lies between, and less than any has. *Best*: no schedule of the "
                "list is better; *refused*: none meets it, and that is proven.",
                table(["Wish", *(way.capitalize() for way in ways)], rows),
                f"A study and its {len(list(fared)) - 2} kinds of wishes take "
                f"{duration(result['median'])} in the median, {duration(result['longest'])} at "
                "most, all checks included.",
            ]
        ),
    )


CASE: Final = Case("Wishes", {ENUMERATED: Part(measure)}, tell)
